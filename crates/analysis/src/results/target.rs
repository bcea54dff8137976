//! What a target told of itself.

use serde::Serialize;

use super::Figure;

/// One series of a target's own metrics at one level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TargetFigures {
    /// Mean of what was read while the level was driven; none if nothing was.
    pub mean: Option<Figure>,
    /// The highest value; none if nothing was read.
    pub peak: Option<Figure>,
    /// By how much it grew: what a counter counted; none if nothing was read before.
    pub growth: Option<Figure>,
}
