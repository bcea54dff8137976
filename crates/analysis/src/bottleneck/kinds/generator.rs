//! The load generator itself has no CPU left.

use super::{
    super::{Limit, Verdict, case::Case},
    silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "generator",
    means: "Plimsoll itself: the figures say nothing of the service",
    find,
    cleared: silent,
    knob: super::no_knob,
};

/// CPU of the generator's busiest thread, 100 = one core.
const BUSY_PERCENT: f64 = 92.0;
/// Threads of the generator that have no core, on average, while the target's have theirs.
const STARVED: f64 = 0.7;
/// Periods in which its own quota is used up, as a share of all.
const THROTTLED: f64 = 0.5;

fn find(case: &Case) -> Option<Verdict> {
    let full = &case.view.full;
    let is_busy = full.generator_percent >= BUSY_PERCENT;
    // On the target's machine the generator may leave the target too little CPU.
    let takes_most = case.lacks_cores() && full.own_percent > 1.5 * full.cpu_percent.unwrap_or(f64::MAX);
    let throttled = full.own_throttled;
    let starved = is_starved(case);
    (is_busy || takes_most || starved || throttled >= THROTTLED).then(|| {
        let used = format!(
            "its busiest thread used {} % of a core, all of it {} %",
            number(full.generator_percent),
            number(full.own_percent)
        );
        let quota = (throttled >= THROTTLED).then(|| {
            format!("in {} % of all periods its own CPU quota was used up", number((throttled * 100.0).min(100.0)))
        });
        let waits = starved.then(|| {
            format!(
                "{} of its threads could run and have no core, {} of the target’s: others are before it",
                number(full.own_waiting),
                number(case.waiting_for_cores())
            )
        });
        Verdict {
            says: "the load generator".to_owned(),
            evidence: [used].into_iter().chain(quota).chain(waits).collect(),
            change: "Load from another machine, with more threads (--threads), or without a CPU quota.".to_owned(),
        }
    })
}

/// Whether other processes keep the generator, but not the target, from a core.
fn is_starved(case: &Case) -> bool {
    let (full, waiting) = (&case.view.full, case.waiting_for_cores());
    let is_kept = full.own_waiting >= STARVED && full.own_waiting >= 2.0 * full.own_percent / 100.0;
    is_kept && waiting < 0.25 * full.own_waiting && !case.fills_its_cores()
}
