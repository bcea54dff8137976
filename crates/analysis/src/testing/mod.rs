//! Executions made by hand, for tests: requests with exact instants go in, a record as the driver writes it comes out.

mod greetings;
mod greetings_plan;
mod line;
pub mod recorded;
mod service;

use plimsoll_record::{
    Environment, ErrorKind, Execution, ExecutionData, ExecutionStatus, Interval, LevelData, LevelPlan, Load, Merged,
    MergedPart, Nanos, Phase, Plan, Run, RunData, RunStatus, Sample, Score, ScoreValue, ThinkTime, TracedRequest,
    VariantPlan,
};

pub use self::{
    greetings::{PLATFORM_THREADS, REACTIVE, VIRTUAL_THREADS, greetings, greetings_by},
    greetings_plan::environment,
    line::{Line, critical, in_users, lines, overload},
    service::{Fate, Service},
};

const SECOND_NS: u64 = 1_000_000_000;

/// One request with its instants, counted from the start of the load.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// When it was to be sent.
    pub intended: Nanos,
    /// When it was sent.
    pub sent: Nanos,
    /// When it ended.
    pub done: Nanos,
    /// Why it failed, if it did.
    pub error: Option<ErrorKind>,
    /// The stage of the load in which it was intended.
    pub stage: u32,
    /// Index of the request of a flow; 0 if all are alike.
    pub request: u32,
    /// How it came by its connection.
    pub connection: Connection,
    /// When its iteration was intended, if it is the last of it.
    pub ends: Option<Nanos>,
}

/// How a request comes by its connection.
#[derive(Clone, Copy, Debug)]
pub enum Connection {
    /// Opened within 1 ms, which is in none of the instants.
    Opened,
    /// Opened so long before it was sent.
    Late(Nanos),
    /// Opened in 4 ms before it was sent: name looked up, connect, TLS handshake.
    Secured,
    /// Has carried another request.
    Kept,
}

impl Request {
    /// One that succeeded, sent when intended on a connection of its own, in stage 0.
    pub const fn ok(intended: Nanos, done: Nanos) -> Self {
        let connection = Connection::Opened;
        Self { intended, sent: intended, done, error: None, stage: 0, request: 0, connection, ends: None }
    }

    /// One that failed, otherwise the same.
    pub const fn failed(intended: Nanos, done: Nanos, error: ErrorKind) -> Self {
        Self { error: Some(error), ..Self::ok(intended, done) }
    }
}

/// A merge of `count` parts: those that are there by number, with how long after the first each started.
pub fn merged(count: u32, parts: &[(u32, Nanos)]) -> Merged {
    let part = |&(number, after): &(u32, Nanos)| MergedPart {
        number,
        started_at: "2026-01-01T00:00:00Z".to_owned(),
        after,
        status: ExecutionStatus::Done,
        machine: None,
        clock: None,
        lost_after: None,
    };
    Merged { count, parts: parts.iter().map(part).collect() }
}

/// A level of `n` requests at once by `n` users, labelled `n`.
pub fn burst(n: u32) -> LevelPlan {
    let load = Load::SharedIterations { vus: n, iterations: n.into(), max_duration: None, think: ThinkTime::None };
    level_plan(&n.to_string(), load)
}

/// A measured level.
pub fn level_plan(label: &str, load: Load) -> LevelPlan {
    LevelPlan::new(label, Phase::Measured, load)
}

/// A level that was driven to its end: it took until the last request was done.
pub fn level(plan: &LevelPlan, started: Nanos, requests: &[Request]) -> LevelData {
    let took = requests.iter().map(|request| request.done).max().unwrap_or_default();
    let mut intervals: Vec<Interval> = Vec::new();
    for request in requests {
        interval_of(&mut intervals, request.intended, request, took).counts.offered += 1;
        count(interval_of(&mut intervals, request.done, request, took), request);
    }
    for interval in &mut intervals {
        let busy = interval.counts.generator_cpu_ns as f64 / interval.duration.0.max(1) as f64;
        interval.generator.busiest_worker_percent = busy * 100.0;
    }
    LevelData { plan: plan.clone(), started, took: Some(took), intervals, traced: Vec::new() }
}

/// The interval that contains `at`; intervals include their end, but not their start.
fn interval_of<'a>(intervals: &'a mut Vec<Interval>, at: Nanos, of: &Request, took: Nanos) -> &'a mut Interval {
    let start = Nanos(at.0.saturating_sub(1) / SECOND_NS * SECOND_NS);
    let key = (start, of.stage, of.request);
    let found = intervals.binary_search_by_key(&key, |it| (it.start, it.stage, it.request));
    let index = found.unwrap_or_else(|index| {
        let duration = Nanos::from_secs(1).min(took - start);
        let (start, stage, request) = key;
        intervals.insert(index, Interval { start, duration, stage, request, ..Interval::default() });
        index
    });
    &mut intervals[index]
}

/// Counts a request as the engine's recorder does: each takes 80 bytes and 6 µs of the generator's CPU, each response
/// has 200 bytes, the last of which comes 20 µs after the first.
fn count(interval: &mut Interval, request: &Request) {
    let Request { intended, sent, done, error, connection, ends, .. } = *request;
    interval.counts.generator_cpu_ns += 6_000;
    interval.counts.iterations += u64::from(ends.is_some());
    ends.iter().for_each(|&begun| interval.iteration.record(done - begun));
    if error == Some(ErrorKind::Refused) {
        interval.counts.failed += 1;
        interval.send_lag.record(sent - intended);
        return count_error(interval, ErrorKind::Refused);
    }
    interval.counts.sent += 1;
    interval.counts.bytes_sent += 80;
    let connect = connect(interval, connection);
    interval.send_lag.record(sent - intended - connect);
    let service = done - sent;
    let body = Nanos::from_micros(20).min(service);
    let status = match error {
        None => Some(200),
        Some(ErrorKind::Status5xx) => Some(503),
        Some(ErrorKind::CheckFailed) => Some(200),
        Some(_) => None,
    };
    if let Some(status) = status {
        interval.counts.bytes_received += 200;
        interval.first_byte.record(service - body);
        interval.body.record(body);
        *interval.statuses.entry(status).or_default() += 1;
    }
    let timings = if error.is_none() { &mut interval.ok } else { &mut interval.failed };
    timings.response.record(done - intended);
    timings.service.record(service);
    match error {
        None => interval.counts.succeeded += 1,
        Some(kind) => {
            interval.counts.failed += 1;
            count_error(interval, kind);
        }
    }
}

/// Counts how the request came by its connection. Returns the time that this took before it was sent.
fn connect(interval: &mut Interval, connection: Connection) -> Nanos {
    let us = Nanos::from_micros;
    let (connect, wait) = match connection {
        Connection::Kept => {
            interval.counts.connections_reused += 1;
            return Nanos::ZERO;
        }
        Connection::Opened => (us(800), Nanos::ZERO),
        Connection::Late(connect) => (connect, connect),
        Connection::Secured => {
            interval.counts.tls_handshakes += 1;
            // Every third finds a session to resume.
            interval.counts.tls_resumed += u64::from(interval.counts.tls_handshakes.is_multiple_of(3));
            interval.dns.record(us(300));
            interval.tls.record(us(2_900));
            (us(800), us(4_000))
        }
    };
    interval.counts.connections_opened += 1;
    interval.connect.record(connect);
    if wait > Nanos::ZERO {
        interval.connection_wait.record(wait);
    }
    wait
}

fn count_error(interval: &mut Interval, kind: ErrorKind) {
    let error = interval.errors.entry(kind).or_default();
    error.count += 1;
    error.example = kind.meaning().trim_end_matches('.').to_owned();
}

/// Samples of a metric: milliseconds since the spawn, and the value.
pub fn samples(metric: &str, values: &[(u64, f64)]) -> Vec<Sample> {
    let sample = |&(at_ms, value)| Sample { at: Nanos::from_millis(at_ms), metric: metric.to_owned(), value };
    values.iter().map(sample).collect()
}

/// A traced request that succeeded, sent when intended.
pub fn traced(intended: Nanos, took: Nanos) -> TracedRequest {
    let (sent, done) = (Some(intended), intended + took);
    let (first_byte, status) = (Some(done), Some(200));
    let (error, server_timing) = (None, None);
    TracedRequest { stage: 0, request: 0, intended, sent, first_byte, done, status, error, server_timing }
}

/// A run that was driven to its end; the target was ready after `startup`.
pub fn run(variant: usize, round: u32, startup: Nanos, levels: Vec<LevelData>) -> RunData {
    let run = Run {
        id: i64::from(round) * 100 + variant as i64 + 1,
        variant,
        round,
        position: variant as u32,
        status: RunStatus::Done,
        detail: None,
        command: None,
        startup: Some(startup),
        facts: None,
        line: None,
    };
    RunData { run, levels, samples: Vec::new(), censuses: Vec::new(), scores: Vec::new(), output_tail: Vec::new() }
}

/// A run of benchmarks that came to its end.
pub fn scores(variant: usize, round: u32, scores: Vec<Score>) -> RunData {
    let data = run(variant, round, Nanos::ZERO, Vec::new());
    RunData { run: Run { startup: None, ..data.run }, scores, ..data }
}

/// A mean time in milliseconds.
pub fn score(benchmark: &str, ms: f64) -> Score {
    let measured = ScoreValue { score: ms, unit: "ms/op".to_owned(), ..ScoreValue::default() };
    Score { benchmark: benchmark.to_owned(), mode: "avgt".to_owned(), measured, ..Score::default() }
}

/// A variant without settings.
pub fn variant(name: &str) -> VariantPlan {
    VariantPlan { name: name.to_owned(), url: "http://127.0.0.1:8080/".to_owned(), ..VariantPlan::default() }
}

/// A plan of these variants and levels.
pub fn plan(variants: Vec<VariantPlan>, levels: Vec<LevelPlan>, rounds: u32) -> Plan {
    Plan { name: "test".to_owned(), variants, levels, rounds, seed: 42, ..Plan::default() }
}

/// An execution that was done to its end.
pub fn execution(plan: Plan, runs: Vec<RunData>) -> ExecutionData {
    let execution = Execution {
        id: 1,
        started_at: "2026-05-04T09:30:00Z".to_owned(),
        ended_at: Some("2026-05-04T09:42:10Z".to_owned()),
        status: ExecutionStatus::Done,
        plan,
        environment: Environment::default(),
    };
    ExecutionData { execution, runs }
}
