//! Threads queue to write lines of a log.

use super::{
    super::{Limit, Verdict, activity::Activity, case::Case},
    event_loop, queue, silent,
};

pub(super) static LIMIT: Limit =
    Limit { id: "logging", means: "one line of a log after the other", find, cleared: silent, knob: super::no_knob };

fn find(case: &Case) -> Option<Verdict> {
    let evidence = in_threads(case).or_else(|| event_loop::logs(case))?;
    Some(Verdict {
        says: "logging: one line is written at a time".to_owned(),
        evidence: vec![evidence, queue::growth(case)],
        change: "Log less for each request (levels), or asynchronously: AsyncAppender of Logback, asynchronous \
                 loggers of Log4j, with a queue that drops instead of blocking; to a file instead of a console."
            .to_owned(),
    })
}

fn in_threads(case: &Case) -> Option<String> {
    let logging = case.serving(|what| *what == Activity::Logs);
    let queued = case.queued().filter(|queued| queued.what == Activity::Logs)?;
    let are_most = logging >= 0.5 * case.in_threads() && logging >= 1.0;
    are_most.then(|| queue::evidence(case, &queued, "their turn to log"))
}
