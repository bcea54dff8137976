//! Sending: at once what the socket takes, the rest when it has room again.

use plimsoll_engine::SlotId;
use plimsoll_record::ErrorKind;
use rustix::io::Errno;

use super::EventLoop;
use crate::{observer::Seen, tls::explain};

/// Bytes of a request that are encrypted at a time.
const PIECE_BYTES: usize = 64 * 1024;
/// Why a link has a TLS session.
const ENCRYPTED: &str = "only an encrypted connection comes here";

/// Why a request could not be sent.
enum Unsent {
    Socket(Errno),
    Tls(rustls::Error),
}

impl EventLoop {
    /// Sends what the worker has to send on a connection.
    #[inline]
    pub(super) fn send(&mut self, id: SlotId) {
        let keeps_requests = self.worker.keeps_requests();
        let link = &mut self.links[id as usize];
        if link.tls.is_some() {
            return self.send_secure(id, keeps_requests);
        }
        let bytes = self.worker.request_bytes(id);
        if let Some(observer) = &self.observer {
            observer.see(self.clock.now(), Seen::Sent(bytes));
        }
        let sent = if link.is_sending() { Ok(0) } else { link.send_now(bytes) };
        match sent {
            Ok(length) if length == bytes.len() => {}
            Ok(length) if keeps_requests => link.request_from = Some(length),
            Ok(length) => link.keep(&bytes[length..]),
            Err(error) => return self.fail_later(id, "send to", error),
        }
        self.tell_unsent(id);
    }

    /// The same, encrypted.
    fn send_secure(&mut self, id: SlotId, keeps_requests: bool) {
        let sent = if keeps_requests {
            if let Some(observer) = &self.observer {
                observer.see(self.clock.now(), Seen::Sent(self.worker.request_rest(id, 0)));
            }
            self.links[id as usize].request_from = Some(0);
            self.send_request(id)
        } else {
            self.send_sealed(id)
        };
        match sent {
            Ok(()) => self.tell_unsent(id),
            Err(unsent) => self.fail_sending(id, &unsent),
        }
    }

    /// Sends the rest, now that there is room in the socket.
    pub(super) fn send_rest(&mut self, id: SlotId) {
        let sent = self.links[id as usize].send_unsent().map_err(Unsent::Socket);
        match sent.and_then(|()| self.send_request(id)) {
            Ok(()) => self.tell_unsent(id),
            Err(unsent) => self.fail_sending(id, &unsent),
        }
        self.act();
    }

    /// The worker may wait for the room that there is.
    #[inline]
    fn tell_unsent(&mut self, id: SlotId) {
        if self.worker.unsent(id, self.links[id as usize].unsent_bytes()) {
            self.worker.go_on_sending(id, self.clock.now());
        }
    }

    fn fail_sending(&mut self, id: SlotId, unsent: &Unsent) {
        match unsent {
            Unsent::Socket(error) => self.fail_later(id, "send to", *error),
            Unsent::Tls(error) => self.tell_later(id, ErrorKind::Tls, explain(error)),
        }
    }

    /// Sends what is left of the request that the worker keeps, as far as the socket takes it.
    fn send_request(&mut self, id: SlotId) -> Result<(), Unsent> {
        let link = &mut self.links[id as usize];
        while let (Some(from), 0) = (link.request_from, link.unsent_bytes()) {
            let rest = self.worker.request_rest(id, from);
            let taken = match &mut link.tls {
                None => link.send_now(rest).map_err(Unsent::Socket)?,
                Some(tls) => {
                    let piece = &rest[..rest.len().min(PIECE_BYTES)];
                    self.sealed.clear();
                    tls.send(piece, &mut self.sealed).map_err(Unsent::Tls)?;
                    link.send(&self.sealed).map_err(Unsent::Socket)?;
                    piece.len()
                }
            };
            link.request_from = (taken < rest.len()).then_some(from + taken);
            if taken == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Encrypts and sends all that the worker hands over.
    fn send_sealed(&mut self, id: SlotId) -> Result<(), Unsent> {
        let link = &mut self.links[id as usize];
        let bytes = self.worker.request_bytes(id);
        if let Some(observer) = &self.observer {
            observer.see(self.clock.now(), Seen::Sent(bytes));
        }
        for piece in bytes.chunks(PIECE_BYTES) {
            let tls = link.tls.as_mut().expect(ENCRYPTED);
            self.sealed.clear();
            tls.send(piece, &mut self.sealed).map_err(Unsent::Tls)?;
            link.send(&self.sealed).map_err(Unsent::Socket)?;
        }
        Ok(())
    }
}
