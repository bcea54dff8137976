//! A slot: a place for one request in flight at a time. A virtual user has one of its own; open models take them from a
//! pool.

use plimsoll_record::Nanos;

use super::{
    exchange::{Exchange, OwnRequest},
    observers::ResponseObservers,
    trace::Trace,
};
use crate::script::User;

/// The virtual user of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vu {
    /// Has not begun, or has ended.
    Off,
    On {
        iterations_left: u64,
        /// Ends after this iteration.
        stopping: bool,
    },
}

/// Pause of a slot without a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    None,
    /// Its virtual user's next iteration begins at this instant.
    BetweenIterations(Nanos),
    /// The next step of its iteration begins at this instant.
    BetweenSteps(Nanos),
}

#[derive(Debug)]
pub(super) struct Slot {
    pub exchange: Option<Exchange>,
    pub own: Option<Box<OwnRequest>>,
    pub vu: Vu,
    /// If the script needs to remember anything.
    pub user: Option<Box<User>>,
    /// The step of the iteration that it is at.
    pub step: u32,
    /// When the iteration was intended.
    pub iteration: Nanos,
    pub pause: Pause,
    /// If its request is one of the first, which are told one by one.
    pub trace: Option<Box<Trace>>,
    /// Instant by which what it waits for must have happened.
    pub deadline: Nanos,
    /// Its earliest entry among the deadlines that is still to come.
    pub deadline_entry: Nanos,
}

impl Slot {
    pub fn new() -> Self {
        Self {
            exchange: None,
            own: None,
            user: None,
            vu: Vu::Off,
            step: 0,
            iteration: Nanos::ZERO,
            pause: Pause::None,
            trace: None,
            deadline: Nanos::MAX,
            deadline_entry: Nanos::MAX,
        }
    }

    /// The request that its connection carries or is opened for.
    #[inline]
    pub fn exchange_in_flight(&mut self) -> &mut Exchange {
        self.exchange.as_mut().expect("a connection works only for slots that have a request")
    }

    /// Observers of the response to its request.
    #[inline]
    pub fn observers(&mut self) -> ResponseObservers<'_> {
        let kept = self.user.as_mut().map(|user| &mut user.kept);
        ResponseObservers { kept, trace: self.trace.as_deref_mut() }
    }
}
