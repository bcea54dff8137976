//! An explanation: what gives way first, by a look at the target under three loads.

use serde::{Deserialize, Serialize};

use crate::{load::ThinkTime, units::Nanos};

/// What is done to explain: the levels, appended as they begin, are a probe of the capacity, one request at a time, and
/// as much as the service takes. A census is taken beside levels of its own, of which no figure is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExplainPlan {
    /// Virtual users of the full load; none: as many as it takes until throughput rises no more.
    pub users: Option<u32>,
    /// Virtual users at most.
    pub users_max: u32,
    /// How long the service is given until its throughput no longer rises.
    #[serde(rename = "warm_up_ns")]
    pub warm_up: Nanos,
    /// Pauses of virtual users.
    #[serde(default)]
    pub think: ThinkTime,
}

impl ExplainPlan {
    /// Of virtual users at most.
    pub const DEFAULT_USERS_MAX: u32 = 1_024;
    /// Of the time until throughput no longer rises.
    pub const DEFAULT_WARM_UP: Nanos = Nanos::from_secs(45);
}
