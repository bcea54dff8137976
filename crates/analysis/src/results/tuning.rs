//! Changes made one after the other, each proven, until no setting moves the limit.

use plimsoll_record::Change;
use serde::Serialize;

use super::{Explanation, Proof, ProofStep, Verdict};
use crate::proof::WORTH;

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
    /// The gain from the first figure to the last, if more than one change helps.
    pub overall: Option<Gain>,
    /// The limit that gives way next; none if it was not looked at.
    pub next: Option<Explanation>,
    /// Why tuning ended there, in a sentence.
    pub ended: String,
}

/// How far several changes moved a limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gain {
    /// Before any of them, in requests per second.
    pub before_per_s: f64,
    /// After the last one.
    pub after_per_s: f64,
    /// After ÷ before; of different executions, so that there is no interval.
    pub times: f64,
}

impl Proof {
    /// The change that helps most; of those that help about as much the one that changes the fewest settings. None if
    /// none helps.
    pub fn best(&self) -> Option<&ProofStep> {
        let ratio = |step: &ProofStep| step.ratio.unwrap_or(0.0);
        let helping: Vec<&ProofStep> = self.steps.iter().filter(|step| step.helps == Verdict::Holds).collect();
        let most = helping.iter().map(|step| ratio(step)).fold(0.0, f64::max);
        let about = helping.into_iter().filter(|step| ratio(step) * WORTH >= most);
        about.min_by(|a, b| a.changes.len().cmp(&b.changes.len()).then(ratio(b).total_cmp(&ratio(a))))
    }
}

impl Gain {
    /// The gain from the first change that helps to the last.
    fn of(proofs: &[Proof]) -> Option<Self> {
        let helping: Vec<_> = proofs.iter().filter_map(|proof| Some((proof, proof.best()?))).collect();
        let [(first, _), .., (_, last)] = helping.as_slice() else { return None };
        let (before_per_s, after_per_s) = (first.before_per_s?, last.after_per_s?);
        Some(Self { before_per_s, after_per_s, times: after_per_s / before_per_s })
    }
}

impl Tuning {
    /// Adds a comparison.
    pub fn add(&mut self, proof: Proof) {
        self.proofs.push(proof);
        self.overall = Gain::of(&self.proofs);
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    /// One that begins at `before_per_s`, with steps that move it to these figures.
    fn proof(before_per_s: f64, after: &[f64]) -> Proof {
        let step = |&after_per_s: &f64| ProofStep {
            variant: format!("to {after_per_s}"),
            changes: Vec::new(),
            after_per_s: Some(after_per_s),
            ratio: Some(after_per_s / before_per_s),
            interval: None,
            helps: if after_per_s > before_per_s { Verdict::Holds } else { Verdict::Fails },
            harms: false,
            reason: String::new(),
            without_effect: None,
        };
        Proof {
            variant: "web".to_owned(),
            before_per_s: Some(before_per_s),
            rounds: 3,
            steps: after.iter().map(step).collect(),
        }
    }

    #[test]
    fn of_changes_that_help_as_much_the_fewest_are_the_best() {
        let change = |name: &str| Change { name: name.to_owned(), from: None, to: "2".to_owned() };
        let mut proof = proof(100.0, &[202.0, 198.0, 120.0]);
        let sets: [&[&str]; 3] = [&["a", "b"], &["b"], &["c"]];
        for (step, names) in proof.steps.iter_mut().zip(sets) {
            step.changes = names.iter().map(|name| change(name)).collect();
        }
        assert_eq!(proof.best().map(|step| step.variant.as_str()), Some("to 198"));
        proof.steps[1].ratio = Some(1.5);
        assert_eq!(proof.best().map(|step| step.variant.as_str()), Some("to 202"), "the other part is needed");
    }

    #[test]
    fn the_overall_gain_goes_from_the_first_change_that_helps_to_the_last() {
        let proofs = [proof(100.0, &[90.0, 200.0, 150.0]), proof(210.0, &[205.0]), proof(208.0, &[400.0])];
        assert_eq!(Gain::of(&proofs[..2]), None, "one change has a ratio of its own");
        assert_eq!(Gain::of(&proofs), Some(Gain { before_per_s: 100.0, after_per_s: 400.0, times: 4.0 }));
    }
}
