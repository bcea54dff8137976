//! Nothing here gives way: requests wait for another service, which takes as long under load as without.

use super::{
    super::{Limit, Verdict, activity::Activity, case::Case},
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "upstream-latency",
    means: "nothing here: the time that another service takes",
    find,
    cleared: silent,
    knob: super::no_knob,
};

/// Share of the requests in flight that wait for an answer.
const SHARE: f64 = 0.6;
/// The least share of the response time that calls take: if it is less, requests wait for a turn to call.
const OF_RESPONSE: f64 = 0.5;

fn find(case: &Case) -> Option<Verdict> {
    let upstream = case.upstream()?;
    let calling = case.serving(|what| matches!(what, Activity::Calls { .. } | Activity::Connects));
    let waiting = calling.max(case.open_questions(&upstream));
    let full = &case.view.full;
    let takes_most = upstream.full_ms.is_none_or(|ms| ms * upstream.calls.max(1.0) >= OF_RESPONSE * full.response_ms);
    (waiting >= SHARE * case.served_at_once() && (takes_most || case.fills_nothing())).then(|| Verdict {
        says: format!("nothing here: the time that {} takes", upstream.peer.name()),
        evidence: vec![
            format!(
                "{} of {} requests in flight wait for its answer; a call takes {} ms",
                number(waiting.min(case.in_flight()).round()),
                number(case.in_flight().round()),
                number(upstream.full_ms.or(upstream.light_ms).unwrap_or(0.0))
            ),
            queue::growth(case),
        ],
        change: "Fewer calls, calls side by side, or a cache; more load still finds more throughput.".to_owned(),
    })
}
