//! `plimsoll collect --from`: follows a collector that runs elsewhere, fetches its record, and reports on it.

mod kubernetes;

use std::{process::ExitCode, thread, time::Duration};

use plimsoll_record::{ExecutionData, Store};

use self::kubernetes::{Followed, Pod};
use super::held;
use crate::{
    cli::{CollectArgs, destinations},
    commands::{are_not_the_services, ci, load::outputs, merge, results},
    failure::{Failure, INTERRUPTED, NOT_KEPT},
    interrupt,
};

/// Attempts to fetch a record: connections through an API server break.
const ATTEMPTS: u32 = 5;
const BETWEEN_ATTEMPTS: Duration = Duration::from_secs(1);

/// Follows the collector of this name.
pub fn execute(arguments: &CollectArgs, name: &str) -> Result<ExitCode, Failure> {
    let destinations = destinations(&arguments.output).map_err(Failure::input)?;
    outputs::check(&destinations)?;
    drop(arguments.record.open()?);
    let interrupted = interrupt::stop_flag()?;
    let pod = Pod::new(name, arguments.elsewhere.namespace.as_deref());
    pod.await_start(arguments.deadline.into(), &interrupted)?;
    match pod.follow(arguments.quiet, &interrupted)? {
        Followed::Held => {}
        Followed::Ended(code) => return Ok(ExitCode::from(code)),
        Followed::Interrupted => {
            tell!("the load goes on; this follows it again, and `kubectl delete` ends it");
            return Ok(ExitCode::from(INTERRUPTED));
        }
    }
    let (data, code) = fetch(&pod)?;
    let id = merge::write(&mut arguments.record.open()?, &data).map_err(Failure::running)?;
    if let Err(problem) = pod.release() {
        tell!("warning: the collector was not told that its record is here: {problem}");
    }
    if !arguments.quiet {
        tell!("collected as execution {id} of {}", arguments.record.path().display());
    }
    let (data, results) = results::of(&arguments.record, id)?;
    outputs::write(&destinations, arguments.full, &data, &results, None)?;
    ci::tell(&data, &results, None);
    let is_limited = code == 0 && arguments.strict && are_not_the_services(&results);
    Ok(ExitCode::from(if is_limited { NOT_KEPT } else { code }))
}

/// The record's only execution, and the collector's exit code.
fn fetch(pod: &Pod) -> Result<(ExecutionData, u8), Failure> {
    let folder = tempfile::tempdir().map_err(Failure::running)?;
    let file = folder.path().join("fetched.db");
    let mut attempt = 1;
    let code = loop {
        match pod.receive(|from| held::receive(from, &file)) {
            Ok(code) => break code,
            Err(problem) if pod.has_ended() => {
                return Err(Failure::running(format_args!(
                    "{problem}: {pod} has ended, and its record with it; `kubectl logs {pod}` has its report"
                )));
            }
            Err(problem) if attempt < ATTEMPTS => {
                tell!("{problem}; fetched again");
                attempt += 1;
                thread::sleep(BETWEEN_ATTEMPTS);
            }
            Err(problem) => {
                return Err(Failure::running(format_args!(
                    "the record could not be fetched in {ATTEMPTS} attempts: {problem}; the collector holds it for a \
                     while: collect again"
                )));
            }
        }
    };
    let store = Store::open_existing(&file)?;
    let last = store.last()?.ok_or_else(|| Failure::running("the record that was fetched is empty"))?;
    Ok((store.read(last)?, code))
}
