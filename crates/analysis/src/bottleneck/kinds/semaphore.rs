//! Threads queue for permits: a semaphore, a bulkhead.

use super::{
    super::{Knob, Limit, Verdict, case::Case, known::Gives},
    queue, silent,
};

pub(super) static LIMIT: Limit = Limit {
    id: "semaphore",
    means: "permits of a semaphore, a bulkhead of Resilience4j or Spring's concurrency limit",
    find,
    cleared: silent,
    knob,
};

fn find(case: &Case) -> Option<Verdict> {
    queue::for_pool(case, Gives::Permits, "permits", "a permit")
}

fn knob(case: &Case) -> Option<Knob> {
    queue::knob(case, &queue::for_what(case, Gives::Permits)?)
}
