//! `/proc/PID/net/tcp`, `tcp6`, `fib_trie`, `if_inet6`, `netstat` and `snmp`.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use super::socket::{Socket, State};

/// The sockets of `tcp` or `tcp6`. The limit of a listening socket's queue is not in there.
pub fn sockets(text: &str) -> impl Iterator<Item = Socket> {
    text.lines().skip(1).filter_map(socket)
}

/// `0: 0100007F:1F90 00000000:0000 0A 00000000:00000003 00:00000000 00000000 0 0 148325 …` (Documentation/networking/
/// proc_net_tcp.rst): local and remote address, state, send and receive queue, timer, retransmits, user, time-out,
/// inode.
fn socket(line: &str) -> Option<Socket> {
    let mut fields = line.split_ascii_whitespace().skip(1);
    let port = |port: &str| u16::from_str_radix(port, 16).ok();
    let (local, local_port) = fields.next()?.rsplit_once(':')?;
    let (local, local_port, remote_port) =
        (address(local)?, port(local_port)?, port(fields.next()?.rsplit_once(':')?.1)?);
    let state = State::of_number(u8::from_str_radix(fields.next()?, 16).ok()?)?;
    let (send, receive) = fields.next()?.split_once(':')?;
    let receive_queue = u32::from_str_radix(receive, 16).ok()?;
    let send_queue = u32::from_str_radix(send, 16).ok().filter(|_| state != State::Listen);
    let inode = fields.nth(4)?.parse().ok()?;
    Some(Socket { state, local, local_port, remote_port, receive_queue, send_queue, inode })
}

/// Words of 32 bits in the machine's byte order: one of IPv4, four of IPv6.
fn address(text: &str) -> Option<IpAddr> {
    let word = |at: usize| {
        let word = u32::from_str_radix(text.get(8 * at..8 * (at + 1))?, 16).ok()?;
        Some(word.to_ne_bytes())
    };
    if text.len() == 8 {
        return word(0).map(IpAddr::from);
    }
    let words = [word(0)?, word(1)?, word(2)?, word(3)?];
    let bytes: [u8; 16] = words.as_flattened().try_into().ok()?;
    Some(IpAddr::from(Ipv6Addr::from(bytes)).to_canonical())
}

/// IPv4 addresses of the namespace itself: in `fib_trie` below `|-- 172.17.0.2` stands `/32 host LOCAL`.
pub fn own_addresses(fib_trie: &str) -> impl Iterator<Item = Ipv4Addr> {
    let mut address = None;
    fib_trie.lines().filter_map(move |line| {
        let line = line.trim();
        match line.strip_prefix("|-- ") {
            Some(text) => {
                address = text.parse().ok();
                None
            }
            None => address.filter(|_| line == "/32 host LOCAL"),
        }
    })
}

/// IPv6 addresses of the namespace: the first fields of `if_inet6`.
pub fn own_addresses_v6(if_inet6: &str) -> impl Iterator<Item = Ipv6Addr> {
    let address = |line: &str| u128::from_str_radix(line.split_ascii_whitespace().next()?, 16).ok();
    if_inet6.lines().filter_map(address).map(Ipv6Addr::from)
}

/// The counters of `netstat` or `snmp`, by name; some are in both: pass one file at a time. Names of a group are on one
/// line, the values on the next: `Tcp: ActiveOpens PassiveOpens`, `Tcp: 17 3`.
pub fn counters<'a>(text: &'a str, group: &str) -> BTreeMap<&'a str, u64> {
    let of_group = |line: &'a str| line.strip_prefix(group)?.strip_prefix(':');
    let mut lines = text.lines().filter_map(of_group);
    let (Some(names), Some(values)) = (lines.next(), lines.next()) else { return BTreeMap::new() };
    let pairs = names.split_ascii_whitespace().zip(values.split_ascii_whitespace());
    // Some may be below zero (`MaxConn`): those are no counters.
    pairs.filter_map(|(name, value)| Some((name, value.parse().ok()?))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
    const TCP: &str = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000003 00:00000000 00000000     0        0 148325 1 0000 100 0 0 10 0
   1: 0100007F:C350 0100007F:01BB 06 00000000:00000000 03:00000176 00000000     0        0 0 3 00000000a2b4
";
    const TCP6: &str =
        "  sl  local_address                         remote_address                        st tx_queue rx_queue
   0: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000100007F:C352 01 0000000A:00000010 00:0 0 7 0 99 1
";

    #[test]
    #[cfg(target_endian = "little")]
    fn sockets_of_both_families_are_read() {
        let listening = Socket {
            state: State::Listen,
            local: LOOPBACK,
            local_port: 8080,
            remote_port: 0,
            receive_queue: 3,
            send_queue: None,
            inode: 148_325,
        };
        let waiting = Socket {
            state: State::TimeWait,
            local: LOOPBACK,
            local_port: 50_000,
            remote_port: 443,
            receive_queue: 0,
            send_queue: Some(0),
            inode: 0,
        };
        assert_eq!(sockets(TCP).collect::<Vec<_>>(), [listening, waiting]);
        let accepted = sockets(TCP6).next().expect("one");
        assert_eq!((accepted.local_port, accepted.remote_port, accepted.inode), (8080, 50_002, 99));
        assert_eq!((accepted.receive_queue, accepted.send_queue, accepted.local), (16, Some(10), LOOPBACK));
        assert_eq!(address("00000000000000000000000001000000"), Some(Ipv6Addr::LOCALHOST.into()));
    }

    #[test]
    fn counters_are_read_by_name() {
        let snmp = "Ip: Forwarding InReceives\nIp: 1 90\nTcp: MaxConn ActiveOpens RetransSegs\nTcp: -1 17 4\n";
        assert_eq!(counters(snmp, "Tcp"), BTreeMap::from([("ActiveOpens", 17), ("RetransSegs", 4)]));
        assert_eq!(counters(snmp, "Udp"), BTreeMap::new());
        assert_eq!(counters("Tcp: A\n", "Tcp"), BTreeMap::new());
    }

    #[test]
    fn own_addresses_are_read() {
        let fib_trie = "Main:\n  +-- 0.0.0.0/0 3 0 5\n |-- 0.0.0.0\n  /0 universe UNICAST\n+-- 172.17.0.0/16 2 0 2\n\
             |-- 172.17.0.0\n  /16 link UNICAST\n  |-- 172.17.0.2\n  /32 host LOCAL\n\
             |-- 172.17.255.255\n  /32 link BROADCAST\n";
        assert_eq!(own_addresses(fib_trie).collect::<Vec<_>>(), [Ipv4Addr::new(172, 17, 0, 2)]);
        assert_eq!(own_addresses("/32 host LOCAL\n|-- x\n/32 host LOCAL").next(), None);
        let if_inet6 = "fd000000000000000000000000000002 15 40 00 80     eth0\n\
             00000000000000000000000000000001 01 80 10 80       lo\n";
        let own: [Ipv6Addr; 2] = ["fd00::2", "::1"].map(|it| it.parse().expect("an address"));
        assert_eq!(own_addresses_v6(if_inet6).collect::<Vec<_>>(), own);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".{0,200}", fields in "[0-9A-F: ]{0,100}") {
            let _ = (sockets(&text).count(), counters(&text, "Tcp"));
            let _ = sockets(&format!("head\n0: {fields}")).count();
            let _ = counters(&format!("Tcp: a b\nTcp: {fields}"), "Tcp");
            let _ = (own_addresses(&text).count(), own_addresses_v6(&text).count(), own_addresses_v6(&fields).count());
        }
    }
}
