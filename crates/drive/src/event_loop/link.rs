//! A slot's connection, from the first step to the last byte.

use std::net::SocketAddr;

use plimsoll_record::Nanos;
use rustix::{
    event::epoll::{EventData, EventFlags},
    fd::OwnedFd,
    io::Errno,
    net::{SendFlags, send},
};

use plimsoll_engine::SlotId;

use crate::tls::Session;

/// Room for unsent bytes that a link keeps: few ever need more, and there may be many links.
const KEPT_BYTES: usize = 64 * 1024;

#[derive(Default)]
pub(super) struct Link {
    pub socket: Option<OwnedFd>,
    /// Raised with every connection, so that an event of the one before is known as stale.
    pub generation: u32,
    /// Whether the target has closed its side.
    pub is_ended: bool,
    /// State until requests can be sent.
    pub opening: Option<Box<Opening>>,
    /// If it is encrypted.
    pub tls: Option<Box<Session>>,
    /// Bytes that did not fit into the socket's buffer, from `unsent_from` on.
    unsent: Vec<u8>,
    unsent_from: usize,
    /// Bytes sent, or encrypted, of the request that the worker keeps; none once there is no rest of it.
    pub request_from: Option<usize>,
    /// Events of a socket that has more to read than one turn takes.
    pub unread: Option<EventFlags>,
}

/// State of a connection that cannot carry requests yet.
pub(super) struct Opening {
    pub step: Step,
    pub began: Nanos,
    /// When its name was resolved, if it had to be.
    pub resolved: Option<Nanos>,
    /// Address that it goes to, if it is TCP.
    pub address: Option<SocketAddr>,
    /// When it reached the target, through the proxy if there is one.
    pub connected: Nanos,
}

/// Step that an opening connection waits for.
pub(super) enum Step {
    Address,
    Socket,
    /// The rest of the proxy's answer, which begins so.
    Tunnel(Vec<u8>),
    Handshake,
}

impl Opening {
    pub fn new(began: Nanos) -> Self {
        Self { step: Step::Address, began, resolved: None, address: None, connected: began }
    }
}

/// Why a link has an opening.
pub(super) const OPENS: &str = "only a connection that is being opened takes these steps";

impl Link {
    /// State of a connection that is being opened.
    pub fn opening(&mut self) -> &mut Opening {
        self.opening.as_mut().expect(OPENS)
    }

    /// Bytes that are kept here until the socket takes them.
    #[inline]
    pub fn unsent_bytes(&self) -> usize {
        self.unsent.len() - self.unsent_from
    }

    /// Whether something is still to be sent.
    #[inline]
    pub fn is_sending(&self) -> bool {
        !self.unsent.is_empty() || self.request_from.is_some()
    }

    /// Sends now what can be sent now, and keeps the rest.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), Errno> {
        let sent = if self.unsent.is_empty() { self.send_now(bytes)? } else { 0 };
        self.keep(&bytes[sent..]);
        Ok(())
    }

    /// Sends what can be sent now, and keeps nothing; how much it was.
    #[inline]
    pub fn send_now(&self, bytes: &[u8]) -> Result<usize, Errno> {
        let Some(socket) = &self.socket else { return Ok(bytes.len()) };
        match send(socket, bytes, SendFlags::NOSIGNAL) {
            Err(Errno::AGAIN | Errno::INTR) => Ok(0),
            sent => sent,
        }
    }

    /// Keeps bytes until the socket takes them.
    pub fn keep(&mut self, bytes: &[u8]) {
        // Sent bytes stay until they are the greater part, so that no byte is moved more than once.
        if self.unsent_from > self.unsent.len() / 2 {
            self.unsent.drain(..self.unsent_from);
            self.unsent_from = 0;
        }
        self.unsent.extend_from_slice(bytes);
    }

    /// Sends what can be sent now of the bytes that are kept.
    pub fn send_unsent(&mut self) -> Result<(), Errno> {
        self.unsent_from += self.send_now(&self.unsent[self.unsent_from..])?;
        if self.unsent_from == self.unsent.len() {
            self.forget_unsent();
        }
        Ok(())
    }

    /// Drops the bytes that are kept.
    pub fn forget_unsent(&mut self) {
        self.unsent.clear();
        self.unsent.shrink_to(KEPT_BYTES);
        self.unsent_from = 0;
    }
}

pub(super) fn join(id: SlotId, generation: u32) -> EventData {
    EventData::new_u64(u64::from(generation) << 32 | u64::from(id))
}

pub(super) fn split(data: EventData) -> (SlotId, u32) {
    let data = data.u64();
    (data as u32, (data >> 32) as u32)
}
