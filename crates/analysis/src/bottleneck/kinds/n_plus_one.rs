//! A request makes many calls, one after the other.

use super::{
    super::{Limit, Verdict, activity::Activity, case::Case},
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "n-plus-one",
    means: "many calls for each request, one after the other",
    find,
    cleared: silent,
    knob: super::no_knob,
};

/// Calls per request from which on their number is the limit.
const CALLS: f64 = 5.0;
/// Share of the requests in flight that wait for an answer.
const SHARE: f64 = 0.5;

fn find(case: &Case) -> Option<Verdict> {
    let upstream = case.upstream().filter(|it| it.calls >= CALLS)?;
    let calling = case.serving(|what| matches!(what, Activity::Calls { .. }));
    let waiting = calling.max(case.open_questions(&upstream));
    (waiting >= SHARE * case.served_at_once()).then(|| Verdict {
        says: format!("calls to {}, one after the other", upstream.peer.name()),
        evidence: vec![
            format!(
                "{} calls for each request; {} of {} requests in flight wait for the answer to one{}",
                number(upstream.calls),
                number(waiting.min(case.in_flight()).round()),
                number(case.in_flight().round()),
                queue::from(case, |what| matches!(what, Activity::Calls { .. }))
            ),
            queue::growth(case),
        ],
        change: "Ask for all at once (a batch, a join, an entity graph), or side by side.".to_owned(),
    })
}
