//! Connections of processes, by side and port: how many there are, and on how many a question is open.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use plimsoll_record::{Peer, Side};

use crate::{
    parse::socket::{Connection, Exchange, State},
    read::{self, sock_diag::SockDiag},
};

/// Peers beyond so many are left out, those with the fewest connections first.
const PEERS_MOST: usize = 200;

/// Connections of a process and its descendants, from look to look.
#[derive(Debug)]
pub(super) struct Peers {
    port: u16,
    /// None where the kernel does not tell.
    diag: Option<SockDiag>,
    /// Questions of each connection.
    last: HashMap<Id, Asked>,
    /// By how much more was sent than received when no question was open on a connection.
    idle: HashMap<Id, i64>,
    totals: BTreeMap<Key, Totals>,
    is_first: bool,
}

/// A connection, by inode and own port.
type Id = (u32, u16);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    side: Side,
    port: u16,
    address: String,
}

/// Questions of a connection so far.
#[derive(Clone, Copy, Debug)]
struct Asked {
    /// Pieces of data sent and received at the first look.
    at_first: (u32, u32),
    counted: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    questions: u64,
    opened: u64,
}

impl Peers {
    pub fn new(pid: i32, port: u16) -> Self {
        let is_ours = read::network_namespace(pid).is_none_or(|it| Some(it) == read::own_network_namespace());
        let diag = if is_ours { SockDiag::open() } else { SockDiag::open_in_namespace_of(pid) };
        Self {
            port,
            diag: diag.ok(),
            last: HashMap::new(),
            idle: HashMap::new(),
            totals: BTreeMap::new(),
            is_first: true,
        }
    }

    /// The connections that these processes have at this instant.
    pub fn look(&mut self, pids: &[i32]) -> Vec<Peer> {
        let Some(diag) = &mut self.diag else { return Vec::new() };
        let own: BTreeSet<u32> = pids.iter().flat_map(|&pid| read::socket_inodes(pid)).collect();
        let mut all = Vec::new();
        if diag.each_connection(|connection| all.push(connection)).is_err() {
            return Vec::new();
        }
        self.count(&all, &own)
    }

    fn count(&mut self, all: &[Connection], own: &BTreeSet<u32>) -> Vec<Peer> {
        let listening: BTreeSet<u16> = all
            .iter()
            .filter(|it| it.socket.state == State::Listen && own.contains(&it.socket.inode))
            .map(|it| it.socket.local_port)
            .chain([self.port])
            .collect();
        let mut peers: BTreeMap<Key, Peer> = BTreeMap::new();
        let mut seen = HashMap::new();
        let mut idle = HashMap::new();
        for connection in all.iter().filter(|it| own.contains(&it.socket.inode)) {
            let side = if listening.contains(&connection.socket.local_port) { Side::Inbound } else { Side::Outbound };
            let key = Key::of(connection, side);
            let peer = peers.entry(key.clone()).or_insert_with(|| key.peer());
            if connection.socket.state == State::Established {
                self.exchange(connection, key, &mut seen);
            }
            let id = id(connection);
            let at_rest = more_sent_at_rest(connection).or_else(|| self.idle.get(&id).copied());
            at_rest.map(|more| idle.insert(id, more));
            add(peer, connection, at_rest.unwrap_or(0));
        }
        (self.last, self.idle, self.is_first) = (seen, idle, false);
        for (key, peer) in &mut peers {
            let totals = self.totals.get(key).copied().unwrap_or_default();
            (peer.questions, peer.opened) = (totals.questions, totals.opened);
        }
        let mut peers: Vec<Peer> = peers.into_values().collect();
        peers.sort_by_key(|peer| std::cmp::Reverse((peer.side == Side::Inbound, peer.established)));
        peers.truncate(PEERS_MOST);
        peers
    }

    /// Counts questions by pieces of data. A question has one or many, and so has its answer, by the size of both and
    /// of the network's packets: the direction that has fewer tells how many there were.
    fn exchange(&mut self, connection: &Connection, key: Key, seen: &mut HashMap<Id, Asked>) {
        let Some(exchange) = connection.exchange else { return };
        let id = id(connection);
        let totals = self.totals.entry(key).or_default();
        let before = self.last.get(&id).copied();
        let asked = before.unwrap_or_else(|| {
            totals.opened += u64::from(!self.is_first);
            let at_first = if self.is_first { (exchange.sent, exchange.received) } else { (0, 0) };
            Asked { at_first, counted: 0 }
        });
        let sent = exchange.sent.saturating_sub(asked.at_first.0);
        let received = exchange.received.saturating_sub(asked.at_first.1);
        // One that is open counts on a new connection, which may be gone before the next look.
        let is_asked = before.is_none() && sent.max(received) > 0;
        let counted = sent.min(received).max(u32::from(is_asked)).max(asked.counted);
        totals.questions += u64::from(counted - asked.counted);
        seen.insert(id, Asked { counted, ..asked });
    }
}

impl Key {
    fn of(connection: &Connection, side: Side) -> Self {
        match side {
            Side::Inbound => Self { side, port: connection.socket.local_port, address: String::new() },
            Side::Outbound => {
                Self { side, port: connection.socket.remote_port, address: connection.remote.to_string() }
            }
        }
    }

    fn peer(&self) -> Peer {
        Peer { side: self.side, port: self.port, address: self.address.clone(), ..Peer::default() }
    }
}

const fn id(connection: &Connection) -> Id {
    (connection.socket.inode, connection.socket.local_port)
}

/// `at_rest`: by how much more is sent than received without an open question.
fn add(peer: &mut Peer, connection: &Connection, at_rest: i64) {
    let socket = &connection.socket;
    match socket.state {
        State::Listen => {
            peer.unaccepted += socket.receive_queue;
            // Several sockets may listen at one port, each with a queue of its own (SO_REUSEPORT).
            peer.unaccepted_max = peer.unaccepted_max.into_iter().chain(socket.send_queue).reduce(u32::saturating_add);
        }
        State::SynSent => peer.connecting += 1,
        State::Established => {
            peer.established += 1;
            peer.unread += u32::from(socket.receive_queue > 0);
            if let Some(exchange) = connection.exchange {
                peer.unacknowledged += u32::from(exchange.unacknowledged > 0);
                peer.held_back += u32::from(exchange.unsent > 0);
                peer.open += u32::from(is_open(peer.side, connection, at_rest));
            }
        }
        _ => {}
    }
}

/// A connection on which nothing has come or gone for longer is used by nobody.
const TIE_MOST_MS: u32 = 500;

/// A question is open until it is answered: what was received, or sent, last tells whose turn it is. The kernel counts
/// time in ticks of some milliseconds, and a busy client asks again at once: then more sent than received tells, or
/// less where answers at the beginning of a connection had several pieces.
fn is_open(side: Side, connection: &Connection, at_rest: i64) -> bool {
    let Some(exchange) = connection.exchange else { return false };
    match side {
        Side::Inbound => {
            connection.socket.receive_queue > 0
                || exchange.received > 0 && exchange.received_ms_ago < exchange.sent_ms_ago
        }
        Side::Outbound => match exchange.sent_ms_ago.cmp(&exchange.received_ms_ago) {
            Ordering::Less => exchange.sent > 0,
            Ordering::Greater => false,
            Ordering::Equal => match more_sent(&exchange) - at_rest {
                0 => false,
                1 => exchange.sent > 0,
                // Questions and answers of several pieces leave a connection with any difference, idle or not.
                _ => exchange.sent > 0 && exchange.sent_ms_ago <= TIE_MOST_MS,
            },
        },
    }
}

/// By how many pieces more was sent than received.
fn more_sent(exchange: &Exchange) -> i64 {
    i64::from(exchange.sent) - i64::from(exchange.received)
}

/// The same of a connection that nobody uses: all that was asked has been answered.
fn more_sent_at_rest(connection: &Connection) -> Option<i64> {
    let exchange = connection.exchange?;
    let is_answered = exchange.received_ms_ago <= exchange.sent_ms_ago;
    (is_answered && exchange.received_ms_ago > TIE_MOST_MS).then(|| more_sent(&exchange))
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use crate::parse::socket::Socket;

    fn connection(state: State, ports: (u16, u16), inode: u32, exchange: (u32, u32, u32, u32)) -> Connection {
        let (sent, sent_ms_ago, received, received_ms_ago) = exchange;
        let exchange = Exchange { unacknowledged: 0, unsent: 0, sent_ms_ago, received_ms_ago, received, sent };
        Connection {
            socket: Socket {
                state,
                local: IpAddr::from([127, 0, 0, 1]),
                local_port: ports.0,
                remote_port: ports.1,
                receive_queue: 0,
                send_queue: Some(100),
                inode,
            },
            remote: IpAddr::from([10, 0, 0, 1]),
            exchange: Some(exchange),
        }
    }

    #[test]
    fn in_one_tick_the_count_tells_whose_turn_it_is() {
        let of = |exchange| is_open(Side::Outbound, &connection(State::Established, (40_000, 443), 3, exchange), 0);
        assert!(of((3, 100, 2, 100)) && !of((3, 100, 3, 100)), "an answer of one piece each");
        assert!(of((3, 100, 9, 100)) && !of((3, 900, 9, 900)), "answers of several pieces");
        assert!(of((8, 100, 4, 100)) && !of((8, 900, 4, 900)), "questions of two pieces, and one that nobody uses");
        assert!(!of((0, 5, 0, 5)) && of((1, 5, 0, 9)) && !of((1, 50, 1, 9)));
    }

    /// A connection that greeted with two pieces has received one more than it has sent when nothing is asked.
    #[test]
    fn in_one_tick_what_differs_at_rest_is_no_answer() {
        let mut peers = Peers { is_first: true, ..Peers::new(i32::MAX, 8080) };
        let mut open = |exchange| {
            let redis = connection(State::Established, (40_000, 6379), 3, exchange);
            peers.count(&[redis], &[3].into())[0].open
        };
        assert_eq!(open((2, 900, 3, 900)), 0, "at rest");
        assert_eq!(open((42, 2, 42, 2)), 1, "answered and asked again at once");
        assert_eq!(open((42, 6, 43, 2)), 0);
        assert_eq!(open((43, 2, 44, 2)), 0, "as at rest");
    }

    /// As over a network whose packets hold 1,400 bytes.
    #[test]
    fn a_question_of_many_pieces_is_one_and_a_log_that_nobody_answers_none() {
        let mut peers = Peers { is_first: true, ..Peers::new(i32::MAX, 8080) };
        let mut questions = |port, sent, received| {
            let connection = connection(State::Established, (port, 443), u32::from(port), (sent, 5, received, 5));
            peers.count(&[connection], &[u32::from(port)].into()).iter().map(|it| it.questions).sum::<u64>()
        };
        assert_eq!(questions(40_000, 7, 1), 0, "at the first look");
        assert_eq!(questions(40_000, 14, 2), 1);
        assert_eq!(questions(40_000, 28, 4), 3);
        // One that begins later, and is asked by its opening alone.
        assert_eq!((questions(40_001, 9, 0), questions(40_001, 90, 0)), (4, 4));
    }

    #[test]
    fn questions_are_counted_and_those_that_are_open_told() {
        let mut peers = Peers { is_first: true, ..Peers::new(i32::MAX, 8080) };
        let own: BTreeSet<u32> = [1, 2, 3, 4].into();
        let listening = connection(State::Listen, (8080, 0), 1, (0, 0, 0, 0));
        let inbound = |received| connection(State::Established, (8080, 50_000), 2, (received, 300, received, 20));
        let outbound = |sent, ago| connection(State::Established, (40_000, 443), 3, (sent, ago, sent, 100));
        let foreign = connection(State::Established, (40_001, 443), 9, (1, 1, 1, 9));
        peers.count(&[listening, inbound(8), outbound(5, 90), foreign], &own);
        let fresh = connection(State::Established, (40_002, 443), 4, (2, 1, 1, 400));
        let seen = peers.count(&[listening, inbound(10), outbound(9, 101), fresh], &own);
        let [to_us, to_others] = &seen[..] else { panic!("{seen:#?}") };
        assert_eq!((to_us.side, to_us.port, to_us.established, to_us.open), (Side::Inbound, 8080, 1, 1));
        assert_eq!((to_us.questions, to_us.unaccepted_max), (2, Some(100)));
        assert_eq!((to_others.address.as_str(), to_others.port, to_others.established), ("10.0.0.1", 443, 2));
        assert_eq!((to_others.open, to_others.questions, to_others.opened), (1, 4 + 1, 1));
    }
}
