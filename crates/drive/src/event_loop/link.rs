//! A slot's connection, from the first step to the last byte.

use std::net::SocketAddr;

use plimsoll_record::Nanos;
use rustix::{
    event::epoll::EventData,
    fd::OwnedFd,
    io::Errno,
    net::{SendFlags, send},
};

use plimsoll_engine::SlotId;

use crate::tls::Session;

#[derive(Default)]
pub(super) struct Link {
    pub socket: Option<OwnedFd>,
    /// Raised with every connection, so that an event of the one before is known as stale.
    pub generation: u32,
    /// Whether the target has closed its side.
    pub is_ended: bool,
    /// Until requests can be sent.
    pub opening: Option<Box<Opening>>,
    /// If it is encrypted.
    pub tls: Option<Box<Session>>,
    /// Bytes that did not fit into the socket's buffer.
    pub unsent: Vec<u8>,
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

    /// Sends now what can be sent now, and keeps the rest.
    #[inline]
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), Errno> {
        let Some(socket) = &self.socket else { return Ok(()) };
        if !self.unsent.is_empty() {
            self.unsent.extend_from_slice(bytes);
            return Ok(());
        }
        match send(socket, bytes, SendFlags::NOSIGNAL) {
            Ok(length) if length == bytes.len() => {}
            Ok(length) => self.unsent.extend_from_slice(&bytes[length..]),
            Err(Errno::AGAIN | Errno::INTR) => self.unsent.extend_from_slice(bytes),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    pub fn send_rest(&mut self) -> Result<(), Errno> {
        let Some(socket) = &self.socket else { return Ok(()) };
        match send(socket, &self.unsent, SendFlags::NOSIGNAL) {
            Ok(length) => drop(self.unsent.drain(..length)),
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

pub(super) fn join(id: SlotId, generation: u32) -> EventData {
    EventData::new_u64(u64::from(generation) << 32 | u64::from(id))
}

pub(super) fn split(data: EventData) -> (SlotId, u32) {
    let data = data.u64();
    (data as u32, (data >> 32) as u32)
}
