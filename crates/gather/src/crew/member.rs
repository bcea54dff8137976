//! A part that stays, as the other side sees it.

use plimsoll_record::{Nanos, PartClock};

use crate::{Over, Second, Shape};

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
    next_message: u64,
    /// By scenario: whole seconds of the load that were told.
    told: Vec<u64>,
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
            next_message: 0,
            told: Vec::new(),
        }
    }

    /// A load of so many scenarios begins.
    pub fn begin(&mut self, scenarios: usize) {
        self.stage = Stage::Idle;
        self.next_message = 0;
        self.told = vec![0; scenarios];
    }

    /// Whether a message of seconds is the next one; if so, it counts.
    pub fn is_next(&mut self, number: u64) -> bool {
        let is_next = number == self.next_message;
        self.next_message += u64::from(is_next);
        is_next
    }

    pub fn next_message(&self) -> u64 {
        self.next_message
    }

    /// It has told a second of a scenario that starts so long after the load.
    pub fn tell(&mut self, second: &Second, start: Nanos) {
        let whole = start.0 / 1_000_000_000 + second.second + 1;
        let told = &mut self.told[second.scenario];
        *told = (*told).max(whole);
    }

    /// Whole seconds of the load that it has told of all scenarios; none if nothing more is to be waited for. A
    /// scenario that has not begun has no seconds to tell.
    pub fn told(&self, shapes: &[Shape]) -> Option<u64> {
        let is_awaited = !self.is_lost && !matches!(self.stage, Stage::Over(_));
        let told = self.told.iter().zip(shapes).map(|(&told, shape)| told.max(shape.start.0 / 1_000_000_000));
        is_awaited.then(|| told.min().unwrap_or_default())
    }
}
