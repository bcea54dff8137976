//! The process that answers a URL of this machine.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use plimsoll_observe::listener::{self, Answering, addresses, listener_of};
use url::{Host, Url};

/// The process that answers a URL of this machine.
///
/// # Errors
/// Why none can be named.
pub fn listener_at(url: &Url) -> Result<Answering, listener::Unknown> {
    listener_of(&addresses(url.host_str().unwrap_or_default(), port(url)))
}

/// The port of the URL.
pub fn port(url: &Url) -> u16 {
    url.port_or_known_default().unwrap_or(0)
}

/// Whether the URL is of this machine: of a loopback, or of an address or a name that it or a container on it has.
pub fn is_here(url: &Url) -> bool {
    let is_of_machine = |ip: IpAddr| !ip.is_unspecified() && listener::is_here(ip);
    is_loopback(url) || address(url).map_or_else(|| is_name_of(url, is_of_machine), is_of_machine)
}

/// Whether the URL has a name, and all its addresses are such.
fn is_name_of(url: &Url, is_such: impl Fn(IpAddr) -> bool) -> bool {
    let addresses = url.socket_addrs(|| None).unwrap_or_default();
    !addresses.is_empty() && addresses.iter().all(|address| is_such(address.ip()))
}

/// Whether the URL is of a loopback of this machine.
pub fn is_loopback(url: &Url) -> bool {
    let names_it = url.domain().is_some_and(|name| name == "localhost" || name.ends_with(".localhost"));
    names_it || address(url).is_some_and(|ip| ip.is_loopback())
}

fn address(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

/// The URL by the other loopback, IPv4's or IPv6's, if somebody listens there and nobody does where it leads:
/// `localhost` is one of the two on many machines.
pub fn elsewhere(url: &Url) -> Option<Url> {
    let is_silent = |to: &[SocketAddr]| matches!(listener_of(to), Err(listener::Unknown::Nobody));
    let (host, port) = (url.host_str()?, port(url));
    if !is_loopback(url) || !is_silent(&addresses(host, port)) {
        return None;
    }
    let loopbacks: [IpAddr; 2] = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
    let heard = loopbacks.into_iter().find(|ip| !is_silent(&[(*ip, port).into()]))?;
    let mut found = url.clone();
    found.set_ip_host(heard).ok()?;
    Some(found)
}

#[cfg(test)]
mod tests {
    use std::{
        net::TcpListener,
        thread,
        time::{Duration, Instant},
    };

    use super::*;

    #[test]
    fn a_service_at_the_other_loopback_is_found() {
        let found_at =
            |host: &str, port: u16| elsewhere(&format!("http://{host}:{port}/a?b").parse().unwrap()).map(String::from);
        // Somebody else may listen at this port of the other loopback just now.
        let listeners = (0..100).map(|_| TcpListener::bind("[::1]:0").unwrap());
        let port = |listener: &TcpListener| listener.local_addr().unwrap().port();
        let mut listeners = listeners.filter(|listener| found_at("127.0.0.1", port(listener)).is_some());
        let listener = listeners.next().expect("none of a hundred is found");
        let port = port(&listener);
        let found = |host: &str| found_at(host, port);
        assert_eq!(found("127.0.0.1"), Some(format!("http://[::1]:{port}/a?b")));
        assert_eq!((found("[::1]"), found("192.0.2.1")), (None, None));
        drop(listener);
        // A child of a test beside this one has the listener, too, between fork and exec.
        let begun = Instant::now();
        while found("127.0.0.1").is_some() {
            assert!(begun.elapsed() < Duration::from_secs(60), "something listens at port {port} of ::1");
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn only_targets_of_this_machine_are_looked_for() {
        let is_here = |url: &str| is_here(&url.parse().unwrap());
        assert!(["http://localhost:8080/", "http://127.0.0.2/", "https://[::1]/a"].into_iter().all(is_here));
        let hosts = std::fs::read_to_string("/etc/hosts").unwrap_or_default();
        let loopbacks = hosts.lines().filter_map(|line| line.strip_prefix("127.0.")?.split_whitespace().nth(1));
        assert!(loopbacks.map(|name| format!("http://{name}:8080/")).all(|url| is_here(&url)), "{hosts}");
        let others = ["http://192.0.2.1/", "http://localhost.example/", "http://[2001:db8::1]/", "http://0.0.0.0/"];
        assert!(!others.into_iter().any(is_here));
    }
}
