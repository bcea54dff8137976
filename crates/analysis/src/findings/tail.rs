//! The last responses came long after the load.

use super::Cell;
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&TAIL];

/// The least time after a load that is worth a sentence: in seconds, and as a share of the load's.
const TAIL_LEAST_S: f64 = 1.0;
const TAIL_LEAST_SHARE: f64 = 0.1;

static TAIL: Kind = Kind {
    id: "late-end",
    title: "late end",
    weight: Weight::Info,
    means: "After the load was over, its last responses were awaited for a while. Rates are of the time in which \
            requests were offered; response times count all requests.",
    remedy: "Look at the slowest response times: a few requests wait much longer than the others, or all of them wait \
             in a long queue.",
    evidence: &[
        Measure { name: "tail", unit: "s", about: "from the end of the load to its last response" },
        Measure { name: "window", unit: "s", about: "in which requests were offered" },
    ],
};

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let (place, tail_s) = cell.worst(|round| Some(round.tail.as_secs_f64()))?;
    let window_s = cell.results.window_s.median;
    if tail_s < TAIL_LEAST_S || tail_s < window_s * TAIL_LEAST_SHARE {
        return None;
    }
    let says = format!(
        "The last responses came {} s after the load of {} s was over. Rates are of the load's time alone.",
        number(tail_s),
        number(window_s),
    );
    Some(TAIL.at(place, says).with("tail", tail_s).with("window", window_s))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Load, Nanos, ThinkTime};

    use super::*;
    use crate::{
        analyse,
        findings::found_at_levels,
        testing::{Request, execution, level, level_plan, plan, run, variant},
    };

    #[test]
    fn what_comes_after_the_load_is_told_and_is_not_of_its_rate() {
        let ms = Nanos::from_millis;
        let found = |last_ms| {
            let plan_of_level =
                level_plan("2", Load::ConstantVus { vus: 2, duration: ms(10_000), think: ThinkTime::None });
            let mut requests: Vec<Request> = (0..100).map(|k| Request::ok(ms(k * 100), ms(k * 100 + 100))).collect();
            requests.push(Request::ok(ms(9_000), ms(last_ms)));
            let data = run(0, 0, ms(0), vec![level(&plan_of_level, ms(0), &requests)]);
            let data = execution(plan(vec![variant("a")], vec![plan_of_level], 1), vec![data]);
            let results = analyse(&data);
            let level = results.variants[0].levels[0].as_ref().unwrap();
            let throughput = level.throughput_per_s.median;
            assert!((throughput - 10.0).abs() < 0.11, "{throughput}");
            found_at_levels(&data, &results, at)
        };
        let late = found(46_000);
        assert_eq!(
            late[0].says,
            "The last responses came 36 s after the load of 10 s was over. Rates are of the load's time alone."
        );
        assert!(found(10_900).is_empty());
    }
}
