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

/// A clock that only goes forward, from its start on.
#[derive(Clone, Copy, Debug)]
pub struct Elapsed(Instant);

impl Elapsed {
    pub fn start() -> Self {
        Self(Instant::now())
    }

    pub fn now(self) -> Nanos {
        self.0.elapsed().into()
    }

    /// The instant at `at`.
    pub fn instant(self, at: Nanos) -> Instant {
        self.0 + Duration::from(at)
    }
}
