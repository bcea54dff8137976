//! Requests left late because the limit on requests in flight held them back.

use super::{Cell, cells, info, the_same_of};
use crate::{
    generator,
    measured::Measured,
    results::{Note, Results},
};

/// One note, about the level where the lag was longest.
pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let lag_ms = |cell: &Cell| cell.results.send_lag_p99_ms.median;
    let is_late = |cell: &Cell| {
        generator::is_late(lag_ms(cell), cell.results.response.median_ms.median)
            && generator::is_held_back(cell.level, &cell.results.littles_law)
    };
    let mut late: Vec<Cell> = cells(measured, results).filter(is_late).collect();
    late.sort_by(|a, b| lag_ms(b).total_cmp(&lag_ms(a)));
    let note = late.split_first().map(|(worst, others)| {
        info(format!(
            "{}: 1 % of requests were sent more than {:.1} ms late, because {:.0} were in flight, as many as allowed. \
             Response times count that wait.{}",
            worst.name(),
            lag_ms(worst),
            worst.results.littles_law.allowed,
            the_same_of(&others.iter().map(Cell::name).collect::<Vec<_>>())
        ))
    });
    note.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Arrivals, Load, Nanos};

    use super::*;
    use crate::{
        analyse,
        testing::{Request, execution, level, level_plan, plan, run, variant},
    };

    /// A request each 10 ms, sent 50 ms late, answered in 20 ms.
    fn found(max_in_flight: u32) -> Vec<Note> {
        let ms = Nanos::from_millis;
        let arrivals = Arrivals::Even;
        let load =
            Load::ConstantArrivalRate { rate: 100.0, duration: ms(5_000), arrivals, max_in_flight, drop_late: false };
        let plan_of_level = level_plan("x", load);
        let late = |k: u64| Request { sent: ms(k * 10 + 50), ..Request::ok(ms(k * 10), ms(k * 10 + 70)) };
        let requests: Vec<Request> = (0..500).map(late).collect();
        let data = run(0, 0, ms(0), vec![level(&plan_of_level, ms(0), &requests)]);
        let data = execution(plan(vec![variant("a")], vec![plan_of_level], 1), vec![data]);
        find(&Measured::of(&data), &analyse(&data))
    }

    #[test]
    fn only_what_the_limit_held_back_is_told() {
        assert!(found(100).is_empty());
        assert!(found(2)[0].text.contains("because 2 were in flight, as many as allowed"));
    }
}
