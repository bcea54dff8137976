//! `--debug`: every request once, by the same driver as the load, and all that went over its connections.

mod bytes;
mod page;

use std::{
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
};

use plimsoll_drive::{Flow, Job, Observer, Options, Scenario, Seen, Segment, Stop, drive};
use plimsoll_record::{Interval, Load, ThinkTime};
use plimsoll_secrets::mask;

use self::page::{Event, EventKind};
use crate::{commands::print, failure::Failure, interrupt};

/// Each flow of each scenario once. Fails if a request does.
pub fn execute(job: &Job) -> Result<ExitCode, Failure> {
    let stop = Stop::new().abandoned_by(interrupt::stop_flag()?);
    let mut is_good = true;
    for scenario in &job.scenarios {
        for flow in &scenario.script.flows {
            let (events, intervals) = once(job, scenario, flow, &stop)?;
            let names: Vec<&str> = flow.steps.iter().map(|step| step.name.as_str()).collect();
            print(&mask(&page::page(&events, &names, &intervals)))?;
            is_good &= intervals.iter().all(|interval| interval.counts.failed == 0) && !intervals.is_empty();
        }
    }
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// One iteration of `flow` as it was seen, and the measurements of each of its requests.
fn once(job: &Job, scenario: &Scenario, flow: &Flow, stop: &Stop) -> Result<(Vec<Event>, Vec<Interval>), Failure> {
    let events: Arc<Mutex<Vec<Event>>> = Arc::default();
    let into = events.clone();
    let mut script = scenario.script.clone();
    script.flows = vec![flow.clone()];
    let load = Load::SharedIterations { vus: 1, iterations: 1, max_duration: None, think: ThinkTime::None };
    let mut options = Options { segment: Segment::WHOLE, ..job.options.clone() };
    options.observer = Some(Observer::new(move |at, seen| {
        into.lock().unwrap_or_else(PoisonError::into_inner).push(Event { at, kind: owned(seen) });
    }));
    let single = Job { scenarios: vec![Scenario::new(load, script)], options };
    let mut intervals: Vec<Interval> = Vec::new();
    drive(&single, stop, &mut |_, interval| {
        let request = interval.request as usize;
        if intervals.len() <= request {
            intervals.resize_with(request + 1, Interval::default);
        }
        intervals[request].merge(&interval);
    })
    .map_err(Failure::running)?;
    let events = std::mem::take(&mut *events.lock().unwrap_or_else(PoisonError::into_inner));
    Ok((events, intervals))
}

fn owned(seen: Seen<'_>) -> EventKind {
    match seen {
        Seen::Opened { address, tls } => {
            let address = address.map_or_else(|| "a Unix socket".to_owned(), |address| address.to_string());
            let tls = tls.map(|tls| {
                let alpn = tls.alpn.map(|it| format!(", ALPN {}", String::from_utf8_lossy(it))).unwrap_or_default();
                let resumed = if tls.is_resumed { ", resumed" } else { "" };
                format!(", {} {}{alpn}{resumed}", tls.version, tls.cipher)
            });
            EventKind::Opened(format!("{address}{}", tls.unwrap_or_default()))
        }
        Seen::Sent(bytes) => EventKind::Sent(bytes.to_vec()),
        Seen::Received(bytes) => EventKind::Received(bytes.to_vec()),
        Seen::Closed => EventKind::Closed,
    }
}
