//! Where a target accepts connections: how many wait there, how many may, and how many were refused.
//!
//! The kernel counts overflows of accept queues for a whole network namespace; each socket that listens counts what it
//! dropped itself (`sk_drops`), which is nearly all for its full queue (`tcp_conn_request`, `tcp_v4_syn_recv_sock`).

use std::collections::{BTreeMap, BTreeSet};

use plimsoll_record::metric::tcp;

use super::Values;
use crate::{parse::socket::Listener, read};

/// The sockets on which one target listens.
#[derive(Debug, Default)]
pub(super) struct Accepting {
    /// By inode, how many it had dropped when it was first seen, and when last; none before the first look.
    drops: Option<BTreeMap<u32, (u32, u32)>>,
    /// The sockets of the last look, and those of them that are the target's.
    looked_at: BTreeSet<u32>,
    own: BTreeSet<u32>,
}

impl Accepting {
    /// The values of this instant, of the `listeners` on its ports that processes `pids` hold; none if there are none.
    pub fn values(&mut self, listeners: &[Listener], pids: &[i32]) -> Values {
        let own = self.own(listeners, pids);
        let dropped = self.dropped(&own);
        if own.is_empty() {
            return Vec::new();
        }
        let sum = |of: fn(&Listener) -> Option<u32>| {
            let add = |sum: u32, listener: &Listener| Some(sum.saturating_add(of(listener)?));
            own.iter().try_fold(0, add).map(f64::from)
        };
        let values = [
            (tcp::ACCEPT_QUEUE, sum(|it| Some(it.socket.receive_queue))),
            (tcp::ACCEPT_QUEUE_MAX, sum(|it| it.socket.send_queue)),
            (tcp::ACCEPT_QUEUE_DROPS, dropped.map(|dropped| dropped as f64)),
        ];
        values.into_iter().filter_map(|(metric, value)| Some((metric.name, value?))).collect()
    }

    /// Another program may listen on the same port at another address. Where nobody may tell whose sockets they are,
    /// all count.
    fn own(&mut self, listeners: &[Listener], pids: &[i32]) -> Vec<Listener> {
        if listeners.len() < 2 {
            return listeners.to_vec();
        }
        let inodes: BTreeSet<u32> = listeners.iter().map(|it| it.socket.inode).collect();
        // Looked up only now and then, for a process may have many thousands of descriptors.
        if inodes != self.looked_at {
            let held = pids.iter().flat_map(|&pid| read::socket_inodes(pid));
            self.own = held.filter(|inode| inodes.contains(inode)).collect();
            self.looked_at = inodes;
        }
        let is_own = |it: &&Listener| self.own.is_empty() || self.own.contains(&it.socket.inode);
        listeners.iter().filter(is_own).copied().collect()
    }

    /// How many were dropped since the first look. A socket that is made later begins with none.
    fn dropped(&mut self, own: &[Listener]) -> Option<u64> {
        let is_first = self.drops.is_none();
        let drops = self.drops.get_or_insert_default();
        for listener in own {
            let now = listener.drops?;
            drops.entry(listener.socket.inode).or_insert((if is_first { now } else { 0 }, now)).1 = now;
        }
        Some(drops.values().map(|(first, last)| u64::from(last.wrapping_sub(*first))).sum())
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::parse::socket::{Socket, State};

    fn listener(inode: u32, waiting: u32, drops: u32) -> Listener {
        let socket = Socket {
            state: State::Listen,
            local: Ipv4Addr::LOCALHOST.into(),
            local_port: 80,
            remote_port: 0,
            receive_queue: waiting,
            send_queue: Some(50),
            inode,
        };
        Listener { socket, drops: Some(drops) }
    }

    #[test]
    fn the_queues_of_all_own_sockets_add_up() {
        let values = Accepting::default().values(&[listener(1, 7, 0), listener(2, 8, 0)], &[]);
        assert_eq!(values, [("accept_queue", 15.0), ("accept_queue_max", 100.0), ("accept_queue_drops", 0.0)]);
        assert_eq!(Accepting::default().values(&[], &[]), []);
    }

    #[test]
    fn refused_connections_count_from_the_first_look() {
        let mut accepting = Accepting::default();
        let mut dropped = |listeners: &[Listener]| accepting.values(listeners, &[]).last().map(|it| it.1);
        assert_eq!(dropped(&[listener(1, 0, 500)]), Some(0.0), "it was there before");
        assert_eq!(dropped(&[listener(1, 0, 516)]), Some(16.0));
        assert_eq!(dropped(&[]), None);
        assert_eq!(dropped(&[listener(2, 0, 3)]), Some(19.0), "it was started anew");
        assert_eq!(dropped(&[listener(2, 0, 4)]), Some(20.0));
    }

    #[test]
    fn a_kernel_that_does_not_tell_drops_still_tells_the_queue() {
        let old = Listener { drops: None, ..listener(1, 7, 0) };
        assert_eq!(Accepting::default().values(&[old], &[]), [("accept_queue", 7.0), ("accept_queue_max", 50.0)]);
    }
}
