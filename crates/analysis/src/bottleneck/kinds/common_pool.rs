//! Requests wait for tasks in the pool that the whole JVM shares.

use super::{
    super::{Knob, Limit, Verdict, case::Case},
    executor, silent,
};

/// How the names of its threads begin.
pub(crate) const COMMON_POOL: &str = "ForkJoinPool.commonPool";

pub(super) static LIMIT: Limit = Limit {
    id: "common-pool",
    means: "the common fork-join pool, whose threads others wait for",
    find,
    cleared: silent,
    knob,
};

fn find(case: &Case) -> Option<Verdict> {
    let pool = executor::full(case)?;
    if !pool.name.starts_with(COMMON_POOL) {
        return None;
    }
    Some(Verdict {
        says: "ForkJoinPool.commonPool, which all share".to_owned(),
        evidence: executor::evidence(case, pool),
        change: "Give these tasks an executor of their own (the second argument of CompletableFuture.supplyAsync), or \
                 virtual threads; else raise java.util.concurrent.ForkJoinPool.common.parallelism."
            .to_owned(),
    })
}

fn knob(case: &Case) -> Option<Knob> {
    let pool = executor::full(case)?;
    let settings = vec!["-Djava.util.concurrent.ForkJoinPool.common.parallelism".to_owned()];
    Some(Knob::sized(settings, pool.size(), executor::wanted(case)))
}
