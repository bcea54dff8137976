//! The quota of a cgroup kept a target from running.

use plimsoll_record::metric::THROTTLED_MS;

use super::Cell;
use crate::{
    measured::LevelRound,
    results::{Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&THROTTLED];

static THROTTLED: Kind = Kind {
    id: "cpu-throttled",
    title: "CPU quota used up",
    weight: Weight::Warning,
    means: "The target's cgroup had used up its CPU quota and stood still until the next period, for 5 % of the \
            level's time or more (all cores together). The figures show the quota and its period, not how much work \
            there is.",
    remedy: "If the quota (`limits.cpus`) is the limit that you mean to test, that is how it works; else raise it.",
    evidence: &[Measure { name: "throttled", unit: "%", about: "of the level's time throttled" }],
};

/// The least throttled share of the level's time, in percent.
const LEAST_PERCENT: f64 = 5.0;

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let (place, percent) = cell.worst(throttled_percent).filter(|it| it.1 >= LEAST_PERCENT)?;
    let says = format!(
        "The target was throttled for {} % of the time, all cores together: its cgroup had used up its CPU quota and \
         stood still until the next period. These figures show the quota and its period, not how much work there \
         is.",
        number(percent)
    );
    Some(THROTTLED.at(place, says).with("throttled", percent))
}

/// Time without CPU, in percent of the level's.
fn throttled_percent(round: &LevelRound) -> Option<f64> {
    let duration_ms = round.duration.as_millis_f64();
    let throttled_ms = round.watched.growth(THROTTLED_MS.name)?;
    (duration_ms > 0.0).then(|| throttled_ms / duration_ms * 100.0)
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Nanos, Sample};

    use super::*;
    use crate::{
        analyse,
        findings::found_at_levels,
        testing::{Request, burst, execution, level, plan, run, variant},
    };

    fn found(throttled_ms: f64) -> Vec<Finding> {
        let request = Request::ok(Nanos::ZERO, Nanos::from_secs(1));
        let mut data = run(0, 0, Nanos::ZERO, vec![level(&burst(1), Nanos::ZERO, &[request])]);
        let sample = |at_ms, value| Sample { at: Nanos::from_millis(at_ms), metric: "throttled_ms".to_owned(), value };
        data.samples = vec![sample(0, 100.0), sample(500, 100.0 + throttled_ms)];
        let data = execution(plan(vec![variant("a")], vec![burst(1)], 1), vec![data]);
        found_at_levels(&data, &analyse(&data), at)
    }

    #[test]
    fn a_twentieth_of_the_time_is_too_much() {
        assert!(found(40.0).is_empty());
        assert!((found(300.0)[0].gravity() - 30.0).abs() < 1e-9, "{:?}", found(300.0));
    }
}
