//! Somebody else's figures, each with the unit and the digits it was published in.

use plimsoll_record::{Conditions, PrintedFigure, Published, PublishedLevel, PublishedVariant, Statistic};
use plimsoll_text::one_of_but_found;

use super::{
    decode::{Checked, OneOrMany, Scalar, Whole, mapping},
    errors::{At, Errors},
    load::MOST_VUS,
    quantity::{BYTE_RATE, ByteRate, DURATION, Dimension, Duration, PERCENT, Percent, RATE, Rate, SIZE, Size},
};

mapping! {
    /// Figures that somebody published, to stand beside ours.
    pub struct PublishedSection as "published" {
        /// Author of the figures, and the machine, in one line. Example: `source: a 4-core laptop, Spring Boot 3.3.2`.
        pub source: String,
        /// Under which circumstances the figures were measured, as far as that is known: what they are checked
        /// against. Default: nothing is known. Example: `conditions: [{level: 500, vus: 500, duration: 30s}]`.
        pub conditions: Option<Vec<ConditionsSection>>,
        /// Figures of a variant at a level. Default: none. Example:
        /// `levels: [{variant: web-jvm, ours: web-jar, level: 100, mean: 1.279 s}]`.
        pub levels: Option<Vec<PublishedLevelSection>>,
        /// Figures of a variant as a whole. Default: none. Example:
        /// `variants: [{variant: web-jvm, ours: web-jar, start-up: 1.778 s}]`.
        pub variants: Option<Vec<PublishedVariantSection>>,
    }
}

mapping! {
    /// Published figures of one variant at one level, in the author's order and with the digits they were printed with:
    /// `14.200 s` is known more exactly than `14.2 s`. Leave out what was not published.
    pub struct PublishedLevelSection as "published-level" {
        /// The author's name of the variant. Example: `variant: web-jvm`.
        pub variant: String,
        /// Our variant that corresponds. Default: none does. Example: `ours: web-jar`.
        pub ours: Option<At<String>>,
        /// Our level that corresponds, or without `ours` the author's. Example: `level: 100`.
        pub level: At<Scalar>,
        /// How long the level took. Example: `total: 1.291 s`.
        pub total: Option<Checked<Duration>>,
        /// Requests per second. Example: `throughput: 77.5/s`.
        pub throughput: Option<Checked<Rate>>,
        /// Mean response time. Example: `mean: 1.279 s`.
        pub mean: Option<Checked<Duration>>,
        /// Median response time. Example: `median: 1 ms`.
        pub median: Option<Checked<Duration>>,
        /// 90th percentile of response times. Example: `p90: 2 ms`.
        pub p90: Option<Checked<Duration>>,
        /// 95th percentile of response times. Example: `p95: 2 ms`.
        pub p95: Option<Checked<Duration>>,
        /// 99th percentile of response times. Example: `p99: 24 ms`.
        pub p99: Option<Checked<Duration>>,
        /// Least response time. Example: `min: 0 ms`.
        pub min: Option<Checked<Duration>>,
        /// Greatest response time. Example: `max: 35 ms`.
        pub max: Option<Checked<Duration>>,
        /// Standard deviation of the measurements that the mean is of. Example: `stdev: 7.496 ms`.
        pub stdev: Option<Checked<Duration>>,
        /// Width of the mean's confidence interval. Example: `interval: 22.667 ms`.
        pub interval: Option<Checked<Duration>>,
        /// Share of requests that failed. Example: `errors: 8.22 %`.
        pub errors: Option<Checked<Percent>>,
        /// Data received per second. Example: `received: 59.39 kB/s`.
        pub received: Option<Checked<ByteRate>>,
        /// Data sent per second. Example: `sent: 77.40 kB/s`.
        pub sent: Option<Checked<ByteRate>>,
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
        pub start_up: Option<Checked<Duration>>,
        /// Peak CPU, where 100 % is one core. Example: `peak-cpu: 103.80 %`.
        pub peak_cpu: Option<Checked<Percent>>,
        /// Peak memory. Example: `peak-memory: 281.1 MB`.
        pub peak_memory: Option<Checked<Size>>,
    }
}

mapping! {
    /// Circumstances of published figures. They hold for the rows they name; of two that hold for a row, the later
    /// wins.
    pub struct ConditionsSection as "published-conditions" {
        /// The level of the rows they hold for. Default: all levels. Example: `level: 500`.
        pub level: Option<At<Scalar>>,
        /// The author's name of the variant they hold for, or a list of them. Default: all variants. Example:
        /// `variant: [web-jvm, web-native]`.
        pub variant: Option<OneOrMany<At<String>>>,
        /// Virtual users, or threads, or connections, if the load was closed. Example: `vus: 500`.
        pub vus: Option<Whole<1, MOST_VUS>>,
        /// Mean pause of a user between a response and the next request; say `0s` if it is known that there was none.
        /// Example: `think-time: 1s`.
        pub think_time: Option<Duration>,
        /// Requests in all. Example: `requests: 2700`.
        pub requests: Option<Whole<1, 1_000_000_000_000>>,
        /// The time over which users started, each with one request: with `requests` or `vus` it says what was offered.
        /// Example: `ramp-up: 1s`.
        pub ramp_up: Option<Duration>,
        /// How long the level was held, if time ended it. Example: `duration: 30s`.
        pub duration: Option<Duration>,
        /// Requests a second that were offered, if the load was open. Example: `offered: 500/s`.
        pub offered: Option<Rate>,
        /// Workers that serve requests, e.g. Tomcat's threads. Example: `workers: 200`.
        pub workers: Option<Whole<1, 1_000_000>>,
        /// The least time that a request takes, and holds its worker. Example: `service-time: 1s`.
        pub service_time: Option<Duration>,
        /// Connections that calls to another service share. Example: `pool: 100`.
        pub pool: Option<Whole<1, 1_000_000>>,
        /// The least time that a call holds one of them. Example: `call-time: 70ms`.
        pub call_time: Option<Duration>,
    }
}

/// `variants` and `levels` are the names that may be referred to; no levels: they are not known.
pub(super) fn check_names(section: &PublishedSection, variants: &[String], levels: &[String], errors: &mut Errors) {
    let ours = section.levels.iter().flatten().map(|level| &level.ours);
    let ours = ours.chain(section.variants.iter().flatten().map(|variant| &variant.ours)).flatten();
    for ours in ours.filter(|ours| !variants.contains(&ours.value)) {
        let names = one_of_but_found(variants.iter().map(String::as_str), &ours.value);
        errors.push(&ours.place, format!("expected the name of a variant, {names}"));
    }
    // A row that nothing of ours corresponds to may be of another load.
    let compared = section.levels.iter().flatten().filter(|row| row.ours.is_some());
    for level in compared.map(|row| &row.level) {
        if !levels.is_empty() && !levels.contains(&level.value.0) {
            let names = one_of_but_found(levels.iter().map(String::as_str), &level.value.0);
            errors.push(&level.place, format!("expected a level of the load, {names}"));
        }
    }
    check_conditions(section, errors);
}

/// Puts the figures into the record's units.
pub(super) fn resolve(section: &PublishedSection) -> Published {
    let conditions = section.conditions.as_deref().unwrap_or_default();
    Published {
        source: section.source.clone(),
        levels: section.levels.iter().flatten().map(|row| level(row, conditions)).collect(),
        variants: section.variants.iter().flatten().map(variant).collect(),
    }
}

/// Conditions that hold for no row are a slip of the pen.
fn check_conditions(section: &PublishedSection, errors: &mut Errors) {
    let rows = || section.levels.iter().flatten();
    for conditions in section.conditions.iter().flatten() {
        let level = conditions.level.iter().map(|level| (&level.value.0, &level.place, "level"));
        let variants = conditions.variant.iter().flat_map(|names| &names.0);
        let variants = variants.map(|name| (&name.value, &name.place, "variant"));
        for (name, place, what) in level.chain(variants) {
            let of_row = |row: &'_ PublishedLevelSection| match what {
                "level" => row.level.value.0.clone(),
                _ => row.variant.clone(),
            };
            let mut names: Vec<String> = rows().map(of_row).collect();
            names.dedup();
            if !names.contains(name) {
                let names = one_of_but_found(names.iter().map(String::as_str), name);
                errors.push(place, format!("expected the {what} of a published row, {names}"));
            }
        }
    }
}

impl ConditionsSection {
    fn hold_for(&self, row: &PublishedLevelSection) -> bool {
        let names = |names: &OneOrMany<At<String>>| names.0.iter().any(|name| name.value == row.variant);
        self.level.as_ref().is_none_or(|level| level.value == row.level.value)
            && self.variant.as_ref().is_none_or(names)
    }

    /// Their values, else those of `before`.
    fn over(&self, before: Conditions) -> Conditions {
        let time = |time: Option<Duration>| time.map(|time| time.0);
        Conditions {
            vus: self.vus.map(|vus| vus.0 as f64).or(before.vus),
            think_time: time(self.think_time).or(before.think_time),
            requests: self.requests.map(|requests| requests.0).or(before.requests),
            ramp_up: time(self.ramp_up).or(before.ramp_up),
            duration: time(self.duration).or(before.duration),
            offered_per_s: self.offered.map(|rate| rate.0).or(before.offered_per_s),
            workers: self.workers.map(Whole::narrow).or(before.workers),
            service_time: time(self.service_time).or(before.service_time),
            pool: self.pool.map(Whole::narrow).or(before.pool),
            call_time: time(self.call_time).or(before.call_time),
        }
    }
}

fn level(row: &PublishedLevelSection, conditions: &[ConditionsSection]) -> PublishedLevel {
    let figures = [
        printed(Statistic::Total, &row.total, &DURATION, 1e9),
        printed(Statistic::Throughput, &row.throughput, &RATE, 1.0),
        printed(Statistic::Mean, &row.mean, &DURATION, 1e6),
        printed(Statistic::Median, &row.median, &DURATION, 1e6),
        printed(Statistic::P90, &row.p90, &DURATION, 1e6),
        printed(Statistic::P95, &row.p95, &DURATION, 1e6),
        printed(Statistic::P99, &row.p99, &DURATION, 1e6),
        printed(Statistic::Min, &row.min, &DURATION, 1e6),
        printed(Statistic::Max, &row.max, &DURATION, 1e6),
        printed(Statistic::Stdev, &row.stdev, &DURATION, 1e6),
        printed(Statistic::Interval, &row.interval, &DURATION, 1e6),
        printed(Statistic::Errors, &row.errors, &PERCENT, 1.0),
        printed(Statistic::Received, &row.received, &BYTE_RATE, 1.0),
        printed(Statistic::Sent, &row.sent, &BYTE_RATE, 1.0),
    ];
    let hold = conditions.iter().filter(|conditions| conditions.hold_for(row));
    PublishedLevel {
        variant: row.variant.clone(),
        ours: row.ours.as_ref().map(|ours| ours.value.clone()),
        level: row.level.value.0.clone(),
        figures: in_order(figures),
        conditions: hold.fold(Conditions::default(), |before, conditions| conditions.over(before)),
    }
}

fn variant(row: &PublishedVariantSection) -> PublishedVariant {
    let figures = [
        printed(Statistic::StartUp, &row.start_up, &DURATION, 1e9),
        printed(Statistic::PeakCpu, &row.peak_cpu, &PERCENT, 1.0),
        printed(Statistic::PeakMemory, &row.peak_memory, &SIZE, 1e6),
    ];
    PublishedVariant {
        variant: row.variant.clone(),
        ours: row.ours.as_ref().map(|ours| ours.value.clone()),
        figures: in_order(figures),
    }
}

/// A figure and where it stands: line and column.
type Placed = ((u32, u32), PrintedFigure);

/// `per_unit`: how many of the dimension's base unit one of the statistic's unit is.
fn printed<T>(
    statistic: Statistic,
    figure: &Option<Checked<T>>,
    dimension: &Dimension,
    per_unit: f64,
) -> Option<Placed> {
    let node = &figure.as_ref()?.node;
    let (value, step) = dimension.printed(node.scalar()?)?;
    let place = (node.place.line, node.place.column);
    Some((place, PrintedFigure { statistic, value: value / per_unit, step: step / per_unit }))
}

/// As in the file: it is the author's order.
fn in_order<const N: usize>(figures: [Option<Placed>; N]) -> Vec<PrintedFigure> {
    let mut figures: Vec<Placed> = figures.into_iter().flatten().collect();
    figures.sort_by_key(|(place, _)| *place);
    figures.into_iter().map(|(_, figure)| figure).collect()
}
