//! The quota of a cgroup kept a target from running.

use plimsoll_record::metric::THROTTLED_MS;

use super::{cells, listed, warning};
use crate::{
    measured::{LevelRound, Measured},
    results::{Note, Results},
};

/// Of the level's time.
const LEAST_PERCENT: f64 = 5.0;

pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let throttled = cells(measured, results).filter_map(|cell| {
        let percent = cell.rounds.iter().filter_map(percent).fold(0.0, f64::max);
        (percent >= LEAST_PERCENT).then(|| format!("{} ({percent:.0} %)", cell.name()))
    });
    let throttled: Vec<String> = throttled.collect();
    if throttled.is_empty() {
        return Vec::new();
    }
    vec![warning(format!(
        "Throttled: {}. For that share of the time, all cores together, the target's cgroup had used up its CPU quota \
         and stood still until the next period: these figures show the quota and its period, not how much work there \
         is. If it is the limit you mean to test (`limits.cpus`), that is how it works; else raise it.",
        listed(&throttled)
    ))]
}

/// Time without CPU, as a share of the level's.
fn percent(round: &LevelRound) -> Option<f64> {
    let duration_ms = round.duration.as_millis_f64();
    let throttled_ms = round.watched.gain(THROTTLED_MS.name)?;
    (duration_ms > 0.0).then(|| throttled_ms / duration_ms * 100.0)
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Nanos, Sample};

    use super::*;
    use crate::{
        analyse,
        testing::{Request, burst, execution, level, plan, run, variant},
    };

    fn found(throttled_ms: f64) -> Vec<Note> {
        let request = Request::ok(Nanos::ZERO, Nanos::from_secs(1));
        let mut data = run(0, 0, Nanos::ZERO, vec![level(&burst(1), Nanos::ZERO, &[request])]);
        let sample = |at_ms, value| Sample { at: Nanos::from_millis(at_ms), metric: "throttled_ms".to_owned(), value };
        data.samples = vec![sample(0, 100.0), sample(500, 100.0 + throttled_ms)];
        let data = execution(plan(vec![variant("a")], vec![burst(1)], 1), vec![data]);
        find(&Measured::of(&data), &analyse(&data))
    }

    #[test]
    fn a_twentieth_of_the_time_is_too_much() {
        assert!(found(40.0).is_empty());
        assert!(found(300.0)[0].text.starts_with("Throttled: a @ 1 (30 %)."), "{}", found(300.0)[0].text);
    }
}
