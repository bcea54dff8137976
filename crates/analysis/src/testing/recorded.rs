//! Small services with one planted cause each, as they were seen on JDK 17 and 25: figures and censuses of real
//! explanations. Asynchronous ones, which wait in objects, come from `benches/explain`, the others from no bench.

use std::collections::BTreeMap;

use plimsoll_record::{
    Arrivals, Census, ExecutionData, ExplainPlan, Explained, Interval, LevelData, LevelPlan, Load, Nanos, Phase,
    Sample, ThinkTime, Window,
};
use serde::Deserialize;

use super::{execution, plan, run, variant};

/// An explanation as it was recorded.
#[derive(Clone, Deserialize)]
pub struct Recorded {
    /// The cause that was planted.
    pub limit: String,
    cores: u32,
    /// Lightly and fully loaded.
    pub loads: BTreeMap<String, Figures>,
    /// Looks at the target.
    pub censuses: Vec<Census>,
}

/// Figures of one load.
#[derive(Clone, Deserialize)]
pub struct Figures {
    /// Virtual users.
    pub users: u32,
    /// Requests that succeeded in a second.
    pub per_s: u64,
    /// Mean response time.
    pub ms: f64,
    /// Means of metrics.
    pub means: BTreeMap<String, f64>,
    /// Growth of counters.
    pub growth: BTreeMap<String, f64>,
}

/// Length of each load.
pub const SECONDS: u64 = 5;

impl Recorded {
    fn read(text: &str) -> Self {
        serde_json::from_str(text).expect("recorded")
    }

    /// An execution that explains it, and nothing else.
    pub fn data(&self) -> ExecutionData {
        let mut data = run(0, 0, Nanos::ZERO, Vec::new());
        let mut at = Nanos::ZERO;
        for label in ["light", "full"] {
            let figures = &self.loads[label];
            data.levels.push(figures.level(label, at));
            let end = at + Nanos::from_secs(SECONDS);
            let sample = |at, metric: &String, value| Sample { at, metric: metric.clone(), value };
            for (metric, &mean) in &figures.means {
                data.samples.push(sample(at + Nanos::from_secs(1), metric, mean));
            }
            for (metric, &growth) in &figures.growth {
                data.samples.extend([sample(at, metric, 0.0), sample(end, metric, growth)]);
            }
            at = end + Nanos::from_secs(9);
        }
        data.samples.sort_by_key(|sample| sample.at);
        data.censuses.clone_from(&self.censuses);
        let levels = data.levels.iter().map(|level| level.plan.clone()).collect();
        let mut data = execution(plan(vec![variant("a")], levels, 1), vec![data]);
        data.execution.plan.explain = Some(ExplainPlan::default());
        data.execution.environment.cores = Some(self.cores);
        data
    }

    /// The same under an open load of `rate` requests per second, of which as many are carried as under full load.
    pub fn at_rate(&self, rate: u64) -> ExecutionData {
        let mut data = self.data();
        let duration = Nanos::from_secs(SECONDS);
        let level = data.runs[0].levels.iter_mut().find(|level| level.plan.label == "full").expect("a full load");
        level.plan.load = Load::ConstantArrivalRate {
            rate: rate as f64,
            duration,
            arrivals: Arrivals::Poisson,
            max_in_flight: 10_000,
            drop_late: false,
        };
        for interval in &mut level.intervals {
            interval.counts.offered = rate;
            interval.counts.succeeded = interval.counts.succeeded.min(rate);
        }
        let (load, levels) = (Some(level.plan.load.clone()), &data.runs[0].levels);
        data.execution.plan.levels = levels.iter().map(|level| level.plan.clone()).collect();
        data.execution.plan.explain = Some(ExplainPlan { load, ..ExplainPlan::default() });
        data
    }

    /// Requests per second that were carried under full load.
    pub fn capacity(&self) -> u64 {
        self.loads["full"].per_s
    }

    /// The same, offered after the load of a run; all instants are that much later.
    pub fn after_a_load(&self, label: &str, later: Nanos) -> ExecutionData {
        let mut data = self.data();
        let run = &mut data.runs[0];
        for sample in &mut run.samples {
            sample.at = sample.at + later;
        }
        for level in &mut run.levels {
            level.started = level.started + later;
            level.plan.phase = Phase::Explanation;
            level.plan.explains = Some(label.to_owned()).filter(|_| level.plan.label == "full");
        }
        let started = |is_full| run.levels.iter().find(|it| (it.plan.label == "full") == is_full).expect("it").started;
        let starts = [(Window::Rest, later), (Window::Light, started(false)), (Window::Full, started(true))];
        for (window, start) in starts {
            let first = run.censuses.iter().find(|it| it.window == window).expect("a look").at;
            let all = run.censuses.iter_mut().filter(|it| it.window == window);
            all.for_each(|census| census.at = start + (census.at - first));
        }
        let explain = data.execution.plan.explain.as_mut().expect("an explanation");
        explain.of = vec![Explained { variant: "a".to_owned(), level: Some(label.to_owned()) }];
        data.execution.plan.levels = data.runs[0].levels.iter().map(|level| level.plan.clone()).collect();
        data
    }
}

impl Figures {
    /// A level with these figures.
    pub fn level(&self, label: &str, started: Nanos) -> LevelData {
        let duration = Nanos::from_secs(SECONDS);
        let load = Load::ConstantVus { vus: self.users, duration, think: ThinkTime::None };
        let second = |second| {
            let mut interval =
                Interval { start: Nanos::from_secs(second), duration: Nanos::from_secs(1), ..Interval::default() };
            interval.counts.succeeded = self.per_s;
            (0..if self.per_s > 0 { 100 } else { 0 })
                .for_each(|_| interval.ok.response.record(Nanos::from_secs_f64(self.ms / 1e3)));
            interval
        };
        LevelData {
            plan: LevelPlan::new(label, Phase::Measured, load),
            started,
            took: Some(duration),
            intervals: (0..SECONDS).map(second).collect(),
            traced: Vec::new(),
        }
    }
}

macro_rules! recorded {
    ($($name:literal),*) => {
        &[$(($name, include_str!(concat!("../bottleneck/recorded/", $name, ".json")))),*]
    };
}

/// All that are recorded, by name, as they are written.
const ALL: &[(&str, &str)] = recorded!(
    "lock-17",
    "lock-25",
    "semaphore-17",
    "semaphore-25-virtual",
    "server-threads-17",
    "executor-25",
    "common-pool-17",
    "lock-25-virtual",
    "logging-17",
    "gc-17",
    "upstream-slow-25",
    "client-pool-25",
    "event-loop-25",
    "pinned-25-virtual",
    "carriers-25-virtual",
    "lock-25-coroutines",
    "semaphore-17-coroutines",
    "semaphore-25-channel",
    "rate-limiter-17-reactor",
    "executor-17-ordered",
    "logging-25-loops",
    "rate-limiter-25-channel",
    "client-pool-25-streams",
    "executor-25-event-bus",
    "client-pool-25-bulkhead",
    "semaphore-17-retries",
    "semaphore-17-demand",
    "database-pool-25-vertx",
    "database-pool-17-r2dbc-held",
    "executor-17-elastic",
    "rate-limiter-25-batches",
    "rate-limiter-25-vertx",
    "semaphore-17-window",
    "disk-25",
    "executor-25-timer",
    "rate-limiter-25-poller"
);

/// All that are recorded, by name.
pub fn all() -> Vec<(&'static str, Recorded)> {
    ALL.iter().map(|&(name, text)| (name, Recorded::read(text))).collect()
}

/// The one of that name.
pub fn named(name: &str) -> Recorded {
    Recorded::read(ALL.iter().find(|it| it.0 == name).expect("it is recorded").1)
}

/// A run of two levels, at which a lock and the server's threads give way, and both explained after it.
pub fn explained() -> ExecutionData {
    let later = Nanos::from_secs(100);
    let mut data = named("lock-17").after_a_load("16", later);
    let threads = named("server-threads-17");
    let other = threads.after_a_load("256", later + later);
    let explain = data.execution.plan.explain.as_mut().expect("an explanation");
    explain.of.extend(other.execution.plan.explain.into_iter().flat_map(|it| it.of));
    let (run, other) = (&mut data.runs[0], &other.runs[0]);
    // Without load, and lightly loaded, it is looked at once.
    let is_full = |level: &&LevelData| level.plan.label == "full";
    run.levels.extend(other.levels.iter().filter(is_full).cloned());
    run.censuses.extend(other.censuses.iter().filter(|census| census.window == Window::Full).cloned());
    run.samples.extend(other.samples.iter().cloned());
    let measured = [("16", named("lock-17")), ("256", threads)];
    let at = |index: u64| Nanos::from_secs(1 + index * (SECONDS + 1));
    let levels = (0..).zip(&measured).map(|(index, (label, it))| it.loads["full"].level(label, at(index)));
    run.levels.splice(0..0, levels);
    data.execution.plan.levels = run.levels.iter().map(|level| level.plan.clone()).collect();
    data
}
