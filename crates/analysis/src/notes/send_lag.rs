//! Requests left late: the generator was slow, or the limit on requests in flight held them back.

use super::{Cell, cells, info, the_same_of, warning};
use crate::{
    measured::Measured,
    results::{Note, Results},
};

/// Below this nobody's answer changes.
const LEAST_MS: f64 = 1.0;
/// Of the median response time.
const LEAST_SHARE: f64 = 0.05;

/// One note for each of the two reasons, about the level where the lag was longest.
pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let mut late: Vec<Cell> = cells(measured, results).filter(is_late).collect();
    let lag_ms = |cell: &Cell| cell.results.send_lag_p99_ms.median;
    late.sort_by(|a, b| lag_ms(b).total_cmp(&lag_ms(a)));
    let (held_back, by_generator): (Vec<Cell>, Vec<Cell>) = late.into_iter().partition(is_held_back);
    let name_rest = |cells: &[Cell]| the_same_of(&cells.iter().map(Cell::name).collect::<Vec<_>>());
    let generator = by_generator.split_first().map(|(worst, others)| {
        warning(format!(
            "{}: the generator sent 1 % of requests more than {:.1} ms late, at a median response time of {:.1} ms. \
             Response times count that wait; give the generator cores of its own, or lower the load.{}",
            worst.name(),
            lag_ms(worst),
            worst.results.response.median_ms.median,
            name_rest(others)
        ))
    });
    let limit = held_back.split_first().map(|(worst, others)| {
        info(format!(
            "{}: 1 % of requests were sent more than {:.1} ms late, because {:.0} were in flight, as many as allowed. \
             Response times count that wait.{}",
            worst.name(),
            lag_ms(worst),
            worst.results.littles_law.allowed,
            name_rest(others)
        ))
    });
    generator.into_iter().chain(limit).collect()
}

fn is_late(cell: &Cell) -> bool {
    let lag_ms = cell.results.send_lag_p99_ms.median;
    lag_ms > LEAST_MS && lag_ms > cell.results.response.median_ms.median * LEAST_SHARE
}

fn is_held_back(cell: &Cell) -> bool {
    let law = &cell.results.littles_law;
    !cell.level.plan.load.is_closed() && law.in_flight >= 0.9 * law.allowed
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
