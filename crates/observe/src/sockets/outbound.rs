//! Peers that a target connects to: remote ports of sockets that its processes hold.

use std::collections::BTreeSet;

use crate::{
    parse::socket::{Ports, Socket, State},
    read,
};

/// Ports that are told apart at most: a target that connects to more does so by no rule.
const MOST_PORTS: usize = 100;

/// Remote ports of connections that processes of `pids` have opened, other than those of `known`. `all` are the sockets
/// of the namespace.
pub(super) fn new_ports(all: &[Socket], known: &Ports, pids: &[i32]) -> Vec<u16> {
    let candidates = candidates(all, known);
    if candidates.is_empty() || known.remote.len() >= MOST_PORTS {
        return Vec::new();
    }
    // Looked up only now, for a process may have many thousands of descriptors.
    let owned: BTreeSet<u32> = pids.iter().flat_map(|&pid| read::socket_inodes(pid)).collect();
    let ports: BTreeSet<u16> =
        candidates.iter().filter(|it| owned.contains(&it.inode)).map(|it| it.remote_port).collect();
    ports.into_iter().take(MOST_PORTS - known.remote.len()).collect()
}

/// Connections that a process holds, that no listening socket of the namespace accepted, and that are not yet known to
/// be the target's or of its clients.
fn candidates<'a>(all: &'a [Socket], known: &Ports) -> Vec<&'a Socket> {
    let listening: BTreeSet<u16> = all.iter().filter(|it| it.state == State::Listen).map(|it| it.local_port).collect();
    let is_client_of_target = |it: &Socket| known.listening.contains(&it.remote_port);
    all.iter()
        .filter(|it| it.state != State::Listen && it.inode != 0 && !listening.contains(&it.local_port))
        .filter(|it| known.side_of(it).is_none() && !is_client_of_target(it))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_accepted_or_is_known_is_no_candidate() {
        let socket = |state, local_port, remote_port, inode| Socket {
            state,
            local: [0; 4].into(),
            local_port,
            remote_port,
            receive_queue: 0,
            send_queue: None,
            inode,
        };
        let known = Ports { listening: vec![80], remote: vec![443] };
        let all = [
            socket(State::Listen, 80, 0, 1),
            socket(State::Listen, 81, 0, 2),
            socket(State::Established, 80, 50_001, 3),
            socket(State::Established, 81, 50_002, 4),
            socket(State::Established, 50_003, 443, 5),
            socket(State::Established, 50_001, 80, 6),
            socket(State::TimeWait, 50_004, 9_000, 0),
            socket(State::SynSent, 50_005, 9_001, 7),
        ];
        let found: Vec<u16> = candidates(&all, &known).into_iter().map(|it| it.remote_port).collect();
        assert_eq!(found, [9_001]);
    }
}
