//! What an execution showed: every figure a report may print. Reports lay these values out and compute nothing.
//!
//! The JSON report is this structure; [`FORMAT`] is its version. Units are the last part of each name.

mod breakdown;

use std::collections::BTreeMap;

pub use breakdown::{RequestResults, TimeStatistics};
use plimsoll_record::{CheckCount, Environment, ErrorCount, ErrorKind, ExecutionStatus, Load, Phase, RunStatus};
use serde::Serialize;

/// Version of the JSON report: raised when a field changes its meaning or goes away, not when one is added.
pub const FORMAT: u32 = 1;

/// Everything a report says about one execution.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    /// [`FORMAT`].
    pub format: u32,
    /// What was executed and how that ended.
    pub execution: Summary,
    /// Where it ran.
    pub environment: Environment,
    /// Labels of the measured levels, in the order in which they were driven. A ramp's stages are levels.
    pub levels: Vec<LevelSummary>,
    /// In the plan's order.
    pub variants: Vec<VariantResults>,
    /// Every variant against the first one that has figures, by variant, then level, then metric.
    pub ratios: Vec<Ratio>,
    /// In the file's order.
    pub claims: Vec<ClaimResult>,
    /// In the plan's order, for each variant.
    pub thresholds: Vec<ThresholdResult>,
    /// Somebody else's table beside ours.
    pub published: Option<PublishedResults>,
    /// What a reader must know to trust the figures: each is a fact with advice.
    pub notes: Vec<Note>,
    /// Every run, in the order in which they were made.
    pub runs: Vec<RunResults>,
}

/// What was executed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Number in the record.
    pub id: i64,
    /// Short name, e.g. `greetings`; `load` for a single load.
    pub name: String,
    /// One line.
    pub title: String,
    /// Markdown; may be empty.
    pub description: String,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// RFC 3339, UTC; none if it was killed or is under way.
    pub ended_at: Option<String>,
    /// How it ended.
    pub status: ExecutionStatus,
    /// Rounds planned.
    pub rounds: u32,
    /// Seed of order, arrivals and bootstraps.
    pub seed: u64,
    /// Runs that were completed.
    pub runs_done: u32,
    /// Runs that were planned.
    pub runs_planned: u32,
}

/// A measured level of the plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelSummary {
    /// What tables and claims call it.
    pub label: String,
    /// The load it is, or belongs to as one stage.
    pub load: Load,
}

/// A figure over rounds: the median and its range, never an average of percentiles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Median over rounds.
    pub median: f64,
    /// Least of all rounds.
    pub min: f64,
    /// Greatest of all rounds.
    pub max: f64,
    /// One value per round, in round order.
    pub rounds: Vec<f64>,
}

/// One variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantResults {
    /// Unique in the execution.
    pub name: String,
    /// As in the plan.
    pub settings: BTreeMap<String, String>,
    /// Runs that were completed.
    pub runs_done: u32,
    /// Why there are no figures, or fewer than planned: skipped (what to install), died, not ready.
    pub problem: Option<String>,
    /// From spawn to the first 2xx, in seconds.
    pub startup_s: Option<Figure>,
    /// Highest CPU sample, 100 = one core.
    pub peak_cpu_percent: Option<Figure>,
    /// Highest resident memory, in MB (10⁶ bytes).
    pub peak_rss_mb: Option<Figure>,
    /// Highest memory charged to the cgroup, in MB (10⁶ bytes).
    pub peak_cgroup_mb: Option<Figure>,
    /// Most threads.
    pub peak_threads: Option<Figure>,
    /// Most open descriptors.
    pub peak_descriptors: Option<Figure>,
    /// As many as [`Results::levels`]; none where nothing was measured.
    pub levels: Vec<Option<LevelResults>>,
}

/// One variant at one level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelResults {
    /// As in [`Results::levels`].
    pub label: String,
    /// Successful requests per second.
    pub throughput_per_s: Figure,
    /// Requests whose instant came per second of the load: what the throughput is to be held against.
    pub offered_per_s: Figure,
    /// From the first request intended to the last one ended, in seconds.
    pub duration_s: Figure,
    /// Response time (done − intended) of successful requests.
    pub response: TimeFigures,
    /// Service time (done − sent) of successful requests.
    pub service: TimeFigures,
    /// Share of ended requests that succeeded, in percent.
    pub success_percent: Figure,
    /// Received, headers included, in kB (10³ bytes) per second.
    pub received_kb_per_s: Figure,
    /// Sent, headers included, in kB (10³ bytes) per second.
    pub sent_kb_per_s: Figure,
    /// From intended until the generator acted, 99th percentile, in milliseconds: how late it was.
    pub send_lag_p99_ms: Figure,
    /// CPU time of the generator per request, in microseconds.
    pub generator_cpu_us_per_request: Figure,
    /// Waiting for a connection, of the requests that had to; none if none had.
    pub connection_wait_ms: Option<MedianP99>,
    /// Name resolution; none unless it was made for each connection.
    pub dns_ms: Option<MedianP99>,
    /// How the generator was, and whether it was the limit.
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
    /// By request, in the plan's order; empty if all are alike.
    pub requests: Vec<RequestResults>,
    /// Sums over all rounds.
    pub totals: Totals,
    /// Response times of all rounds together, for a curve: ascending quantiles with milliseconds.
    pub response_curve: Vec<CurvePoint>,
    /// The same for service times.
    pub service_curve: Vec<CurvePoint>,
    /// Little's law on our own figures.
    pub littles_law: LittlesLaw,
    /// The throughput that settings allow at most, if they fix one.
    pub ceiling: Option<Ceiling>,
}

/// How the generator was while one variant was loaded at one level: the worst round.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GeneratorResults {
    /// CPU of the busiest worker, 100 = one core, on average over the level.
    pub busiest_worker_percent: f64,
    /// Share of the level's time in which the busiest worker had no CPU left, in percent.
    pub saturated_percent: f64,
    /// How often the kernel took a core from a worker, per second.
    pub involuntary_switches_per_s: f64,
    /// The fewest file descriptors that were left.
    pub descriptors_left: Option<u64>,
    /// The fewest local ports that were left.
    pub ports_left: Option<u64>,
    /// Why the generator was the limit; empty if it was not.
    pub limits: Vec<Limit>,
}

/// One reason why the generator was the limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// What was seen.
    pub reason: String,
    /// What to do.
    pub remedy: String,
}

/// Response or service times in milliseconds. Each figure is the statistic of a round, then taken over rounds.
/// Rounds in which no request succeeded are left out; if that is all of them, `rounds` is empty and the rest zero.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeFigures {
    /// Arithmetic mean.
    pub mean_ms: Figure,
    /// 50th percentile.
    pub median_ms: Figure,
    /// 90th percentile.
    pub p90_ms: Figure,
    /// 95th percentile.
    pub p95_ms: Figure,
    /// 99th percentile.
    pub p99_ms: Figure,
    /// 99.9th percentile.
    pub p999_ms: Figure,
    /// 99.99th percentile.
    pub p9999_ms: Figure,
    /// Least.
    pub min_ms: Figure,
    /// Greatest.
    pub max_ms: Figure,
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

/// Sums over all rounds of one variant at one level.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Requests whose intended instant came.
    pub offered: u64,
    /// Requests sent.
    pub sent: u64,
    /// Requests that succeeded.
    pub succeeded: u64,
    /// Requests that failed.
    pub failed: u64,
    /// Requests given up before they were sent.
    pub dropped: u64,
    /// Requests whose response was not awaited because the load was stopped.
    pub abandoned: u64,
    /// Iterations that ended, each of one or several requests.
    pub iterations: u64,
    /// Connections established.
    pub connections_opened: u64,
    /// Requests sent on a connection that had carried one before.
    pub connections_reused: u64,
    /// TLS handshakes completed.
    pub tls_handshakes: u64,
    /// TLS handshakes that resumed a session.
    pub tls_resumed: u64,
    /// Bytes received, headers included.
    pub bytes_received: u64,
    /// Bytes sent, headers included.
    pub bytes_sent: u64,
    /// Responses by status.
    pub statuses: BTreeMap<u16, u64>,
    /// Failures by kind, with the first of each in words.
    pub errors: BTreeMap<ErrorKind, ErrorCount>,
    /// Checks by name.
    pub checks: BTreeMap<String, CheckCount>,
}

impl Totals {
    /// Share of ended requests that failed, all rounds together, in percent.
    pub fn errors_percent(&self) -> f64 {
        let ended = self.succeeded + self.failed;
        if ended == 0 { 0.0 } else { self.failed as f64 / ended as f64 * 100.0 }
    }
}

/// Little's law: requests in flight = throughput × time in the system.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LittlesLaw {
    /// Mean requests in flight that throughput and mean time ask for, in the round that asks for most.
    pub in_flight: f64,
    /// The most that could be in flight.
    pub allowed: f64,
    /// Whether `in_flight` can be (2 % are left to rounding).
    pub consistent: bool,
}

/// What the settings allow at most.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ceiling {
    /// Requests per second.
    pub per_s: f64,
    /// How it comes about, e.g. `200 workers ÷ 1.00 s`.
    pub because: String,
    /// Median throughput ÷ ceiling, in percent.
    pub reached_percent: f64,
}

/// A figure of one variant ÷ the same figure of the baseline: ratio of the medians over rounds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// Name of the variant.
    pub variant: String,
    /// Name of the variant it is compared with: the first of the plan that has figures.
    pub baseline: String,
    /// Label of the level; none for start-up.
    pub level: Option<String>,
    /// As in claims: `throughput`, `mean` (response time) or `startup`.
    pub metric: String,
    /// Variant ÷ baseline, over the rounds in which both were measured.
    pub value: f64,
    /// 95 % bootstrap interval over rounds, `[low, high]`; none with fewer than 3 rounds.
    pub interval: Option<[f64; 2]>,
}

/// A claim, judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimResult {
    /// In words.
    pub says: String,
    /// As an expression.
    pub expression: String,
    /// The judgement.
    pub verdict: Verdict,
    /// The left side's value (the right side's, if the left is a constant), if it could be computed.
    pub value: Option<f64>,
    /// 95 % bootstrap interval of that side over rounds, `[low, high]`; none with fewer than 3 rounds.
    pub interval: Option<[f64; 2]>,
    /// Unit of the value, e.g. `/s`, `ms`; empty for a ratio.
    pub unit: String,
    /// Why, in one sentence, above all when undecided.
    pub reason: String,
}

/// A limit that the load of one variant had to keep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ThresholdResult {
    /// As it was given, e.g. `p(99)<200ms`.
    pub threshold: String,
    /// Name of the variant.
    pub variant: String,
    /// What was measured, all rounds together; none if there is nothing of what the threshold is about.
    pub value: Option<f64>,
    /// Unit of the value: `ms`, `%`, `/s`, or empty for a count.
    pub unit: String,
    /// Whether it was kept; not so where there is no value.
    pub is_kept: bool,
    /// Why there is no value.
    pub reason: String,
}

/// How a claim came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The whole interval satisfies it.
    Holds,
    /// No part of the interval satisfies it.
    Fails,
    /// The interval lies on both sides of the threshold, or there are too few rounds.
    Undecided,
}

/// The published table beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublishedResults {
    /// Whose, and on what machine.
    pub source: String,
    /// Figures of a variant at a level.
    pub levels: Vec<PublishedLevelResults>,
    /// Figures of a variant as a whole.
    pub variants: Vec<PublishedVariantResults>,
}

/// Published figures of one variant at one level, with ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublishedLevelResults {
    /// The author's name of the variant.
    pub variant: String,
    /// Ours that corresponds, if there is one.
    pub ours: Option<String>,
    /// Label of the level.
    pub level: String,
    /// Each published figure and ours.
    pub figures: Vec<PublishedFigure>,
    /// Little's law on the published figures, where they give enough.
    pub littles_law: Option<LittlesLaw>,
}

/// Published figures of one variant as a whole, with ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublishedVariantResults {
    /// The author's name of the variant.
    pub variant: String,
    /// Ours that corresponds, if there is one.
    pub ours: Option<String>,
    /// Each published figure and ours.
    pub figures: Vec<PublishedFigure>,
}

/// One published figure and ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublishedFigure {
    /// What it is, e.g. `throughput`, `mean`, `start-up`.
    pub name: String,
    /// Its unit, e.g. `/s`, `ms`, `s`, `%`, `MB`.
    pub unit: String,
    /// Theirs.
    pub published: f64,
    /// Ours, in the same unit.
    pub ours: Option<f64>,
}

/// A fact that bears on trust, with advice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    /// How much it weighs.
    pub weight: Weight,
    /// What was seen and what to do, in one or two sentences.
    pub text: String,
}

/// How much a note weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// Good to know.
    Info,
    /// Figures may mislead without it.
    Warning,
}

/// One run, with its time line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunResults {
    /// Number in the record.
    pub id: i64,
    /// Name of the variant.
    pub variant: String,
    /// 0-based.
    pub round: u32,
    /// Place in the round's order, 0-based.
    pub position: u32,
    /// How it ended.
    pub status: RunStatus,
    /// Why, if not done.
    pub problem: Option<String>,
    /// The command that was launched.
    pub command: Option<String>,
    /// From spawn to the first 2xx, in seconds.
    pub startup_s: Option<f64>,
    /// When each level began and ended, in seconds from the spawn.
    pub spans: Vec<Span>,
    /// Second by second, from the spawn.
    pub load: Vec<LoadPoint>,
    /// Sampled metrics by name: see `plimsoll_record::metric`.
    pub samples: BTreeMap<String, Vec<SamplePoint>>,
    /// The target's last lines; only where the run did not end well.
    pub output_tail: Vec<String>,
}

/// A level on the time line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Span {
    /// The level.
    pub label: String,
    /// Warm-up or measured.
    pub phase: Phase,
    /// Seconds from the spawn.
    pub start_s: f64,
    /// Seconds from the spawn.
    pub end_s: f64,
}

/// The load in one interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LoadPoint {
    /// Middle of the interval, in seconds from the spawn.
    pub at_s: f64,
    /// Successful requests per second.
    pub throughput_per_s: f64,
    /// Failed requests per second.
    pub failed_per_s: f64,
    /// Response time of those that succeeded, 50th percentile; none if none did.
    pub median_ms: Option<f64>,
    /// The same, 99th percentile.
    pub p99_ms: Option<f64>,
}

/// A sampled value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SamplePoint {
    /// Seconds from the spawn.
    pub at_s: f64,
    /// In the metric's unit.
    pub value: f64,
}
