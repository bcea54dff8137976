//! Ports on this machine.

use std::{
    io,
    net::{Ipv4Addr, SocketAddrV4, TcpListener},
    ops::RangeInclusive,
};

use plimsoll_observe::read;
use rand::RngExt;
use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, socket_with, sockopt::set_socket_reuseaddr};

/// Where free ports are looked for: above those that services register, and mostly below those that the kernel gives to
/// outgoing connections.
const CANDIDATES: RangeInclusive<u16> = 10_000..=32_767;
const TRIES: usize = 1_000;

/// A port that nothing listens on, drawn anew each time: several executions must not meet on the same one.
///
/// It is not one of those that the kernel gives to outgoing connections: the load's own connections could take it
/// before the target does, and a connect to it could even meet itself.
///
/// # Errors
///
/// If none was found.
pub fn free() -> io::Result<u16> {
    free_but(&[])
}

/// The same, and none of those that were `given` to programs that do not listen yet.
///
/// # Errors
///
/// If none was found.
pub fn free_but(given: &[u16]) -> io::Result<u16> {
    let mut random = rand::rng();
    let outgoing = outgoing_ports();
    let candidates = std::iter::repeat_with(|| random.random_range(CANDIDATES)).take(TRIES);
    candidates
        .filter(|port| !outgoing.contains(port) && !given.contains(port))
        .find(|&port| is_free(port))
        .or_else(|| {
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|any| any.local_addr()).ok().map(|any| any.port())
        })
        .filter(|port| !given.contains(port))
        .ok_or_else(|| io::Error::other("no free port was found"))
}

/// Whether a server could listen on `port` on all addresses. Binds without listening: a child that another thread forks
/// meanwhile would go on listening.
pub fn is_free(port: u16) -> bool {
    let bound = || {
        let socket = socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        set_socket_reuseaddr(&socket, true)?;
        bind(&socket, &SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, port))
    };
    bound().is_ok()
}

fn outgoing_ports() -> RangeInclusive<u16> {
    let text = read::text("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    let mut bounds = text.split_whitespace().filter_map(|bound| bound.parse().ok());
    bounds.next().unwrap_or(32_768)..=bounds.next().unwrap_or(60_999)
}

#[cfg(test)]
mod tests {
    use std::{
        thread,
        time::{Duration, Instant},
    };

    use super::*;

    #[test]
    fn a_port_that_was_given_is_not_given_again() {
        let given: Vec<u16> = CANDIDATES.collect();
        let drawn = free_but(&given).ok();
        assert!(!drawn.is_some_and(|port| given.contains(&port)), "{drawn:?}");
    }

    #[test]
    fn a_free_port_can_be_bound_and_is_then_taken() {
        // A test beside this one may draw the same port.
        let draw = || {
            let port = free().expect("a port");
            Some((port, TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok()?))
        };
        let (port, listener) = (0..10).find_map(|_| draw()).expect("one of ten is free");
        assert!(!outgoing_ports().contains(&port));
        assert!(!is_free(port));
        drop(listener);
        // A child of a test beside this one has the listener, too, between fork and exec.
        let begun = Instant::now();
        while !is_free(port) {
            assert!(begun.elapsed() < Duration::from_secs(60), "port {port} stays taken");
            thread::sleep(Duration::from_millis(10));
        }
    }
}
