//! Requests and their script: the values that a virtual user sends, and those that it sees in responses. Only the rule
//! about statuses is used for a script in which nothing varies and nothing is looked at.

use plimsoll_record::Nanos;

use super::{
    action::SlotId,
    exchange::{Exchange, OwnRequest},
    requests::Requests,
};
use crate::script::{Failure, User};

/// Time for which a request that cannot be made occupies its slot: a load that tried again at once would never end.
const UNMADE_FOR: Nanos = Nanos::from_millis(1);

impl Requests {
    /// Takes rows and makes values for an iteration, be it of the slot's user or of a new one.
    pub(super) fn begin_users_iteration(&mut self, id: SlotId, is_new_user: bool, now: Nanos) {
        let slot = &mut self.slots[id as usize];
        let unix = self.options.epoch + now;
        match &mut slot.user {
            Some(user) => {
                user.iteration += 1;
                if is_new_user {
                    user.cookies.clear();
                }
            }
            none => *none = Some(Box::new(self.script.new_user(id))),
        }
        self.script.begin_iteration(slot.step, user_of(&mut slot.user), unix);
    }

    /// Fills in what varies. Whether there is a request to be sent; if there is none, it fails in a moment.
    pub(super) fn make_request(&mut self, id: SlotId, now: Nanos) -> bool {
        let slot = &mut self.slots[id as usize];
        let user = user_of(&mut slot.user);
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
        let user = user_of(&mut slot.user);
        let url = slot.own.as_ref().map_or(&self.script.step(slot.step).request.url, |own| &own.request.url);
        self.script.keep_cookies(user, url, self.options.epoch + now);
    }

    /// Why a whole response is a failure, if it is one.
    pub(super) fn judge(&mut self, id: SlotId, status: u16, exchange: &Exchange, now: Nanos) -> Option<Failure> {
        let slot = &mut self.slots[id as usize];
        let Some(user) = &mut slot.user else { return Failure::of_status(status) };
        let (unix, response_time) = (self.options.epoch + now, now - exchange.intended);
        let recorder = &mut self.recorder;
        let failure = self.script.examine(slot.step, user, status, response_time, unix, |name, holds| {
            recorder.checked(exchange.key, name, holds);
        });
        // A virtual user who pauses keeps no body meanwhile.
        user.kept.clear();
        failure
    }
}

/// The slot's user, if the script needs users.
fn user_of(user: &mut Option<Box<User>>) -> &mut User {
    user.as_mut().expect("a slot gets its user with its first iteration")
}
