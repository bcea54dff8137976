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

fn find(case: &Case) -> Option<Verdict> {
    let full = &case.view.full;
    let is_busy = full.generator_percent >= BUSY_PERCENT;
    // On the target's machine it may leave the target too little.
    let takes_most = case.lacks_cores() && full.own_percent > 1.5 * full.cpu_percent.unwrap_or(f64::MAX);
    (is_busy || takes_most).then(|| Verdict {
        says: "the load generator".to_owned(),
        evidence: vec![format!(
            "its busiest thread used {} % of a core, all of it {} %",
            number(full.generator_percent),
            number(full.own_percent)
        )],
        change: "Load from another machine, or with more threads (--threads).".to_owned(),
    })
}
