//! One non-blocking TCP connection.

use std::net::SocketAddr;

use plimsoll_record::ErrorKind;
use rustix::{
    fd::OwnedFd,
    io::Errno,
    net::{AddressFamily, SocketFlags, SocketType, connect, ipproto, socket_with, sockopt},
};

/// Begins to connect. Whether it worked shows in the socket's error once it is writable.
pub(crate) fn begin_connect(address: SocketAddr) -> Result<OwnedFd, Errno> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = socket_with(family, SocketType::STREAM, flags, Some(ipproto::TCP))?;
    sockopt::set_tcp_nodelay(&socket, true)?;
    match connect(&socket, &address) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(socket),
        Err(error) => Err(error),
    }
}

/// What a system error means for a request.
pub(crate) fn kind_of(error: Errno) -> ErrorKind {
    match error {
        Errno::CONNREFUSED => ErrorKind::Refused,
        Errno::CONNRESET | Errno::PIPE | Errno::CONNABORTED => ErrorKind::Reset,
        Errno::TIMEDOUT => ErrorKind::ConnectTimeout,
        Errno::ADDRNOTAVAIL => ErrorKind::PortsExhausted,
        Errno::MFILE | Errno::NFILE => ErrorKind::DescriptorsExhausted,
        Errno::NETUNREACH | Errno::HOSTUNREACH => ErrorKind::Unreachable,
        _ => ErrorKind::Other,
    }
}
