//! Sockets and TLS between the parts of a load and their collector. The conversation itself is in `plimsoll-gather`.

mod link;
mod listener;
mod token;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

pub use link::{Address, Link};
pub use listener::Listener;
use plimsoll_record::Nanos;
pub use token::{Token, hexadecimal};

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

/// The time of day.
pub fn time_of_day() -> Nanos {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().into()
}
