//! Time lines of runs.

use std::collections::BTreeMap;

use plimsoll_analysis::results::{LoadPoint, SamplePoint, Span};
use plimsoll_record::{Phase, metric};

use super::{Kind, LEVELS, curve, sockets};

pub struct TimeLine {
    pub spans: Vec<Span>,
    pub load: Vec<LoadPoint>,
    pub samples: BTreeMap<String, Vec<SamplePoint>>,
}

/// Warm-up, then every level with a pause between.
pub fn of(kind: &Kind) -> TimeLine {
    let mut spans = vec![span("warm-up", Phase::WarmUp, kind.startup_s + 0.2, 5.0)];
    for users in LEVELS {
        let last_ms = curve::at(&curve::of(kind.workers, users, kind.own_ms, 1.0), 1.0);
        let start_s = spans.last().unwrap().end_s + 0.5;
        spans.push(span(&users.to_string(), Phase::Measured, start_s, last_ms / 1e3));
    }
    let end_s = spans.last().unwrap().end_s;
    let load = (0..end_s as u32).map(|second| point(kind, &spans, f64::from(second) + 0.5)).collect();
    let sampled = |value: &dyn Fn(f64) -> f64| {
        (0..(end_s * 10.0) as u32)
            .map(|n| f64::from(n) / 10.0)
            .map(|at_s| SamplePoint { at_s, value: value(at_s) })
            .collect()
    };
    let wobble = |at_s: f64| 0.75 + 0.25 * (at_s * 2.7).sin() * (at_s * 0.9).cos();
    let cpu = |at_s: f64| kind.cpu_percent * wobble(at_s) * if at_s < kind.startup_s { 1.0 } else { 0.5 };
    let rss = |at_s: f64| kind.rss_mb * 1e6 * (1.0 - 0.6 * (-at_s / 4.0).exp());
    let mut samples = BTreeMap::from([
        (metric::CPU_PERCENT.name.to_owned(), sampled(&cpu)),
        (metric::MACHINE_CPU_PERCENT.name.to_owned(), sampled(&|at_s| cpu(at_s) + 30.0)),
        (metric::RSS_BYTES.name.to_owned(), sampled(&rss)),
    ]);
    samples.extend(sockets::sampled(kind.workers, &spans));
    TimeLine { spans, load, samples }
}

fn span(label: &str, phase: Phase, start_s: f64, length_s: f64) -> Span {
    Span { label: label.to_owned(), phase, start_s, end_s: start_s + length_s }
}

fn point(kind: &Kind, spans: &[Span], at_s: f64) -> LoadPoint {
    let in_level = spans.iter().find(|span| (span.start_s + 0.9..=span.end_s).contains(&at_s));
    let users = in_level.and_then(|span| span.label.parse::<f64>().ok()).unwrap_or(10.0);
    let per_s = users.min(kind.workers.map_or(users, f64::from));
    let waited_s = in_level.map_or(0.0, |span| at_s - span.start_s);
    LoadPoint {
        at_s,
        throughput_per_s: if in_level.is_some() { per_s } else { 0.0 },
        failed_per_s: 0.0,
        median_ms: in_level.map(|_| waited_s * 1e3 + kind.own_ms),
        p99_ms: in_level.map(|_| waited_s * 1e3 + kind.own_ms * 4.0),
    }
}
