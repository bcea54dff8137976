//! A server on loopback that is hostile to every other request, or connection, and answers the rest well.

use std::{
    io,
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use crate::{
    absent::Absent,
    behaviour::{Behaviour, Connections, Family, Place, Security},
    frames::{Frames, PREFACE, flag, kind},
    play::Wire,
    tls::{self, Certificate},
};

/// Body of good answers.
pub const GOOD_BODY: &str = "ok";

/// A server; its threads live as long as the process.
pub struct Server {
    /// Its address on 127.0.0.1.
    pub address: SocketAddr,
}

/// Requests, or connections, that are met with hostility.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Targets {
    /// Every other one, from the first.
    EveryOther,
    All,
}

struct Shared {
    behaviour: Behaviour,
    targets: Targets,
    /// Requests, or connections, that were met so far.
    met: AtomicU64,
}

impl Server {
    /// Starts one on a port that the kernel chooses.
    ///
    /// # Errors
    ///
    /// The system's, if there is no port.
    pub fn start(behaviour: &Behaviour) -> io::Result<Self> {
        Self::hostile_to(behaviour, Targets::EveryOther)
    }

    /// Starts one that answers nobody well.
    ///
    /// # Errors
    ///
    /// As of [`Server::start`].
    pub fn start_hostile_to_all(behaviour: &Behaviour) -> io::Result<Self> {
        Self::hostile_to(behaviour, Targets::All)
    }

    fn hostile_to(behaviour: &Behaviour, targets: Targets) -> io::Result<Self> {
        if let Some(absent) = Absent::of(behaviour.place)? {
            let address = absent.address;
            thread::spawn(move || absent.stay());
            return Ok(Self { address });
        }
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { behaviour: behaviour.clone(), targets, met: AtomicU64::new(0) });
        thread::spawn(move || {
            for socket in listener.incoming().map_while(Result::ok) {
                let shared = shared.clone();
                // A peer that goes away ends its thread.
                thread::spawn(move || shared.serve(socket));
            }
        });
        Ok(Self { address })
    }
}

impl Shared {
    /// Whether the next one is met with hostility.
    fn is_hostile(&self) -> bool {
        self.targets == Targets::All || self.met.fetch_add(1, Relaxed).is_multiple_of(2)
    }

    fn serve(&self, socket: TcpStream) -> io::Result<()> {
        let at_once = self.behaviour.place == Place::Connected;
        let is_hostile = at_once && self.is_hostile();
        let mut wire = self.open(socket, is_hostile)?;
        if self.behaviour.family == Family::Proxy {
            wire.read_head()?;
            if !is_hostile {
                wire.send(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
            }
        }
        if self.behaviour.family == Family::Http2 {
            return Http2 { wire: &mut wire, shared: self }.serve(is_hostile);
        }
        if is_hostile {
            wire.play(&self.behaviour.steps, 0)?;
            return wire.end();
        }
        self.answer_each(&mut wire, at_once)
    }

    /// The connection with its TLS, as far as it has any.
    fn open(&self, socket: TcpStream, is_hostile: bool) -> io::Result<Wire> {
        match self.behaviour.security {
            Security::None => Wire::plain(socket),
            Security::Missing if is_hostile => Wire::plain(socket),
            Security::Bad(certificate) if is_hostile => tls::accept(socket, certificate),
            Security::Sound | Security::Missing | Security::Bad(_) => tls::accept(socket, Certificate::Good),
        }
    }

    /// Requests of HTTP/1.1, one after another; only one where the next connection is to be hostile.
    fn answer_each(&self, wire: &mut Wire, only_one: bool) -> io::Result<()> {
        loop {
            wire.read_head()?;
            if only_one {
                wire.send(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")?;
                return wire.end();
            }
            if self.is_hostile() {
                wire.play(&self.behaviour.steps, 0)?;
                if self.behaviour.outcome.connections != Connections::Kept {
                    return wire.end();
                }
            } else {
                wire.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")?;
            }
        }
    }
}

/// A connection of HTTP/2, read frame by frame.
struct Http2<'a> {
    wire: &'a mut Wire,
    shared: &'a Shared,
}

impl Http2<'_> {
    fn serve(self, is_hostile: bool) -> io::Result<()> {
        let Self { wire, shared } = self;
        let steps = &shared.behaviour.steps;
        wire.skip(PREFACE.len())?;
        if is_hostile {
            wire.play(steps, 0)?;
            return wire.end();
        }
        wire.send(&Frames::default().settings(&[]).0)?;
        loop {
            let [_, a, b, frame, flags, stream @ ..] = wire.read::<9>()?.map(u32::from);
            // Frames of this client have less than 64 KiB.
            wire.skip((a << 8 | b) as usize)?;
            let stream = stream.iter().fold(0, |number, byte| number << 8 | byte);
            let is_whole = flags & u32::from(flag::END_STREAM) != 0;
            if !(is_whole && [kind::HEADERS, kind::DATA].map(u32::from).contains(&frame)) {
                continue;
            }
            if shared.behaviour.place == Place::Connected {
                let last = [&stream.to_be_bytes()[..], &[0; 4]].concat();
                wire.send(&Frames::default().ok(stream).and(kind::GOAWAY, 0, 0, &last).0)?;
            } else if shared.is_hostile() {
                wire.play(steps, stream)?;
            } else {
                wire.send(&Frames::default().ok(stream).0)?;
            }
        }
    }
}
