//! One non-blocking connection.

use std::net::{IpAddr, SocketAddr};

use nix::sys::socket::{setsockopt, sockopt::IpBindAddressNoPort};
use plimsoll_record::ErrorKind;
use rustix::{
    fd::OwnedFd,
    io::Errno,
    net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, connect, ipproto, socket_with, sockopt},
};

const FLAGS: SocketFlags = SocketFlags::NONBLOCK.union(SocketFlags::CLOEXEC);

/// Begins to connect, from `source` if one is given. Whether it worked shows in the socket's error once it is writable.
pub(crate) fn begin_connect(address: SocketAddr, source: Option<IpAddr>) -> Result<OwnedFd, Errno> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let socket = socket_with(family, SocketType::STREAM, FLAGS, Some(ipproto::TCP))?;
    sockopt::set_tcp_nodelay(&socket, true)?;
    if let Some(source) = source {
        // The port is chosen by `connect`, which knows the other end: ports to other ends may be used twice.
        setsockopt(&socket, IpBindAddressNoPort, &true).map_err(|error| Errno::from_raw_os_error(error as i32))?;
        bind(&socket, &SocketAddr::new(source, 0))?;
    }
    match connect(&socket, &address) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(socket),
        Err(error) => Err(error),
    }
}

/// The same to a Unix socket. It fails with `AGAIN` while the listener's backlog is full.
pub(crate) fn begin_connect_unix(address: &SocketAddrUnix) -> Result<OwnedFd, Errno> {
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, FLAGS, None)?;
    connect(&socket, address)?;
    Ok(socket)
}

/// Kind under which a system error is counted.
pub(crate) fn kind_of(error: Errno) -> ErrorKind {
    match error {
        // A Unix socket that is not there.
        Errno::CONNREFUSED | Errno::NOENT => ErrorKind::Refused,
        Errno::CONNRESET | Errno::PIPE | Errno::CONNABORTED => ErrorKind::Reset,
        Errno::TIMEDOUT => ErrorKind::ConnectTimeout,
        Errno::ADDRNOTAVAIL => ErrorKind::PortsExhausted,
        Errno::MFILE | Errno::NFILE => ErrorKind::DescriptorsExhausted,
        Errno::NETUNREACH | Errno::HOSTUNREACH => ErrorKind::Unreachable,
        _ => ErrorKind::Other,
    }
}
