//! An explanation: what gives way first, by a look at the target under three loads.

use serde::{Deserialize, Serialize};

use crate::{
    Nanos,
    load::{Load, ThinkTime},
};

/// Plan of an explanation: the levels, appended as they begin, are a probe of the capacity, one request at a time, and
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
    /// The full load, where it is none of virtual users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<Load>,
    /// Loads that are explained after each run of the first round, in its process: there is no probe then. Empty: the
    /// target is loaded to be explained, and for nothing else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<Explained>,
}

/// A load of a variant that is explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explained {
    /// Name of the variant.
    pub variant: String,
    /// Label of the level; none: the capacity that a search for a load line has found.
    pub level: Option<String>,
}

impl ExplainPlan {
    /// Virtual users at most.
    pub const DEFAULT_USERS_MAX: u32 = 1_024;
    /// Time until throughput no longer rises, at most.
    pub const DEFAULT_WARM_UP: Nanos = Nanos::from_secs(45);

    /// Whether the target is loaded for nothing but this.
    pub fn is_alone(&self) -> bool {
        self.of.is_empty()
    }

    /// Whether the full load was found by saturating the target, so that another explanation may find another one.
    pub fn has_found_load(&self) -> bool {
        self.is_alone() && self.users.is_none() && self.load.is_none()
    }
}

impl Default for ExplainPlan {
    fn default() -> Self {
        Self {
            users: None,
            users_max: Self::DEFAULT_USERS_MAX,
            warm_up: Self::DEFAULT_WARM_UP,
            think: ThinkTime::None,
            load: None,
            of: Vec::new(),
        }
    }
}
