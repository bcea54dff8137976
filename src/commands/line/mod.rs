//! `plimsoll line`: the highest rate at which a service keeps its objectives, by a search.

mod objectives;
mod offering;
mod progress;
mod recording;

use std::process::ExitCode;

use plimsoll_analysis::{analyse, results::LineResults};
use plimsoll_drive::{Job, Scenario};
use plimsoll_lab::file::load_requests;
use plimsoll_record::{Arrivals, LinePlan, Load, Nanos};
use plimsoll_search::{Outcome, Search, Settings, Step};

use self::{
    objectives::Objectives,
    offering::{Bench, Ended},
    progress::Progress,
    recording::Recording,
};
use super::load::{file, import, job, outputs};
use crate::{
    cli::LineArgs,
    failure::{Failure, INTERRUPTED, NOT_KEPT, UNDECIDED},
    interrupt, project,
};

/// Trials in a row that the generator may spoil before its limit is the answer.
const SPOILT_MOST: u32 = 3;
/// The part of such a rate that is offered at most from then on.
const OFFERED_MOST: f64 = 0.9;

pub fn execute(arguments: &LineArgs) -> Result<ExitCode, Failure> {
    let destinations = arguments.output.destinations().map_err(Failure::input)?;
    outputs::check(&destinations)?;
    let objectives = objectives::read(&arguments.search.slo)?;
    let template = template(arguments)?;
    plimsoll_drive::check(&template).map_err(Failure::input)?;
    let stop = interrupt::stop_flag()?;
    let mut search = Search::new(settings(arguments, &objectives));
    let line = plan(arguments, &objectives);
    let store = arguments.output.record.open()?;
    let mut recording = Recording::begin(store, &project::environment(), &template, line)?;
    let mut progress = Progress::new(arguments.output.quiet);
    let mut bench = Bench::new(&template, &objectives, arguments, stop.clone());
    let (mut spoilt, mut is_told) = (0, false);
    let ended = loop {
        let step = search.next(bench.now());
        if matches!(step, Step::Open { .. }) && !std::mem::replace(&mut is_told, true) {
            tell_time(arguments, &search, &mut progress);
        }
        if step == Step::Done {
            break Ended::Over;
        }
        match bench.offer(step, &mut search, &mut recording, &mut progress) {
            Ok(Ended::Over) => spoilt = 0,
            Ok(Ended::Spoilt(reason)) => {
                spoilt += 1;
                progress.say(&format!("note: {reason}; the trial is left out"));
                if let Step::Open { rate } = step
                    && spoilt >= SPOILT_MOST
                {
                    let most = rate * OFFERED_MOST;
                    progress.say(&format!("note: from here on at most {most:.0}/s are offered"));
                    search.limit(most);
                    spoilt = 0;
                }
            }
            Ok(ended) => break ended,
            Err(failure) => {
                recording.fail(&failure);
                return Err(failure);
            }
        }
    };
    drop(progress);
    let is_interrupted = matches!(ended, Ended::Interrupted);
    let id = recording.finish(&search, is_interrupted)?;
    let data = arguments.output.record.read(&id.to_string())?;
    let results = analyse(&data);
    outputs::write(&destinations, arguments.output.full, &data, &results)?;
    Ok(match is_interrupted {
        true => ExitCode::from(INTERRUPTED),
        false => exit_code(arguments, &results.lines),
    })
}

/// Says before the search what cannot be known in its time.
fn tell_time(arguments: &LineArgs, search: &Search, progress: &mut Progress) {
    let flags = &arguments.search;
    let needed = search.seconds_needed().filter(|&needed| needed > flags.at_most.as_secs_f64());
    if let (Some(needed), None) = (needed, flags.at_least) {
        progress.say(&format!(
            "note: an interval of {:.0} % takes about {:.0} min at best; after {} it will be wider",
            flags.resolution * 100.0,
            (needed / 60.0).ceil(),
            flags.at_most
        ));
    }
}

/// One scenario whose load each trial replaces.
fn template(arguments: &LineArgs) -> Result<Job, Failure> {
    let load = open(arguments, 1.0, Nanos::from_secs(1));
    let seed = arguments.output.seed;
    if let Some(path) = &arguments.send.file {
        let read = load_requests(path).map_err(Failure::input)?;
        return file::job_with(&arguments.send, seed, &read, load);
    }
    let imported = import::read(&arguments.send)?;
    let script = job::script(&arguments.send, imported.as_ref())?;
    let options = job::options(&arguments.send, seed, imported.as_ref())?;
    Ok(Job { scenarios: vec![Scenario::new(load, script)], options })
}

/// An open load at one rate.
fn open(arguments: &LineArgs, rate: f64, duration: Nanos) -> Load {
    Load::ConstantArrivalRate {
        rate,
        duration,
        arrivals: if arguments.search.evenly { Arrivals::Even } else { Arrivals::Poisson },
        max_in_flight: arguments.search.max_in_flight,
        drop_late: false,
    }
}

fn settings(arguments: &LineArgs, objectives: &Objectives) -> Settings {
    let flags = &arguments.search;
    Settings {
        criteria: objectives.criteria.clone(),
        lines: objectives.lines.iter().map(|line| line.criteria.clone()).collect(),
        resolution: flags.resolution,
        at_most: flags.at_most.as_secs_f64(),
        warm_up: flags.warm_up.as_secs_f64(),
        from: flags.from,
        to: flags.to,
        at_least: flags.at_least,
        users_max: flags.max_in_flight,
    }
}

fn plan(arguments: &LineArgs, objectives: &Objectives) -> LinePlan {
    let flags = &arguments.search;
    LinePlan {
        objectives: objectives.plans(),
        resolution: flags.resolution,
        at_most: flags.at_most,
        from: flags.from,
        to: flags.to,
        at_least: flags.at_least,
        capacity: None,
        found: Vec::new(),
    }
}

/// Of a test the verdict; a search that found anything has done its work.
fn exit_code(arguments: &LineArgs, lines: &[LineResults]) -> ExitCode {
    let Some(_) = arguments.search.at_least else {
        let is_nowhere = lines.iter().any(|line| line.outcome == Outcome::NeverHolds);
        return if is_nowhere { ExitCode::from(NOT_KEPT) } else { ExitCode::SUCCESS };
    };
    if lines.iter().any(|line| line.upper.is_some()) {
        ExitCode::from(NOT_KEPT)
    } else if lines.iter().all(|line| line.lower.is_some()) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(UNDECIDED)
    }
}
