//! A simulated upstream: an HTTP server that answers as slowly, as often and as badly as an [`UpstreamPlan`] says, and
//! counts what it sees.
//!
//! Its answer to a request is computed by `model`, which knows no clock and no sockets; hyper speaks HTTP, rustls
//! TLS, tokio keeps the time. Its timers fire on whole milliseconds, so an answer is up to 1 ms late, never early; the
//! queue is computed from exact times, so that these delays do not add up.

mod answer;
mod certificates;
mod connection;
mod counts;
mod life;
mod limits;
mod model;
mod server;
mod service;
mod shared;

use std::{io, net::SocketAddr};

pub use server::{Options, serve};

#[cfg(doc)]
use plimsoll_record::UpstreamPlan;

/// Why an upstream could not be started.
#[derive(Debug, thiserror::Error)]
pub enum UpstreamError {
    /// The plan contradicts itself.
    #[error("{0}")]
    Plan(String),
    /// It cannot listen there.
    #[error("cannot listen on {address}: {error}; choose another address or port, 0 is any free one")]
    Listen {
        /// Where it should.
        address: SocketAddr,
        /// Error of the system.
        error: io::Error,
    },
    /// More connections than the system allows.
    #[error(
        "{wanted} connections need {needed} file descriptors, and the system allows {allowed} a process; raise the \
         hard limit (`ulimit -Hn`, LimitNOFILE= of a service, /etc/security/limits.conf), or allow fewer connections"
    )]
    Descriptors {
        /// Connections that may be open at once.
        wanted: u64,
        /// For these and what is not a connection.
        needed: u64,
        /// By the hard limit.
        allowed: u64,
    },
    /// Its certificates could not be made or kept.
    #[error("certificates could not be made: {0}")]
    Certificates(String),
    /// The runtime could not be started.
    #[error("the upstream could not be started: {0}")]
    Runtime(#[from] io::Error),
}
