//! Loads as tests want them.
#![allow(dead_code, reason = "each test uses a part of it")]

use plimsoll_drive::{Job, Options, Request, Stop, drive};
use plimsoll_record::{Interval, Load, ThinkTime};

pub fn shared(vus: u32, iterations: u64) -> Load {
    Load::SharedIterations { vus, iterations, max_duration: None, think: ThinkTime::None }
}

pub fn job(load: Load, url: url::Url) -> Job {
    Job::single(load, Request::get(url), Options::default())
}

pub fn first(job: &mut Job) -> &mut Request {
    &mut job.scenarios[0].script.flows[0].steps[0].request
}

/// Drives `job` to its end; all intervals together.
pub fn total(job: &Job) -> Interval {
    let mut total = Interval::default();
    drive(job, &Stop::new(), &mut |_, interval| total.merge(&interval)).unwrap();
    let counts = &total.counts;
    assert_eq!(counts.offered, counts.succeeded + counts.failed + counts.dropped + counts.abandoned, "{counts:?}");
    total
}

pub fn plain(body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}
