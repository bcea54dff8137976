//! Account of the seconds that a part has told of its load, as the other side keeps it.

use plimsoll_record::Nanos;

use crate::Second;

#[derive(Debug, Default)]
pub(crate) struct SecondsTold {
    next_message: u64,
    /// Whole seconds of the load, by scenario.
    by_scenario: Vec<u64>,
}

impl SecondsTold {
    /// No seconds yet, of so many scenarios.
    pub fn of(scenarios: usize) -> Self {
        Self { next_message: 0, by_scenario: vec![0; scenarios] }
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

    /// Counts a second of one of `scenarios`, which starts at `start`, counted from the load's.
    pub fn tell(&mut self, second: &Second, start: Nanos, scenarios: usize) {
        self.by_scenario.resize(scenarios, 0);
        let whole = start.0 / 1_000_000_000 + second.second + 1;
        let told = &mut self.by_scenario[second.scenario];
        *told = (*told).max(whole);
    }

    /// Whole seconds of the load, by scenario; empty as long as nothing is known of it.
    pub fn by_scenario(&self) -> &[u64] {
        &self.by_scenario
    }
}
