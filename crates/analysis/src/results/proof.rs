//! Whether changed settings move a limit.

use plimsoll_record::Change;
use serde::Serialize;

use super::Verdict;

/// A variant before and after changes of its settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proof {
    /// Name of the variant in the experiment file.
    pub variant: String,
    /// Before any change: requests per second under a load that saturates it, or at its load line; none if that could
    /// not be measured.
    pub before_per_s: Option<f64>,
    /// Rounds in which it was measured.
    pub rounds: u32,
    /// Sets of changes, in the plan's order.
    pub steps: Vec<ProofStep>,
}

/// One set of changes, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProofStep {
    /// Name of the variant with the changes.
    pub variant: String,
    /// Changes, all made at once.
    pub changes: Vec<Change>,
    /// The same figure as [`Proof::before_per_s`], with the changes.
    pub after_per_s: Option<f64>,
    /// After ÷ before: the typical ratio within a round.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio, `[low, high]`.
    pub interval: Option<[f64; 2]>,
    /// Whether they help: the limit moves by 5 % or more.
    pub helps: Verdict,
    /// Whether they surely lower it.
    pub harms: bool,
    /// Why, in one sentence.
    pub reason: String,
    /// The sign that the service did not take the change, in words; none if it helps, or nothing tells so.
    pub without_effect: Option<String>,
}
