//! Steps, played on a socket.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream, ToSocketAddrs},
    thread,
    time::Duration,
};

use rustix::net::sockopt::set_socket_linger;

use crate::behaviour::{Behaviour, Step};

/// Time between the pieces of what drips.
const DRIP: Duration = Duration::from_millis(20);

/// One end of a connection: what is said on it, and the socket beneath, which differs where TLS lies between.
pub struct Wire {
    stream: Box<dyn Duplex>,
    socket: TcpStream,
}

/// Bytes in and out.
pub trait Duplex: Read + Write + Send {
    /// Ends what is sent, in the way of the protocol, as far as the peer still listens.
    fn say_goodbye(&mut self) {}
}

impl Duplex for TcpStream {}

impl Wire {
    /// A connection without TLS.
    pub fn plain(socket: TcpStream) -> io::Result<Self> {
        Ok(Self { stream: Box::new(socket.try_clone()?), socket })
    }

    /// A connection by which `stream` speaks on `socket`.
    pub fn over(stream: impl Duplex + 'static, socket: TcpStream) -> Self {
        Self { stream: Box::new(stream), socket }
    }

    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)?;
        self.stream.flush()
    }

    /// Reads a byte at a time, so that nothing after the request is taken.
    pub fn read_head(&mut self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.read::<1>()?[0]);
        }
        Ok(head)
    }

    pub fn read<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub fn skip(&mut self, bytes: usize) -> io::Result<()> {
        self.stream.read_exact(&mut vec![0; bytes])
    }

    /// Ends the connection as it should be ended.
    pub fn end(&mut self) -> io::Result<()> {
        self.stream.say_goodbye();
        self.socket.shutdown(Shutdown::Both)
    }

    /// Plays `steps`, of which those with frames belong to `stream`.
    ///
    /// # Errors
    ///
    /// The end of the connection, whoever ended it.
    pub fn play(&mut self, steps: &[Step], stream: u32) -> io::Result<()> {
        steps.iter().try_for_each(|step| self.act(step, stream))
    }

    fn act(&mut self, step: &Step, stream: u32) -> io::Result<()> {
        match step {
            Step::Send(bytes) => self.send(bytes),
            Step::Frames(frames) => self.send(&frames(stream).0),
            Step::SendRaw(bytes) => self.socket.write_all(bytes),
            Step::Flood(bytes) => self.flood(bytes),
            Step::FloodFrames(frames) => self.flood(&frames(stream).0),
            Step::Drip(bytes) => loop {
                self.send(bytes)?;
                thread::sleep(DRIP);
            },
            Step::Read => self.stream.read(&mut [0; 64 * 1024]).map(drop),
            Step::Wait => {
                while self.stream.read(&mut [0; 1_000])? > 0 {}
                Ok(())
            }
            Step::Freeze => loop {
                thread::park();
            },
            Step::HalfClose => self.socket.shutdown(Shutdown::Write),
            Step::Reset => {
                set_socket_linger(&self.socket, Some(Duration::ZERO))?;
                Err(io::ErrorKind::ConnectionReset.into())
            }
            Step::Close => {
                self.socket.shutdown(Shutdown::Both)?;
                Err(io::ErrorKind::ConnectionAborted.into())
            }
        }
    }

    fn flood(&mut self, bytes: &[u8]) -> io::Result<()> {
        let many = bytes.repeat((10_000 / bytes.len().max(1)).max(1));
        loop {
            self.send(&many)?;
        }
    }
}

/// Plays a client's behaviour on a new connection to `address`, until it or the server has left.
///
/// # Errors
///
/// The end of the connection, whoever ended it.
pub fn call(behaviour: &Behaviour, address: impl ToSocketAddrs) -> io::Result<()> {
    Wire::plain(TcpStream::connect(address)?)?.play(&behaviour.steps, 0)
}
