//! Source addresses of connections.

use std::{
    fs,
    net::{IpAddr, SocketAddr},
};

use crate::connection::Source;

/// Where the kernel says which ports it gives to connections.
const PORT_RANGE: &str = "/proc/sys/net/ipv4/ip_local_port_range";
/// If that cannot be read.
const PORTS_DEFAULT: u64 = 28_232;

/// The source addresses of one worker, taken in turn.
#[derive(Debug)]
pub(crate) struct Sources {
    given: Vec<Source>,
    next: u64,
    is_spread: bool,
}

impl Sources {
    /// `connections` is how many there may be at once, of all workers. If the ports of one address do not suffice for
    /// them, they are spread from the beginning.
    pub fn new(given: &[Source], connections: u64, worker: usize) -> Self {
        // Workers that begin at different addresses get into each other's way less.
        let next = worker as u64 * 37;
        // Near the end of the range, the search for a free port takes long.
        let is_spread = given.is_empty() && connections > ports() / 10 * 9;
        Self { given: given.to_vec(), next, is_spread }
    }

    /// Where a connection to `target` is to come from; none: the system's choice.
    pub fn next(&mut self, target: SocketAddr) -> Option<IpAddr> {
        if self.given.is_empty() {
            return (self.is_spread && is_loopback(target)).then(|| Source::LOOPBACK.address(self.turn()));
        }
        let is_ipv4 = target.is_ipv4();
        let count = |source: &Source| if source.is_ipv4() == is_ipv4 { source.count() } else { 0 };
        let total = self.given.iter().map(count).fold(0, u64::saturating_add);
        let mut index = self.turn() % total.max(1);
        for source in self.given.iter().filter(|source| source.is_ipv4() == is_ipv4) {
            match index.checked_sub(source.count()) {
                Some(left) => index = left,
                None => return Some(source.address(index)),
            }
        }
        None
    }

    /// Notes that no port was left for a connection to `target`. Returns whether another address may have one.
    pub fn on_shortage(&mut self, target: SocketAddr) -> bool {
        self.is_spread |= self.given.is_empty() && is_loopback(target);
        self.is_spread || self.given.len() > 1 || self.given.iter().any(|source| source.count() > 1)
    }

    /// Whether connections to `target` come from several addresses though none was asked for.
    pub fn is_spread(&self, target: SocketAddr) -> bool {
        self.is_spread && is_loopback(target)
    }

    fn turn(&mut self) -> u64 {
        self.next = self.next.wrapping_add(1);
        self.next
    }
}

fn is_loopback(target: SocketAddr) -> bool {
    matches!(target.ip(), IpAddr::V4(address) if address.is_loopback())
}

/// Ports of one address.
pub(crate) fn ports() -> u64 {
    let text = fs::read_to_string(PORT_RANGE).unwrap_or_default();
    let mut bounds = text.split_whitespace().map_while(|bound| bound.parse::<u64>().ok());
    match (bounds.next(), bounds.next()) {
        (Some(first), Some(last)) => last.saturating_sub(first) + 1,
        _ => PORTS_DEFAULT,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const LOOPBACK: SocketAddr = SocketAddr::new(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 80);

    #[test]
    fn addresses_are_taken_in_turn_by_family() {
        let given: Vec<Source> =
            ["127.0.0.2", "::1", "127.0.1.0/30"].iter().map(|text| text.parse().unwrap()).collect();
        let mut sources = Sources::new(&given, 1, 0);
        let taken: Vec<String> = (0..6).map(|_| sources.next(LOOPBACK).unwrap().to_string()).collect();
        assert_eq!(taken.iter().collect::<HashSet<_>>().len(), 3, "{taken:?}");
        assert_eq!(taken[..3], taken[3..]);
        assert_eq!(sources.next("[::2]:80".parse().unwrap()), Some("::1".parse().unwrap()));
        assert!(sources.on_shortage(LOOPBACK) && !sources.is_spread(LOOPBACK), "the user's choice is kept to");
        assert!(!Sources::new(&given[..1], 1, 0).on_shortage(LOOPBACK));
    }

    #[test]
    fn loopback_connections_are_spread_once_ports_run_short_or_would() {
        let elsewhere = "192.0.2.1:80".parse().unwrap();
        let mut sources = Sources::new(&[], 100, 0);
        assert_eq!(sources.next(LOOPBACK), None);
        assert!(!sources.on_shortage(elsewhere) && sources.on_shortage(LOOPBACK) && sources.on_shortage(LOOPBACK));
        let (a, b) = (sources.next(LOOPBACK).unwrap(), sources.next(LOOPBACK).unwrap());
        assert!(a != b && a.is_loopback() && b.is_loopback());
        assert_eq!(sources.next(elsewhere), None);
        assert!(Sources::new(&[], 1_000_000, 0).is_spread(LOOPBACK));
    }
}
