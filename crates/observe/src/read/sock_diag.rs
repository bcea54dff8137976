//! Asks the kernel for TCP sockets by netlink: much cheaper than text of `/proc`, filtered in the kernel, and with the
//! limit of accept queues.

use std::{
    fs::File,
    io,
    os::fd::{AsFd, OwnedFd},
    time::Duration,
};

use rustix::{
    io::Errno,
    net::{
        AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send, socket_with,
        sockopt::{Timeout, set_socket_timeout},
    },
    thread::{LinkNameSpaceType, move_into_link_name_space},
};

use crate::parse::{
    sock_diag::{self, Family, Progress},
    socket::{Connection, Listener, Ports, Socket},
};

/// The kernel fills at most 32 kB at a time.
const BUFFER_BYTES: usize = 64 * 1024;
/// The kernel answers at once, or not at all.
const PATIENCE: Duration = Duration::from_secs(1);

/// A netlink socket that lists the TCP sockets of one network namespace.
#[derive(Debug)]
pub struct SockDiag {
    netlink: OwnedFd,
    sequence: u32,
    buffer: Vec<u8>,
}

impl SockDiag {
    /// A socket for this thread's network namespace.
    ///
    /// # Errors
    ///
    /// If the kernel, or a container's filter, refuses.
    pub fn open() -> io::Result<Self> {
        let (kind, flags) = (SocketType::DGRAM, SocketFlags::CLOEXEC);
        let netlink = socket_with(AddressFamily::NETLINK, kind, flags, Some(netlink::SOCK_DIAG))?;
        set_socket_timeout(&netlink, Timeout::Recv, Some(PATIENCE))?;
        Ok(Self { netlink, sequence: 0, buffer: vec![0; BUFFER_BYTES] })
    }

    /// A socket for the network namespace of another process: this thread is in there for a moment.
    ///
    /// # Errors
    ///
    /// As [`SockDiag::open`]; also if this thread may not enter (only root may).
    pub fn open_in_namespace_of(pid: i32) -> io::Result<Self> {
        let enter = |namespace: &File| move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network));
        let ours = File::open("/proc/thread-self/ns/net")?;
        enter(&File::open(format!("/proc/{pid}/ns/net"))?)?;
        let opened = Self::open();
        enter(&ours)?;
        opened
    }

    /// Hands each socket that is of `ports`, or every socket, to `each`.
    ///
    /// # Errors
    ///
    /// If the kernel refuses, does not answer, or answers something else.
    pub fn each(&mut self, ports: Option<&Ports>, mut each: impl FnMut(Socket)) -> io::Result<()> {
        let ports = ports.map(|ports| (ports.listening.as_slice(), ports.remote.as_slice()));
        self.each_answer(
            |family, sequence| sock_diag::request(family, sequence, ports),
            |buffer, sequence| sock_diag::sockets(buffer, sequence, &mut each),
        )
    }

    /// Hands every socket to `each`, with how its exchange of data stands.
    ///
    /// # Errors
    ///
    /// As [`SockDiag::each`].
    pub fn each_connection(&mut self, mut each: impl FnMut(Connection)) -> io::Result<()> {
        self.each_answer(sock_diag::detailed_request, |buffer, sequence| {
            sock_diag::connections(buffer, sequence, &mut each)
        })
    }

    /// Hands each socket that listens on one of `ports` to `each`.
    ///
    /// # Errors
    ///
    /// As [`SockDiag::each`].
    pub fn each_listening(&mut self, ports: &[u16], mut each: impl FnMut(Listener)) -> io::Result<()> {
        self.each_answer(
            |family, sequence| sock_diag::listening_request(family, sequence, ports),
            |buffer, sequence| sock_diag::listeners(buffer, sequence, &mut each),
        )
    }

    fn each_answer(
        &mut self,
        request: impl Fn(Family, u32) -> Vec<u8>,
        mut read: impl FnMut(&[u8], u32) -> Progress,
    ) -> io::Result<()> {
        let mut of_family = |family| self.each_of(family, &request(family, self.sequence.wrapping_add(1)), &mut read);
        [Family::V4, Family::V6].into_iter().try_for_each(&mut of_family)
    }

    fn each_of(
        &mut self,
        family: Family,
        request: &[u8],
        read: &mut impl FnMut(&[u8], u32) -> Progress,
    ) -> io::Result<()> {
        self.sequence = self.sequence.wrapping_add(1);
        send(&self.netlink, request, SendFlags::empty())?;
        loop {
            let length = match recv(&self.netlink, self.buffer.as_mut_slice(), RecvFlags::empty()) {
                Err(Errno::INTR) => continue,
                other => other?.0,
            };
            match read(&self.buffer[..length], self.sequence) {
                Progress::More => {}
                Progress::Done => return Ok(()),
                // A kernel without IPv6 has no sockets of it.
                Progress::Refused(code) if code == Errno::NOENT.raw_os_error() && family == Family::V6 => return Ok(()),
                Progress::Refused(code) => return Err(io::Error::from_raw_os_error(code)),
                Progress::Garbled => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener, TcpStream};

    use super::*;
    use crate::parse::socket::State;

    #[test]
    fn a_listening_socket_and_both_ends_of_its_connections_are_found() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let port = listener.local_addr().expect("bound").port();
        let clients: Vec<TcpStream> =
            (0..3).map(|_| TcpStream::connect(("127.0.0.1", port)).expect("it listens")).collect();
        let accepted = listener.accept().expect("one has come");

        let mut diag = SockDiag::open().expect("netlink is allowed here");
        let mut found = Vec::new();
        let ports = Ports { listening: vec![port], remote: vec![port] };
        diag.each(Some(&ports), |socket| found.push(socket)).expect("an answer");
        let mut all = 0;
        diag.each(None, |_| all += 1).expect("an answer");
        let mut connections = Vec::new();
        diag.each_connection(|connection| connections.push(connection)).expect("an answer");
        // Another test that had the port before may have left connections of its own in TIME_WAIT.
        let theirs: Vec<u16> = clients.iter().map(|client| client.local_addr().expect("connected").port()).collect();
        drop((clients, accepted));
        let is_of_client = |it: &Socket| it.remote_port == port && theirs.contains(&it.local_port);
        let is_of_server = |it: &Socket| it.local_port == port && theirs.contains(&it.remote_port);
        let client = connections.iter().find(|it| is_of_client(&it.socket)).expect("a client");
        assert!(client.remote.is_loopback());
        assert_eq!(client.exchange.map(|it| (it.sent, it.received)), Some((0, 0)));

        let is_ours = |it: &&Socket| it.state == State::Listen && it.local == Ipv4Addr::LOCALHOST;
        let listening = found.iter().find(is_ours).expect("the listener");
        assert_eq!((listening.local_port, listening.receive_queue), (port, 2), "two are not accepted yet");
        assert!(listening.send_queue > Some(2) && listening.inode != 0);
        let established = |is_ours: &dyn Fn(&Socket) -> bool| {
            found.iter().filter(|it| it.state == State::Established && is_ours(it)).count()
        };
        assert_eq!((established(&is_of_server), established(&is_of_client)), (3, 3));
        let is_asked_for = |it: &Socket| it.local_port == port || it.remote_port == port;
        assert!(found.iter().all(is_asked_for), "the filter lets nothing else pass: {found:?}");
        assert!(all >= 7);
    }
}
