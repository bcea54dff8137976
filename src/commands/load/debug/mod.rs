//! `--debug`: every request once, by the same driver as the load, and all that went over its connections.

mod bytes;
mod log;
mod page;

use std::{
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
};

use plimsoll_drive::{Flow, Job, Observer, Options, Scenario, Segment, Stop, drive};
use plimsoll_record::{Interval, Load, ThinkTime};

use self::log::Log;
use crate::{commands::print, failure::Failure, interrupt, live::shown};

/// Each flow of each scenario once. Fails if a request does.
pub fn execute(job: &Job) -> Result<ExitCode, Failure> {
    let stop = Stop::new().abandoned_by(interrupt::stop_flag()?);
    let mut is_good = true;
    for scenario in &job.scenarios {
        for flow in &scenario.script.flows {
            let (log, intervals) = once(job, scenario, flow, &stop)?;
            let names: Vec<&str> = flow.steps.iter().map(|step| step.name.as_str()).collect();
            print(&shown(&page::page(&log, &names, &intervals)))?;
            is_good &= intervals.iter().all(|interval| interval.counts.failed == 0) && !intervals.is_empty();
        }
    }
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// One iteration of `flow` as it was seen, and the measurements of each of its requests.
fn once(job: &Job, scenario: &Scenario, flow: &Flow, stop: &Stop) -> Result<(Log, Vec<Interval>), Failure> {
    let log: Arc<Mutex<Log>> = Arc::default();
    let into = log.clone();
    let mut script = scenario.script.clone();
    script.flows = vec![flow.clone()];
    let load = Load::SharedIterations { vus: 1, iterations: 1, max_duration: None, think: ThinkTime::None };
    let mut options = Options { segment: Segment::WHOLE, ..job.options.clone() };
    options.observer = Some(Observer::new(move |at, seen| {
        into.lock().unwrap_or_else(PoisonError::into_inner).add(at, seen);
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
    let log = std::mem::take(&mut *log.lock().unwrap_or_else(PoisonError::into_inner));
    Ok((log, intervals))
}
