//! The figures that claims can name.

use plimsoll_record::{
    Histogram, LoadUnit,
    metric::{self, jvm, tcp},
};

use super::{dimension::Dimension, formula::Of};
use crate::{
    first_requests,
    generator::FigureKind,
    intervals::Series,
    line::{self, Ends},
    measured::{LevelRound, Measured, RunRound, Watched},
    results::Usage,
    stats::median,
    tail::Tail,
    upstream,
};

/// A figure that claims can name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Metric {
    pub name: &'static str,
    pub dimension: Dimension,
    read: Read,
}

/// The middle of a line and its ends, as series; the middle is NaN where a side is open.
pub(super) fn of_ends(ends: &[(u32, Ends)]) -> [Series; 3] {
    let of = |pick: fn(Ends) -> f64| ends.iter().map(|&(round, ends)| (round, pick(ends))).collect();
    [
        of(|it| it.middle().unwrap_or(f64::NAN)),
        of(|it| it.low.unwrap_or(0.0)),
        of(|it| it.high.unwrap_or(f64::INFINITY)),
    ]
}

/// How the values of a figure vary from round to round, in base units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scatter {
    /// The greatest possible value, if the figure counts events that may never happen.
    pub events: Option<f64>,
    /// The distance of neighbouring values is `step` + `relative` × value.
    pub step: f64,
    pub relative: f64,
}

impl Scatter {
    const CONTINUOUS: Self = Self { events: None, step: 0.0, relative: 0.0 };
}

/// Where a metric comes from, in base units: seconds, bytes, requests per second, percent.
#[derive(Clone, Copy, Debug)]
enum Read {
    Level(fn(&LevelRound) -> Option<f64>),
    Run(fn(&RunRound) -> Option<f64>),
    Response(fn(&Histogram) -> f64),
    Service(fn(&Histogram) -> f64),
    /// The score, in the benchmark's own unit.
    Score,
    /// The load line that the runs searched for.
    Line,
    /// Usage of the target at the line.
    AtLine(fn(&Usage) -> Option<f64>),
    /// A figure from a series of the target's own metrics, in its unit.
    Target(fn(&Watched, &str) -> Option<f64>),
}

const METRICS: &[Metric] = &[
    level("throughput", Dimension::RATE, |it| Some(it.throughput_per_s())),
    level("duration", Dimension::TIME, |it| Some(it.duration.as_secs_f64())),
    level("errors", Dimension::PERCENT, LevelRound::errors_percent),
    level("received", Dimension::DATA_RATE, |it| Some(it.received_bytes_per_s())),
    level("sent", Dimension::DATA_RATE, |it| Some(it.sent_bytes_per_s())),
    level("first", Dimension::TIME, |it| first_requests::first(&it.traced, first_requests::response_s)),
    level("rest", Dimension::TIME, |it| first_requests::rest(&it.traced, first_requests::response_s)),
    response("mean", MEAN),
    response("median", MEDIAN),
    response("p90", P90),
    response("p95", P95),
    response("p99", P99),
    response("p999", P999),
    response("p9999", P9999),
    response("min", MIN),
    response("max", MAX),
    service("service_mean", MEAN),
    service("service_median", MEDIAN),
    service("service_p90", P90),
    service("service_p95", P95),
    service("service_p99", P99),
    service("service_p999", P999),
    service("service_p9999", P9999),
    service("service_min", MIN),
    service("service_max", MAX),
    level("listen_overflows", Dimension::RATIO, |it| it.overflows().map(|overflows| overflows.own)),
    level("listen_drops", Dimension::RATIO, |it| it.watched.growth(tcp::LISTEN_DROPS.name)),
    level("retransmits", Dimension::RATIO, |it| it.watched.growth(tcp::RETRANSMITS.name)),
    level("connections_opened", Dimension::RATIO, |it| it.watched.growth(tcp::CONNECTIONS_OPENED.name)),
    level("connections_accepted", Dimension::RATIO, |it| it.watched.growth(tcp::CONNECTIONS_ACCEPTED.name)),
    level("connections_reset", Dimension::RATIO, |it| it.watched.growth(tcp::CONNECTIONS_RESET.name)),
    level("peak_time_wait", Dimension::RATIO, |it| it.watched.peak_time_wait()),
    level("peak_accept_queue", Dimension::RATIO, |it| it.watched.peak(tcp::ACCEPT_QUEUE.name)),
    level("classes_loaded", Dimension::RATIO, |it| it.watched.growth(jvm::CLASSES_LOADED.name)),
    level("class_load_time", Dimension::TIME, |it| Some(it.watched.growth(jvm::CLASS_LOAD_MS.name)? / 1e3)),
    level("class_init_time", Dimension::TIME, |it| Some(it.watched.growth(jvm::CLASS_INIT_MS.name)? / 1e3)),
    level("gc_time", Dimension::TIME, |it| Some(it.watched.growth(jvm::GC_MS.name)? / 1e3)),
    level("threads_started", Dimension::RATIO, |it| it.watched.growth(jvm::THREADS_STARTED.name)),
    level("upstream_requests", Dimension::RATIO, |it| it.watched.growth(metric::upstream::REQUESTS.name)),
    level("upstream_connections_per_1000", Dimension::RATIO, upstream::connections_per_1000),
    level("upstream_handshakes_per_1000", Dimension::RATIO, upstream::handshakes_per_1000),
    level("upstream_resets", Dimension::RATIO, |it| it.watched.growth(metric::upstream::RESETS.name)),
    Metric { name: "score", dimension: Dimension::RATIO, read: Read::Score },
    Metric { name: "line", dimension: Dimension::RATE, read: Read::Line },
    Metric { name: "line_users", dimension: Dimension::RATIO, read: Read::Line },
    at_line("line_cpu", Dimension::PERCENT, |it| it.cpu_percent),
    at_line("line_memory", Dimension::MEMORY, |it| Some(it.memory_mb? * 1e6)),
    at_line("cpu_per_request", Dimension::TIME, |it| Some(it.cpu_ms_per_request? / 1e3)),
    target("target_mean", Watched::mean),
    target("target_peak", Watched::peak),
    target("target_growth", Watched::growth),
    run("startup", Dimension::TIME, |it| it.startup_s),
    run("peak_cpu", Dimension::PERCENT, |it| it.peak(metric::CPU_PERCENT.name)),
    run("peak_memory", Dimension::MEMORY, |it| it.peak(metric::RSS_BYTES.name)),
];

type Statistic = fn(&Histogram) -> f64;
const MEAN: Statistic = |times| times.mean_ns() / 1e9;
const MEDIAN: Statistic = |times| times.quantile(0.5).as_secs_f64();
const P90: Statistic = |times| times.quantile(0.9).as_secs_f64();
const P95: Statistic = |times| times.quantile(0.95).as_secs_f64();
const P99: Statistic = |times| times.quantile(0.99).as_secs_f64();
const P999: Statistic = |times| times.quantile(0.999).as_secs_f64();
const P9999: Statistic = |times| times.quantile(0.9999).as_secs_f64();
const MIN: Statistic = |times| times.min().as_secs_f64();
const MAX: Statistic = |times| times.max().as_secs_f64();

const fn level(name: &'static str, dimension: Dimension, read: fn(&LevelRound) -> Option<f64>) -> Metric {
    Metric { name, dimension, read: Read::Level(read) }
}

const fn run(name: &'static str, dimension: Dimension, read: fn(&RunRound) -> Option<f64>) -> Metric {
    Metric { name, dimension, read: Read::Run(read) }
}

const fn response(name: &'static str, statistic: Statistic) -> Metric {
    Metric { name, dimension: Dimension::TIME, read: Read::Response(statistic) }
}

const fn service(name: &'static str, statistic: Statistic) -> Metric {
    Metric { name, dimension: Dimension::TIME, read: Read::Service(statistic) }
}

const fn at_line(name: &'static str, dimension: Dimension, read: fn(&Usage) -> Option<f64>) -> Metric {
    Metric { name, dimension, read: Read::AtLine(read) }
}

const fn target(name: &'static str, read: fn(&Watched, &str) -> Option<f64>) -> Metric {
    Metric { name, dimension: Dimension::RATIO, read: Read::Target(read) }
}

impl Metric {
    pub fn named(name: &str) -> Option<&'static Self> {
        METRICS.iter().find(|metric| metric.name == name)
    }

    pub fn names() -> impl Iterator<Item = &'static str> {
        METRICS.iter().map(|metric| metric.name)
    }

    /// True for a metric of the target's own series, which must be named.
    pub fn needs_series(&self) -> bool {
        matches!(self.read, Read::Target(_))
    }

    /// False for a percentile beyond which there are too few responses.
    fn is_known_in(&self, round: &LevelRound) -> bool {
        Tail::named(self.name).is_none_or(|tail| tail.is_known_of(round.merged.ok.response.count()))
    }

    /// Why rounds that measured something do not have it.
    pub fn why_absent(&self, rounds: &[LevelRound], request: Option<u32>) -> String {
        if let Some(tail) = Tail::named(self.name) {
            let responses = rounds.iter().map(|round| match request {
                Some(request) => round.requests.get(&request).map_or(0, |of| of.merged.ok.response.count()),
                None => round.merged.ok.response.count(),
            });
            return tail.why_unknown(responses);
        }
        let why = match self.name {
            "target_mean" | "target_peak" | "target_growth" => {
                "`metrics` of the variant keeps no such series, or it was not there"
            }
            "score" => "this variant does not have it",
            "line" | "line_users" => "no search for it came to its end",
            "line_cpu" | "line_memory" | "cpu_per_request" => "no search found a rate that is surely carried",
            "first" | "rest" => "no such request was traced that succeeded: `trace` in the load says how many are",
            _ => "no request succeeded",
        };
        why.to_owned()
    }

    /// True for a metric of a level, not of a run as a whole.
    pub fn needs_level(&self) -> bool {
        !matches!(self.read, Read::Run(_) | Read::Score) && !self.is_of_line()
    }

    /// Its kind by what a late or busy generator does to it.
    pub fn kind(&self) -> FigureKind {
        match (self.read, self.name) {
            (_, "errors") => FigureKind::Errors,
            (_, "throughput" | "duration" | "received" | "sent") => FigureKind::Rate,
            (_, "first") => FigureKind::First,
            (_, "rest") => FigureKind::Rest,
            (Read::Response(statistic), _) => FigureKind::Response(statistic),
            _ => FigureKind::Observed,
        }
    }

    /// How it varies from round to round.
    pub fn scatter(&self, measured: &Measured, of: Of, series: Option<&str>) -> Scatter {
        let Of { variant, place, request } = of;
        let events = |most: f64, step: f64| Scatter { events: Some(most), step, relative: 0.0 };
        match (self.read, self.name) {
            // Histograms keep three digits.
            (Read::Response(_) | Read::Service(_), _) if self.name.ends_with("mean") => Scatter::CONTINUOUS,
            (Read::Response(_) | Read::Service(_), _) => Scatter { relative: 0.001, ..Scatter::CONTINUOUS },
            // The width of each search's interval tells how closely its middle is known.
            (Read::Line, _) => {
                let ends = Self::line_ends(measured, variant, series);
                let widths: Vec<f64> = ends.iter().filter_map(|(_, ends)| ends.width()).collect();
                Scatter { relative: median(&widths), ..Scatter::CONTINUOUS }
            }
            // Readiness is polled every millisecond.
            (_, "startup") => Scatter { step: 0.001, ..Scatter::CONTINUOUS },
            (_, "errors") => {
                let rounds = measured.variants[variant].levels[place].iter();
                let ended = rounds.filter_map(|round| match request {
                    Some(request) => round.requests.get(&request).map(|it| it.merged.ended()),
                    None => Some(round.merged.ended()),
                });
                let least = ended.filter(|&ended| ended > 0).min();
                events(100.0, least.map_or(100.0, |ended| 100.0 / ended as f64))
            }
            (_, "upstream_connections_per_1000" | "upstream_handshakes_per_1000") => events(f64::INFINITY, 0.0),
            (Read::Level(_), _) if self.dimension == Dimension::RATIO => events(f64::INFINITY, 1.0),
            _ => Scatter::CONTINUOUS,
        }
    }

    /// True for a metric of a benchmark, which may be named in place of a level.
    pub fn is_of_benchmark(&self) -> bool {
        matches!(self.read, Read::Score)
    }

    /// True for the load line, and for figures of the target at it: they may name the line.
    pub fn is_of_line(&self) -> bool {
        matches!(self.read, Read::Line | Read::AtLine(_))
    }

    /// Ends that the searches for the load line found, by round; none for other metrics.
    pub fn ends(&self, measured: &Measured, variant: usize, name: Option<&str>) -> Option<Vec<(u32, Ends)>> {
        matches!(self.read, Read::Line).then(|| Self::line_ends(measured, variant, name))
    }

    /// Whether it is the line, in this unit or another one than a plan's.
    pub fn is_line_in(&self, unit: LoadUnit) -> Option<bool> {
        let own = if self.dimension == Dimension::RATE { LoadUnit::PerSecond } else { LoadUnit::VirtualUsers };
        matches!(self.read, Read::Line).then_some(own == unit)
    }

    fn line_ends(measured: &Measured, variant: usize, name: Option<&str>) -> Vec<(u32, Ends)> {
        let line = measured.plan().line.as_ref().and_then(|plan| line::index_of(plan, name));
        line.map_or_else(Vec::new, |line| line::ends(measured, variant, line))
    }

    /// True for a metric that each of several requests has, too.
    pub fn is_of_requests(&self) -> bool {
        let is_counted = matches!(self.name, "throughput" | "errors" | "received" | "sent");
        matches!(self.read, Read::Response(_) | Read::Service(_)) || is_counted
    }

    /// Its value for one of the requests of a level, in each round that has it.
    pub fn series_of_request(&self, measured: &Measured, variant: usize, level: usize, request: u32) -> Series {
        measured.variants[variant].level_series(level, |round| {
            let of = round.requests.get(&request)?;
            let times = match self.read {
                Read::Service(_) => &of.merged.ok.service,
                _ => &of.merged.ok.response,
            };
            let ended = of.merged.ended();
            match (self.read, self.name) {
                (Read::Response(statistic) | Read::Service(statistic), _) => {
                    let is_known = Tail::named(self.name).is_none_or(|tail| tail.is_known_of(times.count()));
                    (is_known && !times.is_empty()).then(|| statistic(times))
                }
                (_, "throughput") => Some(round.per_s(of.ended.succeeded)),
                (_, "received") => Some(round.per_s(of.ended.bytes_received)),
                (_, "sent") => Some(round.per_s(of.ended.bytes_sent)),
                (_, "errors") if ended > 0 => Some(of.merged.counts.failed as f64 / ended as f64 * 100.0),
                _ => None,
            }
        })
    }

    /// Its value in each round that has it. `place` is the index of a level, or of a benchmark, where the metric is of
    /// one; `series` the name of one of the target's own, or of a line.
    pub fn series(&self, measured: &Measured, variant: usize, place: usize, series: Option<&str>) -> Series {
        let (index, level) = (variant, place);
        let variant = &measured.variants[index];
        match self.read {
            Read::Target(read) => {
                let name = metric::of_target(series.unwrap_or_default());
                variant.level_series(level, |round| read(&round.watched, &name))
            }
            Read::Line => of_ends(&Self::line_ends(measured, index, series))[0].clone(),
            Read::AtLine(read) => {
                let line = measured.plan().line.as_ref().and_then(|plan| line::index_of(plan, series));
                line.map_or_else(Vec::new, |line| line::usage_series(measured, index, line, read))
            }
            Read::Score => variant.score_series(&measured.benchmarks[place]),
            Read::Level(read) => variant.level_series(level, read),
            Read::Run(read) => variant.run_series(read),
            Read::Response(statistic) => {
                variant.level_series(level, |round| self.is_known_in(round).then(|| round.response(statistic))?)
            }
            Read::Service(statistic) => {
                variant.level_series(level, |round| self.is_known_in(round).then(|| round.service(statistic))?)
            }
        }
    }
}

/// Metrics are equal by name: there is one list.
impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
