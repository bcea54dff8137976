//! Pauses of virtual users.

use serde::{Deserialize, Serialize};

use crate::Nanos;

/// The pause of a virtual user between one response and its next request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ThinkTime {
    /// No pause.
    #[default]
    None,
    /// Always the same.
    Constant {
        /// The pause.
        #[serde(rename = "pause_ns")]
        pause: Nanos,
    },
    /// Uniform between two bounds.
    Uniform {
        /// The least.
        #[serde(rename = "min_ns")]
        min: Nanos,
        /// The most.
        #[serde(rename = "max_ns")]
        max: Nanos,
    },
    /// Exponential.
    Exponential {
        /// The mean.
        #[serde(rename = "mean_ns")]
        mean: Nanos,
    },
}

impl ThinkTime {
    /// How long it is on average.
    pub const fn mean(self) -> Nanos {
        match self {
            Self::None => Nanos::ZERO,
            Self::Constant { pause } => pause,
            Self::Uniform { min, max } => Nanos((min.0 + max.0) / 2),
            Self::Exponential { mean } => mean,
        }
    }

    /// Whether its length is drawn, and so depends on a seed.
    pub const fn is_random(self) -> bool {
        matches!(self, Self::Uniform { .. } | Self::Exponential { .. })
    }
}
