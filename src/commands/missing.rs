//! Tools that this machine lacks for the programs of an experiment, told before anything is built.

use plimsoll_lab::{artifact::Artifacts, experiment::Experiment};

/// Each reason with the variants that it keeps from running.
#[derive(Default)]
pub struct Missing(Vec<(String, Vec<String>)>);

impl Missing {
    /// Adds the variants of an experiment, each once.
    pub fn add(&mut self, artifacts: &Artifacts, experiment: &Experiment) {
        for (variant, plan) in experiment.variants.iter().zip(&experiment.plan.variants) {
            if let Some(reason) = artifacts.missing(&variant.program, &variant.limits) {
                self.note(reason, &plan.name);
            }
        }
    }

    fn note(&mut self, reason: String, variant: &str) {
        match self.0.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, variants)) if variants.iter().any(|other| other == variant) => {}
            Some((_, variants)) => variants.push(variant.to_owned()),
            None => self.0.push((reason, vec![variant.to_owned()])),
        }
    }

    /// A line for each reason.
    pub fn text(&self) -> String {
        let line =
            |(reason, variants): &(String, Vec<String>)| format!("  here without {}: {reason}\n", variants.join(", "));
        self.0.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_told_once_with_its_variants() {
        let mut missing = Missing::default();
        assert_eq!(missing.text(), "");
        for (reason, variant) in [("no GraalVM", "a"), ("no GraalVM", "b"), ("no Maven", "c"), ("no GraalVM", "a")] {
            missing.note(reason.to_owned(), variant);
        }
        assert_eq!(missing.text(), "  here without a, b: no GraalVM\n  here without c: no Maven\n");
    }
}
