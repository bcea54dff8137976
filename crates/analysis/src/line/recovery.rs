//! How a service took the overload after its search.

use plimsoll_record::{ArrivalCounts, LevelData, Phase, RunData};
use plimsoll_search::{Criterion, SLOT, Slot, recovery::recovered_after};

use crate::results::RecoveryResults;

/// A service that was watched for less time after an overload might have recovered later.
const LEAST_S: f64 = 25.0;

/// Recovery from the overload of a run, by these criteria of a line; none if there was no overload.
pub(super) fn of(run: &RunData, criteria: &[Criterion]) -> Option<RecoveryResults> {
    let is_complete = |level: &&LevelData| level.plan.phase == Phase::Recovery && level.took.is_some();
    let level = run.levels.iter().find(is_complete)?;
    let legs = level.plan.load.legs();
    let (overload, after) = (legs.first()?, legs.last()?);
    let slots = slots(level, criteria);
    let overload_s = overload.duration.as_secs_f64();
    let watched_s = (slots.len() as f64 * SLOT - overload_s).max(0.0);
    let recovered_s = recovered_after(&slots, criteria, (overload_s / SLOT).round() as usize);
    Some(RecoveryResults {
        overload_per_s: overload.to,
        overload_s,
        after_per_s: after.to,
        watched_s,
        recovered_s,
        is_metastable: recovered_s.is_none() && watched_s >= LEAST_S,
    })
}

/// Slots of requests by the instant at which they were intended.
fn slots(level: &LevelData, criteria: &[Criterion]) -> Vec<Slot> {
    let mut counts = ArrivalCounts::new();
    level.intervals.iter().for_each(|interval| counts.merge(&interval.arrivals));
    let end = counts.slots().last().map_or(0, |last| last.slot + 1);
    super::slots(&counts, 0..end, &level.plan.limits, criteria)
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Nanos;

    use super::*;
    use crate::testing::{overload, run};

    fn overloaded(after_s: u32, late_s: u32) -> RunData {
        run(0, 0, Nanos::from_secs(1), vec![overload(after_s, late_s)])
    }

    #[test]
    fn recovery_is_counted_from_the_end_of_the_overload() {
        let criteria = [Criterion::percentile(0.99, 0.2)];
        let found = of(&overloaded(8, 9), &criteria).expect("there was an overload");
        assert_eq!((found.overload_per_s, found.overload_s, found.after_per_s), (130.0, 5.0, 90.0));
        // One request in the first slot of the window may be late, ten may not.
        assert!((found.recovered_s.expect("it recovers") - 4.0).abs() < 1e-6, "{found:?}");
        assert!((found.watched_s - 8.0).abs() < 1e-6 && !found.is_metastable);
        let never = of(&overloaded(30, 100), &criteria).expect("there was an overload");
        assert_eq!((never.recovered_s, never.is_metastable), (None, true));
        let unknown = of(&overloaded(8, 100), &criteria).expect("there was an overload");
        assert_eq!((unknown.recovered_s, unknown.is_metastable), (None, false), "too short to tell");
        assert_eq!(of(&run(0, 0, Nanos::from_secs(1), Vec::new()), &criteria), None);
    }
}
