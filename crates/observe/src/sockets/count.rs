//! Sockets added up by side and state, and the counters that stand beside them.

use std::collections::BTreeMap;

use plimsoll_record::metric::{Metric, tcp};

use super::Values;
use crate::parse::socket::{Ports, Side, Socket, State};

/// Counters of the record with the kernel's names of them.
pub(super) const COUNTERS: &[(Metric, &str)] = &[
    (tcp::LISTEN_OVERFLOWS, "ListenOverflows"),
    (tcp::LISTEN_DROPS, "ListenDrops"),
    (tcp::RETRANSMITS, "RetransSegs"),
    (tcp::SYN_RETRANSMITS, "TCPSynRetrans"),
    (tcp::TCP_TIMEOUTS, "TCPTimeouts"),
    (tcp::CONNECTIONS_OPENED, "ActiveOpens"),
    (tcp::CONNECTIONS_ACCEPTED, "PassiveOpens"),
    (tcp::CONNECT_FAILURES, "AttemptFails"),
    (tcp::CONNECTIONS_RESET, "EstabResets"),
    (tcp::RESETS_SENT, "OutRsts"),
];

/// Connections of a target, counted.
#[derive(Debug, Default)]
pub(super) struct Count {
    by_state: BTreeMap<(Side, State), u32>,
}

impl Count {
    /// Adds a connection, if it is the target's.
    pub fn add(&mut self, socket: &Socket, ports: &Ports) {
        let side = ports.side_of(socket).filter(|_| socket.state != State::Listen);
        if let Some(side) = side {
            *self.by_state.entry((side, socket.state)).or_default() += 1;
        }
    }

    /// A value for every state of both sides.
    pub fn values(&self) -> Values {
        let mut values = Vec::new();
        for (side, prefix, metrics) in
            [(Side::Inbound, "inbound_", tcp::INBOUND), (Side::Outbound, "outbound_", tcp::OUTBOUND)]
        {
            values.extend(metrics.iter().map(|metric| {
                let is_of_metric =
                    |key: &&(Side, State)| key.0 == side && metric.name.strip_prefix(prefix) == Some(key.1.name());
                let count = self.by_state.keys().find(is_of_metric).map_or(0, |key| self.by_state[key]);
                (metric.name, f64::from(count))
            }));
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn socket(state: State, local_port: u16, remote_port: u16) -> Socket {
        Socket {
            state,
            local: [0; 4].into(),
            local_port,
            remote_port,
            receive_queue: 7,
            send_queue: Some(50),
            inode: 1,
        }
    }

    #[test]
    fn every_state_that_a_side_can_be_in_has_its_metric() {
        let ports = Ports { listening: vec![80], remote: vec![443] };
        let mut count = Count::default();
        let states: Vec<State> = (1..=11).filter_map(State::of_number).filter(|it| *it != State::Listen).collect();
        for &state in &states {
            count.add(&socket(state, 80, 5_000), &ports);
            count.add(&socket(state, 5_001, 443), &ports);
        }
        let seen = count.values().iter().filter(|it| it.1 == 1.0).count();
        // Inbound connections begin with a SYN received, outbound ones with a SYN sent.
        assert_eq!(seen, 2 * (states.len() - 1));
        assert_eq!(count.values().len(), tcp::INBOUND.len() + tcp::OUTBOUND.len());
    }
}
