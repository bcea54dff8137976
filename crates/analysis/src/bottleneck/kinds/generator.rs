//! The load generator itself has no CPU left.

use super::{
    super::{Limit, Verdict, case::Case},
    queue, silent,
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
/// Share of the requests in flight that the target may have, where the others are answered.
const HELD: f64 = 0.3;

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

/// Requests that the target has answered, and Plimsoll has not taken in: a quota holds it back, or the way to it is full.
/// Asked for where nothing in the target is the limit.
pub(super) fn answered(case: &Case) -> Option<Verdict> {
    let (light, full) = (&case.view.light, &case.view.full);
    let inbound = full.inbound();
    let held = inbound.open.max(inbound.unread + inbound.unaccepted).max(case.in_threads());
    let are_answered = held <= HELD * case.in_flight() && inbound.established >= 0.8 * case.in_flight();
    let is_slower = light.response_ms > 0.0 && full.response_ms >= 2.0 * light.response_ms;
    (are_answered && is_slower && case.in_flight() >= 2.0).then(|| Verdict {
        says: "the load generator, or the way to it".to_owned(),
        evidence: vec![
            format!(
                "of {} requests in flight the target has {}: it has answered the others, and they are not taken in",
                number(case.in_flight().round()),
                number(held.round())
            ),
            queue::growth(case),
        ],
        change: "Give Plimsoll more CPU (its cgroup’s quota, its cores), or load from another machine.".to_owned(),
    })
}
