//! An exchange: one request and its response, redirects included.

use plimsoll_record::Nanos;

use super::recorder::{Instants, Key};
use crate::http1::Request;

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
