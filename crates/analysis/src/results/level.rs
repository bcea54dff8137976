//! One variant at one level.

use std::collections::BTreeMap;

use plimsoll_record::{CheckCount, Counts, ErrorCount, ErrorKind, Histogram, Interval};
use serde::Serialize;

use super::{Figure, FirstRequests, JvmFigures, SocketFigures, TargetFigures, UpstreamFigures};
use crate::tail::Tail;

/// One variant at one level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelResults {
    /// The label in [`Results::levels`].
    pub label: String,
    /// Successful requests per second.
    pub throughput_per_s: Figure,
    /// Requests that were to be sent, per second of the load: the reference for throughput.
    pub offered_per_s: Figure,
    /// From the first request intended to the last one ended, in seconds.
    pub duration_s: Figure,
    /// The time in which requests were offered, if the load has a duration, in seconds: rates are counts ÷ this.
    pub window_s: Figure,
    /// From the end of `window_s` to the last response, in seconds.
    pub tail_s: Figure,
    /// Response time (done − intended) of successful requests: each figure is a statistic of each round, taken over
    /// rounds. Rounds in which no request succeeded are left out; if all are, `rounds` is empty and the rest zero.
    pub response: Times<Figure>,
    /// Service time (done − sent) of successful requests, likewise.
    pub service: Times<Figure>,
    /// Share of ended requests that succeeded, in percent, of the rounds in which one ended; none if there is none.
    pub success_percent: Option<Figure>,
    /// Received, headers included, in kB (10³ bytes) per second.
    pub received_kb_per_s: Figure,
    /// Sent, headers included, in kB (10³ bytes) per second.
    pub sent_kb_per_s: Figure,
    /// From intended until the generator acted, median, in milliseconds: how late it was.
    pub send_lag_p50_ms: Figure,
    /// The same, 99th percentile.
    pub send_lag_p99_ms: Figure,
    /// CPU time of the generator per request, in microseconds.
    pub generator_cpu_us_per_request: Figure,
    /// Waiting for a connection, of the requests that had to; none if none had.
    pub connection_wait_ms: Option<MedianP99>,
    /// Name resolution; none unless it was made for each connection.
    pub dns_ms: Option<MedianP99>,
    /// The generator's own health.
    pub generator: GeneratorResults,
    /// Connects; none if no connection was opened.
    pub connect_ms: Option<MedianP99>,
    /// TLS handshakes; none if there were none.
    pub tls_ms: Option<MedianP99>,
    /// From sent to first byte; none if nothing was answered.
    pub first_byte_ms: Option<MedianP99>,
    /// From the first byte of a response to its last; none if nothing was answered.
    pub body_ms: Option<MedianP99>,
    /// Iterations from intended to their end, pauses included; none unless they have several requests.
    pub iteration_ms: Option<MedianP99>,
    /// Each request of a flow or a mix, in the plan's order; empty if all are alike.
    pub requests: Vec<RequestResults>,
    /// Sums over all rounds.
    pub totals: Totals,
    /// Response times of all rounds together, for a curve: ascending quantiles with milliseconds.
    pub response_curve: Vec<CurvePoint>,
    /// The same for service times.
    pub service_curve: Vec<CurvePoint>,
    /// Sockets of the target.
    pub sockets: SocketFigures,
    /// Counters of the upstream that the target calls, if it is simulated.
    pub upstream: Option<UpstreamFigures>,
    /// The first requests one by one, if they were traced.
    pub first_requests: Option<FirstRequests>,
    /// Counters of its JVM.
    pub jvm: JvmFigures,
    /// CPU of the target's processes on average, 100 = one core; none if it was not watched.
    pub cpu_percent: Option<Figure>,
    /// CPU of processes that have no part in the test, on average, 100 = all cores; none if it was not watched.
    pub foreign_cpu_percent: Option<Figure>,
    /// The target's own metrics by series; empty if none were watched.
    pub target: BTreeMap<String, TargetFigures>,
    /// Little's law on our own figures.
    pub littles_law: LittlesLaw,
    /// The throughput that settings allow at most, if they fix one.
    pub ceiling: Option<Ceiling>,
    /// The kind of the finding that tells what limits it; none if no finding does.
    pub limited_by: Option<&'static str>,
    /// Why its figures are only those of its beginning; none if a round drove it to its end.
    pub cut_short: Option<CutShort>,
}

/// The end of a level that was not driven to its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutShort {
    /// The target died.
    TargetDied,
    /// The upstream that the target calls failed.
    UpstreamFailed,
    /// It was interrupted, killed, or is under way.
    Interrupted,
}

impl CutShort {
    /// Whether the target or the upstream did not survive the level: it is shown, but not compared.
    pub const fn is_broken(self) -> bool {
        matches!(self, Self::TargetDied | Self::UpstreamFailed)
    }
}

impl LevelResults {
    /// Share of ended requests that failed, in percent; none if no request ended.
    pub fn errors_percent(&self) -> Option<Figure> {
        let succeeded = self.success_percent.as_ref()?;
        Some(Figure::of(succeeded.rounds.iter().map(|succeeded| 100.0 - succeeded).collect()))
    }
}

/// The generator's health while one variant was loaded at one level: the worst round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GeneratorResults {
    /// CPU of the busiest worker, 100 = one core, on average over the level.
    pub busiest_worker_percent: f64,
    /// Share of the level's time in which the busiest worker had no CPU left, in percent.
    pub saturated_percent: f64,
    /// Involuntary context switches of its workers per second.
    pub involuntary_switches_per_s: f64,
    /// The fewest file descriptors that were left.
    pub descriptors_left: Option<u64>,
    /// The fewest local ports that were left.
    pub ports_left: Option<u64>,
    /// Resources it ran out of, so that it and not the service was measured. A finding tells each.
    pub limits: Vec<GeneratorLimit>,
}

/// A resource that a generator ran out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GeneratorLimit {
    /// CPU time of a thread.
    Cpu,
    /// Punctuality: requests were sent late.
    SendLag,
    /// Local ports.
    Ports,
    /// File descriptors.
    Descriptors,
}

/// Response or service times in milliseconds, each statistic a `T`: a figure over rounds, or the value of all rounds
/// together. A high percentile that too few responses lie beyond is none, not the greatest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Times<T> {
    /// Arithmetic mean.
    pub mean_ms: T,
    /// 50th percentile.
    pub median_ms: T,
    /// 90th percentile.
    pub p90_ms: Option<T>,
    /// 95th percentile.
    pub p95_ms: Option<T>,
    /// 99th percentile.
    pub p99_ms: Option<T>,
    /// 99.9th percentile.
    pub p999_ms: Option<T>,
    /// 99.99th percentile.
    pub p9999_ms: Option<T>,
    /// Least.
    pub min_ms: T,
    /// Greatest.
    pub max_ms: T,
    /// Why percentiles are not known, by their name.
    pub unknown: BTreeMap<&'static str, String>,
}

/// Two percentiles of all rounds together, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MedianP99 {
    /// 50th percentile.
    pub median: f64,
    /// 99th percentile.
    pub p99: f64,
}

/// A point of a percentile curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// 0 to 1.
    pub quantile: f64,
    /// Milliseconds.
    pub ms: f64,
}

/// Sums over all rounds of one variant at one level, or of one of its requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Totals {
    /// Counts of requests, connections, handshakes and bytes; beside the other fields in JSON.
    #[serde(flatten)]
    pub counts: Counts,
    /// Responses by status.
    pub statuses: BTreeMap<u16, u64>,
    /// Failures by kind, with the first of each in words.
    pub errors: BTreeMap<ErrorKind, ErrorCount>,
    /// Checks by name.
    pub checks: BTreeMap<String, CheckCount>,
}

/// One of several requests of a level, all rounds together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RequestResults {
    /// The plan's.
    pub name: String,
    /// Successful ones per second.
    pub throughput_per_s: f64,
    /// Response time (done − intended) of successful ones; none if none succeeded.
    pub response: Option<Times<f64>>,
    /// Service time (done − sent) of successful ones; none if none succeeded.
    pub service: Option<Times<f64>>,
    /// Sums over all rounds.
    pub totals: Totals,
}

impl<T> Times<T> {
    /// Each statistic as `take` makes it of the function that reads it from a histogram. `tail` does so for high
    /// percentiles, or says why they are not known.
    pub(crate) fn of(
        take: impl Fn(fn(&Histogram) -> f64) -> T,
        tail: impl Fn(Tail, fn(&Histogram) -> f64) -> Result<T, String>,
    ) -> Self {
        let mut unknown = BTreeMap::new();
        let mut tail =
            |percentile: Tail, read| tail(percentile, read).map_err(|why| unknown.insert(percentile.name, why)).ok();
        Self {
            p90_ms: tail(Tail::P90, |it| it.quantile(0.9).as_millis_f64()),
            p95_ms: tail(Tail::P95, |it| it.quantile(0.95).as_millis_f64()),
            p99_ms: tail(Tail::P99, |it| it.quantile(0.99).as_millis_f64()),
            p999_ms: tail(Tail::P999, |it| it.quantile(0.999).as_millis_f64()),
            p9999_ms: tail(Tail::P9999, |it| it.quantile(0.9999).as_millis_f64()),
            mean_ms: take(|it| it.mean_ns() / 1e6),
            median_ms: take(|it| it.quantile(0.5).as_millis_f64()),
            min_ms: take(|it| it.min().as_millis_f64()),
            max_ms: take(|it| it.max().as_millis_f64()),
            unknown,
        }
    }
}

impl Totals {
    /// Sums over `all` intervals, merged.
    pub(crate) fn of(all: &Interval) -> Self {
        let (statuses, errors, checks) = (all.statuses.clone(), all.errors.clone(), all.checks.clone());
        Self { counts: all.counts, statuses, errors, checks }
    }

    /// Share of ended requests that failed, all rounds together, in percent; none if no request ended.
    pub fn errors_percent(&self) -> Option<f64> {
        let ended = self.counts.succeeded + self.counts.failed;
        (ended > 0).then(|| self.counts.failed as f64 / ended as f64 * 100.0)
    }
}

/// Little's law: requests in flight = throughput × time in the system.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LittlesLaw {
    /// Mean requests in flight that throughput and mean time ask for, in the round that asks for most.
    pub in_flight: f64,
    /// The most that could be in flight.
    pub allowed: f64,
    /// True if `in_flight` can be (2 % are left to rounding).
    pub consistent: bool,
}

/// The highest throughput that the settings allow: the lowest of several ceilings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ceiling {
    /// Requests per second.
    pub per_s: f64,
    /// The computation, e.g. `200 workers ÷ 1.00 s`.
    pub because: String,
    /// The limiting resource.
    pub bound: Bound,
    /// Median throughput ÷ ceiling, in percent.
    pub reached_percent: f64,
    /// Ceilings above it, the lowest first.
    pub others: Vec<HigherCeiling>,
}

/// A resource that fixes how many requests are served at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// The threads that serve requests.
    Workers,
    /// The connections to one upstream that the client has.
    Connections,
    /// The users of the load: no property of the service.
    Users,
}

/// A ceiling that is not reached, for there is a lower one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HigherCeiling {
    /// Requests per second.
    pub per_s: f64,
    /// The computation.
    pub because: String,
}
