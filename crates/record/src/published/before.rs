//! Published figures in plans that were recorded before the digits of each figure were kept.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Conditions, PrintedFigure, PublishedLevel, PublishedVariant, Statistic};

/// A level in both forms: the old one has no `figures`, the new one none of the other fields.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Level {
    variant: String,
    ours: Option<String>,
    level: String,
    figures: Vec<PrintedFigure>,
    conditions: Conditions,
    total_s: Option<f64>,
    throughput: Option<f64>,
    times_ms: BTreeMap<String, f64>,
    errors_percent: Option<f64>,
    received_kb_per_s: Option<f64>,
    sent_kb_per_s: Option<f64>,
    vus: Option<f64>,
}

/// A variant in both forms.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Variant {
    variant: String,
    ours: Option<String>,
    figures: Vec<PrintedFigure>,
    startup_s: Option<f64>,
    peak_cpu_percent: Option<f64>,
    peak_memory_mb: Option<f64>,
}

const TIMES: &[Statistic] = &[
    Statistic::Mean,
    Statistic::Median,
    Statistic::P90,
    Statistic::P95,
    Statistic::P99,
    Statistic::Min,
    Statistic::Max,
];

impl From<Level> for PublishedLevel {
    fn from(read: Level) -> Self {
        let mut figures = read.figures;
        figures.extend(figure(Statistic::Total, read.total_s));
        figures.extend(figure(Statistic::Throughput, read.throughput));
        figures.extend(TIMES.iter().filter_map(|time| figure(*time, read.times_ms.get(time.name()).copied())));
        figures.extend(figure(Statistic::Errors, read.errors_percent));
        figures.extend(figure(Statistic::Received, read.received_kb_per_s));
        figures.extend(figure(Statistic::Sent, read.sent_kb_per_s));
        let conditions = Conditions { vus: read.conditions.vus.or(read.vus), ..read.conditions };
        Self { variant: read.variant, ours: read.ours, level: read.level, figures, conditions }
    }
}

impl From<Variant> for PublishedVariant {
    fn from(read: Variant) -> Self {
        let mut figures = read.figures;
        figures.extend(figure(Statistic::StartUp, read.startup_s));
        figures.extend(figure(Statistic::PeakCpu, read.peak_cpu_percent));
        figures.extend(figure(Statistic::PeakMemory, read.peak_memory_mb));
        Self { variant: read.variant, ours: read.ours, figures }
    }
}

/// The digits are those of the shortest decimal number that is `value`.
fn figure(statistic: Statistic, value: Option<f64>) -> Option<PrintedFigure> {
    let value = value?;
    let decimals = value.to_string().split_once('.').map_or(0, |(_, decimals)| decimals.len());
    Some(PrintedFigure { statistic, value, step: 0.1_f64.powi(decimals as i32) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_recorded_before_is_read() {
        let text = r#"{"variant": "a", "ours": "b", "level": "100", "total_s": 1.291, "throughput": 77.5,
            "times_ms": {"mean": 1279.0}, "errors_percent": null, "vus": 100.0}"#;
        let level: PublishedLevel = serde_json::from_str(text).unwrap();
        let figures: Vec<_> =
            level.figures.iter().map(|it| (it.statistic, it.value, (1.0 / it.step).round())).collect();
        assert_eq!(
            figures,
            [(Statistic::Total, 1.291, 1_000.0), (Statistic::Throughput, 77.5, 10.0), (Statistic::Mean, 1_279.0, 1.0)]
        );
        assert_eq!((level.ours.as_deref(), level.conditions.vus), (Some("b"), Some(100.0)));
        let variant: PublishedVariant = serde_json::from_str(r#"{"variant": "a", "startup_s": 1.778}"#).unwrap();
        assert_eq!(variant.figures[0].statistic, Statistic::StartUp);
    }

    #[test]
    fn what_is_recorded_now_reads_back() {
        let figures = vec![PrintedFigure { statistic: Statistic::PeakCpu, value: 103.8, step: 0.01 }];
        let level = PublishedLevel { variant: "a".to_owned(), figures, ..PublishedLevel::default() };
        let text = serde_json::to_string(&level).unwrap();
        assert_eq!(serde_json::from_str::<PublishedLevel>(&text).unwrap(), level);
    }
}
