//! Drives an engine for real: sockets, event loop, clock and threads.
//!
//! [`drive`] takes a [`Job`], offers its load, and hands over one [`Interval`] per second and stage while it runs.

mod event_loop;
mod limits;
mod merge;
mod socket;
mod target;

use std::{
    net::SocketAddr,
    sync::{Barrier, OnceLock, atomic::AtomicBool, mpsc},
    thread,
    time::Instant,
};

pub use plimsoll_engine::Request;
use plimsoll_engine::{Segment, Worker, WorkerOptions};
use plimsoll_record::{Interval, Load, Nanos};

use crate::{event_loop::EventLoop, merge::Merge};

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

/// Why a load could not be offered. Each says what was expected and what to do.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The URL cannot be used.
    #[error("{url}: {problem}")]
    Url {
        /// As given.
        url: String,
        /// What is wrong with it and what to do.
        problem: String,
    },
    /// The system does not allow what the load needs.
    #[error("{0}")]
    Limit(String),
    /// The event loop itself failed.
    #[error("the load generator failed to {what}: {source}; nothing more can be measured")]
    System {
        /// What it was about to do.
        what: &'static str,
        /// The system's error.
        source: std::io::Error,
    },
}

/// What a worker's thread reports.
pub(crate) enum Report {
    /// What it measured in a second of the load.
    Second { worker: usize, second: u64, intervals: Vec<Interval> },
    /// It has ended.
    Finished { worker: usize, span: Option<(Nanos, Nanos)>, error: Option<DriveError> },
}

/// Whether the load of `job` can be offered, as far as that can be known before anything is sent.
///
/// # Errors
///
/// A URL that cannot be loaded, or more virtual users than the system allows descriptors.
pub fn check(job: &Job) -> Result<(), DriveError> {
    prepare(job).map(drop)
}

/// Whether the system allows what `load` needs; raises the soft limit of file descriptors as far as it may, for this
/// process and for those that it will start.
///
/// # Errors
///
/// More virtual users than the system allows descriptors.
pub fn check_load(load: &Load) -> Result<(), DriveError> {
    limits::allow_connections(load)
}

/// The address that all connections go to.
fn prepare(job: &Job) -> Result<SocketAddr, DriveError> {
    limits::allow_connections(&job.load)?;
    target::resolve(&job.request.url)
}

/// Offers the load of `job` until it is over, or until `stop` is set (looked at ten times a second; requests in flight
/// are then abandoned). Blocks. Intervals of all workers come merged, one per second and stage, to `on_interval` on the
/// calling thread.
pub fn drive(job: &Job, stop: &AtomicBool, on_interval: &mut dyn FnMut(Interval)) -> Result<Driven, DriveError> {
    let address = prepare(job)?;
    let threads = thread_count(job);
    let options = WorkerOptions {
        connect_timeout: job.options.connect_timeout,
        response_timeout: job.options.response_timeout,
        max_redirects: job.options.max_redirects,
        keep_alive: job.options.keep_alive,
        seed: job.options.seed,
    };
    let ready = Barrier::new(threads);
    let origin = OnceLock::new();
    let (reports, received) = mpsc::channel();
    let mut merge = Merge::new(threads);
    thread::scope(|scope| {
        for index in 0..threads {
            let (reports, ready, origin) = (reports.clone(), &ready, &origin);
            let segment = Segment { index: index as u32, count: threads as u32 };
            scope.spawn(move || {
                let worker = Worker::new(&job.load, segment, job.request.clone(), options);
                let event_loop = EventLoop::new(worker, address);
                ready.wait();
                let origin = *origin.get_or_init(Instant::now);
                let (span, error) = match event_loop {
                    Ok(event_loop) => event_loop.run(origin, stop, |second, intervals| {
                        // The receiver lives until all workers have ended.
                        let _ = reports.send(Report::Second { worker: index, second, intervals });
                    }),
                    Err(error) => (None, Some(error)),
                };
                let _ = reports.send(Report::Finished { worker: index, span, error });
            });
        }
        drop(reports);
        for report in received {
            merge.take(report).into_iter().for_each(&mut *on_interval);
        }
    });
    merge.finish(stop)
}

/// One thread carries far more than a JVM service next to it on the same few cores.
fn thread_count(job: &Job) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let wanted = job.options.threads.unwrap_or_else(|| (cores / 4).clamp(1, 8));
    wanted.clamp(1, job.load.max_in_flight().max(1) as usize)
}
