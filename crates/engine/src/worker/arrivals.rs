//! Arrivals of open models.

use plimsoll_record::Nanos;
use rand::RngExt;

use super::{Reuse, Waiting, Worker, action::SlotId};

impl Worker {
    pub(super) fn arrive(&mut self, intended: Nanos, now: Nanos) {
        let step = self.requests.script.draw(&mut self.rng);
        let key = self.key(intended, step);
        self.requests.recorder.offered(key, intended);
        let slot = match self.take_idle() {
            Some(id) => Some(id),
            None if self.requests.slots.len() < self.slots_max => Some(self.new_slot()),
            None => None,
        };
        match slot {
            Some(id) => self.begin_iteration(id, intended, step, now),
            None if self.drops_late => self.requests.recorder.counts(key).dropped += 1,
            None => self.waiting.push_back(Waiting { intended, step }),
        }
    }

    fn take_idle(&mut self) -> Option<SlotId> {
        match self.requests.options.reuse {
            Reuse::Latest => self.idle.pop_back(),
            Reuse::Oldest => self.idle.pop_front(),
            Reuse::Random if self.idle.is_empty() => None,
            Reuse::Random => {
                let drawn = self.rng.random_range(0..self.idle.len());
                self.idle.swap_remove_back(drawn)
            }
        }
    }

    /// A slot has become free: the arrival that has waited longest gets it.
    pub(super) fn serve_waiting(&mut self, id: SlotId, now: Nanos) {
        match self.waiting.pop_front() {
            Some(Waiting { intended, step }) => self.begin_iteration(id, intended, step, now),
            None => self.idle.push_back(id),
        }
    }

    /// When arrivals that still wait for a slot are given up: one response time-out after the last was intended.
    pub(super) fn given_up_at(&self) -> Option<Nanos> {
        self.schedule.end.map(|end| end + self.requests.options.response_timeout)
    }

    pub(super) fn drop_waiting(&mut self) {
        for Waiting { intended, step } in std::mem::take(&mut self.waiting) {
            let key = self.key(intended, step);
            self.requests.recorder.counts(key).dropped += 1;
        }
    }
}
