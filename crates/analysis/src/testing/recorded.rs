//! Explanations of small services with one planted cause each, as they were seen on JDK 17 and 25:
//! `bottleneck/recorded/` holds their figures and censuses. They are of services that are in no bench.

use std::collections::BTreeMap;

use plimsoll_record::{
    Census, ExecutionData, ExplainPlan, Interval, LevelData, LevelPlan, Load, Nanos, Phase, Sample, ThinkTime,
};
use serde::Deserialize;

use super::{execution, plan, run, variant};

/// One of them.
#[derive(Clone, Deserialize)]
pub struct Recorded {
    /// The kind that was planted.
    pub limit: String,
    cores: u32,
    /// By name: `light`, `full`.
    pub loads: BTreeMap<String, Figures>,
    /// The looks, in order.
    pub censuses: Vec<Census>,
}

/// Figures of one load.
#[derive(Clone, Deserialize)]
pub struct Figures {
    users: u32,
    per_s: u64,
    ms: f64,
    /// Means of samples, by metric.
    pub means: BTreeMap<String, f64>,
    growth: BTreeMap<String, f64>,
}

const SECONDS: u64 = 5;

impl Recorded {
    fn read(text: &str) -> Self {
        serde_json::from_str(text).expect("recorded")
    }

    /// The execution that it was.
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
        let warm_up = Nanos::from_secs(45);
        data.execution.plan.explain =
            Some(ExplainPlan { users: None, users_max: 1_024, warm_up, think: ThinkTime::None });
        data.execution.environment.cores = Some(self.cores);
        data
    }
}

impl Figures {
    fn level(&self, label: &str, started: Nanos) -> LevelData {
        let duration = Nanos::from_secs(SECONDS);
        let load = Load::ConstantVus { vus: self.users, duration, think: ThinkTime::None };
        let second = |second| {
            let mut interval =
                Interval { start: Nanos::from_secs(second), duration: Nanos::from_secs(1), ..Interval::default() };
            interval.counts.succeeded = self.per_s;
            (0..100).for_each(|_| interval.ok.response.record(Nanos::from_secs_f64(self.ms / 1e3)));
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
        vec![$(($name, Recorded::read(include_str!(concat!("../bottleneck/recorded/", $name, ".json"))))),*]
    };
}

/// All that are recorded, by name.
pub fn all() -> Vec<(&'static str, Recorded)> {
    recorded!(
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
        "client-pool-25"
    )
}

/// The one of that name.
pub fn named(name: &str) -> Recorded {
    all().into_iter().find(|it| it.0 == name).expect("it is recorded").1
}
