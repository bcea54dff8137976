//! The process that listens where connections to an address of this machine go, also where that is a container.

mod forwarded;

use std::{
    collections::BTreeSet,
    fmt, fs,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs},
};

use crate::{
    parse::{
        net,
        socket::{Ports, Socket, State},
    },
    read::{self, sock_diag::SockDiag},
    server,
};

/// Programs that only hand connections on, or keep a port for what the kernel hands on: their CPU is not the service's.
const FORWARDERS: [&str; 11] = [
    "docker-proxy",
    "dockerd",
    "rootlesskit",
    "rootlessport",
    "conmon",
    "slirp4netns",
    "pasta",
    "pasta.avx2",
    "kubectl",
    "ssh",
    "sshd",
];

/// A process that answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answering {
    /// Its number.
    pub pid: i32,
    /// The port on which it listens, in its own network namespace.
    pub port: u16,
    /// The process that hands connections on to it, where one does.
    pub through: Option<i32>,
}

impl Answering {
    /// All processes that have a part in an answer.
    pub fn pids(self) -> impl Iterator<Item = i32> {
        [self.pid].into_iter().chain(self.through)
    }
}

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

/// The addresses of this machine that `host`, as a URL has it, stands for, in the order in which loads try them. Names
/// that no resolver knows, such as `shop.localhost`, are the loopbacks (RFC 6761, section 6.3).
pub fn addresses(host: &str, port: u16) -> Vec<SocketAddr> {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let loopbacks = || [Ipv6Addr::LOCALHOST.into(), Ipv4Addr::LOCALHOST.into()].map(|ip: IpAddr| (ip, port).into());
    (host, port).to_socket_addrs().map_or_else(|_| loopbacks().to_vec(), Iterator::collect)
}

/// Whether connections to this address end on this machine: at a loopback, or at an address of this network namespace
/// or of another one, such as a container's.
pub fn is_here(ip: IpAddr) -> bool {
    forwarded::is_own(ip) || !forwarded::in_namespaces_of(ip).is_empty()
}

/// The process that answers at the first of `addresses` where one listens, as a load connects there. Where a process
/// and its descendants share the socket, it is the process. Behind docker-proxy it is the one in the container.
///
/// # Errors
///
/// Why none can be named.
pub fn listener_of(addresses: &[SocketAddr]) -> Result<Answering, Unknown> {
    let at = |to: &SocketAddr| match forwarded::is_own(to.ip()) {
        true => answering(&listening(Some(to.port())), to.ip()),
        false => elsewhere(*to),
    };
    let found = addresses.iter().map(|to| (to.port(), at(to))).find(|(_, sockets)| !sockets.is_empty());
    let (port, sockets) = found.ok_or(Unknown::Nobody)?;
    let owners = owners(&sockets);
    // Newer engines keep open the socket that they have made for docker-proxy.
    let proxied = owners.iter().find_map(|&pid| Some((pid, forwarded::destination(pid)?)));
    if let Some((proxy, to)) = proxied {
        return match only(&self::owners(&elsewhere(to))) {
            Ok(pid) => Ok(Answering { pid, port: to.port(), through: Some(proxy) }),
            Err(Unknown::Hidden) => Err(Unknown::Forwarder(forwarded::DOCKER_PROXY.to_owned())),
            Err(other) => Err(other),
        };
    }
    only(&owners).map(|pid| Answering { pid, port, through: None })
}

/// Processes that have one of these sockets open.
fn owners(sockets: &[Socket]) -> Vec<i32> {
    let inodes: BTreeSet<u32> = sockets.iter().map(|socket| socket.inode).collect();
    let is_owner = |&pid: &i32| read::socket_inodes(pid).any(|inode| inodes.contains(&inode));
    if inodes.is_empty() { Vec::new() } else { pids().into_iter().filter(is_owner).collect() }
}

/// The sockets that answer at an address of another network namespace of this machine.
fn elsewhere(to: SocketAddr) -> Vec<Socket> {
    let listens = |socket: &Socket| socket.state == State::Listen && socket.local_port == to.port();
    let of = |pid: i32| -> Vec<Socket> {
        let listening: Vec<Socket> = sockets_from_text(&pid.to_string()).into_iter().filter(listens).collect();
        answering(&listening, to.ip())
    };
    forwarded::in_namespaces_of(to.ip()).into_iter().flat_map(of).collect()
}

/// The process that is meant among those that have a socket open: the ancestor of all others.
fn only(owners: &[i32]) -> Result<i32, Unknown> {
    match roots(owners, |pid| read::stat(pid).map(|stat| stat.parent))[..] {
        [] => Err(Unknown::Hidden),
        [pid] => match server::name(pid).filter(|name| FORWARDERS.contains(&name.as_str())) {
            Some(forwarder) => Err(Unknown::Forwarder(forwarder)),
            None => Ok(pid),
        },
        ref several => Err(Unknown::Several(several.to_vec())),
    }
}

/// The addresses at which the descendants of `ancestor` listen, in this network namespace, sorted.
pub fn listened_to_below(ancestor: i32) -> Vec<SocketAddr> {
    let parent = |pid| read::stat(pid).map(|stat| stat.parent);
    let is_below = |&pid: &i32| ancestors(pid, parent).any(|above| above == ancestor);
    let inodes: BTreeSet<u32> = pids().into_iter().filter(is_below).flat_map(read::socket_inodes).collect();
    let sockets = listening(None).into_iter().filter(|socket| inodes.contains(&socket.inode));
    let addresses: BTreeSet<SocketAddr> = sockets.map(|socket| (socket.local, socket.local_port).into()).collect();
    addresses.into_iter().collect()
}

/// Whether a process of this number goes on. One that has exited keeps its number until its parent has waited for it.
pub fn is_there(pid: i32) -> bool {
    read::stat(pid).is_some_and(|stat| !matches!(stat.state, 'Z' | 'X'))
}

/// The sockets, of those that listen on a port, which take connections to `to`: the ones bound to it, else to all
/// addresses of its family, else, for IPv4, to all of both families (the kernel's `inet_lookup_listener`). Several
/// share them by `SO_REUSEPORT`.
fn answering(listening: &[Socket], to: IpAddr) -> Vec<Socket> {
    let to = to.to_canonical();
    let (any, any_of_both) = (Ipv4Addr::UNSPECIFIED.into(), Ipv6Addr::UNSPECIFIED.into());
    let bound = if to.is_ipv4() { vec![to, any, any_of_both] } else { vec![to, any_of_both] };
    let at = |local: IpAddr| -> Vec<Socket> { listening.iter().filter(|it| it.local == local).copied().collect() };
    bound.into_iter().map(at).find(|sockets| !sockets.is_empty()).unwrap_or_default()
}

/// Sockets that listen on `port`, or on any.
fn listening(port: Option<u16>) -> Vec<Socket> {
    let mut found = Vec::new();
    let mut keep = |socket: Socket| {
        if socket.state == State::Listen && port.is_none_or(|port| socket.local_port == port) {
            found.push(socket);
        }
    };
    let ports = port.map(|port| Ports { listening: vec![port], remote: Vec::new() });
    let asked = SockDiag::open().and_then(|mut diag| diag.each(ports.as_ref(), &mut keep));
    if asked.is_err() {
        sockets_from_text("thread-self").into_iter().for_each(&mut keep);
    }
    found
}

/// All sockets of the network namespace of a process.
fn sockets_from_text(pid: &str) -> Vec<Socket> {
    let texts = ["tcp", "tcp6"].map(|file| read::text(format!("/proc/{pid}/net/{file}")).unwrap_or_default());
    texts.iter().flat_map(|text| net::sockets(text)).collect()
}

/// Numbers of all processes that are seen.
pub(crate) fn pids() -> Vec<i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The `pids` of which no ancestor is among them, and that have not ended since they were found.
fn roots(pids: &[i32], parent: impl Fn(i32) -> Option<i32>) -> Vec<i32> {
    let is_root = |pid| parent(pid).is_some() && !ancestors(pid, &parent).any(|ancestor| pids.contains(&ancestor));
    pids.iter().copied().filter(|&pid| is_root(pid)).collect()
}

fn ancestors(pid: i32, parent: impl Fn(i32) -> Option<i32>) -> impl Iterator<Item = i32> {
    std::iter::successors(parent(pid), move |&pid| parent(pid))
}

#[cfg(test)]
mod tests {
    use std::{net::TcpListener, process};

    use rustix::fs::fstat;

    use super::*;

    /// Inodes of the sockets that take connections to `to`.
    fn inodes(to: &str) -> Vec<u32> {
        let to: SocketAddr = to.parse().expect("an address");
        answering(&listening(Some(to.port())), to.ip()).into_iter().map(|socket| socket.inode).collect()
    }

    fn inode(listener: &TcpListener) -> u32 {
        u32::try_from(fstat(listener).expect("open").st_ino).expect("inodes of sockets are small")
    }

    /// This process, which listens there.
    fn own(port: u16) -> Answering {
        Answering { pid: i32::try_from(process::id()).expect("a pid fits"), port, through: None }
    }

    #[test]
    fn the_owner_of_a_listening_socket_is_found() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(address) else { continue };
            let to = listener.local_addr().expect("bound");
            assert_eq!(listener_of(&[to]), Ok(own(to.port())), "{address}");
        }
        let nobody = addresses("127.0.0.1", 9);
        assert_eq!(listener_of(&nobody), Err(Unknown::Nobody));
    }

    #[test]
    fn of_addresses_the_first_where_one_listens_counts() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let port = listener.local_addr().expect("bound").port();
        assert_eq!(listener_of(&[([127, 0, 0, 1], 9).into(), ([127, 0, 0, 1], port).into()]), Ok(own(port)));
    }

    #[test]
    fn addresses_of_descendants_are_told() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let own = i32::try_from(process::id()).expect("a pid fits");
        let parent = read::stat(own).expect("it is there").parent;
        assert!(listened_to_below(parent).contains(&listener.local_addr().expect("bound")));
    }

    #[test]
    fn hosts_of_urls_stand_for_their_addresses() {
        let both = ["[::1]:80", "127.0.0.1:80"].map(|it| it.parse().expect("an address"));
        assert_eq!(addresses("no-such-name.localhost.", 80)[..], both);
        assert_eq!(addresses("[::1]", 80), both[..1]);
        assert_eq!(addresses("127.0.0.1", 80), both[1..]);
        assert!(addresses("localhost", 80).contains(&both[1]));
    }

    #[test]
    fn a_socket_of_another_address_with_the_same_port_is_another_service() {
        // Somebody else may have the second address with the port that the kernel gave for the first.
        let (first, second) = (0..100)
            .find_map(|_| {
                let first = TcpListener::bind("127.0.0.1:0").expect("loopback");
                let port = first.local_addr().expect("bound").port();
                Some((first, TcpListener::bind((Ipv4Addr::new(127, 0, 0, 2), port)).ok()?))
            })
            .expect("a port that is free at both addresses");
        let (one, other) = (first.local_addr().expect("bound"), second.local_addr().expect("bound"));
        assert_eq!((inodes(&one.to_string()), inodes(&other.to_string())), (vec![inode(&first)], vec![inode(&second)]));
        let third = format!("127.0.0.3:{}", one.port());
        assert!(!inodes(&third).iter().any(|it| [inode(&first), inode(&second)].contains(it)));
    }

    #[test]
    fn the_most_specific_socket_answers() {
        let socket = |local: &str, inode| Socket {
            state: State::Listen,
            local: local.parse().expect("an address"),
            local_port: 80,
            remote_port: 0,
            receive_queue: 0,
            send_queue: None,
            inode,
        };
        let sockets =
            [socket("::", 1), socket("0.0.0.0", 2), socket("127.0.0.1", 3), socket("127.0.0.1", 4), socket("::1", 5)];
        let found = |sockets: &[Socket], to: &str| -> Vec<u32> {
            answering(sockets, to.parse().expect("an address")).into_iter().map(|it| it.inode).collect()
        };
        assert_eq!(found(&sockets, "127.0.0.1"), [3, 4], "they share the port by SO_REUSEPORT");
        assert_eq!(found(&sockets, "::ffff:127.0.0.1"), [3, 4]);
        assert_eq!(found(&sockets, "127.0.0.2"), [2]);
        assert_eq!((found(&sockets, "::1"), found(&sockets, "fe80::1")), (vec![5], vec![1]));
        assert_eq!(found(&sockets[..1], "127.0.0.1"), [1], "it listens on both families");
        assert_eq!(found(&sockets[1..4], "::1"), [0; 0]);
    }

    #[test]
    fn a_socket_of_all_addresses_answers_at_each() {
        for any in ["0.0.0.0:0", "[::]:0"] {
            let Ok(listener) = TcpListener::bind(any) else { continue };
            let to = format!("127.0.0.1:{}", listener.local_addr().expect("bound").port());
            assert_eq!(inodes(&to), [inode(&listener)], "{any}");
        }
    }

    #[test]
    fn of_processes_that_share_a_socket_the_first_is_meant() {
        // 10 has forked 11 and 12, and 12 has forked 13; 20 is another service.
        let parent =
            |pid| [(10, 1), (11, 10), (12, 10), (13, 12), (20, 1)].iter().find(|it| it.0 == pid).map(|it| it.1);
        assert_eq!(roots(&[11, 10, 13, 12], parent), [10]);
        assert_eq!(roots(&[10, 13], parent), [10], "though 12 has closed it");
        assert_eq!(roots(&[10, 14], parent), [10], "14, of whom nothing is left, was forked by 10");
        assert_eq!(roots(&[10, 20], parent), [10, 20]);
        assert_eq!(Unknown::Several(vec![10, 20]).to_string(), "processes 10, 20 listen there");
    }
}
