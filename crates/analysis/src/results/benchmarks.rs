//! Scores of benchmarks.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Figure;

/// One benchmark, of every variant that has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchmarkResults {
    /// Full name.
    pub name: String,
    /// JMH's word, e.g. `avgt`.
    pub mode: String,
    /// Unit of its scores, e.g. `ms/op`.
    pub unit: String,
    /// In the order of variants, and of their parameters.
    pub scores: Vec<BenchmarkScore>,
}

/// A benchmark of one variant, with one set of parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchmarkScore {
    /// Name of the variant.
    pub variant: String,
    /// The name in claims.
    pub label: String,
    /// Values by name.
    pub params: BTreeMap<String, String>,
    /// Over rounds, each of which is a whole run of the harness.
    pub score: Figure,
    /// The harness' own statistics of each round.
    pub rounds: Vec<ScoreRound>,
    /// Against the first variant that has it, with the same parameters; none for that one.
    pub ratio: Option<ScoreRatio>,
    /// Secondary metrics by name.
    pub secondary: BTreeMap<String, SecondaryScore>,
}

/// The harness' statistics of one round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreRound {
    /// 0-based.
    pub round: u32,
    /// Mean over its iterations and forks.
    pub score: f64,
    /// Half the width of `interval`; none for a single iteration.
    pub error: Option<f64>,
    /// The harness' own interval of 99.9 %; none for a single iteration.
    pub interval: Option<[f64; 2]>,
    /// Standard deviation of its iterations; none with fewer than two.
    pub stdev: Option<f64>,
    /// JVMs it was measured in.
    pub forks: u32,
    /// Measured iterations, of all forks.
    pub iterations: u32,
}

/// The score of a variant ÷ that of the baseline: ratio of the medians over rounds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreRatio {
    /// Name of the variant that it is compared with.
    pub baseline: String,
    /// Over the rounds in which both were measured.
    pub value: f64,
    /// 95 % interval over rounds; none with fewer than 3.
    pub interval: Option<[f64; 2]>,
}

/// Something measured beside a score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SecondaryScore {
    /// Over rounds.
    pub score: Figure,
    /// E.g. `MB/sec`.
    pub unit: String,
}

impl BenchmarkScore {
    /// The round whose score is the median, or the one below it: it stands for all where the harness' own statistics
    /// are shown.
    pub fn middle_round(&self) -> Option<&ScoreRound> {
        let mut rounds: Vec<&ScoreRound> = self.rounds.iter().collect();
        rounds.sort_by(|a, b| a.score.total_cmp(&b.score));
        rounds.get(rounds.len().saturating_sub(1) / 2).copied()
    }
}
