//! Drives an engine for real: sockets, event loop, clock and threads.
//!
//! [`drive`] takes a [`Job`], offers its loads, and hands over one [`Interval`] per second, stage and request while it
//! runs.

pub mod connection;
mod event_loop;
pub mod files;
mod generator;
mod job_text;
mod limits;
mod lingering;
mod merge;
mod meter;
mod observer;
mod resolver;
mod socket;
mod sources;
mod stop;
mod target;
pub mod tls;

use std::{
    sync::{Barrier, OnceLock, mpsc},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

pub use plimsoll_engine::{Flow, Request, Script, ScriptText, Segment, Step, script};
use plimsoll_engine::{Worker, WorkerOptions};
use plimsoll_record::{Interval, Load, Nanos, seed_for};
use serde::{Deserialize, Serialize};

pub use crate::{
    connection::Connection,
    generator::{Generator, Here, Told},
    job_text::{JobText, JobTextError, ScenarioText},
    observer::{Observer, Seen, TlsSeen},
    stop::Stop,
};
use crate::{
    event_loop::{Ended, EventLoop},
    merge::Merge,
    sources::Sources,
    target::Route,
};

/// Load that is to be offered.
#[derive(Clone, Debug)]
pub struct Job {
    /// At least one; several are offered at the same time.
    pub scenarios: Vec<Scenario>,
    /// Rules by which requests are sent.
    pub options: Options,
}

/// One load of a job.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Name in reports; empty: the description of its load.
    pub name: String,
    /// When it starts, counted from the start of the job.
    pub start: Nanos,
    /// How iterations are offered over time.
    pub load: Load,
    /// Script of an iteration.
    pub script: Script,
    /// How many of its first requests are told one by one, in the intervals in which they end: as many of each thread,
    /// so that those sent first are among them.
    pub trace: u32,
    /// Response times within which its requests are counted by the instant at which they were intended
    /// ([`Interval::arrivals`]); empty: they are not.
    pub limits: Vec<Nanos>,
    /// Whether its virtual users pause before their first request, too, so that they do not begin in step.
    pub is_staggered: bool,
}

impl Scenario {
    /// A load that starts at once.
    pub fn new(load: Load, script: Script) -> Self {
        Self {
            name: String::new(),
            start: Nanos::ZERO,
            load,
            script,
            trace: 0,
            limits: Vec::new(),
            is_staggered: false,
        }
    }
}

impl Job {
    /// A single load of requests that are all alike.
    pub fn single(load: Load, request: Request, options: Options) -> Self {
        Self { scenarios: vec![Scenario::new(load, Script::of(request))], options }
    }
}

/// How it is sent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Options {
    /// Generator threads of each scenario; none: as many as the load and the machine make sensible.
    pub threads: Option<usize>,
    /// The part of each load that is offered.
    #[serde(skip, default = "whole")]
    pub segment: Segment,
    /// Longest time for the TCP connection.
    pub connect_timeout: Nanos,
    /// Longest time from sent to done.
    pub response_timeout: Nanos,
    /// Redirects to follow; 0: a redirect is a response like any other.
    pub max_redirects: u32,
    /// Whether a connection carries more than one request.
    pub keep_alive: bool,
    /// How connections are made.
    pub connection: Connection,
    /// Seed of arrivals and think times.
    pub seed: u64,
    /// Told of everything that connections carry; for single requests.
    #[serde(skip)]
    pub observer: Option<Observer>,
}

fn whole() -> Segment {
    Segment::WHOLE
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: None,
            segment: Segment::WHOLE,
            connect_timeout: Nanos::from_secs(10),
            response_timeout: Nanos::from_secs(30),
            max_redirects: 0,
            keep_alive: true,
            connection: Connection::default(),
            seed: 0,
            observer: None,
        }
    }
}

/// Result of the job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Driven {
    /// By scenario: from the first request intended to the last one ended.
    pub took: Vec<Nanos>,
    /// Whether it was abandoned; one that was only ended early ([`Stop::finish`]) was not.
    pub stopped: bool,
    /// Whether connections came from many addresses of 127.0.0.0/8, as the ports of one did not suffice.
    pub is_spread: bool,
    /// From the instant that it was to start at until the last of its workers did.
    pub late: Nanos,
}

/// Why a load could not be offered. Each says what was expected and what to do.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The URL cannot be used.
    #[error("{url}: {problem}")]
    Url {
        /// As given.
        url: String,
        /// Message: what is wrong with it and what to do.
        problem: String,
    },
    /// How connections are to be made makes no sense.
    #[error("{0}")]
    Connection(String),
    /// The system, or the data, does not allow what the load needs.
    #[error("{0}")]
    Limit(String),
    /// Parts that were to offer it are lost, and with them the load: in words.
    #[error("{0}")]
    Parts(String),
    /// The parts that were to offer it cannot: in words.
    #[error("{0}")]
    Load(String),
    /// The event loop itself failed.
    #[error("the load generator failed to {what}: {source}; nothing more can be measured")]
    System {
        /// Task that failed.
        what: &'static str,
        /// The system's error.
        source: std::io::Error,
    },
}

/// Report of a worker's thread on its scenario.
pub(crate) enum Report {
    /// Measurements of a second of the load.
    Second { worker: usize, second: u64, intervals: Vec<Interval> },
    /// The worker has ended.
    Finished { worker: usize, ended: Ended },
}

/// Whether the loads of `job` can be offered, as far as that can be known before anything is sent.
///
/// # Errors
///
/// A URL that cannot be loaded, or more virtual users than the system allows descriptors.
pub fn check(job: &Job) -> Result<(), DriveError> {
    ready(job).map(drop)
}

/// Routes of the connections of each scenario: names are resolved, addresses tried, certificates read.
#[derive(Debug)]
pub struct Ready(Vec<Route>);

/// Whether the system allows what `load` needs over such connections; raises the soft limit of file descriptors as far
/// as it may, for this process and for those that it will start.
///
/// # Errors
///
/// More virtual users than the system allows descriptors.
pub fn check_load(load: &Load, connection: &Connection) -> Result<(), DriveError> {
    limits::allow_connections(&[load], Segment::WHOLE, connection.streams())
}

/// Makes ready what takes its time before `job` can begin at a given instant: see [`check`].
///
/// # Errors
///
/// As for [`check`].
pub fn ready(job: &Job) -> Result<Ready, DriveError> {
    for Scenario { load, script, .. } in &job.scenarios {
        script.check_load(load).map_err(DriveError::Limit)?;
    }
    let loads: Vec<_> = job.scenarios.iter().map(|scenario| &scenario.load).collect();
    limits::allow_connections(&loads, job.options.segment, job.options.connection.streams())?;
    let route = |scenario: &Scenario| Route::new(&scenario.script.first().url, &job.options.connection);
    job.scenarios.iter().map(route).collect::<Result<_, _>>().map(Ready)
}

/// Offers the loads of `job` until all are over, or until `stop` ends them. Blocks. Intervals of all workers of a
/// scenario come merged, one per second, stage and request, to `on_interval` on the calling thread, with the number of
/// the scenario.
///
/// # Errors
///
/// Options or a load that cannot be: no name, certificate, limit or descriptor for them; or a failure of the system.
pub fn drive(job: &Job, stop: &Stop, on_interval: &mut dyn FnMut(usize, Interval)) -> Result<Driven, DriveError> {
    offer(job, &ready(job)?, None, stop, &mut |scenario, intervals| {
        intervals.into_iter().for_each(|interval| on_interval(scenario, interval));
    })
}

/// Does as [`drive`], from `start` on. Whatever belongs to a second of a scenario comes together.
///
/// # Errors
///
/// A failure of the system.
pub fn drive_from(
    job: &Job,
    (ready, start): (&Ready, Instant),
    stop: &Stop,
    on_seconds: &mut dyn FnMut(usize, Vec<Interval>),
) -> Result<Driven, DriveError> {
    offer(job, ready, Some(start), stop, on_seconds)
}

fn offer(
    job: &Job,
    Ready(routes): &Ready,
    start: Option<Instant>,
    stop: &Stop,
    on_seconds: &mut dyn FnMut(usize, Vec<Interval>),
) -> Result<Driven, DriveError> {
    let threads: Vec<usize> = job.scenarios.iter().map(|scenario| thread_count(job, scenario)).collect();
    let origin = start.map_or_else(OnceLock::new, OnceLock::from);
    let start = Start { ready: Barrier::new(threads.iter().sum()), origin };
    let (reports, received) = mpsc::channel();
    let mut merges: Vec<Merge> = threads.iter().map(|&count| Merge::new(count)).collect();
    let scripts: Vec<Script> =
        job.scenarios.iter().map(|it| it.script.shared_by_workers(job.options.segment)).collect();
    thread::scope(|scope| {
        for (number, scenario) in job.scenarios.iter().enumerate() {
            for thread in 0..threads[number] {
                let (reports, start) = (reports.clone(), &start);
                let (route, segment) = (&routes[number], job.options.segment.part(thread, threads[number]));
                let script = &scripts[number];
                scope.spawn(move || {
                    // The receiver lives until all workers have ended.
                    let mut report = |report| drop(reports.send((number, report)));
                    work(job, scenario, script, segment, route, start, stop, thread, &mut report);
                });
            }
        }
        drop(reports);
        for (number, report) in received {
            let complete = merges[number].take(report);
            if !complete.is_empty() {
                on_seconds(number, complete);
            }
        }
    });
    let is_spread = merges.iter().any(Merge::is_spread);
    let late = merges.iter().map(Merge::late).max().unwrap_or_default();
    let took = merges.into_iter().map(Merge::finish).collect::<Result<_, _>>()?;
    Ok(Driven { took, stopped: stop.is_abandoned(), is_spread, late })
}

/// All workers begin at one instant.
struct Start {
    ready: Barrier,
    origin: OnceLock<Instant>,
}

/// One worker, on its own thread.
#[expect(clippy::too_many_arguments, reason = "the body of a thread: what it shares and what is its own")]
fn work(
    job: &Job,
    scenario: &Scenario,
    script: &Script,
    segment: Segment,
    route: &Route,
    start: &Start,
    stop: &Stop,
    worker: usize,
    report: &mut dyn FnMut(Report),
) {
    // Where it is refused, the load goes on, and what it sends late is measured.
    let _ = plimsoll_process::prefer_short_slices();
    let until_start = start.origin.get().map_or(Nanos::ZERO, |at| at.saturating_duration_since(Instant::now()).into());
    // A load that is not to start later begins as soon as all workers are ready, which is at once.
    let options = worker_options(&job.options, scenario, unix_now() + until_start);
    let in_flight = job.options.segment.share(u64::from(scenario.load.max_in_flight()));
    let connections = in_flight.div_ceil(job.options.connection.streams());
    let sources = Sources::new(&route.sources, connections, worker);
    let load = Worker::new(&scenario.load, segment, script, options).counting_within(&scenario.limits);
    let event_loop = EventLoop::new(load, route, sources, options.keep_alive || options.http2_streams.is_some());
    start.ready.wait();
    let origin = *start.origin.get_or_init(Instant::now) + Duration::from_nanos(scenario.start.0);
    let ended = match event_loop {
        Ok(event_loop) => event_loop.watched_by(job.options.observer.clone()).run(origin, stop, |second, intervals| {
            report(Report::Second { worker, second, intervals });
        }),
        Err(error) => Ended { span: None, error: Some(error), is_spread: false, late: Nanos::ZERO },
    };
    report(Report::Finished { worker, ended });
}

fn worker_options(options: &Options, scenario: &Scenario, epoch: Nanos) -> WorkerOptions {
    WorkerOptions {
        connect_timeout: options.connect_timeout,
        response_timeout: options.response_timeout,
        max_redirects: options.max_redirects,
        keep_alive: options.keep_alive,
        max_requests: options.connection.max_requests.unwrap_or(u32::MAX),
        idle_time: options.connection.idle_time.unwrap_or(Nanos::MAX),
        reuse: options.connection.reuse,
        http2_streams: options.connection.http2_streams,
        trace: scenario.trace,
        is_staggered: scenario.is_staggered,
        // Scenarios are independent: random arrivals of one are not to fall on those of another.
        seed: seed_for(&scenario.name, options.seed),
        epoch: epoch + scenario.start,
    }
}

/// The time of day, since 1970.
pub fn unix_now() -> Nanos {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().into()
}

/// Requests in flight at least that a thread of an open load has room for, unless it is told how many threads to have.
/// The limit is split among threads: with little room one would hold requests back while others had some left.
const ROOM_OF_A_THREAD: u64 = 256;

/// Threads of a scenario: no more than it has connections.
fn thread_count(job: &Job, scenario: &Scenario) -> usize {
    let in_flight = job.options.segment.share(u64::from(scenario.load.max_in_flight()));
    let streams = job.options.connection.streams();
    match job.options.threads {
        Some(asked) => asked.clamp(1, connections(in_flight, streams)),
        None => sensible_threads(plimsoll_process::threads(), &scenario.load, in_flight, streams),
    }
}

/// Connections that carry so many requests at a time.
fn connections(in_flight: u64, streams: u64) -> usize {
    in_flight.div_ceil(streams).max(1) as usize
}

/// Threads of a load that was told no number of them: `most`, or as many as change nothing but the speed.
fn sensible_threads(most: usize, load: &Load, in_flight: u64, streams: u64) -> usize {
    let connections = connections(in_flight, streams);
    let most = most.clamp(1, connections);
    if !load.is_closed() {
        return most.min((in_flight / ROOM_OF_A_THREAD) as usize).max(1);
    }
    // Virtual users of two threads share no connection: an uneven split would need more of them.
    let divides = |threads: &usize| streams == 1 || connections.is_multiple_of(*threads);
    (1..=most).rev().find(divides).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use plimsoll_record::ThinkTime;

    use super::*;

    #[test]
    fn scenarios_draw_streams_of_their_own_and_the_same_again() {
        let load = Load::ConstantVus { vus: 1, duration: Nanos::from_secs(1), think: ThinkTime::None };
        let script = Script::of(Request::get("http://localhost/".parse().unwrap()));
        let options = Options { seed: 7, ..Options::default() };
        let seed = |name: &str| {
            let scenario = Scenario { name: name.to_owned(), ..Scenario::new(load.clone(), script.clone()) };
            worker_options(&options, &scenario, Nanos::ZERO).seed
        };
        assert_ne!(seed("browse"), seed("buy"));
        assert_eq!(seed("browse"), seed("browse"));
    }

    #[test]
    fn threads_of_an_open_load_have_room() {
        let load = |max_in_flight| Load::ConstantArrivalRate {
            rate: 100.0,
            duration: Nanos::from_secs(1),
            arrivals: plimsoll_record::Arrivals::Even,
            max_in_flight,
            drop_late: false,
        };
        let threads = |in_flight: u32| sensible_threads(4, &load(in_flight), u64::from(in_flight), 1);
        assert_eq!([1, 50, 511, 512, 1_000, 1_024, 10_000].map(threads), [1, 1, 1, 2, 3, 4, 4]);
        assert_eq!(sensible_threads(4, &load(10_000), 5_000, 2_500), 2, "no more than connections");
    }

    #[test]
    fn threads_of_virtual_users_that_share_connections_need_no_more_of_these() {
        let load = Load::ConstantVus { vus: 1, duration: Nanos::from_secs(1), think: ThinkTime::None };
        for (most, vus, streams, expected) in [
            (3, 512, 32, 2),
            (4, 512, 32, 4),
            (8, 500, 32, 8),
            (3, 96, 32, 3),
            (4, 544, 32, 1),
            (3, 512, 1, 3),
            (8, 3, 1, 3),
            (8, 1, 32, 1),
        ] {
            let threads = sensible_threads(most, &load, vus, streams);
            assert_eq!(threads, expected, "{vus} by {streams}, {most} threads at most");
            let of_thread = |index| Segment::WHOLE.part(index, threads).share(vus).div_ceil(streams);
            assert_eq!((0..threads).map(of_thread).sum::<u64>(), vus.div_ceil(streams), "connections");
        }
    }

    #[test]
    fn threads_that_are_asked_for_are_as_many_as_there_are_connections_for() {
        let load = Load::ConstantVus { vus: 6, duration: Nanos::from_secs(1), think: ThinkTime::None };
        let mut job = Job::single(load, Request::get("http://localhost/".parse().unwrap()), Options::default());
        for (asked, expected) in [(0, 1), (5, 5), (7, 6)] {
            job.options.threads = Some(asked);
            assert_eq!(thread_count(&job, &job.scenarios[0]), expected);
        }
    }
}
