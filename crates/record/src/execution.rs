//! One execution of a plan: its environment, its runs, and what was sampled beside them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    Nanos,
    census::Census,
    interval::Interval,
    line::LineRun,
    part::{Merged, PartClock},
    plan::{LevelPlan, Plan},
    score::Score,
    status::{ExecutionStatus, RunStatus},
    traced::TracedRequest,
};

/// One execution of an experiment file or of a `load` command: what `report` reports on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Execution {
    /// Unique in the record's file, ascending.
    pub id: i64,
    /// When it started, RFC 3339 in UTC.
    pub started_at: String,
    /// When it ended, RFC 3339 in UTC; none if it is under way or was killed.
    pub ended_at: Option<String>,
    /// How it ended.
    pub status: ExecutionStatus,
    /// The plan that was to be run.
    pub plan: Plan,
    /// Where it ran.
    pub environment: Environment,
}

/// Where and with what an execution ran. Whatever could not be found out is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// Version of Plimsoll.
    pub plimsoll: String,
    /// The command line.
    pub command: String,
    /// Commit of the git work tree it ran in; `-dirty` is appended when that had changes.
    pub git_commit: Option<String>,
    /// CPU model.
    pub cpu_model: Option<String>,
    /// Cores that may be used.
    pub cores: Option<u32>,
    /// Tells this machine from others until it is started again (the kernel's `boot_id`).
    pub machine: Option<String>,
    /// Memory of the machine.
    pub memory_bytes: Option<u64>,
    /// Kernel release.
    pub kernel: Option<String>,
    /// Name and version of the operating system.
    pub os: Option<String>,
    /// `v1`, `v2` or none: the cgroup hierarchy that limits were set with.
    pub cgroup: Option<String>,
    /// The JDK that subjects ran on, e.g. `Temurin 25.0.3+9`.
    pub jdk: Option<String>,
    /// Limits put on targets, in words, e.g. `memory 1 GiB (cgroup v1, -XX:MaxRAM)`.
    pub limits: Option<String>,
    /// How generator and target were placed on the cores, in words.
    pub placement: Option<String>,
    /// Why emulated networks were relays, where namespaces were wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network_relay: Option<String>,
    /// Versions of what the subjects are made of, e.g. `Spring Boot` → `4.1.2`.
    pub versions: BTreeMap<String, String>,
    /// By variant: the cost of making its program, whenever that was.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub making: BTreeMap<String, Making>,
    /// The parts that this execution was joined from; the other fields are then those of the first one.
    pub merged: Option<Merged>,
    /// The clock of a part that a collector has started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<PartClock>,
}

/// The cost of making a program: its build, packaging and training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Making {
    /// By the clock, whatever else the machine did.
    #[serde(rename = "took_ns")]
    pub took: Nanos,
    /// CPU time of all processes, on all cores.
    #[serde(rename = "cpu_ns")]
    pub cpu: Nanos,
}

impl std::ops::Add for Making {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { took: self.took + other.took, cpu: self.cpu + other.cpu }
    }
}

/// One load against one variant in a fresh process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Unique in the record's file, ascending.
    pub id: i64,
    /// Index into [`Plan::variants`].
    pub variant: usize,
    /// 0-based.
    pub round: u32,
    /// Place in the order of the round, 0-based.
    pub position: u32,
    /// How it ended.
    pub status: RunStatus,
    /// In words: why it died or was skipped, and what to do; for a run that is done, how the target ended during its
    /// explanation. The target's last lines are in its output.
    pub detail: Option<String>,
    /// The command that was launched, in words.
    pub command: Option<String>,
    /// From spawn to the first 2xx.
    #[serde(rename = "startup_ns")]
    pub startup: Option<Nanos>,
    /// The answer of its search for a load line; none while that goes on, or where nothing is searched for.
    #[serde(default)]
    pub line: Option<LineRun>,
    /// Facts that are kept of it beside its figures, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<serde_json::Map<String, serde_json::Value>>,
}

/// One value of one metric, sampled beside the load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Counted from the spawn of the target.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// A name of [`crate::metric`].
    pub metric: String,
    /// In the metric's unit.
    pub value: f64,
}

/// Everything the record holds of one execution.
#[derive(Clone, Debug, PartialEq)]
pub struct ExecutionData {
    /// The execution.
    pub execution: Execution,
    /// In the order in which they were made.
    pub runs: Vec<RunData>,
}

/// Everything the record holds of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunData {
    /// The run.
    pub run: Run,
    /// In the order in which they were driven.
    pub levels: Vec<LevelData>,
    /// In the order in which they were taken.
    pub samples: Vec<Sample>,
    /// Looks at the target from outside, in the order in which they were taken.
    pub censuses: Vec<Census>,
    /// Scores of a benchmark harness, in its order; empty where a load was offered.
    pub scores: Vec<Score>,
    /// The target's output, stdout and stderr as they came, its last 200 lines.
    pub output_tail: Vec<String>,
}

impl RunData {
    /// The only run of a load beside which nothing was watched.
    pub fn of_load(status: RunStatus, levels: Vec<LevelData>) -> Self {
        let run = Run {
            id: 0,
            variant: 0,
            round: 0,
            position: 0,
            status,
            detail: None,
            command: None,
            startup: None,
            line: None,
            facts: None,
        };
        Self { run, levels, samples: Vec::new(), censuses: Vec::new(), scores: Vec::new(), output_tail: Vec::new() }
    }
}

/// Everything the record holds of one level of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelData {
    /// The level.
    pub plan: LevelPlan,
    /// Start of the load, counted from the spawn of the target.
    pub started: Nanos,
    /// From the first request intended to the last one ended, once the level is over.
    pub took: Option<Nanos>,
    /// In time order, all workers together; several with the same start where the load has stages.
    pub intervals: Vec<Interval>,
    /// The first requests, in the order of sending; empty unless the plan has them traced.
    pub traced: Vec<TracedRequest>,
}
