//! Executions made by hand, for tests: requests with exact instants go in, a record as the driver writes it comes out.

mod greetings;
mod greetings_plan;

use plimsoll_record::{
    Environment, ErrorKind, Execution, ExecutionData, ExecutionStatus, Interval, LevelData, LevelPlan, Load, Merged,
    MergedPart, Nanos, Phase, Plan, Run, RunData, RunStatus, Score, ScoreValue, ThinkTime, TracedRequest, VariantPlan,
};

pub use greetings::greetings;

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
}

impl Request {
    /// One that succeeded, sent when intended, in stage 0.
    pub const fn ok(intended: Nanos, done: Nanos) -> Self {
        Self { intended, sent: intended, done, error: None, stage: 0 }
    }

    /// One that failed, sent when intended, in stage 0.
    pub const fn failed(intended: Nanos, done: Nanos, error: ErrorKind) -> Self {
        Self { intended, sent: intended, done, error: Some(error), stage: 0 }
    }
}

/// What was joined of `count` parts: those that are there by number, with how long after the first each started.
pub fn merged(count: u32, parts: &[(u32, Nanos)]) -> Merged {
    let part = |&(number, after): &(u32, Nanos)| MergedPart {
        number,
        started_at: "2026-01-01T00:00:00Z".to_owned(),
        after,
        status: ExecutionStatus::Done,
        machine: None,
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
        let second = Nanos((request.done.0.saturating_sub(1)) / SECOND_NS * SECOND_NS);
        let position = intervals.binary_search_by_key(&(second, request.stage), |it| (it.start, it.stage));
        let index = position.unwrap_or_else(|index| {
            let duration = Nanos::from_secs(1).min(took - second);
            intervals.insert(index, Interval { start: second, duration, stage: request.stage, ..Interval::default() });
            index
        });
        count(&mut intervals[index], request);
    }
    LevelData { plan: plan.clone(), started, took: Some(took), intervals, traced: Vec::new() }
}

/// Every request is counted as if it had a connection of its own, opened within 1 ms, and 200 bytes of response.
fn count(interval: &mut Interval, request: &Request) {
    let response = request.done - request.intended;
    let service = request.done - request.sent;
    interval.counts.offered += 1;
    interval.counts.sent += 1;
    interval.counts.connections_opened += 1;
    interval.counts.bytes_sent += 80;
    interval.counts.generator_cpu_ns += 6_000;
    interval.send_lag.record(request.sent - request.intended);
    interval.connect.record(Nanos::from_micros(800));
    let timings = match request.error {
        None => {
            interval.counts.succeeded += 1;
            interval.counts.bytes_received += 200;
            interval.first_byte.record(service);
            *interval.statuses.entry(200).or_default() += 1;
            &mut interval.ok
        }
        Some(kind) => {
            interval.counts.failed += 1;
            let error = interval.errors.entry(kind).or_default();
            error.count += 1;
            error.example = kind.meaning().to_owned();
            &mut interval.failed
        }
    };
    timings.response.record(response);
    timings.service.record(service);
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
    };
    RunData { run, levels, samples: Vec::new(), scores: Vec::new(), output_tail: Vec::new() }
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
