//! The process that listens on a port of this machine.

use std::{collections::BTreeSet, fmt, fs};

use crate::{
    parse::{
        net,
        socket::{Ports, Socket, State},
    },
    read::{self, sock_diag::SockDiag},
};

/// Programs that only hand connections on: their CPU is not the service's.
const FORWARDERS: [&str; 5] = ["docker-proxy", "rootlessport", "kubectl", "ssh", "sshd"];

/// Why no process can be named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Nothing listens there, in this network namespace.
    Nobody,
    /// Its processes may not be looked into: they are another user's, or in another container.
    Hidden,
    /// Several that do not descend from each other.
    Several(Vec<i32>),
    /// One that hands connections on.
    Forwarder(String),
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nobody => write!(f, "no process of this machine listens there"),
            Self::Hidden => write!(
                f,
                "the process that listens there may not be looked into: it is another user's, or in a container; run \
                 this as root, or as that user"
            ),
            Self::Several(pids) => {
                let pids: Vec<String> = pids.iter().map(i32::to_string).collect();
                write!(f, "processes {} listen there", pids.join(", "))
            }
            Self::Forwarder(name) => write!(f, "it is `{name}` that listens there, which hands connections on"),
        }
    }
}

/// The process that listens on `port`; of a process and its descendants, which share the socket, the first.
///
/// # Errors
///
/// Why none can be named.
pub fn listener_of(port: u16) -> Result<i32, Unknown> {
    let inodes: BTreeSet<u32> = listening(port).into_iter().map(|socket| socket.inode).collect();
    if inodes.is_empty() {
        return Err(Unknown::Nobody);
    }
    let owners: Vec<i32> =
        pids().into_iter().filter(|&pid| read::socket_inodes(pid).any(|inode| inodes.contains(&inode))).collect();
    match roots(&owners, |pid| read::stat(pid).map(|stat| stat.parent))[..] {
        [] => Err(Unknown::Hidden),
        [pid] => match name(pid).filter(|name| FORWARDERS.contains(&name.as_str())) {
            Some(forwarder) => Err(Unknown::Forwarder(forwarder)),
            None => Ok(pid),
        },
        ref several => Err(Unknown::Several(several.to_vec())),
    }
}

/// Whether there is a process of this number.
pub fn is_there(pid: i32) -> bool {
    read::stat(pid).is_some()
}

fn listening(port: u16) -> Vec<Socket> {
    let mut found = Vec::new();
    let mut keep = |socket: Socket| {
        if socket.state == State::Listen && socket.local_port == port {
            found.push(socket);
        }
    };
    let ports = Ports { listening: vec![port], remote: Vec::new() };
    let asked = SockDiag::open().and_then(|mut diag| diag.each(Some(&ports), &mut keep));
    if asked.is_err() {
        for file in ["tcp", "tcp6"] {
            let text = read::text(format!("/proc/self/net/{file}")).unwrap_or_default();
            net::sockets(&text).for_each(&mut keep);
        }
    }
    found
}

/// Numbers of all processes that are seen.
pub(crate) fn pids() -> Vec<i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Those of `pids` of which no ancestor is among them.
fn roots(pids: &[i32], parent: impl Fn(i32) -> Option<i32>) -> Vec<i32> {
    let ancestors = |pid: i32| std::iter::successors(parent(pid), |&pid| parent(pid));
    pids.iter().copied().filter(|&pid| !ancestors(pid).any(|ancestor| pids.contains(&ancestor))).collect()
}

fn name(pid: i32) -> Option<String> {
    Some(read::text(format!("/proc/{pid}/comm"))?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::{net::TcpListener, process};

    use super::*;

    #[test]
    fn the_owner_of_a_listening_socket_is_found() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(address) else { continue };
            let port = listener.local_addr().expect("bound").port();
            assert_eq!(listener_of(port), Ok(i32::try_from(process::id()).expect("a pid fits")), "{address}");
        }
        assert_eq!(listener_of(9), Err(Unknown::Nobody));
    }

    #[test]
    fn of_processes_that_share_a_socket_the_first_is_meant() {
        // 10 has forked 11 and 12, and 12 has forked 13; 20 is another service.
        let parent =
            |pid| [(10, 1), (11, 10), (12, 10), (13, 12), (20, 1)].iter().find(|it| it.0 == pid).map(|it| it.1);
        assert_eq!(roots(&[11, 10, 13, 12], parent), [10]);
        assert_eq!(roots(&[10, 13], parent), [10], "though 12 has closed it");
        assert_eq!(roots(&[10, 20], parent), [10, 20]);
        assert_eq!(Unknown::Several(vec![10, 20]).to_string(), "processes 10, 20 listen there");
    }
}
