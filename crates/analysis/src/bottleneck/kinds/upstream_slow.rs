//! Another service answers the slower the more it is asked.

use plimsoll_text::plural;

use super::{
    super::{Limit, Verdict, activity::Activity, case::Case, doing::count},
    executor, queue,
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

/// Calls that no thread is seen to wait for, from which on they are told.
const OPEN_LEAST: f64 = 2.0;

/// A service that did not answer: no request came to an end, and those that go furthest call it.
pub(super) fn silent(case: &Case) -> Option<Verdict> {
    let full = &case.view.full;
    if !full.is_stuck() || full.deadlock.is_some() || case.lacks_cores() {
        return None;
    }
    let (upstream, calls) = (case.upstream()?, unanswered(case)?);
    let waits = plural(calls.round() as u64, "call waits", "calls wait");
    let others = if calls < 0.9 * case.in_flight() { "; the other requests wait behind these" } else { "" };
    Some(Verdict {
        says: format!(
            "the service at {}, which does not answer within {} s",
            upstream.peer.name(),
            number(full.seconds.round())
        ),
        evidence: vec![format!("{waits} for its answer, and none got one{others}"), queue::growth(case)],
        change: "Look there: explain that service. Give calls a time-out, for the connection and for the answer, so \
                 that requests end without it."
            .to_owned(),
    })
}

/// Calls of threads that serve requests, or of the executor that these wait for; or calls in no thread.
fn unanswered(case: &Case) -> Option<f64> {
    let tasks = executor::full(case).map(|pool| count(case.threads_of(&pool.name), |doing| doing.what.calls_itself()));
    let in_threads = case.serving(Activity::calls_itself).max(tasks.unwrap_or(0.0));
    if in_threads >= 1.0 {
        return Some(in_threads);
    }
    let has_no_thread = case.in_threads() - case.serving(Activity::is_for_others) < 1.0;
    let open = case.upstream().map(|upstream| case.open_questions(&upstream))?;
    (has_no_thread && open >= OPEN_LEAST).then_some(open)
}

fn find(case: &Case) -> Option<Verdict> {
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
