//! Two executions side by side.

use plimsoll_record::ExecutionStatus;
use serde::Serialize;

/// Version of the JSON document of comparisons: raised when a field changes its meaning or goes away.
pub const COMPARISON_FORMAT: u32 = 1;

/// An execution against an earlier one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// [`COMPARISON_FORMAT`].
    pub format: u32,
    /// The earlier one, or the baseline.
    pub before: Compared,
    /// The later one.
    pub after: Compared,
    /// A figure that is surely worse by more than this, in percent, is a regression. Shares of errors have
    /// [`crate::compare::ERRORS_TOLERANCE_POINTS`].
    pub tolerance_percent: f64,
    /// Environment and settings that differ; empty if nothing that is recorded does.
    pub changed: Vec<Changed>,
    /// Variants and levels that only one of them has figures of.
    pub left_out: Vec<String>,
    /// Whether the later one lacks figures of a level that the earlier one has: its target died, or was never ready.
    pub is_incomplete: bool,
    /// Facts that make the figures of either doubtful.
    pub doubts: Vec<String>,
    /// Figures that are judged together, and must not be called different by chance.
    pub judged_together: u32,
    /// Why nothing is judged; none where something is.
    pub unjudged: Option<String>,
    /// Load lines that both looked for, by variant.
    pub lines: Vec<ComparedLine>,
    /// Figures that both have, by variant, then level.
    pub differences: Vec<Difference>,
}

/// A load line in both executions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedLine {
    /// Name of the variant: the later one's, where each has one.
    pub variant: String,
    /// The line's name; empty if it is the only one.
    pub name: String,
    /// `/s`, or ` users` for a line in virtual users.
    pub unit: &'static str,
    /// The ends of its interval before; `null` where one is not known.
    pub before: [Option<f64>; 2],
    /// The same after.
    pub after: [Option<f64>; 2],
    /// Whether the later interval lies wholly above (`higher`) or below (`lower`) the earlier one. Then so does the
    /// line of the process that was searched, surely; another process of the same service may differ.
    pub is: Option<LineIs>,
    /// Whether it is surely lower by more than the tolerance, if an end is not known, so that `differences` lacks it.
    pub is_regression: bool,
}

/// Place of a load line relative to an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineIs {
    /// Above the earlier line.
    Higher,
    /// Below the earlier line.
    Lower,
}

/// One of the two executions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Number in the record.
    pub id: i64,
    /// Short name.
    pub name: String,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// Its end.
    pub status: ExecutionStatus,
    /// Commit of the directory of its file; `-dirty` is appended where that had changes.
    pub commit: Option<String>,
    /// Rounds that were begun.
    pub rounds: u32,
}

/// Something that differs beside the figures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Changed {
    /// Its kind.
    pub about: About,
    /// Its name, e.g. `kernel`; of variants with the variant before it.
    pub name: String,
    /// Its value before; none if it was not there.
    pub before: Option<String>,
    /// Its value after; none if it is gone.
    pub after: Option<String>,
}

/// Kinds of changes; those that explain most are first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum About {
    /// The resource that gives way first.
    Limit,
    /// The load.
    Load,
    /// CPU, memory, kernel.
    Machine,
    /// JDK, versions.
    Software,
    /// Plimsoll itself.
    Plimsoll,
    /// The experiment: rounds, pace, its file's lines.
    Experiment,
    /// Settings of a variant.
    Variant,
}

/// A figure in both executions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Name of the variant: the later one's, where each has one.
    pub variant: String,
    /// Label of the level; for load lines the line's name, if it has one.
    pub level: Option<String>,
    /// The name in claims, e.g. `throughput`, `p99`.
    pub metric: &'static str,
    /// Unit of the values.
    pub unit: &'static str,
    /// Median over rounds.
    pub before: f64,
    /// Median over rounds.
    pub after: f64,
    /// Values of the rounds of either.
    pub rounds: [Vec<f64>; 2],
    /// The change in percent of `before`; for shares of errors in percentage points.
    pub change: f64,
    /// 95 % interval of the change, for this figure alone. None with fewer than three rounds of either, except for load
    /// lines whose searches know both ends.
    pub interval: Option<[f64; 2]>,
    /// Whether the interval is put together from those of searches, as there are too few rounds: it does not tell how
    /// one process differs from the next.
    pub is_of_searches: bool,
    /// The judgement; none where nothing says how much rounds differ.
    pub verdict: Option<DifferenceVerdict>,
    /// Whether it is surely worse by more than the tolerance.
    pub is_regression: bool,
    /// Why there is no verdict, or none that is sure.
    pub reason: Option<String>,
    /// About how many rounds of each would tell a difference of the tolerance; none if hundreds, or where it is told.
    pub rounds_needed: Option<u32>,
}

/// Outcome of a comparison of one figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceVerdict {
    /// Surely better.
    Better,
    /// Surely worse.
    Worse,
    /// Surely less than the tolerance either way, and not surely different.
    NoDifference,
    /// None of these is sure.
    Undecided,
}

impl Comparison {
    /// Figures that are surely worse by more than the tolerance.
    pub fn regressions(&self) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(|it| it.is_regression)
    }

    /// Load lines that surely are lower by more than the tolerance, and have an end that is not known.
    pub fn lower_lines(&self) -> impl Iterator<Item = &ComparedLine> {
        self.lines.iter().filter(|it| it.is_regression)
    }

    /// Whether anything is surely worse by more than the tolerance.
    pub fn is_worse(&self) -> bool {
        self.regressions().next().is_some() || self.lower_lines().next().is_some()
    }

    /// How many figures have a verdict.
    pub fn count(&self, verdict: DifferenceVerdict) -> usize {
        self.differences.iter().filter(|it| it.verdict == Some(verdict)).count()
    }
}
