//! Somebody else's figures, each with the unit it was published in.

use std::collections::BTreeMap;

use plimsoll_record::{Published, PublishedLevel, PublishedVariant};

use super::{
    decode::{At, Decimal, Scalar, mapping},
    errors::Errors,
    quantity::{ByteRate, Duration, Percent, Rate, Size},
    suggest,
};

mapping! {
    /// Figures that somebody published, to stand beside ours.
    pub struct PublishedSection as "published" {
        /// Whose, and on what machine, in one line. Example: `source: a 4-core laptop, Spring Boot 3.3.2`.
        pub source: String,
        /// Figures of a variant at a level. Default: none. Example:
        /// `levels: [{variant: web-jvm, ours: web-jar, level: 100, mean: 1.279 s}]`.
        pub levels: Option<Vec<PublishedLevelSection>>,
        /// Figures of a variant as a whole. Default: none. Example:
        /// `variants: [{variant: web-jvm, ours: web-jar, start-up: 1.778 s}]`.
        pub variants: Option<Vec<PublishedVariantSection>>,
    }
}

mapping! {
    /// Published figures of one variant at one level; leave out what was not published.
    pub struct PublishedLevelSection as "published-level" {
        /// The author's name of the variant. Example: `variant: web-jvm`.
        pub variant: String,
        /// Our variant that corresponds. Default: none does. Example: `ours: web-jar`.
        pub ours: Option<At<String>>,
        /// Our level that corresponds. Example: `level: 100`.
        pub level: At<Scalar>,
        /// How long the level took. Example: `total: 1.291 s`.
        pub total: Option<Duration>,
        /// Requests per second. Example: `throughput: 77.5/s`.
        pub throughput: Option<Rate>,
        /// Mean response time. Example: `mean: 1.279 s`.
        pub mean: Option<Duration>,
        /// Median response time. Example: `median: 1 ms`.
        pub median: Option<Duration>,
        /// 90th percentile of response times. Example: `p90: 2 ms`.
        pub p90: Option<Duration>,
        /// 95th percentile of response times. Example: `p95: 2 ms`.
        pub p95: Option<Duration>,
        /// 99th percentile of response times. Example: `p99: 24 ms`.
        pub p99: Option<Duration>,
        /// Least response time. Example: `min: 0 ms`.
        pub min: Option<Duration>,
        /// Greatest response time. Example: `max: 35 ms`.
        pub max: Option<Duration>,
        /// Share of requests that failed. Example: `errors: 8.22 %`.
        pub errors: Option<Percent>,
        /// Data received per second. Example: `received: 59.39 kB/s`.
        pub received: Option<ByteRate>,
        /// Data sent per second. Example: `sent: 77.40 kB/s`.
        pub sent: Option<ByteRate>,
        /// Virtual users, if it was a closed load. Example: `vus: 100`.
        pub vus: Option<Decimal>,
    }
}

mapping! {
    /// Published figures of one variant as a whole; leave out what was not published.
    pub struct PublishedVariantSection as "published-variant" {
        /// The author's name of the variant. Example: `variant: web-jvm`.
        pub variant: String,
        /// Our variant that corresponds. Default: none does. Example: `ours: web-jar`.
        pub ours: Option<At<String>>,
        /// Start-up time. Example: `start-up: 1.778 s`.
        pub start_up: Option<Duration>,
        /// Peak CPU, where 100 % is one core. Example: `peak-cpu: 103.80 %`.
        pub peak_cpu: Option<Percent>,
        /// Peak memory. Example: `peak-memory: 281.1 MB`.
        pub peak_memory: Option<Size>,
    }
}

/// Puts the figures into the record's units. `variants` and `levels` are the names that may be referred to; no
/// levels: they are not known.
pub(super) fn resolve(
    section: &PublishedSection,
    variants: &[&str],
    levels: &[&str],
    errors: &mut Errors,
) -> Published {
    let ours = section.levels.iter().flatten().map(|level| &level.ours);
    let ours = ours.chain(section.variants.iter().flatten().map(|variant| &variant.ours)).flatten();
    for ours in ours.filter(|ours| !variants.contains(&ours.value.as_str())) {
        let names = suggest::one_of_but_found(variants.iter().copied(), &ours.value);
        errors.push(&ours.place, format!("expected the name of a variant, {names}"));
    }
    for level in section.levels.iter().flatten().map(|level| &level.level) {
        if !levels.is_empty() && !levels.contains(&level.value.0.as_str()) {
            let names = suggest::one_of_but_found(levels.iter().copied(), &level.value.0);
            errors.push(&level.place, format!("expected a level of the load, {names}"));
        }
    }
    Published {
        source: section.source.clone(),
        levels: section.levels.iter().flatten().map(level).collect(),
        variants: section.variants.iter().flatten().map(variant).collect(),
    }
}

fn level(section: &PublishedLevelSection) -> PublishedLevel {
    let times = [
        ("mean", section.mean),
        ("median", section.median),
        ("p90", section.p90),
        ("p95", section.p95),
        ("p99", section.p99),
        ("min", section.min),
        ("max", section.max),
    ];
    let times_ms: BTreeMap<String, f64> =
        times.into_iter().filter_map(|(name, time)| Some((name.to_owned(), time?.0.as_millis_f64()))).collect();
    PublishedLevel {
        variant: section.variant.clone(),
        ours: section.ours.as_ref().map(|ours| ours.value.clone()),
        level: section.level.value.0.clone(),
        total_s: section.total.map(|total| total.0.as_secs_f64()),
        throughput: section.throughput.map(|rate| rate.0),
        times_ms,
        errors_percent: section.errors.map(|share| share.0),
        received_kb_per_s: section.received.map(|rate| rate.0),
        sent_kb_per_s: section.sent.map(|rate| rate.0),
        vus: section.vus.map(|vus| vus.0),
    }
}

fn variant(section: &PublishedVariantSection) -> PublishedVariant {
    PublishedVariant {
        variant: section.variant.clone(),
        ours: section.ours.as_ref().map(|ours| ours.value.clone()),
        startup_s: section.start_up.map(|start_up| start_up.0.as_secs_f64()),
        peak_cpu_percent: section.peak_cpu.map(|peak| peak.0),
        peak_memory_mb: section.peak_memory.map(|peak| peak.0 as f64 / 1e6),
    }
}
