//! Requests left late: the generator was slow, or the limit on requests in flight held them back.

use super::{Cell, cells, info, warning};
use crate::{
    measured::Measured,
    results::{Note, Results},
};

/// Below this nobody's answer changes.
const LEAST_MS: f64 = 1.0;
/// Of the median response time.
const LEAST_SHARE: f64 = 0.05;

pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    cells(measured, results).filter_map(|cell| note(&cell)).collect()
}

fn note(cell: &Cell) -> Option<Note> {
    let lag_ms = cell.results.send_lag_p99_ms.median;
    // A request is sent when it has a connection: the time to get one is the target's, not the generator's.
    let own_ms = lag_ms - cell.results.connect_ms.map_or(0.0, |it| it.p99);
    let response_ms = cell.results.response.median_ms.median;
    if own_ms <= LEAST_MS || own_ms <= response_ms * LEAST_SHARE {
        return None;
    }
    let law = &cell.results.littles_law;
    let is_held_back = !cell.level.plan.load.is_closed() && law.in_flight >= 0.9 * law.allowed;
    Some(if is_held_back {
        info(format!(
            "{}: 1 % of requests were sent more than {lag_ms:.1} ms late, because {:.0} were in flight, as many as \
             allowed. Response times \
             count that wait.",
            cell.name(),
            law.allowed
        ))
    } else {
        warning(format!(
            "{}: the generator sent 1 % of requests more than {lag_ms:.1} ms late, at a median response time of \
             {response_ms:.1} ms. Response \
             times count that wait; give the generator cores of its own, or lower the load.",
            cell.name()
        ))
    })
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Arrivals, LevelPlan, Load, Nanos, ThinkTime};

    use super::*;
    use crate::{
        analyse,
        results::Weight,
        testing::{Request, execution, level, level_plan, plan, run, variant},
    };

    const fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    /// A request each 10 ms, sent `lag_ms` late, answered in 20 ms.
    fn found(load: Load, lag_ms: u64) -> Vec<Note> {
        let plan_of_level: LevelPlan = level_plan("x", load);
        let requests: Vec<Request> = (0..500)
            .map(|k| Request { sent: ms(k * 10 + lag_ms), ..Request::ok(ms(k * 10), ms(k * 10 + lag_ms + 20)) })
            .collect();
        let data = run(0, 0, ms(0), vec![level(&plan_of_level, ms(0), &requests)]);
        let data = execution(plan(vec![variant("a")], vec![plan_of_level], 1), vec![data]);
        find(&Measured::of(&data), &analyse(&data))
    }

    fn open(max_in_flight: u32) -> Load {
        let arrivals = Arrivals::Even;
        Load::ConstantArrivalRate { rate: 100.0, duration: ms(5_000), arrivals, max_in_flight, drop_late: false }
    }

    #[test]
    fn a_late_generator_is_told_from_a_limit() {
        assert!(found(open(100), 0).is_empty());
        assert_eq!(found(open(100), 50)[0].weight, Weight::Warning);
        assert_eq!(found(open(2), 50)[0].weight, Weight::Info);
        let closed = Load::ConstantVus { vus: 10, duration: ms(5_000), think: ThinkTime::None };
        assert!(found(closed.clone(), 1).is_empty());
        let text = &found(closed, 50)[0].text;
        assert!(
            text.starts_with(
                "a @ x: the generator sent 1 % of requests more than 50.0 ms late, at a median response time of 70."
            ),
            "{text}"
        );
    }
}
