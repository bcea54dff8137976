//! Ports of servers that nobody can reach.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpStream},
    os::fd::OwnedFd,
    thread,
    time::Duration,
};

use rustix::net::{AddressFamily, SocketType, bind, getsockname, listen, socket};

use crate::behaviour::Place;

/// A connection over loopback that was not made by then is not made at all.
const PATIENCE: Duration = Duration::from_millis(500);

/// Linux lets one more wait.
const BACKLOG: i32 = 1;

/// A port that is taken as long as this lives.
pub struct Absent {
    pub address: SocketAddr,
    socket: OwnedFd,
    /// Connections that wait to be accepted.
    waiting: Vec<TcpStream>,
}

impl Absent {
    /// None at a place where somebody accepts.
    pub fn of(place: Place) -> io::Result<Option<Self>> {
        match place {
            Place::Closed => Self::bound().map(Some),
            Place::Full => Self::full().map(Some),
            Place::Connected | Place::Requested => Ok(None),
        }
    }

    /// Keeps the port as long as the process lives.
    pub fn stay(self) -> ! {
        loop {
            thread::park();
        }
    }

    /// A port on which nobody listens.
    fn bound() -> io::Result<Self> {
        let socket = socket(AddressFamily::INET, SocketType::STREAM, None)?;
        bind(&socket, &SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
        let address = SocketAddr::try_from(getsockname(&socket)?)?;
        Ok(Self { address, socket, waiting: Vec::new() })
    }

    /// Somebody listens and does not accept: once the queue is full, the kernel drops whatever comes. On a busy machine
    /// a connect may also be too late while there is room, so that those who wait are counted.
    fn full() -> io::Result<Self> {
        let mut absent = Self::bound()?;
        listen(&absent.socket, BACKLOG)?;
        loop {
            let is_full = absent.waiting.len() > BACKLOG as usize;
            match TcpStream::connect_timeout(&absent.address, PATIENCE) {
                Ok(stream) => absent.waiting.push(stream),
                Err(error) if error.kind() == io::ErrorKind::TimedOut && is_full => return Ok(absent),
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {}
                Err(error) => return Err(error),
            }
        }
    }
}
