//! The first requests of a level, one by one.

use serde::{Deserialize, Serialize};

use crate::{Nanos, error_kind::ErrorKind};

/// A request that ended, with its instants, all counted from the start of the load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedRequest {
    /// Stage of the load (0 unless it ramps).
    pub stage: u32,
    /// Index into [`LevelPlan::requests`](crate::LevelPlan::requests); 0 if all requests of the level are alike.
    pub request: u32,
    /// When it was to be sent.
    #[serde(rename = "intended_ns")]
    pub intended: Nanos,
    /// When it was; none if it failed before.
    #[serde(rename = "sent_ns")]
    pub sent: Option<Nanos>,
    /// When its response began, if it did.
    #[serde(rename = "first_byte_ns")]
    pub first_byte: Option<Nanos>,
    /// When it ended.
    #[serde(rename = "done_ns")]
    pub done: Nanos,
    /// Status of its response, if there was one.
    pub status: Option<u16>,
    /// Why it failed; none if it succeeded.
    pub error: Option<ErrorKind>,
    /// `Server-Timing` of its response, if there was one.
    pub server_timing: Option<String>,
}

impl TracedRequest {
    /// Sort key of requests: when they were sent, or ended without being sent.
    pub fn order(&self) -> (Nanos, Nanos) {
        (self.sent.unwrap_or(self.done), self.intended)
    }
}
