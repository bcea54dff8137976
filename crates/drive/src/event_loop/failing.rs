//! Failures of connections, and how they are told.

use std::{fmt, net::SocketAddr};

use plimsoll_engine::SlotId;
use plimsoll_record::{ErrorKind, Nanos};
use rustix::io::Errno;

use super::EventLoop;
use crate::{socket::kind_of, target::End};

/// A failure of a connection that is still to be told.
pub(super) struct Failure {
    pub id: SlotId,
    /// The link's generation, since a connection may fail twice before it is told.
    generation: u32,
    kind: ErrorKind,
    message: String,
}

impl EventLoop {
    /// A failure that is told in the next turn.
    pub(super) fn fail_later(&mut self, id: SlotId, what: &'static str, error: Errno) {
        let address = self.links[id as usize].opening.as_ref().and_then(|opening| opening.address);
        let words = failure(what, &self.route.end, address, error).to_string();
        self.tell_later(id, kind_of(error), words);
    }

    pub(super) fn tell_later(&mut self, id: SlotId, kind: ErrorKind, message: String) {
        let generation = self.links[id as usize].generation;
        self.failures.push(Failure { id, generation, kind, message });
    }

    pub(super) fn tell_failures(&mut self, now: Nanos) {
        for Failure { id, generation, kind, message } in std::mem::take(&mut self.failures) {
            if self.links[id as usize].generation == generation {
                self.worker.failed(id, kind, &message, now);
                self.act();
            }
        }
    }
}

/// Message of a failure; `address` is the one of several that `end` stands for.
pub(super) fn failure(what: &'static str, end: &End, address: Option<SocketAddr>, error: Errno) -> impl fmt::Display {
    fmt::from_fn(move |f| {
        write!(f, "{what} {end}")?;
        if let (End::Name(..), Some(address)) = (end, address) {
            write!(f, " ({address})")?;
        }
        write!(f, ": {}", std::io::Error::from(error))
    })
}
