//! A part of a load that a collector starts: `plimsoll load --join`.

mod digest;
mod handover;
mod kept;
pub mod teller;
pub mod waiting;

use std::{process::ExitCode, sync::atomic::Ordering};

use jiff::{SignedDuration, Timestamp};
use plimsoll_drive::{Driven, Job, Ready, Stop, drive_from};
use plimsoll_gather::{Clocks, Join, PROTOCOL, Seat};
use plimsoll_import::Imported;
use plimsoll_lab::file::LoadFile;
use plimsoll_record::{Environment, ExecutionStatus, Nanos, Part, PartClock, Plan};

use self::{handover::Handover, kept::Kept, teller::Teller, waiting::Waiting};
use super::{audience::Audience, foreign::ForeignCpu, record, recording, recording::Recording, segment, thresholds};
use crate::{
    cli::{CollectorAddress, LoadArgs},
    failure::{Failure, INTERRUPTED, NOT_COLLECTED},
    gathering::{Address, Elapsed, Link, Token},
    interrupt, project,
};

/// Takes part in the load of the collector at `url`.
pub fn execute(
    arguments: &LoadArgs,
    collector: &CollectorAddress,
    mut job: Job,
    imported: Option<&Imported>,
    file: Option<LoadFile>,
) -> Result<ExitCode, Failure> {
    let token = Token::given(arguments.scale.token.token_file.as_deref())?;
    let address = Address::new(collector, token.as_ref())?;
    let plan = recording::plan(arguments, &job, file.as_ref());
    // A threshold that cannot be read is an error of each part, not of the collector.
    thresholds::read(&plan.thresholds, &plan.levels)?;
    let interrupted = interrupt::stop_flag()?;
    let mut environment = project::environment_of_file(arguments.send.file.as_deref());
    let clock = Elapsed::start();
    let join = join(arguments, &job, &plan, &environment)?;
    let mut waiting = Waiting::new(Link::new(address, clock)?, join, arguments, clock);
    let Some(seat) = waiting.for_seat(&interrupted)? else { return Ok(ExitCode::from(INTERRUPTED)) };
    let part = Part { number: seat.part, count: seat.parts };
    let prepared = prepare(arguments, &mut job, plan, seat);
    let (plan, kept, ready) = match prepared {
        Ok(prepared) => prepared,
        Err(failure) => {
            waiting.leave();
            return Err(failure);
        }
    };
    let opened = Audience::gather(arguments, &job).and_then(|audience| Ok((audience, kept.record().open()?)));
    let (mut audience, store) = match opened {
        Ok(opened) => opened,
        Err(failure) => {
            waiting.leave();
            kept.discard();
            return Err(failure);
        }
    };
    imported.iter().flat_map(|imported| &imported.notes).for_each(|note| audience.say(&format!("note: {note}")));
    let mut foreign = ForeignCpu::new(&job);
    let start = match waiting.for_start(&interrupted) {
        Ok(Some(start)) => start,
        given_up => {
            // The record has nothing in it.
            drop(store);
            kept.discard();
            return given_up.map(|_| ExitCode::from(INTERRUPTED));
        }
    };
    let (link, clocks) = waiting.end();
    environment.clock = Some(compared(&clocks, Nanos::ZERO));
    let mut recording = Recording::begin(store, &environment, &plan, &time_of(start, clock))?;
    let id = recording.execution();
    audience.begin();
    let stop = Stop::new().abandoned_by(interrupted.clone());
    let voice = audience.voice();
    let teller = Teller::start(link, clock, stop.clone(), Box::new(move |text: &str| voice.say(text)));
    let driven = drive_from(&job, (&ready, clock.instant(start)), &stop, &mut |scenario, intervals| {
        for interval in &intervals {
            record(&mut recording, &mut foreign, (scenario, interval), &audience, &stop);
            audience.tell(scenario, interval);
        }
        teller.tell(scenario, intervals);
    });
    drop(audience);
    let status = status(&driven);
    let failure = match driven {
        Err(error) => {
            recording.fail(error.to_string());
            Some(Failure::running(error))
        }
        Ok(driven) => {
            recording.finish(&driven, teller.aborted())?;
            environment.clock = Some(compared(&clocks, driven.late));
            let noted = kept.record().open().and_then(|mut store| store.update_environment(id, &environment));
            noted.map_err(Failure::not_collected)?;
            None
        }
    };
    let handover = Handover::prepare(&kept, id, status)?;
    let (link, _) = teller.end();
    let is_collected = handover.give(&kept, link, clock, arguments, part)?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    Ok(match (is_collected, interrupted.load(Ordering::Relaxed)) {
        (false, _) => ExitCode::from(NOT_COLLECTED),
        (true, true) => ExitCode::from(INTERRUPTED),
        (true, false) => ExitCode::SUCCESS,
    })
}

/// The load that this part would offer, as the collector and others get to see it: without secrets.
fn join(arguments: &LoadArgs, job: &Job, plan: &Plan, environment: &Environment) -> Result<Join, Failure> {
    let mut value = serde_json::to_value(plan).map_err(Failure::running)?;
    plimsoll_secrets::mask_json(&mut value);
    Ok(Join {
        protocol: PROTOCOL,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        plan: serde_json::from_value(value).map_err(Failure::running)?,
        digest: digest::of(job),
        seed: arguments.output.seed,
        part: arguments.scale.part.or(arguments.scale.part_index.map(|index| index + 1)),
        machine: environment.machine.clone(),
        host: project::host(),
    })
}

/// The part of the load that is this one's, the file of its record, and what is ready before the start is known.
fn prepare(arguments: &LoadArgs, job: &mut Job, plan: Plan, seat: Seat) -> Result<(Plan, Kept, Ready), Failure> {
    let part = Part { number: seat.part, count: seat.parts };
    segment::take(job, part, Some(seat.seed))
        .map_err(|why| Failure::input(format_args!("part {part} of the collector's: {why}")))?;
    let ready = plimsoll_drive::ready(job).map_err(Failure::input)?;
    let kept = Kept::choose(arguments.output.record.record.as_deref(), part);
    Ok((Plan { seed: seat.seed, segment: Some(part), ..plan }, kept, ready))
}

fn compared(clocks: &Clocks, late: Nanos) -> PartClock {
    let (ahead_ns, error) = clocks.offset().unwrap_or_default();
    PartClock { ahead_ns, error, late }
}

/// The time of day at an instant that is to come.
fn time_of(at: Nanos, clock: Elapsed) -> String {
    let left = i64::try_from((at - clock.now()).0).unwrap_or_default();
    let now = Timestamp::now();
    now.checked_add(SignedDuration::from_nanos(left)).unwrap_or(now).to_string()
}

fn status<Error>(driven: &Result<Driven, Error>) -> ExecutionStatus {
    match driven {
        Ok(driven) if driven.stopped => ExecutionStatus::Interrupted,
        Ok(_) => ExecutionStatus::Done,
        Err(_) => ExecutionStatus::Failed,
    }
}
