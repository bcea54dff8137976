//! Requests left late because the limit on requests in flight held them back.

use super::Cell;
use crate::{
    generator,
    results::{Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&HELD_BACK];

static HELD_BACK: Kind = Kind {
    id: "held-back",
    title: "requests held back",
    weight: Weight::Info,
    means: "As many requests as `max-in-flight` allows were in flight, so others were sent late. Response times \
            count that wait, as users would.",
    remedy: "Raise `max-in-flight` if the target is to be overloaded further.",
    evidence: &[
        Measure { name: "send_lag_p99", unit: "ms", about: "99th percentile of the send lag" },
        Measure { name: "allowed", unit: "", about: "requests in flight at most" },
    ],
};

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let (lag_ms, law) = (cell.results.send_lag_p99_ms.median, &cell.results.littles_law);
    let is_late = generator::is_late(lag_ms, cell.results.response.median_ms.median);
    let says = || {
        format!(
            "1 % of requests were sent more than {} ms late, because {} were in flight, as many as allowed. Response \
             times count that wait.",
            number(lag_ms),
            number(law.allowed)
        )
    };
    let found = || HELD_BACK.at(cell.place(), says()).with("send_lag_p99", lag_ms).with("allowed", law.allowed);
    (is_late && generator::is_held_back(cell.level, law)).then(found)
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Arrivals, Load, Nanos};

    use super::*;
    use crate::{
        analyse,
        findings::found_at_levels,
        testing::{Request, execution, level, level_plan, plan, run, variant},
    };

    /// A request each 10 ms, sent 50 ms late, answered in 20 ms.
    fn found(max_in_flight: u32) -> Vec<Finding> {
        let ms = Nanos::from_millis;
        let arrivals = Arrivals::Even;
        let load =
            Load::ConstantArrivalRate { rate: 100.0, duration: ms(5_000), arrivals, max_in_flight, drop_late: false };
        let plan_of_level = level_plan("x", load);
        let late = |k: u64| Request { sent: ms(k * 10 + 50), ..Request::ok(ms(k * 10), ms(k * 10 + 70)) };
        let requests: Vec<Request> = (0..500).map(late).collect();
        let data = run(0, 0, ms(0), vec![level(&plan_of_level, ms(0), &requests)]);
        let data = execution(plan(vec![variant("a")], vec![plan_of_level], 1), vec![data]);
        found_at_levels(&data, &analyse(&data), at)
    }

    #[test]
    fn only_what_the_limit_held_back_is_told() {
        assert!(found(100).is_empty());
        assert!(found(2)[0].says.contains("because 2 were in flight, as many as allowed"));
    }
}
