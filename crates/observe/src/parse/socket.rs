//! A TCP socket, wherever it was read, and the ports by which it belongs to a target.

use std::net::IpAddr;

/// A state of TCP that a connection or a listening socket can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Data goes both ways.
    Established,
    /// A SYN was sent and not answered.
    SynSent,
    /// A SYN came and its handshake is under way.
    SynRecv,
    /// We closed; our FIN is not acknowledged.
    FinWait1,
    /// We closed; the other side has not.
    FinWait2,
    /// We closed first; kept for 60 s.
    TimeWait,
    /// The other side closed; we have not.
    CloseWait,
    /// The other side closed first, then we.
    LastAck,
    /// Both closed at the same time.
    Closing,
    /// Waits for connections.
    Listen,
}

impl State {
    /// Every state, with the kernel's number of it (include/net/tcp_states.h).
    const NUMBERS: [(u8, Self); 10] = [
        (1, Self::Established),
        (2, Self::SynSent),
        (3, Self::SynRecv),
        (4, Self::FinWait1),
        (5, Self::FinWait2),
        (6, Self::TimeWait),
        (8, Self::CloseWait),
        (9, Self::LastAck),
        (10, Self::Listen),
        (11, Self::Closing),
    ];

    /// From the kernel's number; none for a socket that is neither connected nor listening.
    pub fn of_number(number: u8) -> Option<Self> {
        Self::NUMBERS.iter().find(|(known, _)| *known == number).map(|(_, state)| *state)
    }

    /// The kernel's bit mask of all states.
    pub fn mask_of_all() -> u32 {
        Self::NUMBERS.iter().map(|(number, _)| 1 << number).sum()
    }

    /// The kernel's bit of sockets that listen.
    pub const MASK_OF_LISTEN: u32 = 1 << 10;

    /// As in the names of metrics: `time_wait`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Established => "established",
            Self::SynSent => "syn_sent",
            Self::SynRecv => "syn_recv",
            Self::FinWait1 => "fin_wait1",
            Self::FinWait2 => "fin_wait2",
            Self::TimeWait => "time_wait",
            Self::CloseWait => "close_wait",
            Self::LastAck => "last_ack",
            Self::Closing => "closing",
            Self::Listen => "listen",
        }
    }
}

/// A TCP socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Socket {
    /// Its state.
    pub state: State,
    /// Address on this side; unspecified if it listens on all. An IPv4 address in the form of IPv6 is one of IPv4.
    pub local: IpAddr,
    /// Port on this side.
    pub local_port: u16,
    /// Port on the other side, 0 of a listening socket.
    pub remote_port: u16,
    /// Connections that wait to be accepted, if it listens; else bytes that wait to be read.
    pub receive_queue: u32,
    /// Connections that may wait, if it listens, and none where that is not told; else bytes not yet acknowledged.
    pub send_queue: Option<u32>,
    /// Number by which a process' descriptors name it; 0 if no process has it (any more).
    pub inode: u32,
}

/// A socket that listens, with the connections it has refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listener {
    /// The socket.
    pub socket: Socket,
    /// SYNs and handshakes that it has dropped since it was made, nearly all of them because its accept queue was full;
    /// none where the kernel does not tell.
    pub drops: Option<u32>,
}

/// A socket, with how its exchange of data stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The socket.
    pub socket: Socket,
    /// Address of the other side.
    pub remote: IpAddr,
    /// None where the kernel does not tell.
    pub exchange: Option<Exchange>,
}

/// How the exchange of data over a connection stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Segments that the other side has not acknowledged.
    pub unacknowledged: u32,
    /// Bytes that were written and not sent yet; zero where an older kernel does not tell.
    pub unsent: u32,
    /// Time since data was sent last; since the connection was made, if none was.
    pub sent_ms_ago: u32,
    /// Time since data was received last; likewise.
    pub received_ms_ago: u32,
    /// Segments of data that were received so far.
    pub received: u32,
    /// Segments of data that were sent so far.
    pub sent: u32,
}

/// Sockets of a network namespace that are a target's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ports {
    /// Ports that it listens on.
    pub listening: Vec<u16>,
    /// Ports that it connects to.
    pub remote: Vec<u16>,
}

/// Side that opened a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The other side: the target accepted it.
    Inbound,
    /// The target.
    Outbound,
}

impl Ports {
    /// On which side the socket is the target's, if it is.
    pub fn side_of(&self, socket: &Socket) -> Option<Side> {
        if self.listening.contains(&socket.local_port) {
            Some(Side::Inbound)
        } else if socket.state != State::Listen && self.remote.contains(&socket.remote_port) {
            Some(Side::Outbound)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const ANY: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

    fn socket(state: State, local_port: u16, remote_port: u16) -> Socket {
        Socket { state, local: ANY, local_port, remote_port, receive_queue: 0, send_queue: None, inode: 0 }
    }

    #[test]
    fn the_local_port_makes_it_inbound_before_the_remote_one_makes_it_outbound() {
        let ports = Ports { listening: vec![8080], remote: vec![443] };
        let side = |local, remote| ports.side_of(&socket(State::Established, local, remote));
        assert_eq!(side(8080, 50_000), Some(Side::Inbound));
        assert_eq!(side(50_001, 443), Some(Side::Outbound));
        assert_eq!(side(8080, 443), Some(Side::Inbound), "it came from a client whose port happens to be 443");
        assert_eq!(side(50_000, 8080), None, "the client's end of a connection to the target");
    }

    #[test]
    fn every_state_has_its_bit() {
        assert_eq!(State::mask_of_all(), 0b1111_0111_1110, "all of 1 to 11 but 7, CLOSE");
        assert_eq!(State::MASK_OF_LISTEN.trailing_zeros(), 10);
        assert_eq!(State::of_number(10), Some(State::Listen));
        assert_eq!(State::of_number(6), Some(State::TimeWait));
        assert_eq!((State::of_number(7), State::of_number(0), State::of_number(12)), (None, None, None));
    }
}
