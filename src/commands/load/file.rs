//! A job whose requests, and whose load, are written in a file.

use plimsoll_drive::{Job, Options, Scenario};
use plimsoll_lab::{experiment::Connecting, file::LoadFile};
use plimsoll_record::{LevelPlan, Load, Nanos, Phase};
use url::Url;

use super::{connection, job, script};
use crate::{
    cli::{LoadArgs, SendArgs, Target},
    failure::Failure,
};

/// The job of the file; flags that are given win.
pub fn job(arguments: &LoadArgs, file: &LoadFile) -> Result<Job, Failure> {
    let base = base(&arguments.send)?;
    let levels = levels(arguments, file)?;
    let scenario = |(level, text): (&LevelPlan, &_)| {
        let script = script::resolve(Clone::clone(text), base, &arguments.send.request)?;
        let (name, start, trace) = (level.label.clone(), level.start, arguments.telling.trace.unwrap_or(level.trace));
        let limits = level.limits.clone();
        Ok(Scenario { name, start, trace, limits, ..Scenario::new(level.load.clone(), script) })
    };
    let scenarios = levels.iter().zip(&file.scripts).map(scenario).collect::<Result<Vec<_>, Failure>>()?;
    scenarios.iter().try_for_each(|scenario| job::check_tls(&arguments.send, &scenario.script))?;
    Ok(Job { scenarios, options: options(&arguments.send, arguments.output.seed, file)? })
}

/// One scenario of the file, under another load.
pub fn job_with(arguments: &SendArgs, seed: Option<u64>, file: &LoadFile, load: Load) -> Result<Job, Failure> {
    let [text] = &file.scripts[..] else {
        return Err(Failure::input(file.error("several scenarios have no one rate: give one".to_owned())));
    };
    let script = script::resolve(text.clone(), base(arguments)?, &arguments.request)?;
    job::check_tls(arguments, &script)?;
    Ok(Job { scenarios: vec![Scenario::new(load, script)], options: options(arguments, seed, file)? })
}

fn base(arguments: &SendArgs) -> Result<&Url, Failure> {
    match &arguments.target {
        Some(Target::Url(base, _)) => Ok(base),
        _ => Err(Failure::input("-f goes with a URL, to which the paths in the file are joined")),
    }
}

/// Flags that are given win over the file, each by itself.
fn options(arguments: &SendArgs, seed: Option<u64>, file: &LoadFile) -> Result<Options, Failure> {
    let defaults = Options::default();
    let mut options = job::options(arguments, seed, None)?;
    let Connecting { mut connection, keep_alive, connect_timeout } = file.connecting.clone();
    connection::apply(&arguments.connection, &arguments.tls, &mut connection);
    options.connection = connection;
    options.keep_alive &= keep_alive;
    options.connect_timeout = arguments.connection.connect_timeout.unwrap_or(connect_timeout);
    let response_timeout = arguments.connection.timeout.or(file.response_timeout);
    options.response_timeout = response_timeout.unwrap_or(defaults.response_timeout);
    options.seed = seed.or(file.seed).unwrap_or(options.seed);
    Ok(options)
}

/// Levels of the file, unless flags say how requests are offered.
fn levels(arguments: &LoadArgs, file: &LoadFile) -> Result<Vec<LevelPlan>, Failure> {
    if !file.levels.is_empty() && !arguments.model.is_given() {
        // Requests that are sent once are the same at all levels.
        if file.alternatives > 0 && !arguments.telling.debug {
            let count = file.alternatives + 1;
            let message = "say one by flags (-c 100 -z 30s, -q 500 -z 30s), or use `plimsoll run`";
            return Err(Failure::input(file.error(format!("a URL gets one load, and these are {count}: {message}"))));
        }
        return Ok(file.levels.clone());
    }
    if file.scripts.len() > 1 {
        let message = "each scenario has a load of its own: leave out the flags for one load (-n, -c, -z, -q …)";
        return Err(Failure::input(file.error(message.to_owned())));
    }
    let load = arguments.model.load().map_err(Failure::input)?;
    Ok(vec![LevelPlan { start: Nanos::ZERO, ..LevelPlan::new(load.label(), Phase::Measured, load) }])
}
