//! A part that stays, as the other side sees it.

use plimsoll_record::{Nanos, PartClock};

use crate::{Over, Shape, seconds_told::SecondsTold};

/// How far a part is with the load under way.
#[derive(Debug)]
pub enum Stage {
    /// It has not said that it is ready.
    Idle,
    /// It is ready, or offers it.
    Prepared,
    /// It has ended, and everything was told.
    Over(Over),
}

#[derive(Debug)]
pub struct Member {
    pub machine: Option<String>,
    pub host: Option<String>,
    pub joined: Nanos,
    pub heard: Nanos,
    pub is_lost: bool,
    /// It knows that there are no more loads.
    pub was_told: bool,
    pub stage: Stage,
    pub clock: Option<PartClock>,
    /// Seconds of the load under way.
    pub seconds: SecondsTold,
}

impl Member {
    pub fn new(machine: Option<String>, host: Option<String>, now: Nanos) -> Self {
        Self {
            machine,
            host,
            joined: now,
            heard: now,
            is_lost: false,
            was_told: false,
            stage: Stage::Idle,
            clock: None,
            seconds: SecondsTold::default(),
        }
    }

    /// Makes it ready for a load of so many scenarios.
    pub fn begin(&mut self, scenarios: usize) {
        self.stage = Stage::Idle;
        self.seconds = SecondsTold::of(scenarios);
    }

    /// Whole seconds of the load that it has told of all scenarios; none if nothing more is to be waited for. A
    /// scenario that has not begun has no seconds to tell.
    pub fn told(&self, shapes: &[Shape]) -> Option<u64> {
        let is_awaited = !self.is_lost && !matches!(self.stage, Stage::Over(_));
        let told =
            self.seconds.by_scenario().iter().zip(shapes).map(|(&told, shape)| told.max(shape.start.0 / 1_000_000_000));
        is_awaited.then(|| told.min().unwrap_or_default())
    }
}
