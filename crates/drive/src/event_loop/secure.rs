//! Encrypted connections.

use plimsoll_engine::SlotId;
use plimsoll_record::{ErrorKind, Nanos};

use super::EventLoop;
use crate::{observer::Seen, tls::explain};

/// Why a link has a TLS session.
const ENCRYPTED: &str = "only an encrypted connection comes here";

impl EventLoop {
    /// The first `filled` bytes of the buffer came, encrypted.
    pub(super) fn secure_received(&mut self, id: SlotId, generation: u32, filled: usize, now: Nanos) {
        let link = &mut self.links[id as usize];
        let tls = link.tls.as_mut().expect(ENCRYPTED);
        self.plain.clear();
        self.sealed.clear();
        let received = tls.receive(&mut self.buffer[..filled], &mut self.plain, &mut self.sealed);
        let is_ready = link.opening.is_some() && !tls.is_handshaking();
        if !self.sealed.is_empty()
            && let Err(error) = link.send(&self.sealed)
        {
            self.fail_later(id, "send to", error);
        }
        let is_ended = match received {
            Ok(is_ended) => is_ended,
            Err(error) => {
                self.links[id as usize].tls = None;
                return self.worker.failed(id, ErrorKind::Tls, &explain(&error), now);
            }
        };
        if is_ready {
            self.opened(id, now);
        }
        if is_ended && self.is_current(id, generation) {
            self.links[id as usize].is_ended = true;
            self.worker.half_closed(id, now);
            self.act();
        }
        if !self.plain.is_empty() && self.is_current(id, generation) {
            if self.observer.is_some() {
                self.show(Seen::Received(&self.plain));
            }
            // Records of TLS's own, such as tickets, come at any time and are no answer.
            if self.links[id as usize].is_sending() {
                self.worker.answers_early(id);
            }
            self.worker.received(id, &self.plain, now);
            self.act();
        }
        if is_ended && self.is_current(id, generation) {
            self.ended(id, false, now);
        }
    }

    /// Says goodbye, as TLS asks of who closes. Where it cannot be sent at once, nobody waits for it.
    pub(super) fn say_goodbye(&mut self, id: SlotId) {
        let link = &mut self.links[id as usize];
        // Plain connections just end.
        let Some(mut tls) = link.tls.take() else { return };
        if link.is_ended || link.opening.is_some() || link.is_sending() {
            return;
        }
        self.sealed.clear();
        if tls.close(&mut self.sealed).is_ok() {
            let _ = link.send(&self.sealed);
        }
    }

    /// Whether the slot still has the connection of this generation.
    pub(super) fn is_current(&self, id: SlotId, generation: u32) -> bool {
        let link = &self.links[id as usize];
        link.generation == generation && link.socket.is_some()
    }
}
