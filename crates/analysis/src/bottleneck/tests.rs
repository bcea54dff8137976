//! Small services with one planted cause each, as they were seen on JDK 17 and 25: `recorded/` holds figures and
//! censuses of real explanations, of services that are in no bench.

use std::collections::BTreeMap;

use plimsoll_record::{
    Census, ExecutionData, ExplainPlan, Interval, LevelData, LevelPlan, Load, Nanos, Phase, Sample, ThinkTime,
};
use serde::Deserialize;

use crate::{
    analyse,
    results::Explanation,
    testing::{execution, plan, run, variant},
};

#[derive(Clone, Deserialize)]
struct Recorded {
    limit: String,
    cores: u32,
    loads: BTreeMap<String, Figures>,
    censuses: Vec<Census>,
}

/// Figures of one load.
#[derive(Clone, Deserialize)]
struct Figures {
    users: u32,
    per_s: u64,
    ms: f64,
    means: BTreeMap<String, f64>,
    growth: BTreeMap<String, f64>,
}

const SECONDS: u64 = 5;

impl Recorded {
    fn read(text: &str) -> Self {
        serde_json::from_str(text).expect("recorded")
    }

    fn data(&self) -> ExecutionData {
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

    fn explained(&self) -> Explanation {
        analyse(&self.data()).explanations.swap_remove(0)
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
    ($name:literal) => {
        ($name, Recorded::read(include_str!(concat!("recorded/", $name, ".json"))))
    };
}

fn all() -> Vec<(&'static str, Recorded)> {
    vec![
        recorded!("lock-17"),
        recorded!("lock-25"),
        recorded!("semaphore-17"),
        recorded!("semaphore-25-virtual"),
        recorded!("server-threads-17"),
        recorded!("executor-25"),
        recorded!("common-pool-17"),
        recorded!("lock-25-virtual"),
        recorded!("logging-17"),
        recorded!("gc-17"),
        recorded!("upstream-slow-25"),
    ]
}

#[test]
fn each_planted_cause_is_named() {
    for (name, recorded) in all() {
        let found = recorded.explained();
        assert!(name.starts_with(&recorded.limit), "{name}");
        assert_eq!(found.limit, recorded.limit, "{name}: {found:#?}");
    }
}

#[test]
fn the_time_of_a_request_is_accounted_for() {
    for (name, recorded) in all() {
        let found = recorded.explained();
        let sum: f64 = found.time.iter().map(|share| share.percent).sum();
        assert!((98.0..=101.0).contains(&sum), "{name}: {:?}", found.time);
    }
}

/// What is queued for says where it is queued for, who holds it, and what one waits.
#[test]
fn evidence_names_the_place_the_holder_and_the_wait() {
    let (_, recorded) = recorded!("lock-17");
    let found = recorded.explained();
    assert_eq!(found.says, "a lock (java.lang.Object) in Planted.work");
    let said = found.evidence.join("; ");
    assert!(
        said.contains("15 requests of 16 in flight") && said.contains("its holder: sleep in Planted.work"),
        "{said}"
    );
}

/// Another process keeps both cores busy: who waits for a lock does not wait for a core.
#[test]
fn a_busy_machine_is_not_the_limit_of_those_who_wait_for_something_else() {
    for (name, mut recorded) in all() {
        let full = recorded.loads.get_mut("full").expect("a full load");
        full.means.insert("machine_cpu_percent".to_owned(), 200.0);
        assert_eq!(recorded.explained().limit, recorded.limit, "{name}");
    }
}

#[test]
fn without_a_look_at_threads_nothing_is_made_up() {
    for (name, mut recorded) in all() {
        recorded.censuses.iter_mut().for_each(|census| census.stacks.clear());
        let found = recorded.explained();
        let from_outside = ["unknown", "cpu", "gc", "upstream-slow", "upstream-latency"];
        assert!(from_outside.contains(&found.limit), "{name}: {found:#?}");
    }
}
