//! Another service answers the slower the more it is asked.

use plimsoll_text::plural;

use super::{
    super::{Limit, Verdict, activity::Activity, case::Case},
    queue,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "upstream-slow",
    means: "another service, which answers the slower the more it is asked",
    find,
    cleared,
    knob: super::no_knob,
};

/// A call must take this many times as long as with one request at a time.
const GROWS: f64 = 1.6;
/// Share of the requests in flight that wait for the answer.
const SHARE: f64 = 0.4;
/// The time of a call, as a multiple of that of its request, beyond which it was counted wrongly.
const LONGEST: f64 = 1.5;

fn find(case: &Case) -> Option<Verdict> {
    silent(case).or_else(|| slow(case))
}

/// Calls that wait for an answer, if no request comes to an end.
pub(super) fn unanswered(case: &Case) -> f64 {
    let calling = case.working(|what| matches!(what, Activity::Calls { .. } | Activity::Connects));
    let open = case.upstream().map_or(0.0, |upstream| case.open_questions(&upstream));
    if case.view.full.is_stuck() { calling.max(open) } else { 0.0 }
}

/// A service that does not answer.
fn silent(case: &Case) -> Option<Verdict> {
    let (upstream, calls) = (case.upstream()?, unanswered(case));
    let before = queue::before_a_full_service(case);
    let users = case.view.full.users.map_or(0.0, f64::from);
    (calls >= 1.0 && calls + before >= SHARE * users).then(|| Verdict {
        says: format!("the service at {}, which does not answer", upstream.peer.name()),
        evidence: vec![
            format!(
                "{} for its answer, and none gets one{}",
                plural(calls.round() as u64, "call waits", "calls wait"),
                if before > 0.0 { "; others wait for a turn to call it" } else { "" }
            ),
            queue::growth(case),
        ],
        change: "Look there: explain that service. Give calls a time-out, for the connection and for the answer, so \
                 that requests end without it."
            .to_owned(),
    })
}

fn slow(case: &Case) -> Option<Verdict> {
    let upstream = case.upstream()?;
    let calling = case.serving(|what| matches!(what, Activity::Calls { .. } | Activity::Connects));
    let before = queue::before_a_full_service(case);
    let waiting = calling.max(case.open_questions(&upstream)) + before;
    let grows = upstream.grows_at_least().filter(|&grows| grows >= GROWS)?;
    // If calls take longer, so must requests.
    (waiting >= SHARE * case.served_at_once() && waiting >= 1.0 && !case.fills_nothing()).then(|| Verdict {
        says: format!("the service at {}", upstream.peer.name()),
        evidence: vec![
            format!(
                "a call takes {} ms, {} times as long as with one request at a time; {} of {} requests in flight wait \
                 for its answer{}",
                number(upstream.full_ms.unwrap_or(0.0)),
                number(grows),
                number(waiting.min(case.in_flight()).round()),
                number(case.in_flight().round()),
                if before > 0.0 { ", or for a turn to call it" } else { "" }
            ),
            queue::growth(case),
        ],
        change: "Look there: explain that service. Here fewer calls help, or a cache.".to_owned(),
    })
}

fn cleared(case: &Case) -> Option<String> {
    let upstream = case.upstream()?;
    let ms = upstream.full_ms?;
    upstream.grows().filter(|&grows| grows < GROWS)?;
    let light_ms = upstream.light_ms?;
    // Questions on connections that come and go between two looks are not counted.
    let is_counted = |ms: f64, request_ms: f64| ms <= LONGEST * request_ms;
    let (full, light) = (&case.view.full, &case.view.light);
    (is_counted(ms, full.response_ms) && is_counted(light_ms, light.response_ms))
        .then(|| format!("upstream: a call takes {} ms, {} ms under light load", number(ms), number(light_ms)))
}
