//! Think times.

use plimsoll_record::{Nanos, ThinkTime};
use rand::{RngExt, rngs::Xoshiro256PlusPlus};

use crate::schedule::exponential;

/// One pause; none if the virtual user does not think.
pub(super) fn draw(think: ThinkTime, rng: &mut Xoshiro256PlusPlus) -> Option<Nanos> {
    match think {
        ThinkTime::None => None,
        ThinkTime::Constant { pause } => Some(pause),
        ThinkTime::Uniform { min, max } => Some(Nanos(rng.random_range(min.0..=max.0.max(min.0)))),
        ThinkTime::Exponential { mean } => Some(Nanos::from_secs_f64(mean.as_secs_f64() * exponential(rng))),
    }
}
