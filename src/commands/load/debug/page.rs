//! An iteration as it is printed.

use plimsoll_record::{Histogram, Interval};
use plimsoll_text::counted;

use super::{
    bytes,
    log::{Event, EventKind, Log, Message},
};

/// All that happened, and the times of each request.
pub fn page(log: &Log, names: &[&str], intervals: &[Interval]) -> String {
    let mut page = String::new();
    for Event { at, kind } in &log.events {
        page += &match kind {
            EventKind::Opened(how) => format!("* {at}  connected to {how}\n"),
            EventKind::Sent(bytes) => format!("\n* {at}  sent {} bytes\n{}", bytes.len(), masked(bytes, ">")),
            EventKind::Received(bytes) => format!("\n* {at}  received {} bytes\n{}", bytes.len(), masked(bytes, "<")),
            EventKind::Closed => format!("* {at}  the target closed the connection\n"),
        };
    }
    if log.left_out > 0 {
        page += &format!("\n* {} more not shown\n", counted(log.left_out, "event"));
    }
    for (index, interval) in intervals.iter().enumerate() {
        page += &format!("\n{}\n", outcome(names.get(index).copied().unwrap_or_default(), interval));
        page += &times(interval);
    }
    page
}

/// A message, masked before bytes become numbers, in which no secret would be found.
fn masked(message: &Message, mark: &str) -> String {
    bytes::message(&plimsoll_secrets::mask_bytes(&message.kept), message.more, mark)
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
