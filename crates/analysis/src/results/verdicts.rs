//! What the figures say: comparisons, claims, thresholds, somebody else's table.

use serde::Serialize;

use super::{Finding, LittlesLaw, Place, Weight};

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
    /// What its figures are of, in the order of the expression; those of whole runs are not among them.
    pub about: Vec<Place>,
    /// What explains the figures where the claim does not hold: findings at the places it is about.
    pub findings: Vec<Finding>,
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
    /// Each published figure and ours, in the author's order.
    pub figures: Vec<PublishedFigure>,
    /// Little's law on the published figures, where they give enough.
    pub littles_law: Option<LittlesLaw>,
    /// Whether the published figures can be, and what they say.
    pub audit: Audit,
    /// The same of ours; none if there are none.
    pub our_audit: Option<Audit>,
}

/// What checks say of a row of figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Audit {
    /// The gravest of the findings.
    pub verdict: AuditVerdict,
    /// The gravest first.
    pub findings: Vec<Finding>,
    /// Names of the checks for which the row says enough.
    pub checked: Vec<String>,
}

/// How an audit came out, from the lightest to the gravest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuditVerdict {
    /// The row says too little for any check.
    #[default]
    Unchecked,
    /// Every check agrees.
    Consistent,
    /// The figures show what was asked for, or what a setting allows, not what the service can do.
    Limited,
    /// They can be right only if something is so that nobody says.
    Question,
    /// They cannot all be right.
    Contradiction,
}

impl From<Weight> for AuditVerdict {
    /// The verdict on a row whose gravest finding weighs so much.
    fn from(weight: Weight) -> Self {
        match weight {
            Weight::Info => Self::Limited,
            Weight::Warning => Self::Question,
            Weight::Contradiction => Self::Contradiction,
        }
    }
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
    /// How much one more in its last printed digit would be.
    pub step: f64,
    /// Ours, in the same unit.
    pub ours: Option<f64>,
}
