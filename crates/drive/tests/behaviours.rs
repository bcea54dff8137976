//! Every behaviour of hostile targets and proxies, through the real driver; and through the parsers alone, where a
//! behaviour is bytes. Errors are of the kind that is said, connections are kept or lost as is said, time and memory
//! are bounded as is said, and no load goes on without end.

mod pure;

use std::{
    num::NonZeroU32,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
        mpsc,
    },
    thread,
};

use plimsoll_drive::{Job, Observer, Options, Request, Stop, connection::Tls, drive};
use plimsoll_hostile::{
    Behaviour, Connections, ENDS_WITHIN, Ends, Family, PROCESS_KB_MAX, Place, Security, Server, memory_kb,
};
use plimsoll_record::{ErrorKind, Interval, Load, Nanos, ThinkTime};

/// Requests of each load; every other one meets the behaviour.
const REQUESTS: u64 = 8;
/// Requests of a load whose hostile answers take as long as the time-out.
const REQUESTS_WITH_TIMEOUTS: u64 = 2;
/// Requests of a load some of whose time-outs meet the next request as well.
const REQUESTS_IN_A_ROW: u64 = 6;
/// Time enough for good answers, unless the machine is very busy.
const SHORT: Nanos = Nanos::from_secs(2);
/// Time enough for them in any case; a few time-outs fit into the deadline of a load.
const LONGER: Nanos = Nanos::from_secs(10);
const LONG: Nanos = Nanos::from_secs(30);
/// Loads at a time.
const AT_ONCE: usize = 16;

#[test]
fn each_behaviour_has_the_outcome_that_is_said() {
    let behaviours: Vec<Behaviour> =
        plimsoll_hostile::all().into_iter().filter(|it| is_of_targets(it.family)).collect();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(behaviour) = behaviours.get(next.fetch_add(1, Relaxed)) {
                    if let Err(problem) = judge(behaviour) {
                        wrong.lock().unwrap().push(format!("{:?}: {}: {problem}", behaviour.family, behaviour.name));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), behaviours.len(), wrong.join("\n"));
    let peak = memory_kb("self").unwrap();
    println!("{} behaviours, {peak} kB", behaviours.len());
    // Their servers are in the same process.
    assert!(peak < PROCESS_KB_MAX, "{peak} kB");
}

fn is_of_targets(family: Family) -> bool {
    matches!(family, Family::Http1 | Family::Http2 | Family::Tls | Family::Proxy)
}

/// One request after another. An error says what was expected and what came.
fn judge(behaviour: &Behaviour) -> Result<(), String> {
    pure::judge(behaviour)?;
    if !behaviour.lasts() {
        load(behaviour, Some(Observer::new(|_, _| {}))).map_err(|problem| format!("watched: {problem}"))?;
    }
    load(behaviour, None)
}

/// Somebody may look on, as `--debug` does. A good answer may take longer than a short time-out on a starved machine:
/// whatever was wrong must be so with a long one, too.
fn load(behaviour: &Behaviour, observer: Option<Observer>) -> Result<(), String> {
    match behaviour.lasts() {
        true => load_within(SHORT, behaviour, observer.clone()).or_else(|_| load_within(LONGER, behaviour, observer)),
        false => load_within(LONG, behaviour, observer),
    }
}

fn load_within(timeout: Nanos, behaviour: &Behaviour, observer: Option<Observer>) -> Result<(), String> {
    let requests = match behaviour.outcome.connections {
        Connections::Dragging => REQUESTS_IN_A_ROW,
        _ if behaviour.lasts() => REQUESTS_WITH_TIMEOUTS,
        _ => REQUESTS,
    };
    let (tell, told) = mpsc::channel();
    let mut job = job(behaviour, requests, timeout);
    job.options.observer = observer;
    thread::spawn(move || {
        let mut total = Interval::default();
        drive(&job, &Stop::new(), &mut |_, interval| total.merge(&interval)).unwrap();
        // Nobody listens after the deadline.
        let _ = tell.send(total);
    });
    let total = told.recv_timeout(ENDS_WITHIN).map_err(|_| "the load does not end".to_owned())?;
    compare(behaviour, requests, &total, timeout)
}

fn job(behaviour: &Behaviour, iterations: u64, timeout: Nanos) -> Job {
    let load = Load::SharedIterations { vus: 1, iterations, max_duration: None, think: ThinkTime::None };
    let mut options = Options {
        response_timeout: timeout,
        connect_timeout: timeout,
        threads: Some(1),
        max_redirects: 3,
        ..Options::default()
    };
    let address = Server::start(behaviour).unwrap().address;
    let mut url = format!("http://{address}/");
    match behaviour.family {
        Family::Http2 => options.connection.http2_streams = NonZeroU32::new(1),
        Family::Proxy => {
            options.connection.proxy = Some(url.parse().unwrap());
            url = "http://127.0.0.1:9/".to_owned();
        }
        _ => {}
    }
    if behaviour.security != Security::None {
        url = format!("https://{address}/");
        options.connection.tls = Tls { ca_cert: Some(plimsoll_hostile::tls::trusted()), ..Tls::default() };
    }
    Job::single(load, Request::get(url.parse().unwrap()), options)
}

fn compare(behaviour: &Behaviour, requests: u64, total: &Interval, timeout: Nanos) -> Result<(), String> {
    let (outcome, counts, errors) = (&behaviour.outcome, &total.counts, &total.errors);
    let hostile = requests / 2;
    let failed = if outcome.kinds.is_empty() { 0 } else { hostile };
    let is_as_said = match outcome.connections {
        Connections::None => (counts.succeeded, counts.failed) == (0, requests),
        Connections::Dragging => counts.succeeded > 0 && counts.failed > 0,
        Connections::Captured => counts.succeeded == 0,
        _ => (counts.succeeded, counts.failed) == (requests - failed, failed),
    };
    if !is_as_said {
        let found = (counts.succeeded, counts.failed);
        return Err(format!(
            "expected {failed} of {requests} to fail, found {found:?} to succeed and fail: {errors:?}"
        ));
    }
    judge_time(behaviour, total, timeout)?;
    for (kind, error) in errors {
        let has_words = outcome.words.iter().all(|words| error.example.contains(words));
        if !outcome.kinds.contains(kind) || !has_words {
            return Err(format!("expected {:?} {:?}, found {kind} `{}`", outcome.kinds, outcome.words, error.example));
        }
    }
    let expected = match outcome.connections {
        Connections::Any | Connections::Dragging => return Ok(()),
        Connections::None => 0,
        Connections::Kept | Connections::Captured => 1,
        // The answer of one that is good by itself ends it as well.
        Connections::Lost if behaviour.place == Place::Connected => return Ok(()),
        Connections::Lost => hostile + 1,
    };
    let opened = counts.connections_opened;
    if opened == expected { Ok(()) } else { Err(format!("expected {expected} connections, found {opened}")) }
}

/// No time-out ends what is said to end at once; and requests that a time-out ended took no less than it.
fn judge_time(behaviour: &Behaviour, total: &Interval, timeout: Nanos) -> Result<(), String> {
    let is_time_out = |kind: &ErrorKind| matches!(kind, ErrorKind::ResponseTimeout | ErrorKind::ConnectTimeout);
    let lasting: u64 = total.errors.iter().filter(|(kind, _)| is_time_out(kind)).map(|(_, error)| error.count).sum();
    let took = total.failed.response.min();
    // As a histogram of three digits has it.
    let least = timeout - Nanos(timeout.0 / 200);
    match behaviour.bounds.ends {
        Ends::AtOnce if lasting > 0 => Err(format!("{lasting} requests ended by a time-out: {:?}", total.errors)),
        Ends::AtTimeOut if lasting == total.failed.response.count() && lasting > 0 && took < least => {
            Err(format!("a request ended after {took}"))
        }
        _ => Ok(()),
    }
}
