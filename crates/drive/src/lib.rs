//! Drives an engine for real: sockets, event loop, clock and threads.
//!
//! [`drive`] takes a [`Job`], offers its load, and hands over one [`Interval`] per second and stage while it runs.

use std::sync::atomic::AtomicBool;

use plimsoll_record::{Interval, Load, Nanos};
use url::Url;

/// One load to be offered.
#[derive(Clone, Debug)]
pub struct Job {
    /// How requests are offered over time.
    pub load: Load,
    /// What is sent.
    pub request: Request,
    /// How it is sent.
    pub options: Options,
}

/// What is sent.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where to.
    pub url: Url,
    /// E.g. `GET`.
    pub method: String,
    /// Added to, or replacing, `Host`, `User-Agent` and `Accept`, which are sent by default.
    pub headers: Vec<(String, String)>,
    /// Empty for none.
    pub body: Vec<u8>,
}

impl Request {
    /// A GET of `url` with the default headers.
    pub fn get(url: Url) -> Self {
        Self { url, method: "GET".to_owned(), headers: Vec::new(), body: Vec::new() }
    }
}

/// How it is sent.
#[derive(Clone, Debug)]
pub struct Options {
    /// Generator threads; none: as many as the load and the machine make sensible.
    pub threads: Option<usize>,
    /// For the TCP connection.
    pub connect_timeout: Nanos,
    /// From sent to done.
    pub response_timeout: Nanos,
    /// How many redirects to follow; 0: a redirect is a response like any other.
    pub max_redirects: u32,
    /// Whether a connection carries more than one request.
    pub keep_alive: bool,
    /// Of arrivals and think times.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: None,
            connect_timeout: Nanos::from_secs(10),
            response_timeout: Nanos::from_secs(30),
            max_redirects: 0,
            keep_alive: true,
            seed: 0,
        }
    }
}

/// How the load ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Driven {
    /// From the first request intended to the last one ended.
    pub took: Nanos,
    /// Whether `stop` ended it.
    pub stopped: bool,
}

/// Why a load could not be offered.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// Each says what was expected and what to do.
    #[error("{0}")]
    Invalid(String),
}

/// Offers the load of `job` until it is over, or until `stop` is set (looked at ten times a second; requests in flight are then
/// abandoned). Blocks. Intervals of all workers come merged, one per second and stage, to `on_interval` on the calling thread.
pub fn drive(job: &Job, stop: &AtomicBool, on_interval: &mut dyn FnMut(Interval)) -> Result<Driven, DriveError> {
    let _ = (job, stop, on_interval);
    Err(DriveError::Invalid("not there yet".to_owned()))
}
