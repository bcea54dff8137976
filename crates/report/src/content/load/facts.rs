//! Facts of a load, a line each.

use plimsoll_analysis::results::{LevelResults, Totals};
use plimsoll_record::Load;
use plimsoll_text::{
    counted,
    number::{bytes, count, sig3, time},
};

/// Labels with texts; facts about nothing are left out.
pub fn facts(offered: &Load, level: &LevelResults) -> Vec<(&'static str, String)> {
    let counts = &level.totals.counts;
    let transfer = [
        ("Received", transferred(counts.bytes_received, level.received_kb_per_s.median)),
        ("Sent", transferred(counts.bytes_sent, level.sent_kb_per_s.median)),
    ];
    told(of_requests(offered, level).into_iter().chain(transfer).chain([("Generator", generator(level))]))
}

/// The same for a first answer: without the bytes.
pub fn first_facts(offered: &Load, level: &LevelResults) -> Vec<(&'static str, String)> {
    told(of_requests(offered, level).into_iter().chain([("Generator", generator(level))]))
}

fn of_requests(offered: &Load, level: &LevelResults) -> [(&'static str, String); 5] {
    let totals = &level.totals;
    [
        ("Throughput", throughput(offered, level)),
        ("Requests", requests(totals)),
        ("Iterations", if level.requests.is_empty() { String::new() } else { count(totals.counts.iterations) }),
        ("Statuses", statuses(totals)),
        ("Connections", connections(totals)),
    ]
}

fn told(facts: impl Iterator<Item = (&'static str, String)>) -> Vec<(&'static str, String)> {
    facts.filter(|(_, text)| !text.is_empty()).collect()
}

/// Descriptors or ports left below which their number is told.
const FEW_LEFT: u64 = 5_000;

/// A shorter wait for the last responses is not worth telling.
const TAIL_LEAST_S: f64 = 1.0;

/// Achieved throughput, and beside it the offered one of an open model.
fn throughput(offered: &Load, level: &LevelResults) -> String {
    let achieved = format!("{}/s", sig3(level.throughput_per_s.median));
    let of = match offered.is_closed() {
        true => String::new(),
        false => format!(" of {}/s offered", sig3(level.offered_per_s.median)),
    };
    let window = time(level.window_s.median * 1e3);
    match level.tail_s.median {
        tail_s if tail_s >= TAIL_LEAST_S => {
            format!("{achieved}{of} in {window}; the last response {} later", time(tail_s * 1e3))
        }
        _ => format!("{achieved}{of} in {window}"),
    }
}

/// The generator's health, beginning with whether it was the limit.
fn generator(level: &LevelResults) -> String {
    let health = &level.generator;
    let cpu_ms = level.generator_cpu_us_per_request.median / 1e3;
    let mut parts = vec![
        format!("busiest thread {} % of a core", sig3(health.busiest_worker_percent)),
        format!("CPU per request {}", time(cpu_ms)),
        format!("send lag p99 {}", time(level.send_lag_p99_ms.median)),
    ];
    if health.involuntary_switches_per_s >= 1.0 {
        parts.push(format!("preempted {}/s", sig3(health.involuntary_switches_per_s)));
    }
    // Descriptors and ports are worth a word only if few are left.
    for (left, what) in [(health.descriptors_left, "descriptors"), (health.ports_left, "ports")] {
        parts.extend(left.filter(|&left| left < FEW_LEFT).map(|left| format!("only {} {what} left", count(left))));
    }
    let text = parts.join(", ");
    if health.limits.is_empty() { text } else { format!("LIMITED BY THE GENERATOR (see the findings): {text}") }
}

fn requests(totals: &Totals) -> String {
    let mut parts = vec![
        format!("{} offered", count(totals.counts.offered)),
        format!("{} sent", count(totals.counts.sent)),
        format!("{} succeeded", count(totals.counts.succeeded)),
        format!("{} failed", count(totals.counts.failed)),
    ];
    if totals.counts.dropped > 0 {
        parts.push(format!("{} dropped", count(totals.counts.dropped)));
    }
    if totals.counts.abandoned > 0 {
        parts.push(format!("{} abandoned", count(totals.counts.abandoned)));
    }
    parts.join(", ")
}

fn statuses(totals: &Totals) -> String {
    let parts = totals.statuses.iter().map(|(status, times)| format!("{status}: {}", count(*times)));
    parts.collect::<Vec<_>>().join("; ")
}

fn connections(totals: &Totals) -> String {
    let reused = counted(totals.counts.connections_reused, "request");
    let opened = format!("{} opened, reused for {reused}", count(totals.counts.connections_opened));
    if totals.counts.tls_handshakes == 0 {
        return opened;
    }
    let handshakes = counted(totals.counts.tls_handshakes, "TLS handshake");
    format!("{opened}; {handshakes}, {} of them resumed a session", count(totals.counts.tls_resumed))
}

fn transferred(total: u64, kb_per_s: f64) -> String {
    format!("{}, {}/s", bytes(total), bytes((kb_per_s * 1e3).round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfers_have_the_units_that_fit() {
        assert_eq!(transferred(104_857_600, 2_690_000.0), "105 MB, 2.69 GB/s");
        assert_eq!(transferred(5_000, 0.803), "5.00 kB, 803 B/s");
    }
}
