//! The benchmarks of an execution: their identity, and their names in tables and claims.

use std::collections::BTreeMap;

use plimsoll_record::{RunData, RunStatus, Score};

/// A benchmark with one set of parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Benchmark {
    /// The name in tables and claims: its short name, and the parameters that tell it from others of that name.
    pub label: String,
    /// Full name.
    pub name: String,
    pub mode: String,
    pub params: BTreeMap<String, String>,
}

impl Benchmark {
    pub(crate) fn is_of(&self, score: &Score) -> bool {
        (&self.name, &self.mode, &self.params) == (&score.benchmark, &score.mode, &score.params)
    }
}

/// Scores count for runs that came to their end.
pub(crate) fn counted(run: &RunData) -> &[Score] {
    if run.run.status == RunStatus::Done { &run.scores } else { &[] }
}

/// All benchmarks of an execution, in the order of the first run that has each.
pub(crate) fn all(runs: &[RunData]) -> Vec<Benchmark> {
    let mut benchmarks: Vec<Benchmark> = Vec::new();
    for score in runs.iter().flat_map(counted) {
        if !benchmarks.iter().any(|known| known.is_of(score)) {
            let Score { benchmark: name, mode, params, .. } = score.clone();
            benchmarks.push(Benchmark { label: String::new(), name, mode, params });
        }
    }
    let labels: Vec<String> = benchmarks.iter().map(|benchmark| label(benchmark, &benchmarks)).collect();
    for (benchmark, label) in benchmarks.iter_mut().zip(labels) {
        benchmark.label = label;
    }
    benchmarks
}

/// `Batch.batch`, or `Batch.batch[calls=50 mode=avgt]` where there are several of it.
fn label(benchmark: &Benchmark, all: &[Benchmark]) -> String {
    let is_short_unique =
        all.iter().all(|other| other.name == benchmark.name || short(&other.name) != short(&benchmark.name));
    let name = if is_short_unique { short(&benchmark.name) } else { &benchmark.name };
    let alike = || all.iter().filter(|other| other.name == benchmark.name);
    let differing =
        benchmark.params.iter().filter(|(key, value)| alike().any(|it| it.params.get(*key) != Some(*value)));
    let mut details: Vec<String> = differing.map(|(key, value)| format!("{key}={value}")).collect();
    if alike().any(|it| it.mode != benchmark.mode) {
        details.push(format!("mode={}", benchmark.mode));
    }
    if details.is_empty() { name.to_owned() } else { format!("{name}[{}]", details.join(" ")) }
}

/// Class and method.
fn short(name: &str) -> &str {
    let before_method = name.rfind('.').unwrap_or(0);
    name[..before_method].rfind('.').map_or(name, |dot| &name[dot + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{score, scores};

    fn labels(all_scores: Vec<Score>) -> Vec<String> {
        all(&[scores(0, 0, all_scores)]).into_iter().map(|benchmark| benchmark.label).collect()
    }

    #[test]
    fn labels_are_as_short_as_they_can_be() {
        assert_eq!(labels(vec![score("a.b.C.run", 1.0), score("a.b.C.run", 2.0)]), ["C.run"]);
        assert_eq!(
            labels(vec![score("a.C.run", 1.0), score("b.C.run", 1.0), score("run", 1.0)]),
            ["a.C.run", "b.C.run", "run"]
        );
        let with = |calls: &str, mode: &str| {
            let params = [("calls".to_owned(), calls.to_owned()), ("same".to_owned(), "1".to_owned())].into();
            Score { params, mode: mode.to_owned(), ..score("C.run", 1.0) }
        };
        assert_eq!(labels(vec![with("5", "avgt"), with("50", "avgt")]), ["C.run[calls=5]", "C.run[calls=50]"]);
        assert_eq!(labels(vec![with("5", "avgt"), with("5", "ss")]), ["C.run[mode=avgt]", "C.run[mode=ss]"]);
    }
}
