//! An exchange: one request and its response, redirects included.

use plimsoll_record::Nanos;

use crate::http1::Request;

/// Key under which measurements are kept apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub stage: u32,
    pub request: u32,
}

/// The instants of a request that was sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instants {
    pub intended: Nanos,
    pub sent: Nanos,
    pub first_byte: Option<Nanos>,
    pub done: Nanos,
}

/// A request that the slot works on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange {
    pub intended: Nanos,
    pub key: Key,
    pub sent: Option<Nanos>,
    pub first_byte: Option<Nanos>,
}

impl Exchange {
    /// Its instants if it ends at `done`; none if it was never sent.
    pub fn instants(&self, done: Nanos) -> Option<Instants> {
        let sent = self.sent?;
        Some(Instants { intended: self.intended, sent, first_byte: self.first_byte, done })
    }
}

/// A request that is not the step's as it is: its values were filled in, or it follows a redirect. Out of line, since
/// most are not.
#[derive(Debug)]
pub(super) struct OwnRequest {
    pub request: Request,
    pub bytes: Vec<u8>,
    /// Redirects followed so far.
    pub hops: u32,
}
