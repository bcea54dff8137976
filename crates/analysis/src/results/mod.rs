//! Results of an execution: every figure a report may print. Reports lay these values out and compute nothing.
//!
//! The JSON report is this structure; [`FORMAT`] is its version. Units are the last part of each name.

mod benchmarks;
mod comparison;
mod explanation;
mod finding;
mod level;
mod line;
mod proof;
mod published;
mod runs;
mod tuning;
mod verdicts;
mod watched;
mod whereabouts;

use std::collections::BTreeMap;

use plimsoll_record::{Environment, ExecutionStatus, Load, Part};
use serde::{Serialize, Serializer, ser::SerializeStruct};

pub use self::{
    benchmarks::*, comparison::*, explanation::*, finding::*, level::*, line::*, proof::*, published::*, runs::*,
    tuning::*, verdicts::*, watched::*, whereabouts::*,
};

/// Version of the JSON report: raised when a field changes its meaning or goes away, not when one is added.
pub const FORMAT: u32 = 4;

/// Everything a report says about one execution.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    /// [`FORMAT`].
    pub format: u32,
    /// The execution, and how it ended.
    pub execution: Summary,
    /// The environment in which it ran.
    pub environment: Environment,
    /// Labels of the measured levels, in the order in which they were driven. A ramp's stages are levels.
    pub levels: Vec<LevelSummary>,
    /// Variants, in the plan's order.
    pub variants: Vec<VariantResults>,
    /// Scores by benchmark; empty unless variants are benchmarks.
    pub benchmarks: Vec<BenchmarkResults>,
    /// Every variant against the first one that has figures, by variant, then level, then metric.
    pub ratios: Vec<Ratio>,
    /// Claims, in the file's order.
    pub claims: Vec<ClaimResult>,
    /// Thresholds in the plan's order, for each variant.
    pub thresholds: Vec<ThresholdResult>,
    /// Load lines that were searched for, in the order of their objectives.
    pub lines: Vec<LineResults>,
    /// The critical rate of each variant, where that was asked for.
    pub critical: Vec<CriticalResults>,
    /// The first limit of each run that was looked at; empty where nothing was to be explained.
    pub explanations: Vec<Explanation>,
    /// Whether changed settings move the limit, where that was to be proven.
    pub proof: Option<Proof>,
    /// Somebody else's table beside ours.
    pub published: Option<PublishedResults>,
    /// Facts that a reader must know beside the figures, the gravest first.
    pub findings: Vec<Finding>,
    /// Every run, in the order in which they were made.
    pub runs: Vec<RunResults>,
}

/// The execution in short.
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
    /// Its end.
    pub status: ExecutionStatus,
    /// The pace of the experiment file that was run; none if the file has none.
    pub pace: Option<String>,
    /// Rounds planned; in an experiment that ends once its claims are decided those that were begun.
    pub rounds: u32,
    /// How many rounds it might have had, if it ends once its claims are decided.
    pub until_decided: Option<UntilDecided>,
    /// Seed of order and arrivals.
    pub seed: u64,
    /// The part of the load that it is; none if it is all of it, or a merge (see `environment.merged`).
    pub segment: Option<Part>,
    /// Runs that were completed.
    pub runs_done: u32,
    /// Runs that were planned.
    pub runs_planned: u32,
}

/// The rounds of an experiment that ends once its claims are decided. Its intervals are wider, so that all looks at the
/// claims together err in 5 % of experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct UntilDecided {
    /// Rounds before the first look.
    pub at_least: u32,
    /// Rounds after which it ends in any case.
    pub at_most: u32,
}

/// A measured level of the plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelSummary {
    /// The name in tables and claims.
    pub label: String,
    /// The load it is, or belongs to as one stage.
    pub load: Load,
}

impl Results {
    /// Number of findings that warn, or are graver.
    pub fn warnings(&self) -> usize {
        self.findings.iter().filter(|finding| finding.weight > Weight::Info).count()
    }
}

/// A figure over rounds: the median and its range, never an average of percentiles. In JSON `null` without rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Median over rounds.
    pub median: f64,
    /// Least of all rounds.
    pub min: f64,
    /// Greatest of all rounds.
    pub max: f64,
    /// One value per round, in round order.
    pub rounds: Vec<f64>,
    /// 95 % interval of the typical round, by Student's t on logarithms; none with fewer than three rounds, or if one
    /// is not above zero.
    pub interval: Option<[f64; 2]>,
}

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { median, min, max, rounds, interval } = self;
        if rounds.is_empty() {
            return serializer.serialize_none();
        }
        let mut fields = serializer.serialize_struct("Figure", 5)?;
        fields.serialize_field("median", median)?;
        fields.serialize_field("min", min)?;
        fields.serialize_field("max", max)?;
        fields.serialize_field("rounds", rounds)?;
        fields.serialize_field("interval", interval)?;
        fields.end()
    }
}

/// One variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantResults {
    /// Unique in the execution.
    pub name: String,
    /// Settings in the plan.
    pub settings: BTreeMap<String, String>,
    /// Runs that were completed.
    pub runs_done: u32,
    /// Why there are no figures, or fewer than planned: skipped (what to install), died, not ready.
    pub problem: Option<String>,
    /// From spawn to the first 2xx, in seconds.
    pub startup_s: Option<Figure>,
    /// Highest mean CPU over a second, 100 = one core.
    pub peak_cpu_percent: Option<Figure>,
    /// Highest resident memory, in MB (10⁶ bytes).
    pub peak_rss_mb: Option<Figure>,
    /// Highest memory charged to the cgroup, in MB (10⁶ bytes).
    pub peak_cgroup_mb: Option<Figure>,
    /// Most threads.
    pub peak_threads: Option<Figure>,
    /// Most open descriptors.
    pub peak_descriptors: Option<Figure>,
    /// One for each of [`Results::levels`]; none where nothing was measured.
    pub levels: Vec<Option<LevelResults>>,
}
