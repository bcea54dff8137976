//! Connections that carry no more requests, and that the target has yet to close.
//!
//! The side that closes first keeps the port for a minute (TIME_WAIT). Where every request has a connection of its own,
//! a client that closes first runs out of ports at a few hundred a second. So what has said `Connection: close` is left
//! to the target to close, for a moment; neither is anything reset, which servers would log.

use std::collections::{HashMap, VecDeque};

use plimsoll_record::Nanos;
use rustix::fd::OwnedFd;

/// A target that has not closed by then does not mean to.
const LINGER_MAX: Nanos = Nanos::from_millis(500);
/// Lingering sockets at most: connections that carry requests need descriptors, too.
const SOCKETS_MAX: usize = 256;

/// Lingering sockets, by the number that their events carry.
#[derive(Default)]
pub(crate) struct Lingering {
    sockets: HashMap<u64, OwnedFd>,
    /// The oldest first; of those that the target has closed, too.
    since: VecDeque<(Nanos, u64)>,
}

impl Lingering {
    /// Leaves `socket` to the target.
    pub fn add(&mut self, key: u64, socket: OwnedFd, now: Nanos) {
        self.sockets.insert(key, socket);
        self.since.push_back((now, key));
        while self.sockets.len() > SOCKETS_MAX {
            self.close_oldest();
        }
        self.close_expired(now);
    }

    /// The target has closed, or spoken where it should not.
    pub fn close(&mut self, key: u64) {
        self.sockets.remove(&key);
    }

    /// Closes sockets that have waited long enough.
    pub fn close_expired(&mut self, now: Nanos) {
        while self.since.front().is_some_and(|&(since, _)| since + LINGER_MAX <= now) {
            self.close_oldest();
        }
    }

    /// Closes all, as their descriptors are needed. Whether there were any.
    pub fn close_all(&mut self) -> bool {
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
        let mut lingering = Lingering::default();
        lingering.add(1, socket(), Nanos::ZERO);
        lingering.add(2, socket(), Nanos(1));
        lingering.close(1);
        assert_eq!(lingering.sockets.len(), 1);
        lingering.close_expired(LINGER_MAX);
        assert_eq!(lingering.sockets.len(), 1);
        lingering.close_expired(LINGER_MAX + Nanos(1));
        assert!(lingering.sockets.is_empty() && lingering.since.is_empty());
        for key in 0..SOCKETS_MAX as u64 + 10 {
            lingering.add(key, socket(), Nanos::ZERO);
        }
        assert_eq!(lingering.sockets.len(), SOCKETS_MAX);
        assert!(lingering.close_all() && !lingering.close_all());
    }
}
