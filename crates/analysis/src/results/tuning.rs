//! Changes made one after the other, each proven, until no setting moves the limit.

use plimsoll_record::Change;
use serde::Serialize;

use super::{Explanation, Proof, ProofStep, Verdict};

/// A variant, as it was and as it is after the changes that help.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuning {
    /// Name of the variant in the experiment file.
    pub variant: String,
    /// The limit that gave way first.
    pub first: Explanation,
    /// Comparisons, in the order in which they were made; each begins where the one before it ended.
    pub proofs: Vec<Proof>,
    /// Changes that help, each with its first and its last value.
    pub settings: Vec<Change>,
    /// The limit that gives way next; none if it was not looked at.
    pub next: Option<Explanation>,
    /// Why it ended there, in a sentence.
    pub ended: String,
}

impl Proof {
    /// The change that helps most; none if none helps.
    pub fn best(&self) -> Option<&ProofStep> {
        let helping = self.steps.iter().filter(|step| step.helps == Verdict::Holds);
        helping.max_by(|a, b| a.ratio.unwrap_or(0.0).total_cmp(&b.ratio.unwrap_or(0.0)))
    }
}

impl Tuning {
    /// Keeps changes that help.
    pub fn keep(&mut self, changes: &[Change]) {
        for change in changes {
            match self.settings.iter_mut().find(|kept| kept.name == change.name) {
                Some(kept) => kept.to.clone_from(&change.to),
                None => self.settings.push(change.clone()),
            }
        }
    }
}
