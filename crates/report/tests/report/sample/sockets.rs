//! Sockets of a target whose listen backlog is 100: who comes when it is full comes again 1 s and 3 s later.

use std::collections::BTreeMap;

use plimsoll_analysis::results::{SamplePoint, SocketFigures, Span};

use super::figure;

const BACKLOG: f64 = 100.0;

pub fn of(workers: Option<u32>, users: u32, rounds: u32) -> SocketFigures {
    let some = |middle: f64, spread: f64| Some(figure(middle.round(), spread, rounds));
    // Tomcat's acceptor keeps up with a few hundred; Netty's backlog is long.
    let lost = if workers.is_some() { (f64::from(users) - 800.0).max(0.0) } else { 0.0 };
    SocketFigures {
        peak_time_wait: some(0.0, 0.0),
        peak_accept_queue: some(if lost > 0.0 { BACKLOG + 1.0 } else { 12.0 }, 0.0),
        accept_queue_max: some(if workers.is_some() { BACKLOG } else { 4_096.0 }, 0.0),
        listen_overflows: some(lost * 1.4, 0.1),
        listen_drops: some(lost * 1.4, 0.1),
        retransmits: some(lost * 1.2, 0.1),
        connections_opened: some(f64::from(users), 0.0),
        connections_accepted: some(f64::from(users) - lost / 10.0, 0.0),
        connect_failures: some(0.0, 0.0),
        connections_reset: some(0.0, 0.0),
        resets_sent: some(0.0, 0.0),
    }
}

/// What is sampled over `spans`: each level opens its connections, and they wait to be closed after it.
pub fn sampled(workers: Option<u32>, spans: &[Span]) -> BTreeMap<String, Vec<SamplePoint>> {
    let users = |span: &Span| span.label.parse::<f64>().unwrap_or(10.0);
    let level_at = |at_s: f64| spans.iter().find(|span| (span.start_s..span.end_s).contains(&at_s));
    let row = |value: &dyn Fn(f64) -> f64| {
        let end_s = spans.last().map_or(0.0, |span| span.end_s);
        let instants = (0..(end_s * 10.0) as u32).map(|n| f64::from(n) / 10.0);
        thin(instants.map(|at_s| SamplePoint { at_s, value: value(at_s).round() }).collect())
    };
    let left = |at_s: f64| {
        level_at(at_s).map_or(0.0, |span| users(span) * (1.0 - (at_s - span.start_s) / (span.end_s - span.start_s)))
    };
    let ended = |at_s: f64| spans.iter().filter(|span| span.end_s < at_s).map(users).sum::<f64>();
    let queue =
        |at_s: f64| level_at(at_s).map_or(0.0, |span| if at_s - span.start_s < 3.2 { users(span) } else { 0.0 });
    let limit = if workers.is_some() { BACKLOG } else { 4_096.0 };
    let overflows = |at_s: f64| {
        let lost = |span: &Span| ((at_s - span.start_s).clamp(0.0, 3.0) / 3.0 * 1.4 * (users(span) - 800.0)).max(0.0);
        if workers.is_some() { spans.iter().map(lost).sum() } else { 0.0 }
    };
    BTreeMap::from([
        ("inbound_established".to_owned(), row(&left)),
        ("inbound_syn_recv".to_owned(), row(&|at_s| queue(at_s) / 9.0)),
        ("inbound_time_wait".to_owned(), row(&ended)),
        ("outbound_established".to_owned(), row(&|_| 0.0)),
        ("accept_queue".to_owned(), row(&|at_s| (queue(at_s) / 4.0).min(limit + 1.0))),
        ("accept_queue_max".to_owned(), row(&|_| limit)),
        ("listen_overflows".to_owned(), row(&overflows)),
        ("retransmits".to_owned(), row(&|at_s| overflows(at_s) * 0.9)),
    ])
}

/// As the sampler does: of equal values the first and the last.
fn thin(row: Vec<SamplePoint>) -> Vec<SamplePoint> {
    let is_within = |n: usize| n > 0 && row.get(n + 1).is_some_and(|after| after.value == row[n].value);
    let is_told = |n: &usize| !(is_within(*n) && row[n - 1].value == row[*n].value);
    (0..row.len()).filter(is_told).map(|n| row[n]).collect()
}
