//! Loads that are ended softly before their time, and requests counted by the instant at which they were intended.

mod load;
mod server;

use std::{num::NonZeroU32, sync::atomic::Ordering::Relaxed, thread, time::Duration};

use load::{job, plain};
use plimsoll_drive::{Driven, Job, Stop, drive};
use plimsoll_record::{Arrivals, Interval, Load, Nanos, ThinkTime};
use server::{Server, Then, http2};

const HOUR: Nanos = Nanos::from_secs(3_600);

fn open_load(rate: f64, duration: Nanos) -> Load {
    Load::ConstantArrivalRate { rate, duration, arrivals: Arrivals::Even, max_in_flight: 2_000, drop_late: false }
}

/// Answers late, so that something is in flight at any time.
fn slow_server() -> Server {
    Server::start(|_, _| {
        thread::sleep(Duration::from_millis(200));
        (plain("hello"), Then::KeepOpen)
    })
}

/// Drives `job`, which goes on for an hour, until the first interval; all of its intervals together.
fn until_first_interval(job: &Job) -> (Driven, Interval) {
    let (stop, mut total) = (Stop::new(), Interval::default());
    let driven = drive(job, &stop, &mut |_, interval| {
        total.merge(&interval);
        stop.finish();
    });
    (driven.unwrap(), total)
}

#[track_caller]
fn assert_awaited(driven: &Driven, total: &Interval) {
    let counts = &total.counts;
    assert!(!driven.stopped && counts.offered > 0, "{counts:?}");
    assert_eq!([counts.succeeded, counts.failed, counts.dropped, counts.abandoned], [counts.offered, 0, 0, 0]);
}

#[test]
fn an_open_load_that_is_finished_awaits_what_is_in_flight() {
    let server = slow_server();
    for threads in [1, 3] {
        let mut job = job(open_load(100.0, HOUR), server.url("/"));
        job.options.threads = Some(threads);
        let before = server.seen.requests.load(Relaxed);
        let (driven, total) = until_first_interval(&job);
        assert_awaited(&driven, &total);
        assert_eq!(server.seen.requests.load(Relaxed) - before, total.counts.succeeded);
    }
}

#[test]
fn streams_of_http2_are_awaited() {
    let (address, _) = http2::start(http2::Behaviour::default());
    let mut job = job(open_load(200.0, HOUR), format!("http://{address}/").parse().unwrap());
    job.options.connection.http2_streams = NonZeroU32::new(8);
    let (driven, total) = until_first_interval(&job);
    assert_awaited(&driven, &total);
}

#[test]
fn another_thread_finishes_a_closed_load_whose_users_pause() {
    let server = slow_server();
    for think in [ThinkTime::None, ThinkTime::Constant { pause: HOUR }] {
        let job = job(Load::ConstantVus { vus: 4, duration: HOUR, think }, server.url("/"));
        let (stop, mut total) = (Stop::new(), Interval::default());
        let (finish, seen, before) = (stop.clone(), server.seen.clone(), server.seen.requests.load(Relaxed));
        let finisher = thread::spawn(move || {
            while seen.requests.load(Relaxed) < before + 4 {
                thread::sleep(Duration::from_millis(1));
            }
            finish.finish();
        });
        let driven = drive(&job, &stop, &mut |_, interval| total.merge(&interval)).unwrap();
        finisher.join().unwrap();
        assert_awaited(&driven, &total);
    }
}

#[test]
fn a_load_that_is_finished_before_it_begins_offers_nothing() {
    let server = slow_server();
    let mut job = job(open_load(100.0, HOUR), server.url("/"));
    job.scenarios[0].start = HOUR;
    let stop = Stop::new();
    stop.finish();
    let mut total = Interval::default();
    let driven = drive(&job, &stop, &mut |_, interval| total.merge(&interval)).unwrap();
    assert!(!driven.stopped);
    assert_eq!((total.counts.offered, server.seen.connections.load(Relaxed)), (0, 0));
}

#[test]
fn requests_are_counted_by_arrival_over_all_threads_and_seconds() {
    let server = slow_server();
    for threads in [1, 3] {
        let mut job = job(open_load(100.0, Nanos::from_millis(2_100)), server.url("/"));
        job.options.threads = Some(threads);
        job.scenarios[0].limits = vec![Nanos::from_millis(200), HOUR];
        let total = load::total(&job);
        assert_eq!(total.counts.succeeded, 210);
        let slots = total.arrivals.slots();
        assert_eq!(slots.iter().map(|slot| slot.slot).collect::<Vec<_>>(), (0..21).collect::<Vec<_>>());
        for slot in slots {
            assert_eq!((slot.offered, slot.ended, slot.failed), (10, 10, 0), "{slot:?}");
            assert_eq!(slot.within, [0, 10], "no answer comes before 200 ms");
        }
    }
}
