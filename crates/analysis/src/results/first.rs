//! The first requests of a level.

use serde::Serialize;

use super::{Figure, JvmFigures};

/// The first requests, in the order of sending.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstRequests {
    /// As many as were traced.
    pub calls: Vec<FirstCall>,
    /// Median response time of those after the tenth, in milliseconds; none if there are none.
    pub rest_ms: Option<Figure>,
    /// What responses to the first call say of their own making (`Server-Timing`).
    pub server_timing: Vec<TimingPart>,
    /// What the JVM did during the first call; nothing where the second followed too soon to tell them apart.
    pub jvm: JvmFigures,
}

/// One of the first requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstCall {
    /// Which, from 1.
    pub call: u32,
    /// Response time where it succeeded, in milliseconds; none if it never did.
    pub response_ms: Option<Figure>,
    /// Rounds in which it failed.
    pub failed_rounds: u32,
}

/// A part of the time that a response took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimingPart {
    /// As the response calls it.
    pub name: String,
    /// How long it took, in milliseconds.
    pub ms: Figure,
}
