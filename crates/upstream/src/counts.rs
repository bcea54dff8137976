//! Counters shared by all connections.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use plimsoll_record::{Nanos, UpstreamCounts};

use crate::model::Present;

/// Counts since the start.
#[derive(Default)]
pub struct Counts {
    connections_opened: AtomicU64,
    connections_open: AtomicU64,
    requests: AtomicU64,
    requests_per_connection_max: AtomicU64,
    tls_handshakes: AtomicU64,
    tls_resumed: AtomicU64,
    tls_failed: AtomicU64,
    resets: AtomicU64,
}

/// A connection that is open for as long as this lives.
pub struct Open<'a>(&'a Counts);

impl Counts {
    /// One more connection.
    pub fn open(&self) -> Open<'_> {
        self.connections_opened.fetch_add(1, Relaxed);
        self.connections_open.fetch_add(1, Relaxed);
        Open(self)
    }

    /// One more request, the n-th of its connection.
    pub fn request(&self, nth: u64) {
        self.requests.fetch_add(1, Relaxed);
        self.requests_per_connection_max.fetch_max(nth, Relaxed);
    }

    /// One more TLS handshake.
    pub fn handshake(&self, is_resumed: bool) {
        self.tls_handshakes.fetch_add(1, Relaxed);
        self.tls_resumed.fetch_add(u64::from(is_resumed), Relaxed);
    }

    /// A TLS handshake that came to nothing.
    pub fn failed_handshake(&self) {
        self.tls_failed.fetch_add(1, Relaxed);
    }

    /// A connection that the client reset.
    pub fn reset(&self) {
        self.resets.fetch_add(1, Relaxed);
    }

    /// All of it.
    pub fn snapshot(&self, at: Nanos, present: Present) -> UpstreamCounts {
        UpstreamCounts {
            at,
            connections_opened: self.connections_opened.load(Relaxed),
            connections_open: self.connections_open.load(Relaxed),
            requests: self.requests.load(Relaxed),
            requests_per_connection_max: self.requests_per_connection_max.load(Relaxed),
            tls_handshakes: self.tls_handshakes.load(Relaxed),
            tls_resumed: self.tls_resumed.load(Relaxed),
            tls_failed: self.tls_failed.load(Relaxed),
            resets: self.resets.load(Relaxed),
            waiting: present.waiting,
            in_service: present.in_service,
        }
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.connections_open.fetch_sub(1, Relaxed);
    }
}
