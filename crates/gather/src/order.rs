//! Loads that parts which stay take from a search or an experiment, one after the other.

use plimsoll_record::{LevelPlan, Nanos, PartClock};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A part that wants to stay and offer loads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enlist {
    /// [`PROTOCOL`](crate::PROTOCOL).
    pub protocol: u32,
    /// Version of Plimsoll.
    pub version: String,
    /// The number that it wants, from 1; none: any will do.
    pub part: Option<u32>,
    /// Its machine: [`Environment::machine`](plimsoll_record::Environment::machine).
    pub machine: Option<String>,
    /// Its host's name, for people.
    pub host: Option<String>,
}

/// One load, of which each part offers its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// From 1, in the order in which they are offered.
    pub number: u64,
    /// The whole of it, in the words of the load engine.
    pub work: Value,
    /// A part that hears nothing for so long ends its load.
    #[serde(rename = "silence_ns")]
    pub silence: Nanos,
}

/// How the load of one part went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Over {
    /// By scenario: from the first request intended to the last one ended; empty if nothing was offered.
    #[serde(rename = "took_ns")]
    pub took: Vec<Nanos>,
    /// Whether it was ended at once, what was in flight with it.
    pub is_stopped: bool,
    /// Whether its connections came from many addresses of 127.0.0.0/8.
    pub is_spread: bool,
    /// Its clock beside the other side's, and how late it began.
    pub clock: PartClock,
    /// Why it could not be offered, or not to its end; in words.
    pub failed: Option<String>,
}

/// Numbers that the seconds of a scenario may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// When it starts, counted from the start of the load.
    pub start: Nanos,
    /// Stages of the load.
    pub stages: usize,
    /// Different requests.
    pub requests: usize,
}

impl Shape {
    /// The shape of a level.
    pub fn of(level: &LevelPlan) -> Self {
        Self { start: level.start, stages: level.stage_labels.len().max(1), requests: level.requests.len().max(1) }
    }
}
