//! Virtual users of closed models.

use plimsoll_record::Nanos;

use super::{
    Worker,
    action::SlotId,
    slot::{Pause, Vu},
    think,
};
use crate::schedule::Iterations;

impl Worker {
    pub(super) fn start_vu(&mut self, vu: u32, at: Nanos, now: Nanos) {
        while self.requests.slots.len() <= vu as usize {
            self.new_slot();
        }
        if let Vu::On { stopping, .. } = &mut self.slot(vu).vu {
            *stopping = false;
            return;
        }
        let iterations_left = match self.schedule.iterations {
            Iterations::PerVu(count) => count,
            Iterations::Shared(_) | Iterations::Unlimited => u64::MAX,
        };
        self.slot(vu).vu = Vu::On { iterations_left, stopping: false };
        self.vus_running += 1;
        let is_staggered = self.requests.options.is_staggered;
        match is_staggered.then(|| think::draw(self.think, &mut self.rng)).flatten() {
            Some(pause) => self.pause_vu(vu, at + pause),
            None => self.next_iteration(vu, at, now),
        }
    }

    /// Has the virtual user stop after its iteration; it may have ended before.
    pub(super) fn stop_vu(&mut self, vu: u32) {
        let slot = self.slot(vu);
        let Vu::On { stopping, .. } = &mut slot.vu else { return };
        *stopping = true;
        if let Pause::BetweenIterations(_) = slot.pause {
            self.end_vu(vu);
        }
    }

    /// Ends the virtual users that are between two iterations.
    pub(super) fn end_pausing_vus(&mut self) {
        for id in 0..self.requests.slots.len() as SlotId {
            if let Pause::BetweenIterations(_) = self.slot(id).pause {
                self.end_vu(id);
            }
        }
    }

    fn end_vu(&mut self, id: SlotId) {
        let slot = self.slot(id);
        slot.vu = Vu::Off;
        slot.pause = Pause::None;
        self.vus_running -= 1;
        self.connections.release(&mut self.requests, id);
    }

    /// Makes the next iteration of a virtual user, if there is one to make.
    fn next_iteration(&mut self, id: SlotId, intended: Nanos, now: Nanos) {
        if !self.has_iteration_at(id, intended) {
            return self.end_vu(id);
        }
        *self.iterations_left(id) -= 1;
        let step = self.requests.script.draw(&mut self.rng);
        self.requests.recorder.offered(self.key(intended, step), intended);
        self.begin_iteration(id, intended, step, now);
    }

    /// The virtual user's iteration has ended: it pauses, goes on, or ends.
    pub(super) fn continue_vu(&mut self, id: SlotId, now: Nanos) {
        let Some(pause) = think::draw(self.think, &mut self.rng) else { return self.next_iteration(id, now, now) };
        self.pause_vu(id, now + pause);
    }

    fn pause_vu(&mut self, id: SlotId, until: Nanos) {
        if !self.has_iteration_at(id, until) {
            return self.end_vu(id);
        }
        self.slot(id).pause = Pause::BetweenIterations(until);
        self.thinking.push(until, id);
    }

    /// Whether the virtual user makes an iteration at that instant.
    fn has_iteration_at(&mut self, id: SlotId, intended: Nanos) -> bool {
        let is_stopping = matches!(self.slot(id).vu, Vu::On { stopping: true, .. });
        !is_stopping && *self.iterations_left(id) > 0 && self.schedule.is_open_at(intended)
    }

    /// Iterations that the virtual user may still make.
    fn iterations_left(&mut self, id: SlotId) -> &mut u64 {
        match (self.schedule.iterations, &mut self.requests.slots[id as usize].vu) {
            (Iterations::Shared(_), Vu::On { .. }) => &mut self.iterations_shared_left,
            (Iterations::PerVu(_) | Iterations::Unlimited, Vu::On { iterations_left, .. }) => iterations_left,
            (_, Vu::Off) => unreachable!("only a virtual user that has begun makes iterations"),
        }
    }

    pub(super) fn pause_over(&mut self, id: SlotId, at: Nanos, now: Nanos) {
        let slot = self.slot(id);
        let pause = slot.pause;
        // An entry that is out of date belongs to a virtual user that was stopped and started again meanwhile.
        if pause == Pause::BetweenIterations(at) {
            slot.pause = Pause::None;
            self.next_iteration(id, at, now);
        } else if pause == Pause::BetweenSteps(at) {
            slot.pause = Pause::None;
            self.begin_step(id, at, now);
        }
    }
}
