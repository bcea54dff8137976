//! Somebody else's table beside ours, and what the audit says of both.

use serde::Serialize;

use super::{Finding, LittlesLaw, Weight};

/// The published table beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublishedResults {
    /// Their author, and the machine.
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
    /// The audit of the published figures.
    pub audit: Audit,
    /// The audit of ours; none if there are none.
    pub our_audit: Option<Audit>,
}

/// The outcome of all checks on a row of figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Audit {
    /// The gravest of the findings.
    pub verdict: AuditVerdict,
    /// The gravest first.
    pub findings: Vec<Finding>,
    /// Names of the checks for which the row says enough.
    pub checked: Vec<String>,
}

/// Outcome of an audit, from the lightest to the gravest.
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
    /// They can be right only under a condition that is not stated.
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
    /// The name of the figure, e.g. `throughput`, `mean`, `start-up`.
    pub name: String,
    /// Its unit, e.g. `/s`, `ms`, `s`, `%`, `MB`.
    pub unit: String,
    /// Theirs.
    pub published: f64,
    /// The size of one unit in its last printed digit.
    pub step: f64,
    /// Ours, in the same unit.
    pub ours: Option<f64>,
}
