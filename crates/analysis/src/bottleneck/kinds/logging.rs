//! Threads queue to write lines of a log.

use super::{
    super::{Limit, Verdict, activity::Activity, case::Case},
    queue, silent,
};

pub(super) static LIMIT: Limit =
    Limit { id: "logging", means: "one line of a log after the other", find, cleared: silent, knob: super::no_knob };

fn find(case: &Case) -> Option<Verdict> {
    let logging = case.serving(|what| *what == Activity::Logs);
    let queued = case.queued().filter(|queued| queued.what == Activity::Logs)?;
    (logging >= 0.5 * case.in_threads() && logging >= 1.0).then(|| Verdict {
        says: "logging: one line is written at a time".to_owned(),
        evidence: vec![queue::evidence(case, &queued, "their turn to log"), queue::growth(case)],
        change: "Log less for each request (levels), or asynchronously: AsyncAppender of Logback, asynchronous \
                 loggers of Log4j, with a queue that drops instead of blocking; to a file instead of a console."
            .to_owned(),
    })
}
