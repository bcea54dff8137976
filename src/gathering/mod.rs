//! Sockets and TLS between the parts of a load and their collector. The conversation itself is in `plimsoll-gather`.

mod link;
mod listener;
mod parts;
mod token;

use std::{
    io::{self, Read},
    net::SocketAddr,
    time::{Duration, Instant},
};

pub use link::{Address, Link};
pub use listener::Listener;
pub use parts::Parts;
use plimsoll_gather::hexadecimal;
use plimsoll_record::Nanos;
use plimsoll_text::counted;
use rustix::time::{ClockId, Timespec, clock_gettime};
use sha2::{Digest, Sha256};
pub use token::Token;

/// The length and the SHA-256, in hexadecimal digits, of everything that is read.
pub fn digest(mut of: impl Read) -> io::Result<(u64, String)> {
    let (mut sha256, mut length, mut buffer) = (Sha256::new(), 0, vec![0; 256 * 1024]);
    loop {
        match of.read(&mut buffer)? {
            0 => return Ok((length, hexadecimal(&sha256.finalize()))),
            read => {
                sha256.update(&buffer[..read]);
                length += read as u64;
            }
        }
    }
}

/// How parts join whoever listens at `address`. A token that was given is not shown.
pub fn invitation(address: SocketAddr, parts: u32, token: Option<&(Token, bool)>, command: &str) -> String {
    let scheme = if token.is_some() { "https" } else { "http" };
    let host = match address.ip() {
        ip if ip.is_unspecified() => format!("HOST:{}", address.port()),
        _ => address.to_string(),
    };
    let drawn = token.filter(|(_, is_drawn)| *is_drawn);
    let variable = drawn.map(|(token, _)| format!("PLIMSOLL_TOKEN={} ", token.reveal())).unwrap_or_default();
    let parts = counted(u64::from(parts), "part");
    format!("waits for {parts}: {variable}plimsoll {command} --join {scheme}://{host}")
}

/// Where parts send their messages.
const PATH: &str = "/part";

/// A clock that only goes forward, from its start on, also while the machine is suspended: parts on other machines go
/// on meanwhile, and what they then tell must not seem to lie ahead.
#[derive(Clone, Copy, Debug)]
pub struct Elapsed {
    /// Its start, counted from the machine's.
    since: Nanos,
}

impl Elapsed {
    pub fn start() -> Self {
        Self { since: since_boot() }
    }

    pub fn now(self) -> Nanos {
        since_boot() - self.since
    }

    /// The instant at `at`, if the machine is not suspended until then.
    pub fn instant(self, at: Nanos) -> Instant {
        let (now, instant) = (self.now(), Instant::now());
        // An instant before the machine's start cannot be told.
        instant.checked_sub((now - at).into()).unwrap_or(instant) + Duration::from(at - now)
    }
}

/// Time since the machine was started, with that in which it was suspended.
fn since_boot() -> Nanos {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::Boottime);
    Nanos(tv_sec as u64 * 1_000_000_000 + tv_nsec as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_those_of_the_clock() {
        let (before, clock) = (Instant::now(), Elapsed::start());
        assert!(clock.instant(Nanos::ZERO) >= before);
        let (between, at) = (Instant::now(), clock.now());
        let apart = Duration::from_secs(60);
        assert!(clock.instant(at) >= between);
        assert!(clock.instant(at + Nanos::from(apart)) >= between + apart);
    }
}
