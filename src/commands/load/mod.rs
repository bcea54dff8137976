//! `plimsoll load`: one load, recorded and reported like any other execution.

mod audience;
mod connection;
mod debug;
pub mod file;
mod foreign;
pub mod import;
pub mod import_files;
pub mod job;
pub mod outputs;
pub mod part;
mod recording;
mod script;
pub mod segment;
mod start_at;
pub mod thresholds;

use std::process::ExitCode;

use plimsoll_analysis::Results;
use plimsoll_drive::{Driven, Job, Stop, drive};
use plimsoll_import::Imported;
use plimsoll_lab::file::{LoadFile, load_requests};
use plimsoll_record::Interval;

use self::{audience::Audience, foreign::ForeignCpu, recording::Recording, thresholds::Abort};
use super::{ci, compare::Against, nothing::succeeded_nowhere, results};
use crate::{
    cli::LoadArgs,
    failure::{Failure, INTERRUPTED, NOT_KEPT},
    interrupt, project,
};

pub fn execute(arguments: &LoadArgs) -> Result<ExitCode, Failure> {
    let destinations = arguments.output.destinations().map_err(Failure::input)?;
    outputs::check(&destinations)?;
    let Asked { imported, file, mut job } = asked(arguments)?;
    if let Some(collector) = &arguments.scale.join {
        return part::execute(arguments, collector, job, imported.as_ref(), file);
    }
    if let Some(part) = arguments.scale.segment {
        segment::take(&mut job, part, arguments.output.seed)
            .map_err(|why| Failure::input(format_args!("--segment {part}: {why}")))?;
    }
    let plan = recording::plan(arguments, &job, file.as_ref());
    let thresholds = thresholds::read(&plan.thresholds, &plan.levels)?;
    plimsoll_drive::check(&job).map_err(Failure::input)?;
    if arguments.telling.debug {
        return debug::execute(&job);
    }
    let output = &arguments.output;
    let file = arguments.send.file.as_deref();
    let against = Against::find(&arguments.verdict.against, &output.record, output.full, file, &plan)?;
    let interrupted = interrupt::stop_flag()?;
    // Whatever takes its time, or may fail, comes before the instant to start at.
    let mut audience = Audience::gather(arguments, &job)?;
    let (store, environment) =
        (arguments.output.record.open()?, project::environment_of_file(arguments.send.file.as_deref()));
    let mut foreign = ForeignCpu::new(&job);
    if arguments.scale.start_at.is_some_and(|at| !start_at::wait(at, &interrupted, arguments.output.quiet)) {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    audience.begin();
    let mut recording = Recording::begin(store, &environment, &plan, &project::now())?;
    let mut abort = Abort::new(&thresholds, &plan.levels);
    imported.iter().flat_map(|imported| &imported.notes).for_each(|note| audience.say(&format!("note: {note}")));
    let stop = Stop::new().abandoned_by(interrupted);
    let driven = drive(&job, &stop, &mut |scenario, interval| {
        record(&mut recording, &mut foreign, (scenario, &interval), &audience, &stop);
        if let Some(threshold) = abort.look_at(scenario, &interval) {
            audience.say(&format!("the load is aborted: the threshold {threshold} is exceeded"));
            stop.abandon();
        }
        audience.tell(scenario, &interval);
    });
    drop(audience);
    let driven = match driven {
        Ok(driven) => driven,
        Err(error) => {
            recording.fail(error.to_string());
            return Err(Failure::running(error));
        }
    };
    if driven.is_spread && !arguments.output.quiet {
        tell!("{SPREAD}");
    }
    let id = recording.finish(&driven, abort.exceeded().map(thresholds::was_exceeded))?;
    let (data, results) = results::of(&arguments.output.record, id)?;
    let against = against.filter(|_| !driven.stopped);
    let compared = against.as_ref().map(|against| against.compared(&data, &results)).transpose()?;
    outputs::write(&destinations, arguments.output.full, &data, &results, compared.as_ref())?;
    ci::tell(&data, &results, file);
    let is_worse = match against.zip(compared) {
        Some((against, compared)) => against.tell(&compared, &destinations)?,
        None => false,
    };
    Ok(exit_code(arguments, &driven, &abort, &results, is_worse))
}

/// The load that is asked for, with the requests and the file from which it was read.
pub struct Asked {
    pub imported: Option<Imported>,
    pub file: Option<LoadFile>,
    pub job: Job,
}

/// Reads everything that says what to send.
pub fn asked(arguments: &LoadArgs) -> Result<Asked, Failure> {
    let imported = import::read(&arguments.send)?;
    let file = arguments.send.file.as_deref().map(load_requests).transpose().map_err(Failure::input)?;
    let job = match &file {
        Some(file) => file::job(arguments, file)?,
        None => job::of(arguments, imported.as_ref())?,
    };
    Ok(Asked { imported, file, job })
}

/// Records what a scenario measured in a second, and what is seen beside it; a load that cannot be recorded is ended.
fn record(
    recording: &mut Recording,
    foreign: &mut ForeignCpu,
    (scenario, interval): (usize, &Interval),
    audience: &Audience,
    stop: &Stop,
) {
    let recorded = recording.add(scenario, interval).and_then(|()| recording.watch(&foreign.look(interval)));
    if let Err(error) = recorded {
        audience.say(&format!("the load is stopped, since it can no longer be recorded: {error}"));
        stop.abandon();
    }
}

/// Explains the addresses in the target's log.
const SPREAD: &str = "note: connections came from 127.0.0.1 to 127.0.0.254, as the ports of one address did not suffice; \
                      --source chooses addresses";

fn exit_code(arguments: &LoadArgs, driven: &Driven, abort: &Abort<'_>, results: &Results, is_worse: bool) -> ExitCode {
    let is_kept = abort.exceeded().is_none() && !super::has_exceeded_threshold(results);
    let is_limited = arguments.verdict.strict && super::are_not_the_services(results);
    if driven.stopped && abort.exceeded().is_none() {
        ExitCode::from(INTERRUPTED)
    } else if is_worse || !is_kept || is_limited {
        ExitCode::from(NOT_KEPT)
    } else if succeeded_nowhere(results) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
