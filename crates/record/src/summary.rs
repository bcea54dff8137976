//! An execution in short: what a list of many shows without reading what they measured.

use serde::{Deserialize, Serialize};

use crate::{execution::Environment, status::ExecutionStatus};

/// An execution as a list has it. Reading it takes no plan, no run and no interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Listed {
    /// Unique in the record's file, ascending.
    pub id: i64,
    /// Short name, e.g. `greetings`; `load` for a single load.
    pub name: String,
    /// One line for headings.
    pub title: String,
    /// When it started, RFC 3339 in UTC.
    pub started_at: String,
    /// When it ended, RFC 3339 in UTC; none if it is under way or was killed.
    pub ended_at: Option<String>,
    /// How it ended.
    pub status: ExecutionStatus,
    /// Where it ran: command, commit, machine, versions.
    pub environment: Environment,
    /// Verdicts and key figures; none if nobody summarized it yet.
    pub summary: Option<ExecutionSummary>,
}

/// Verdicts and key figures of one execution.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExecutionSummary {
    /// Claims by verdict.
    pub claims: ClaimTally,
    /// Thresholds by verdict, of all variants together.
    pub thresholds: ThresholdTally,
    /// Whether the generator was the limit anywhere.
    pub is_limited_by_generator: bool,
    /// Findings that make figures doubtful.
    pub warnings: u32,
    /// Runs that were completed.
    pub runs_done: u32,
    /// Runs that were planned.
    pub runs_planned: u32,
    /// In the plan's order; empty where nothing was measured.
    pub variants: Vec<VariantSummary>,
}

/// Claims by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClaimTally {
    /// The whole interval satisfies them.
    pub hold: u32,
    /// No part of the interval does.
    pub fail: u32,
    /// Claims that cannot be told.
    pub undecided: u32,
}

/// Thresholds by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ThresholdTally {
    /// Kept.
    pub kept: u32,
    /// Exceeded, or without a value.
    pub exceeded: u32,
}

/// Key figures of a variant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct VariantSummary {
    /// Its name.
    pub name: String,
    /// The highest level at which it was measured, to which figures of requests belong; none if there is no level.
    pub level: Option<String>,
    /// In the order in which they are shown.
    pub figures: Vec<KeyFigure>,
}

/// A figure over rounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeyFigure {
    /// As claims name it, e.g. `throughput`, `p99`.
    pub name: String,
    /// Unit, e.g. `/s`, `ms`.
    pub unit: String,
    /// Median over rounds; for a load line its lower end, which was carried.
    pub value: f64,
    /// Where the typical round lies, with 95 %, `[low, high]`; none with too few rounds.
    pub interval: Option<[f64; 2]>,
}

/// A name for an execution that later ones are compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Baseline {
    /// Unique in the record.
    pub name: String,
    /// Number of the execution.
    pub execution: i64,
    /// When it was set, RFC 3339 in UTC.
    pub set_at: String,
}
