//! `plimsoll upstream`: a simulated upstream, until Ctrl-C.

mod plan;
mod status;

use std::{path::PathBuf, process::ExitCode, sync::atomic::Ordering};

use plimsoll_record::{Nanos, UpstreamLine};
use plimsoll_upstream::{Options, UpstreamError, serve};

use crate::{cli::UpstreamArgs, failure::Failure, interrupt};

/// Where certificates go, beside the record.
const CERTIFICATES: &str = ".plimsoll/upstream";

pub fn execute(arguments: &UpstreamArgs) -> Result<ExitCode, Failure> {
    let plan = plan::of(arguments)?;
    let options = Options {
        threads: arguments.process.threads.unwrap_or_else(|| plimsoll_process::threads() as u16),
        certificates: arguments.tls.certificates.clone().unwrap_or_else(|| PathBuf::from(CERTIFICATES)),
        removes_certificates: arguments.tls.remove_certificates,
        interval: arguments.process.interval.unwrap_or(Nanos::from_secs(1)),
    };
    let stop = interrupt::stop_flag()?;
    let is_json = arguments.process.json;
    let counts = serve(&plan, &options, &stop, &mut |line| {
        let said = match &line {
            line if is_json => print_json(line),
            UpstreamLine::Ready(ready) => super::print(&status::greeting(&plan, ready)),
            UpstreamLine::Counts(_) => Ok(()),
        };
        // Nobody is left who would read: a lab, or a pipe, that has gone.
        if said.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
    })
    .map_err(|error| match error {
        UpstreamError::Runtime(_) => Failure::running(error),
        _ => Failure::input(error),
    })?;
    if is_json {
        print_json(&UpstreamLine::Counts(counts))?;
    } else {
        super::print(&status::summary(&plan, &counts))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_json(line: &UpstreamLine) -> Result<(), Failure> {
    let text = serde_json::to_string(line).map_err(Failure::running)?;
    super::print(&format!("{text}\n"))
}
