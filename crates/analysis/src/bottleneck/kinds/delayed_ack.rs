//! Small packets wait for the other side's delayed acknowledgement: Nagle's algorithm.

use super::{
    super::{Knob, Limit, Verdict, case::Case, peers::PeerSeen, seen::Seen, settings},
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit =
    Limit { id: "delayed-ack", means: "Nagle's algorithm and delayed acknowledgements", find, cleared: silent, knob };

/// The least share of the open questions whose rest the kernel holds back, and their least number on average.
const HELD: f64 = 0.5;
const HELD_LEAST: f64 = 0.3;
/// Linux delays an acknowledgement by 40 ms at least.
const DELAY_MS: std::ops::RangeInclusive<f64> = 30.0..=60.0;

fn find(case: &Case) -> Option<Verdict> {
    of_responses(case).or_else(|| of_requests(case))
}

fn of_responses(case: &Case) -> Option<Verdict> {
    let (light, full) = (&case.view.light, &case.view.full);
    // Nothing else can hold a body back for so long at one request at a time.
    let of_response = DELAY_MS.contains(&light.body_ms) && light.body_ms >= 0.5 * light.response_ms;
    let still = full.body_ms >= 0.5 * light.body_ms && full.body_ms >= 0.4 * full.response_ms;
    if !(of_response && still) {
        return None;
    }
    Some(Verdict {
        says: "delayed acknowledgements of responses".to_owned(),
        evidence: vec![format!(
            "the body comes {} ms after the head, also with one request at a time",
            number(light.body_ms)
        )],
        change: "Write head and body at once (a buffer), or set TCP_NODELAY (com.sun.net.httpserver: \
                 -Dsun.net.httpserver.nodelay=true)."
            .to_owned(),
    })
}

/// The verdict on requests to another service. The kernel sends their rest only once their first piece is acknowledged:
/// only Nagle's algorithm holds back small pieces, and for so long only if the acknowledgement is delayed.
fn of_requests(case: &Case) -> Option<Verdict> {
    let peer = case.upstream()?.peer;
    let light = case.view.light.outbound_to(peer)?;
    // An idle connection may look as if its question were open: requests in flight bound the open questions.
    let is_held = |seen: &Seen, it: &PeerSeen| {
        it.held_back >= HELD * it.open.min(seen.in_flight.max(1.0)) && it.held_back >= HELD_LEAST
    };
    // One of two calls on a connection may be acknowledged at once.
    let is_delayed = case.view.light.response_ms >= 0.5 * *DELAY_MS.start();
    (is_held(&case.view.light, light) && is_held(&case.view.full, peer) && is_delayed).then(|| Verdict {
        says: format!("delayed acknowledgements of requests to {}", peer.name()),
        evidence: vec![
            format!(
                "on {} of {} connections with an open question the rest of it is written and not sent, also with one \
                 request at a time: it waits for the acknowledgement of its beginning",
                number(peer.held_back),
                number(peer.open)
            ),
            queue::growth(case),
        ],
        change: "Write a request’s head and body at once (a buffer), or set TCP_NODELAY (Socket.setTcpNoDelay)."
            .to_owned(),
    })
}

/// The server's setting if it has one; else a setting of the service whose name tells.
fn knob(case: &Case) -> Option<Knob> {
    let of_server = of_responses(case).and_then(|_| case.threads_of_server());
    let setting = of_server.and_then(|threads| settings::of(&format!("no delay of {threads}"), case.framework()));
    Some(Knob::other(setting.unwrap_or_default().names, "true"))
}
