//! Options of a worker.

use std::num::NonZeroU32;

use plimsoll_record::Nanos;
use serde::{Deserialize, Serialize};

/// The connection that an arrival of an open load takes, where several are idle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reuse {
    /// The one that was used last, as pools of connections do: those in use stay few and warm.
    #[default]
    Latest,
    /// The one that has been idle for longest: all take turns.
    Oldest,
    /// Any of them, drawn by the seed.
    Random,
}

/// Rules by which requests are sent.
#[derive(Clone, Copy, Debug)]
pub struct WorkerOptions {
    /// Longest time for the TCP connection.
    pub connect_timeout: Nanos,
    /// Longest time from sent to done, redirects included.
    pub response_timeout: Nanos,
    /// Redirects to follow; 0: a redirect is a response like any other.
    pub max_redirects: u32,
    /// Whether a connection carries more than one request; one of HTTP/2 always does.
    pub keep_alive: bool,
    /// Requests that a connection carries at most; `u32::MAX`: as many as the target allows.
    pub max_requests: u32,
    /// A connection that was unused for longer is closed rather than used; [`Nanos::MAX`]: never.
    pub idle_time: Nanos,
    /// The idle connection that an arrival takes.
    pub reuse: Reuse,
    /// HTTP/2, with at most that many streams at a time on a connection; none: HTTP/1.1.
    pub http2_streams: Option<NonZeroU32>,
    /// Number of the first requests that are told one by one.
    pub trace: u32,
    /// Whether a virtual user pauses before its first request, too, so that users who think do not begin in step.
    pub is_staggered: bool,
    /// Seed of arrivals, think times and values that are filled in.
    pub seed: u64,
    /// Unix time at the start of the load.
    pub epoch: Nanos,
}
