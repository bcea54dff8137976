//! A job whose requests, and whose load, are written in a file.

use std::path::Path;

use plimsoll_drive::{Job, Options, Scenario};
use plimsoll_import::TransferOptions;
use plimsoll_lab::file::{LoadFile, load_requests};
use plimsoll_record::{LevelPlan, Nanos, Phase};

use super::{job, script};
use crate::{
    cli::{LoadArgs, Target},
    failure::Failure,
};

/// The job of the file at `path`; flags that are given win.
pub fn job(arguments: &LoadArgs, path: &Path) -> Result<Job, Failure> {
    let Some(Target::Url(base, _)) = &arguments.target else {
        return Err(Failure::input("-f goes with a URL, to which the paths in the file are joined"));
    };
    let file = load_requests(path).map_err(Failure::input)?;
    let levels = levels(arguments, &file)?;
    let scenario = |(level, text): (&LevelPlan, &_)| {
        let script = script::resolve(Clone::clone(text), base, &arguments.request)?;
        Ok(Scenario { name: level.label.clone(), start: level.start, load: level.load.clone(), script })
    };
    let scenarios = levels.iter().zip(&file.scripts).map(scenario).collect::<Result<_, Failure>>()?;
    let mut options = job::options(arguments, &TransferOptions::default())?;
    options.response_timeout =
        arguments.connection.timeout.or(file.response_timeout).unwrap_or(Options::default().response_timeout);
    options.seed = arguments.output.seed.or(file.seed).unwrap_or(options.seed);
    Ok(Job { scenarios, options })
}

/// Those of the file, unless flags say how requests are offered.
fn levels(arguments: &LoadArgs, file: &LoadFile) -> Result<Vec<LevelPlan>, Failure> {
    if !file.levels.is_empty() && !arguments.model.is_given() {
        return Ok(file.levels.clone());
    }
    if file.scripts.len() > 1 {
        let message = "each scenario has a load of its own: leave out the flags for one load (-n, -c, -z, -q …)";
        return Err(Failure::input(file.error(message.to_owned())));
    }
    let load = job::load(&arguments.model)?;
    Ok(vec![LevelPlan { start: Nanos::ZERO, ..LevelPlan::new(job::label(&load), Phase::Measured, load) }])
}
