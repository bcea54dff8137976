//! Loads that several generators share.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Nanos, status::ExecutionStatus};

/// One of several equal parts of a load, written `2/4`. The parts are disjoint and together they are the load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Part {
    /// From 1.
    pub number: u32,
    /// At least `number`.
    pub count: u32,
}

impl Part {
    /// Number of things that are this part's, of `total` that are numbered from 0: thing k belongs to the part with the
    /// number k modulo [`Part::count`], plus 1.
    pub fn share(self, total: u64) -> u64 {
        (total + u64::from(self.count - self.number)) / u64::from(self.count)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

/// The parts that an execution was joined from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Merged {
    /// Parts that the load was split into.
    pub count: u32,
    /// Parts that are there, by number.
    pub parts: Vec<MergedPart>,
}

impl Merged {
    /// Numbers of the parts that are not there.
    pub fn missing(&self) -> Vec<u32> {
        (1..=self.count).filter(|number| self.parts.iter().all(|part| part.number != *number)).collect()
    }

    /// Parts that did not come to their end.
    pub fn cut_short(&self) -> impl Iterator<Item = &MergedPart> {
        self.parts.iter().filter(|part| part.status != ExecutionStatus::Done)
    }

    /// Whether everything of every part is there.
    pub fn is_whole(&self) -> bool {
        self.missing().is_empty() && self.cut_short().next().is_none()
    }
}

/// One part of a joined execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergedPart {
    /// From 1.
    pub number: u32,
    /// When its load started, RFC 3339 in UTC, by the clock of its machine.
    pub started_at: String,
    /// Time from the start of the first part's load to that.
    #[serde(rename = "after_ns")]
    pub after: Nanos,
    /// How it ended; anything but `done`: a part of it is missing.
    pub status: ExecutionStatus,
    /// [`Environment::machine`](crate::Environment::machine).
    pub machine: Option<String>,
    /// Its clock, where a collector has compared it with its own; `after` is then free of the difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<PartClock>,
    /// The whole seconds of its load that are there, where it was lost and only these were told.
    #[serde(default, rename = "lost_after_ns", skip_serializing_if = "Option::is_none")]
    pub lost_after: Option<Nanos>,
}

/// The clock of a part beside its collector's, and how late its load began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PartClock {
    /// How far its time of day was ahead of the collector's.
    pub ahead_ns: i64,
    /// How wrong that may be: half of the fastest round trip.
    #[serde(rename = "error_ns")]
    pub error: Nanos,
    /// From the instant that it was told to start at until it did.
    #[serde(rename = "late_ns")]
    pub late: Nanos,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_are_not_there_are_named() {
        let part = |number| MergedPart {
            number,
            started_at: String::new(),
            after: Nanos::ZERO,
            status: ExecutionStatus::Done,
            machine: None,
            clock: None,
            lost_after: None,
        };
        assert_eq!(Merged { count: 4, parts: vec![part(2), part(3)] }.missing(), [1, 4]);
        let mut both = Merged { count: 2, parts: vec![part(1), part(2)] };
        assert!(both.is_whole());
        both.parts[1].status = ExecutionStatus::Interrupted;
        assert!(!both.is_whole() && both.missing().is_empty());
        assert_eq!(Part { number: 2, count: 4 }.to_string(), "2/4");
    }
}
