//! Iterations: a flow's steps, one after the other.

use plimsoll_record::Nanos;

use super::{Worker, action::SlotId, slot::Pause, think};

impl Worker {
    /// Begins an iteration; `step` is the first of its flow.
    pub(super) fn begin_iteration(&mut self, id: SlotId, intended: Nanos, step: u32, now: Nanos) {
        self.iterations_running += 1;
        let slot = self.slot(id);
        slot.step = step;
        slot.iteration = intended;
        if self.requests.script.needs_users {
            // An arrival of an open model is a new user.
            self.requests.begin_users_iteration(id, !self.is_closed_model, now);
        }
        self.begin(id, intended, now);
    }

    /// Begins the step of its iteration that the slot is at.
    pub(super) fn begin_step(&mut self, id: SlotId, intended: Nanos, now: Nanos) {
        let key = self.key(intended, self.slot_step(id));
        self.requests.recorder.offered(key, intended);
        self.begin(id, intended, now);
    }

    /// The slot's request has ended. One that failed ends its iteration: what follows it was meant to build on it.
    pub(super) fn request_ended(&mut self, id: SlotId, has_failed: bool, now: Nanos) {
        let slot = &mut self.requests.slots[id as usize];
        slot.deadline = Nanos::MAX;
        slot.own = None;
        let step = self.requests.script.step(slot.step);
        if !step.has_next || has_failed {
            return self.end_iteration(id, now);
        }
        slot.step += 1;
        match think::draw(step.pause, &mut self.rng) {
            None => self.begin_step(id, now, now),
            Some(pause) => {
                slot.pause = Pause::BetweenSteps(now + pause);
                self.thinking.push(now + pause, id);
            }
        }
    }

    fn end_iteration(&mut self, id: SlotId, now: Nanos) {
        self.iterations_running -= 1;
        let slot = &self.requests.slots[id as usize];
        let (step, intended) = (slot.step, slot.iteration);
        let is_of_several = self.requests.script.step(step).is_of_several;
        let key = self.key(intended, step);
        self.requests.recorder.iteration_ended(key, intended, now, is_of_several);
        if self.is_closed_model {
            self.continue_vu(id, now);
        } else {
            self.serve_waiting(id, now);
        }
    }

    pub(super) fn slot_step(&self, id: SlotId) -> u32 {
        self.requests.slots[id as usize].step
    }
}
