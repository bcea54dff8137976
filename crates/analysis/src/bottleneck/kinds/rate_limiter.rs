//! Threads wait for a rate limiter.

use super::{
    super::{Knob, Limit, Verdict, case::Case, known::Gives},
    queue, silent,
};

pub(super) static LIMIT: Limit = Limit {
    id: "rate-limiter",
    means: "the permits a second of Resilience4j, Guava or Bucket4j",
    find,
    cleared: silent,
    knob,
};

fn find(case: &Case) -> Option<Verdict> {
    queue::for_pool(case, Gives::Rate, "a rate limiter", "the next permit")
}

fn names(case: &Case) -> Vec<String> {
    queue::for_what(case, Gives::Rate).map(|queued| queue::setting_of(case, &queued).names).unwrap_or_default()
}

/// It hands out so much in a second.
fn knob(case: &Case) -> Option<Knob> {
    let rate = case.view.full.throughput_per_s;
    Some(Knob::sized(names(case), rate, 4.0 * rate))
}
