//! Tools that this machine lacks for the programs of an experiment, told before anything is built.

use plimsoll_lab::{
    artifact::Artifacts,
    experiment::{Experiment, Kept},
};

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
            let by_jmx = variant.metrics.iter().any(|metrics| matches!(metrics.keep, Kept::Jmx(_)));
            if let Some(reason) = artifacts.default_jdk().err().filter(|_| by_jmx) {
                self.note(format!("`from: jmx` is read by a JDK: {reason}"), &format!("the metrics of {}", plan.name));
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
    use plimsoll_lab::jdk::JdkError;

    use super::*;
    use crate::commands::check;

    #[test]
    fn metrics_by_jmx_are_missed_without_a_jdk() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.yaml");
        let jmx = "metrics: {from: jmx, keep: ['java.lang:type=Threading/ThreadCount']}";
        let text = format!(
            "variants:\n  mine: {{url: 'http://127.0.0.1:1/', {jmx}}}\n  other: {{url: 'http://127.0.0.1:2/'}}\n\
             load: {{model: shared-iterations, levels: [20]}}\n"
        );
        std::fs::write(&path, text).unwrap();
        let file = check::read(&path, None).unwrap_or_else(|error| panic!("{error}"));
        let none = Err(JdkError::None { looked: "nowhere".to_owned() });
        let artifacts = Artifacts::new("java".into(), folder.path().to_owned(), none);
        let mut missing = Missing::default();
        missing.add(&artifacts, &file.experiment);
        let text = missing.text();
        assert!(
            text.starts_with("  here without the metrics of mine: `from: jmx` is read by a JDK: no JDK found"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 1, "{text}");
    }

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
