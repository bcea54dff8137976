//! Scores of a benchmark harness (JMH), measured in place of a load.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The score of one benchmark with one set of parameters, in one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Full name, e.g. `plimsoll.jmh.WebClientBatch.batch`.
    pub benchmark: String,
    /// JMH's word, e.g. `avgt`.
    pub mode: String,
    /// Values of its parameters by name.
    pub params: BTreeMap<String, String>,
    /// The score itself.
    pub measured: ScoreValue,
    /// Score of each measured iteration, by fork.
    pub raw: Vec<Vec<f64>>,
    /// Secondary scores, e.g. of `-prof gc`, by name.
    pub secondary: BTreeMap<String, ScoreValue>,
}

/// A value as the harness gives it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreValue {
    /// Mean over iterations and forks.
    pub score: f64,
    /// Half the width of the interval; none for a single iteration.
    pub error: Option<f64>,
    /// The interval of 99.9 %; none for a single iteration.
    pub interval: Option<[f64; 2]>,
    /// E.g. `ms/op`.
    pub unit: String,
}
