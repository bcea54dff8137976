//! An iteration as it is printed.

use plimsoll_record::{Histogram, Interval, Nanos};

use super::bytes::message;

/// Something that happened, at an instant counted from the start.
pub struct Event {
    pub at: Nanos,
    pub kind: EventKind,
}

#[derive(Clone)]
pub enum EventKind {
    Opened(String),
    Sent(Vec<u8>),
    Received(Vec<u8>),
    Closed,
}

/// All that happened, and the times of each request.
pub fn page(events: &[Event], names: &[&str], intervals: &[Interval]) -> String {
    let mut page = String::new();
    for event in joined(events) {
        let Event { at, kind } = event;
        page += &match kind {
            EventKind::Opened(how) => format!("* {at}  connected to {how}\n"),
            EventKind::Sent(bytes) => format!("\n* {at}  sent {} bytes\n{}", bytes.len(), masked(&bytes, ">")),
            EventKind::Received(bytes) => format!("\n* {at}  received {} bytes\n{}", bytes.len(), masked(&bytes, "<")),
            EventKind::Closed => format!("* {at}  the target closed the connection\n"),
        };
    }
    for (index, interval) in intervals.iter().enumerate() {
        page += &format!("\n{}\n", outcome(names.get(index).copied().unwrap_or_default(), interval));
        page += &times(interval);
    }
    page
}

/// Masked before bytes become numbers, in which no secret would be found.
fn masked(bytes: &[u8], mark: &str) -> String {
    message(&plimsoll_secrets::mask_bytes(bytes), mark)
}

/// A response that came in several pieces is shown as one, at the instant of the first.
fn joined(events: &[Event]) -> Vec<Event> {
    let mut all: Vec<Event> = Vec::new();
    for event in events {
        match (all.last_mut().map(|last| &mut last.kind), &event.kind) {
            (Some(EventKind::Received(bytes)), EventKind::Received(more)) => bytes.extend_from_slice(more),
            (_, kind) => all.push(Event { at: event.at, kind: kind.clone() }),
        }
    }
    all
}

fn outcome(name: &str, interval: &Interval) -> String {
    let name = if name.is_empty() { "Request" } else { name };
    let mut words: Vec<String> = interval.statuses.keys().map(|status| format!("status {status}")).collect();
    words.extend(interval.errors.iter().map(|(kind, error)| format!("failed, {kind}: {}", error.example)));
    for (check, count) in &interval.checks {
        words.push(format!("check {check}: {}", if count.failed == 0 { "passed" } else { "failed" }));
    }
    if words.is_empty() { format!("{name}: not sent") } else { format!("{name}: {}", words.join("; ")) }
}

fn times(interval: &Interval) -> String {
    let timings = if interval.ok.response.is_empty() { &interval.failed } else { &interval.ok };
    let all: [(&str, &Histogram); 8] = [
        ("connection wait", &interval.connection_wait),
        ("name resolution", &interval.dns),
        ("connect", &interval.connect),
        ("TLS handshake", &interval.tls),
        ("first byte", &interval.first_byte),
        ("body", &interval.body),
        ("service time", &timings.service),
        ("response time", &timings.response),
    ];
    let there = all.into_iter().filter(|(_, times)| !times.is_empty());
    there.map(|(name, times)| format!("  {name:<16}  {}\n", times.max())).collect()
}
