//! Where the worker and its script meet: what a virtual user sends, and what is seen in the responses it gets. Nothing
//! of it is called for a script in which nothing varies and nothing is looked at.

use plimsoll_record::Nanos;

use super::{SlotId, Worker};
use crate::{
    script::Failure,
    slot::{Exchange, OwnRequest},
};

/// How long a request that cannot be made stands in its slot. A load that tried again at once would never let go.
const UNMADE_FOR: Nanos = Nanos::from_millis(1);

impl Worker {
    /// Rows are taken and values made for an iteration. In open models it is that of a new user.
    pub(super) fn begin_users_iteration(&mut self, id: SlotId, now: Nanos) {
        let slot = &mut self.slots[id as usize];
        let unix = self.options.epoch + now;
        match &mut slot.user {
            Some(user) => {
                user.iteration += 1;
                if !self.is_closed_model {
                    user.cookies.clear();
                }
            }
            none => *none = Some(Box::new(self.script.new_user(id))),
        }
        if let Some(user) = &mut slot.user {
            self.script.begin_iteration(slot.step, user, unix);
        }
    }

    /// Fills in what varies. Whether there is a request to be sent; if there is none, it fails in a moment.
    pub(super) fn make_request(&mut self, id: SlotId, now: Nanos) -> bool {
        let slot = &mut self.slots[id as usize];
        let Some(user) = &mut slot.user else { return true };
        user.problem = None;
        match self.script.render(slot.step, user, self.options.epoch + now) {
            Ok(request) => {
                let own = |request: crate::Request| {
                    let bytes = request.encode(!self.options.keep_alive);
                    Box::new(OwnRequest { request, bytes, hops: 0 })
                };
                slot.own = request.map(own);
                true
            }
            Err(problem) => {
                user.problem = Some(problem);
                self.set_deadline(id, now + UNMADE_FOR);
                false
            }
        }
    }

    /// The head of a response is there, or of a redirect.
    pub(super) fn keep_cookies(&mut self, id: SlotId, now: Nanos) {
        let slot = &mut self.slots[id as usize];
        let Some(user) = &mut slot.user else { return };
        let url = slot.own.as_ref().map_or(&self.script.step(slot.step).request.url, |own| &own.request.url);
        self.script.keep_cookies(user, url, self.options.epoch + now);
    }

    /// Why a whole response is a failure, if it is one.
    pub(super) fn judge(&mut self, id: SlotId, status: u16, exchange: &Exchange, now: Nanos) -> Option<Failure> {
        let slot = &mut self.slots[id as usize];
        let Some(user) = &mut slot.user else { return Failure::of_status(status) };
        let (unix, response_time) = (self.options.epoch + now, now - exchange.intended);
        let recorder = &mut self.recorder;
        self.script.examine(slot.step, user, status, response_time, unix, |name, holds| {
            recorder.checked(exchange.key, name, holds);
        })
    }
}
