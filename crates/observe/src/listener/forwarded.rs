//! Ports that a container engine publishes: where their proxy leads, and who is there.

use std::{
    collections::BTreeSet,
    net::{IpAddr, SocketAddr},
};

use super::pids;
use crate::{
    parse::{net, process::option},
    read, server,
};

/// Docker's program that listens on a published port.
pub(super) const DOCKER_PROXY: &str = "docker-proxy";

/// Where a process hands connections on to, if it is docker-proxy: its arguments tell.
pub(super) fn destination(pid: i32) -> Option<SocketAddr> {
    if server::name(pid)? != DOCKER_PROXY {
        return None;
    }
    let line = read::text(format!("/proc/{pid}/cmdline"))?;
    let (ip, port) = (option(&line, "container-ip")?, option(&line, "container-port")?);
    Some((ip.parse::<IpAddr>().ok()?, port.parse().ok()?).into())
}

/// Whether this is an address of this thread's network namespace; also where that cannot be known.
pub(super) fn is_own(ip: IpAddr) -> bool {
    let ip = ip.to_canonical();
    ip.is_loopback() || has_address("thread-self", ip).unwrap_or(true)
}

/// A process in each other network namespace that has this address. Engines may give the same one to two containers.
pub(super) fn in_namespaces_of(ip: IpAddr) -> Vec<i32> {
    let ip = ip.to_canonical();
    let mut seen: BTreeSet<_> = read::own_network_namespace().into_iter().collect();
    let is_new = |pid: &i32| read::network_namespace(*pid).is_some_and(|namespace| seen.insert(namespace));
    let has = |pid: &i32| has_address(&pid.to_string(), ip) == Some(true);
    pids().into_iter().filter(is_new).filter(has).collect()
}

fn has_address(pid: &str, ip: IpAddr) -> Option<bool> {
    let text = |file: &str| read::text(format!("/proc/{pid}/net/{file}"));
    Some(match ip {
        IpAddr::V4(ip) => net::own_addresses(&text("fib_trie")?).any(|own| own == ip),
        IpAddr::V6(ip) => net::own_addresses_v6(&text("if_inet6")?).any(|own| own == ip),
    })
}

#[cfg(test)]
mod tests {
    use std::process;

    use super::*;

    #[test]
    fn the_addresses_of_a_namespace_are_known() {
        let (loopback, nobodys) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([192, 0, 2, 1]));
        assert_eq!([loopback, nobodys].map(|ip| has_address("self", ip)), [Some(true), Some(false)]);
        assert_eq!(has_address("0", loopback), None);
        assert_eq!([loopback, [127, 9, 9, 9].into(), nobodys].map(is_own), [true, true, false]);
        let own = i32::try_from(process::id()).expect("a pid fits");
        // Others of this name would be in other namespaces, where 127.0.0.1 is another machine.
        assert!(!in_namespaces_of(loopback).contains(&own));
    }

    #[test]
    fn only_docker_proxy_tells_where_it_leads() {
        assert_eq!(destination(i32::try_from(process::id()).expect("a pid fits")), None);
        assert_eq!(destination(i32::MAX), None);
    }
}
