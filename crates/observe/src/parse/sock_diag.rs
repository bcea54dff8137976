//! Messages of sock_diag(7): the request that has the kernel list TCP sockets, and its answer.
//!
//! All is in the machine's byte order but ports, which are in the network's.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::socket::{Connection, Exchange, Listener, Socket, State};

/// `SOCK_DIAG_BY_FAMILY`.
const SOCK_DIAG_BY_FAMILY: u16 = 20;
/// `NLM_F_REQUEST | NLM_F_DUMP`.
const REQUEST_DUMP: u16 = 0x301;
/// `NLMSG_ERROR`.
const ERROR: u16 = 2;
/// `NLMSG_DONE`.
const DONE: u16 = 3;
const TCP: u8 = 6;
/// `INET_DIAG_REQ_BYTECODE`: the attribute that carries a filter.
const BYTECODE: u16 = 1;
/// `INET_DIAG_INFO`: the attribute that carries `struct tcp_info`.
const INFO: u16 = 2;
/// `INET_DIAG_SKMEMINFO`: the attribute that carries memory of the socket, and what it dropped.
const MEMORY: u16 = 7;
/// `SK_MEMINFO_DROPS`: the place of the dropped within it, in words of 32 bits (Linux 4.11).
const DROPS: usize = 8;
/// Condition "local port is", `INET_DIAG_BC_S_EQ`.
const LOCAL_PORT_IS: u8 = 11;
/// Condition "remote port is", `INET_DIAG_BC_D_EQ`.
const REMOTE_PORT_IS: u8 = 12;
/// `INET_DIAG_BC_JMP`.
const JUMP: u8 = 1;

/// Length of `struct nlmsghdr`.
const HEADER_BYTES: usize = 16;
/// Length of `struct inet_diag_msg`.
const SOCKET_BYTES: usize = 72;
/// A filter says how far to jump in 16 bits; the kernel takes no more than this many ports.
const MOST_PORTS: usize = 4_000;

/// IPv4 or IPv6; a socket that listens on both is one of IPv6, and so are those it accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `AF_INET`.
    V4 = 2,
    /// `AF_INET6`.
    V6 = 10,
}

/// A request for all TCP sockets of a family, with how their exchanges stand.
pub fn detailed_request(family: Family, sequence: u32) -> Vec<u8> {
    let mut message = request(family, sequence, None);
    message[HEADER_BYTES + 2] = 1 << (INFO - 1);
    message
}

/// A request for the sockets of a family that listen on `ports`, with what they dropped. The kernel has a table of
/// these alone: it costs the same however many connections there are.
pub fn listening_request(family: Family, sequence: u32, ports: &[u16]) -> Vec<u8> {
    let mut message = request(family, sequence, Some((ports, &[])));
    message[HEADER_BYTES + 2] = 1 << (MEMORY - 1);
    message[HEADER_BYTES + 4..HEADER_BYTES + 8].copy_from_slice(&State::MASK_OF_LISTEN.to_ne_bytes());
    message
}

/// A request for all TCP sockets of a family; with `ports` only for those with a local port of the first list or a
/// remote port of the second. Lists that are too long for a filter are none.
pub fn request(family: Family, sequence: u32, ports: Option<(&[u16], &[u16])>) -> Vec<u8> {
    let filter = ports.map(|(local, remote)| filter(local, remote)).filter(|filter| !filter.is_empty());
    let attribute_bytes = filter.as_ref().map_or(0, |filter| 4 + filter.len());
    let mut message = Vec::with_capacity(HEADER_BYTES + 56 + attribute_bytes);
    message.extend((HEADER_BYTES as u32 + 56 + attribute_bytes as u32).to_ne_bytes());
    message.extend(SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    message.extend(REQUEST_DUMP.to_ne_bytes());
    message.extend(sequence.to_ne_bytes());
    message.extend(0_u32.to_ne_bytes());
    // struct inet_diag_req_v2: family, protocol, extensions, padding, states, and a socket's id that a dump ignores.
    message.extend([family as u8, TCP, 0, 0]);
    message.extend(State::mask_of_all().to_ne_bytes());
    message.extend([0; 48]);
    if let Some(filter) = filter {
        message.extend((attribute_bytes as u16).to_ne_bytes());
        message.extend(BYTECODE.to_ne_bytes());
        message.extend(filter);
    }
    message
}

/// One condition after the other, each of 8 bytes. The first that holds jumps to the end, which accepts; beyond the
/// last is 4 bytes past the end, which refuses (`inet_diag_bc_run`).
fn filter(local: &[u16], remote: &[u16]) -> Vec<u8> {
    let conditions: Vec<(u8, u16)> = (local.iter().map(|&port| (LOCAL_PORT_IS, port)))
        .chain(remote.iter().map(|&port| (REMOTE_PORT_IS, port)))
        .collect();
    if conditions.len() > MOST_PORTS {
        return Vec::new();
    }
    let mut code = Vec::new();
    for (index, &(condition, port)) in conditions.iter().enumerate() {
        // The condition, then the port in an operation of its own, then the jump to the end if it holds.
        operation(&mut code, condition, 8, 12);
        operation(&mut code, 0, 0, port);
        let after = conditions.len() - index - 1;
        if after > 0 {
            // From here over itself and all that follows; the last condition has no jump of its own.
            operation(&mut code, JUMP, 4, (12 * after) as u16);
        }
    }
    code
}

/// `struct inet_diag_bc_op`: how many bytes to go on if it holds, and if it does not.
fn operation(code: &mut Vec<u8>, operation: u8, yes: u8, no: u16) {
    code.extend([operation, yes]);
    code.extend(no.to_ne_bytes());
}

/// Result of reading one message buffer of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// More is to come.
    More,
    /// The answer is complete.
    Done,
    /// The kernel refused, with this error number.
    Refused(i32),
    /// Not understood.
    Garbled,
}

/// Hands each socket in `buffer` to `each`; messages of other requests than `sequence` are passed over.
pub fn sockets(buffer: &[u8], sequence: u32, mut each: impl FnMut(Socket)) -> Progress {
    answers(buffer, sequence, |body, _| socket(body).into_iter().for_each(&mut each))
}

/// Does as [`sockets`], for an answer to a [`detailed_request`].
pub fn connections(buffer: &[u8], sequence: u32, mut each: impl FnMut(Connection)) -> Progress {
    answers(buffer, sequence, |body, attributes| connection(body, attributes).into_iter().for_each(&mut each))
}

/// Does as [`sockets`], for an answer to a [`listening_request`].
pub fn listeners(buffer: &[u8], sequence: u32, mut each: impl FnMut(Listener)) -> Progress {
    answers(buffer, sequence, |body, attributes| listener(body, attributes).into_iter().for_each(&mut each))
}

fn answers(buffer: &[u8], sequence: u32, mut each: impl FnMut(&[u8; SOCKET_BYTES], &[u8])) -> Progress {
    let mut rest = buffer;
    while !rest.is_empty() {
        let Some(message) = message(rest) else { return Progress::Garbled };
        rest = rest.get(message.aligned_bytes..).unwrap_or_default();
        if message.sequence != sequence {
            continue;
        }
        match message.kind {
            DONE => return Progress::Done,
            ERROR => return message.body.first_chunk().map_or(Progress::Garbled, |code| refused(*code)),
            SOCK_DIAG_BY_FAMILY => match message.body.first_chunk() {
                Some(body) => each(body, &message.body[SOCKET_BYTES..]),
                None => return Progress::Garbled,
            },
            _ => {}
        }
    }
    Progress::More
}

/// The kernel gives error numbers below zero.
fn refused(code: [u8; 4]) -> Progress {
    Progress::Refused(i32::from_ne_bytes(code).saturating_neg())
}

struct Message<'a> {
    kind: u16,
    sequence: u32,
    body: &'a [u8],
    aligned_bytes: usize,
}

fn message(buffer: &[u8]) -> Option<Message<'_>> {
    let header: &[u8; HEADER_BYTES] = buffer.first_chunk()?;
    let [l0, l1, l2, l3, k0, k1, _, _, s0, s1, s2, s3, ..] = *header;
    let length = u32::from_ne_bytes([l0, l1, l2, l3]) as usize;
    let body = buffer.get(HEADER_BYTES..length)?;
    Some(Message {
        kind: u16::from_ne_bytes([k0, k1]),
        sequence: u32::from_ne_bytes([s0, s1, s2, s3]),
        body,
        aligned_bytes: length.next_multiple_of(4),
    })
}

/// `struct inet_diag_msg`: family, state, timer, retransmits; ports, addresses, interface and cookie of the socket;
/// then expires, rqueue, wqueue, uid and inode. None of a state that is not counted.
fn socket(body: &[u8; SOCKET_BYTES]) -> Option<Socket> {
    let four = |at: usize| u32::from_ne_bytes([body[at], body[at + 1], body[at + 2], body[at + 3]]);
    Some(Socket {
        state: State::of_number(body[1])?,
        local: address(body, 8)?,
        local_port: u16::from_be_bytes([body[4], body[5]]),
        remote_port: u16::from_be_bytes([body[6], body[7]]),
        receive_queue: four(56),
        send_queue: Some(four(60)),
        inode: four(68),
    })
}

fn connection(body: &[u8; SOCKET_BYTES], attributes: &[u8]) -> Option<Connection> {
    let exchange = attribute(attributes, INFO).and_then(exchange);
    Some(Connection { socket: socket(body)?, remote: address(body, 24)?, exchange })
}

fn listener(body: &[u8; SOCKET_BYTES], attributes: &[u8]) -> Option<Listener> {
    let drops = attribute(attributes, MEMORY).and_then(|memory| memory.get(4 * DROPS..)?.first_chunk());
    Some(Listener { socket: socket(body)?, drops: drops.map(|drops| u32::from_ne_bytes(*drops)) })
}

/// The address that is at `at`, of the family that the message is of.
fn address(body: &[u8; SOCKET_BYTES], at: usize) -> Option<IpAddr> {
    let address: [u8; 16] = *body[at..].first_chunk()?;
    Some(match body[0] == Family::V4 as u8 {
        true => Ipv4Addr::from([address[0], address[1], address[2], address[3]]).into(),
        false => IpAddr::from(Ipv6Addr::from(address)).to_canonical(),
    })
}

/// Attributes are length with this header, kind, content, each aligned to 4 bytes.
fn attribute(mut rest: &[u8], wanted: u16) -> Option<&[u8]> {
    loop {
        let [l0, l1, k0, k1, ..] = *rest else { return None };
        let length = usize::from(u16::from_ne_bytes([l0, l1]));
        let content = rest.get(4..length)?;
        if u16::from_ne_bytes([k0, k1]) == wanted {
            return Some(content);
        }
        rest = rest.get(length.next_multiple_of(4)..)?;
    }
}

/// `struct tcp_info` (include/uapi/linux/tcp.h); an older kernel's is shorter.
fn exchange(info: &[u8]) -> Option<Exchange> {
    let four = |at: usize| info.get(at..)?.first_chunk().map(|bytes| u32::from_ne_bytes(*bytes));
    Some(Exchange {
        unacknowledged: four(24)?,
        unsent: four(144).unwrap_or(0),
        sent_ms_ago: four(44)?,
        received_ms_ago: four(52)?,
        received: four(152)?,
        sent: four(156)?,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// As the kernel answered on x86-64: a listening socket with 3 of 50 places taken, then the end.
    #[rustfmt::skip]
    const ANSWER: [u8; 108] = [
        88, 0, 0, 0, 20, 0, 2, 0, 7, 0, 0, 0, 0x39, 0x30, 0, 0,
        2, 10, 0, 0,
        0x1f, 0x90, 0, 0,
        127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 1, 0x10, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 3, 0, 0, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0x65, 0x43, 2, 0,
        20, 0, 0, 0, 3, 0, 2, 0, 7, 0, 0, 0, 0x39, 0x30, 0, 0, 0, 0, 0, 0,
    ];

    fn parsed(buffer: &[u8], sequence: u32) -> (Vec<Socket>, Progress) {
        let mut found = Vec::new();
        let progress = sockets(buffer, sequence, |socket| found.push(socket));
        (found, progress)
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn an_answer_is_read() {
        let listening = Socket {
            state: State::Listen,
            local: IpAddr::from([127, 0, 0, 1]),
            local_port: 8080,
            remote_port: 0,
            receive_queue: 3,
            send_queue: Some(50),
            inode: 0x2_4365,
        };
        assert_eq!(parsed(&ANSWER, 7), (vec![listening], Progress::Done));
        assert_eq!(parsed(&ANSWER[..88], 7), (vec![listening], Progress::More));
        assert_eq!(parsed(&ANSWER, 8), (vec![], Progress::More), "an answer to an earlier request");
        assert_eq!(parsed(&ANSWER[..87], 7), (vec![], Progress::Garbled));
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn a_refusal_carries_its_error_number() {
        let no_entry = [20, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff];
        assert_eq!(parsed(&no_entry, 7), (vec![], Progress::Refused(2)));
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn a_request_for_ports_ends_in_a_filter() {
        let request = request(Family::V4, 1, Some((&[8080], &[443])));
        assert_eq!(request.len(), 72 + 4 + 20);
        assert_eq!(request[..4], 96_u32.to_ne_bytes());
        let expected = [24, 0, 1, 0, 11, 8, 12, 0, 0, 0, 0x90, 0x1f, 1, 4, 12, 0, 12, 8, 12, 0, 0, 0, 0xbb, 0x01];
        assert_eq!(request[72..], expected);
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn how_an_exchange_stands_is_read() {
        let mut info = [0_u8; 232];
        for (at, value) in [(24, 3_u32), (44, 250), (52, 251), (144, 180), (152, 41), (156, 42)] {
            info[at..at + 4].copy_from_slice(&value.to_ne_bytes());
        }
        let mut answer = ANSWER[..88].to_vec();
        // A mark of another kind comes first, and is padded.
        answer.extend([5, 0, 99, 0, 1, 0, 0, 0]);
        answer.extend([236, 0, 2, 0]);
        answer.extend(info);
        let length = answer.len() as u32;
        answer[..4].copy_from_slice(&length.to_ne_bytes());
        answer[HEADER_BYTES + 24..HEADER_BYTES + 28].copy_from_slice(&[10, 0, 0, 9]);
        let mut found = Vec::new();
        assert_eq!(connections(&answer, 7, |connection| found.push(connection)), Progress::More);
        let exchange =
            Exchange { unacknowledged: 3, unsent: 180, sent_ms_ago: 250, received_ms_ago: 251, received: 41, sent: 42 };
        assert_eq!((found[0].exchange, found[0].remote), (Some(exchange), IpAddr::from([10, 0, 0, 9])));
        assert_eq!(detailed_request(Family::V4, 1)[18], 2);
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn a_socket_that_listens_says_what_it_dropped() {
        let mut answer = ANSWER[..88].to_vec();
        // Eight words of memory, then the dropped.
        answer.extend([40, 0, 7, 0]);
        answer.extend([9; 32]);
        answer.extend([16, 0, 0, 0]);
        answer[..4].copy_from_slice(&128_u32.to_ne_bytes());
        let found = |answer: &[u8]| {
            let mut found = Vec::new();
            assert_eq!(listeners(answer, 7, |listener| found.push(listener)), Progress::More);
            found.iter().map(|it| (it.socket.local_port, it.drops)).collect::<Vec<_>>()
        };
        assert_eq!(found(&answer), [(8080, Some(16))]);
        assert_eq!(found(&ANSWER[..88]), [(8080, None)], "a kernel that does not tell");
        let request = listening_request(Family::V4, 1, &[8080]);
        assert_eq!((request[18], &request[20..24]), (64, &[0, 4, 0, 0][..]));
    }

    /// Filter as the kernel runs it (`inet_diag_bc_run`).
    fn accepts(code: &[u8], local: u16, remote: u16) -> bool {
        let mut at = 0;
        while at < code.len() {
            let no = u16::from_ne_bytes([code[at + 2], code[at + 3]]);
            let port = || u16::from_ne_bytes([code[at + 6], code[at + 7]]);
            let holds = match code[at] {
                LOCAL_PORT_IS => local == port(),
                REMOTE_PORT_IS => remote == port(),
                JUMP => false,
                other => panic!("no operation {other}"),
            };
            at += if holds { code[at + 1].into() } else { usize::from(no) };
        }
        at == code.len()
    }

    proptest! {
        #[test]
        fn a_filter_accepts_its_ports_and_no_others(
            locals in prop::collection::vec(1..40_u16, 1..5), remotes in prop::collection::vec(1..40_u16, 0..5),
            local in 1..40_u16, remote in 1..40_u16,
        ) {
            let expected = locals.contains(&local) || remotes.contains(&remote);
            prop_assert_eq!(accepts(&filter(&locals, &remotes), local, remote), expected);
        }

        #[test]
        fn no_answer_makes_it_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..300), length in any::<u32>()) {
            let _ = parsed(&bytes, 7);
            // A header that is right as far as it goes.
            if bytes.len() > 12 {
                bytes[..4].copy_from_slice(&(length % 400).to_ne_bytes());
                bytes[4..6].copy_from_slice(&SOCK_DIAG_BY_FAMILY.to_ne_bytes());
                bytes[8..12].copy_from_slice(&7_u32.to_ne_bytes());
            }
            let _ = parsed(&bytes, 7);
            let _ = connections(&bytes, 7, |_| ());
            let _ = listeners(&bytes, 7, |_| ());
            let _ = (attribute(&bytes, 2), exchange(&bytes));
        }
    }
}
