//! Finds the process that answers a URL of this machine.

use plimsoll_observe::listener::{self, addresses, listener_of};
use url::{Host, Url};

use crate::{cli::WatchArgs, failure::Failure};

/// The process that is watched.
pub enum Target {
    /// This process and its children.
    Process(i32),
    /// Nobody, and why, if that is worth a remark.
    Nobody(Option<String>),
}

impl Target {
    /// The process, if there is one.
    pub fn pid(&self) -> Option<i32> {
        match self {
            Self::Process(pid) => Some(*pid),
            Self::Nobody(_) => None,
        }
    }
}

/// The process that is named, or else the one that answers a URL of this machine.
pub fn find(arguments: &WatchArgs, url: &Url) -> Result<Target, Failure> {
    if let Some(pid) = arguments.pid {
        return match listener::is_there(pid) {
            true => Ok(Target::Process(pid)),
            false => Err(Failure::input(format_args!("--pid {pid}: expected a process that runs, found none"))),
        };
    }
    if arguments.no_watch || !is_here(url) {
        return Ok(Target::Nobody(None));
    }
    Ok(listener_at(url).map_or_else(|why| Target::Nobody(Some(remark(url, &why))), Target::Process))
}

/// The process that answers a URL of this machine.
pub fn listener_at(url: &Url) -> Result<i32, listener::Unknown> {
    listener_of(&addresses(url.host_str().unwrap_or_default(), port(url)))
}

/// The port of the URL.
pub fn port(url: &Url) -> u16 {
    url.port_or_known_default().unwrap_or(0)
}

fn remark(url: &Url, why: &listener::Unknown) -> String {
    let port = port(url);
    format!("CPU and memory of the target are not watched, port {port}: {why} (--pid N names it, --no-watch is silent)")
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
