//! Connections that carry no more requests, and that the target has yet to close.
//!
//! The side that closes first keeps the port for a minute (TIME_WAIT). Where every request has a connection of its own,
//! a client that closes first runs out of ports at a few hundred a second. So what has said `Connection: close` is left
//! to the target to close, for a moment; neither is anything reset, which servers would log.

use std::collections::{HashMap, VecDeque};

use plimsoll_record::Nanos;
use rustix::fd::OwnedFd;

/// A target that has not closed by then does not mean to.
const PATIENCE: Nanos = Nanos::from_millis(500);
/// Descriptors are needed for connections that carry requests.
const MOST: usize = 256;

/// The sockets, by what their events carry.
#[derive(Default)]
pub(crate) struct Parting {
    sockets: HashMap<u64, OwnedFd>,
    /// The oldest first; of those that the target has closed, too.
    since: VecDeque<(Nanos, u64)>,
}

impl Parting {
    /// Leaves `socket` to the target.
    pub fn leave(&mut self, key: u64, socket: OwnedFd, now: Nanos) {
        self.sockets.insert(key, socket);
        self.since.push_back((now, key));
        while self.sockets.len() > MOST {
            self.close_oldest();
        }
        self.tidy(now);
    }

    /// The target has closed, or spoken where it should not.
    pub fn close(&mut self, key: u64) {
        self.sockets.remove(&key);
    }

    /// Closes what has waited long enough.
    pub fn tidy(&mut self, now: Nanos) {
        while self.since.front().is_some_and(|&(since, _)| since + PATIENCE <= now) {
            self.close_oldest();
        }
    }

    /// Closes all, as their descriptors are needed. Whether there were any.
    pub fn clear(&mut self) -> bool {
        let were_any = !self.sockets.is_empty();
        self.sockets.clear();
        self.since.clear();
        were_any
    }

    fn close_oldest(&mut self) {
        if let Some((_, key)) = self.since.pop_front() {
            self.sockets.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn socket() -> OwnedFd {
        std::net::UdpSocket::bind("127.0.0.1:0").unwrap().into()
    }

    #[test]
    fn a_socket_stays_until_the_target_closes_or_time_or_room_is_up() {
        let mut parting = Parting::default();
        parting.leave(1, socket(), Nanos::ZERO);
        parting.leave(2, socket(), Nanos(1));
        parting.close(1);
        assert_eq!(parting.sockets.len(), 1);
        parting.tidy(PATIENCE);
        assert_eq!(parting.sockets.len(), 1);
        parting.tidy(PATIENCE + Nanos(1));
        assert!(parting.sockets.is_empty() && parting.since.is_empty());
        for key in 0..MOST as u64 + 10 {
            parting.leave(key, socket(), Nanos::ZERO);
        }
        assert_eq!(parting.sockets.len(), MOST);
        assert!(parting.clear() && !parting.clear());
    }
}
