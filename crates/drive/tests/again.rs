//! Many loads one after another in one process: none leaves anything behind. A test on its own in its process, since it
//! counts what the process has.

mod load;
mod server;

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use load::{job, plain, shared};
use plimsoll_drive::{
    Job, Stop,
    connection::{Dns, Tls},
    drive,
};
use plimsoll_hostile::tls::{Authority, Speaks};
use server::{Server, Then, tls::Start as _};

const LOADS: usize = 200;

/// Open descriptors and threads of this process.
fn held() -> [usize; 2] {
    ["/proc/self/fd", "/proc/self/task"].map(|directory| fs::read_dir(directory).unwrap().count())
}

/// Waits until no more than `expected` is held: threads of the server see the end of their connections a moment later.
fn await_at_most(expected: [usize; 2]) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while held().iter().zip(expected).any(|(&held, expected)| held > expected) {
        assert!(Instant::now() < deadline, "held {:?} (descriptors, threads), expected {expected:?} at most", held());
        thread::sleep(Duration::from_millis(10));
    }
}

/// One that is ended before it begins.
fn drive_a_moment(job: &Job) {
    let (stop, mut ended) = (Stop::new(), 0);
    stop.finish();
    drive(job, &stop, &mut |_, interval| ended += interval.ended()).unwrap();
    assert_eq!(ended, 0);
}

#[test]
fn two_hundred_loads_leave_no_descriptor_and_no_thread() {
    let authority = Authority::new("one");
    let server = Server::start(|_, _| (plain("hello"), Then::KeepOpen));
    let secure = Speaks::by(&authority.issue("127.0.0.1")).start(|_, _| (plain("hello"), Then::KeepOpen));
    let before = held();
    let kept = job(shared(4, 20), server.url("/"));
    let mut closed = kept.clone();
    closed.options.keep_alive = false;
    let mut named = job(shared(4, 20), format!("http://localhost:{}/", server.address.port()).parse().unwrap());
    named.options.connection.dns = Dns::PerConnection;
    let mut encrypted = job(shared(4, 20), format!("https://{}/", secure.address).parse().unwrap());
    encrypted.options.connection.tls = Tls { ca_cert: Some(authority.file()), ..Tls::default() };
    for number in 0..LOADS {
        match number % 5 {
            0 => drop(load::total(&kept)),
            1 => drop(load::total(&closed)),
            2 => drop(load::total(&named)),
            3 => drop(load::total(&encrypted)),
            _ => drive_a_moment(&kept),
        }
    }
    await_at_most(before);
}
