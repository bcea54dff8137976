//! The process that answers a URL of this machine.

use plimsoll_observe::listener::{self, addresses, listener_of};
use url::{Host, Url};

/// The process that answers a URL of this machine.
///
/// # Errors
/// Why none can be named.
pub fn listener_at(url: &Url) -> Result<i32, listener::Unknown> {
    listener_of(&addresses(url.host_str().unwrap_or_default(), port(url)))
}

/// The port of the URL.
pub fn port(url: &Url) -> u16 {
    url.port_or_known_default().unwrap_or(0)
}

/// Whether the URL is of this machine.
pub fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_targets_of_this_machine_are_looked_for() {
        let is_here = |url: &str| is_here(&url.parse().unwrap());
        assert!(["http://localhost:8080/", "http://127.0.0.2/", "https://[::1]/a"].into_iter().all(is_here));
        assert!(!["http://10.0.0.1:8080/", "http://localhost.example/", "http://[fe80::1]/"].into_iter().any(is_here));
    }
}
