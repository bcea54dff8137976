//! Verdicts on the figures: comparisons, claims, thresholds.

use serde::Serialize;

use super::{Finding, Place};

/// A figure of one variant ÷ the same figure of the baseline: the typical ratio within a round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// Name of the variant.
    pub variant: String,
    /// Name of the variant it is compared with: the first of the plan that has figures.
    pub baseline: String,
    /// Label of the level; none for start-up.
    pub level: Option<String>,
    /// The name in claims: `throughput`, `mean` (response time) or `startup`.
    pub metric: String,
    /// Variant ÷ baseline: the geometric mean over the rounds in which both were measured; from ten rounds on without a
    /// tenth of them at each end.
    pub value: f64,
    /// 95 % interval over rounds, `[low, high]`; none with fewer than 3 rounds.
    pub interval: Option<[f64; 2]>,
}

/// A claim, judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimResult {
    /// The claim in words.
    pub says: String,
    /// The expression.
    pub expression: String,
    /// The figures that it is about, by their names, e.g. `startup`; empty if it cannot be read.
    pub metrics: Vec<&'static str>,
    /// The judgement.
    pub verdict: Verdict,
    /// The left side's value (the right side's, if the left is a constant), if it could be computed.
    pub value: Option<f64>,
    /// 95 % interval of that side over rounds, `[low, high]`; none with fewer than 3 rounds.
    pub interval: Option<[f64; 2]>,
    /// The lower bound of the value, if searches for load lines left a side open, so that there is no value.
    pub at_least: Option<f64>,
    /// The upper bound, likewise.
    pub at_most: Option<f64>,
    /// Unit of the value, e.g. `/s`, `ms`; empty for a ratio.
    pub unit: String,
    /// The reason for the verdict, in one sentence.
    pub reason: String,
    /// About how many rounds would decide it if it is undecided, going by the spread seen; none if hundreds.
    pub rounds_needed: Option<u32>,
    /// The places of its figures, in the order of the expression; figures of whole runs have none.
    pub about: Vec<Place>,
    /// Findings at these places that explain the figures where the claim does not hold.
    pub findings: Vec<Finding>,
}

/// A limit that the load of one variant had to keep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ThresholdResult {
    /// The threshold as given, e.g. `p(99)<200ms`.
    pub threshold: String,
    /// Name of the variant.
    pub variant: String,
    /// The measured value, all rounds together; none if there is nothing that the threshold is about.
    pub value: Option<f64>,
    /// The number that it is compared with; none if the threshold cannot be read, or there was no load.
    pub limit: Option<f64>,
    /// Unit of both: `ms`, `%`, `/s`, or empty for a count.
    pub unit: String,
    /// True if it was kept; false where there is no value.
    pub is_kept: bool,
    /// Why there is no value.
    pub reason: String,
}

/// Outcome of a claim.
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
