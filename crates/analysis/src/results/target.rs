//! What a target told of itself.

use serde::Serialize;

use super::Figure;

/// One series of a target's own metrics at one level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TargetFigures {
    /// Mean of what was read while the level was driven.
    pub mean: Figure,
    /// The highest value.
    pub peak: Figure,
    /// By how much it grew: what a counter counted.
    pub growth: Figure,
}
