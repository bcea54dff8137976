//! From flags to a job.

use plimsoll_drive::{Job, Options, Scenario, Script};
use plimsoll_import::{Imported, TransferOptions};
use plimsoll_record::{Arrivals, Load, ThinkTime};

use super::{connection, script};
use crate::{
    cli::{LoadArgs, ModelArgs, Target},
    commands::draw_seed,
    failure::Failure,
};

const DEFAULT_REQUESTS: u64 = 200;
const DEFAULT_CONNECTIONS: u32 = 50;
const DEFAULT_MAX_IN_FLIGHT: u32 = 10_000;

/// The job that the flags ask for; `imported` are the requests of a curl command or a file.
pub fn of(arguments: &LoadArgs, imported: Option<&Imported>) -> Result<Job, Failure> {
    let load = load(&arguments.model)?;
    let script = match (imported, &arguments.target) {
        (Some(imported), _) => script::of_imported(imported, arguments.import.har.is_some(), &arguments.request)?,
        (None, Some(Target::Url(url, text))) => script::of_url(url, text, &arguments.request)?,
        (None, _) => return Err(Failure::input("expected a URL, a curl command, --http, --har or --openapi")),
    };
    check_tls(arguments, &script)?;
    let trace = arguments.output.trace.unwrap_or(0);
    let options =
        options(arguments, imported.map(|imported| &imported.options).unwrap_or(&TransferOptions::default()))?;
    Ok(Job { scenarios: vec![Scenario { trace, ..Scenario::new(load, script) }], options })
}

/// Flags for TLS mean nothing where there is none.
pub fn check_tls(arguments: &LoadArgs, script: &Script) -> Result<(), Failure> {
    let url = &script.first().url;
    if url.scheme() == "http" && connection::are_for_tls(&arguments.tls) {
        return Err(Failure::input(format_args!(
            "flags for TLS are given, and {url} is not an https:// URL: change the URL, or remove the flags"
        )));
    }
    Ok(())
}

/// A flag wins over what was imported, and that over the default.
pub fn options(arguments: &LoadArgs, imported: &TransferOptions) -> Result<Options, Failure> {
    let defaults = Options::default();
    let flags = &arguments.connection;
    Ok(Options {
        threads: flags.threads.map(usize::from),
        connect_timeout: flags.connect_timeout.or(imported.connect_timeout).unwrap_or(defaults.connect_timeout),
        response_timeout: flags.timeout.or(imported.max_time).unwrap_or(defaults.response_timeout),
        max_redirects: arguments.request.redirects.or(imported.max_redirects).unwrap_or(defaults.max_redirects),
        keep_alive: !flags.disable_keepalive,
        connection: connection::of(arguments, imported)?,
        seed: arguments.output.seed.unwrap_or_else(draw_seed),
        ..defaults
    })
}

pub fn load(arguments: &ModelArgs) -> Result<Load, Failure> {
    let think = arguments.think_time.map_or(ThinkTime::None, |pause| ThinkTime::Constant { pause });
    let vus = arguments.connections.unwrap_or(DEFAULT_CONNECTIONS);
    let is_open = arguments.rate.is_some() || arguments.ramp_rate;
    if !is_open && (arguments.poisson || arguments.drop_late || arguments.max_in_flight.is_some()) {
        return Err(Failure::input(
            "--poisson, --drop-late and --max-in-flight are for rates: give a rate with -q, or ramp with --ramp-rate",
        ));
    }
    let max_in_flight = arguments.max_in_flight.or(arguments.connections).unwrap_or(DEFAULT_MAX_IN_FLIGHT);
    let drop_late = arguments.drop_late;
    let arrivals = if arguments.poisson { Arrivals::Poisson } else { Arrivals::Even };
    if !arguments.stage.is_empty() {
        let stages = arguments.stage.clone();
        return Ok(if arguments.ramp_rate {
            Load::RampingArrivalRate { start_rate: 0.0, stages, arrivals, max_in_flight, drop_late }
        } else {
            Load::RampingVus { start_vus: 0, stages, think }
        });
    }
    if let (Some(rate), Some(duration)) = (arguments.rate, arguments.duration) {
        return Ok(Load::ConstantArrivalRate { rate, duration, arrivals, max_in_flight, drop_late });
    }
    if let Some(iterations) = arguments.per_vu {
        let ramp_up = arguments.ramp_up.unwrap_or_default();
        return Ok(Load::PerVuIterations { vus, iterations, ramp_up, max_duration: arguments.duration, think });
    }
    match (arguments.requests, arguments.duration) {
        (None, Some(duration)) => Ok(Load::ConstantVus { vus, duration, think }),
        (requests, max_duration) => {
            let iterations = requests.unwrap_or(DEFAULT_REQUESTS);
            // A default must not make an error of what the user left open.
            let vus = arguments.connections.unwrap_or(vus.min(u32::try_from(iterations).unwrap_or(vus)));
            if iterations < u64::from(vus) {
                return Err(Failure::input(format_args!(
                    "-n {iterations} -c {vus}: expected at least as many requests as virtual users, \
                     since each needs one; use -c {iterations} or -n {vus}"
                )));
            }
            Ok(Load::SharedIterations { vus, iterations, max_duration, think })
        }
    }
}

/// What lists call the load.
pub fn title(script: &Script) -> String {
    let first = script.first();
    match script.steps().count() {
        1 => format!("{} {}", first.method, first.url),
        count => format!("{} {} and {} more", first.method, first.url, count - 1),
    }
}

/// What tables call the load.
pub fn label(load: &Load) -> String {
    match load {
        Load::ConstantArrivalRate { rate, .. } => format!("{rate}/s"),
        other => other.max_in_flight().to_string(),
    }
}

/// What tables call its stages: number and target.
pub fn stage_labels(load: &Load) -> Vec<String> {
    let (stages, unit) = match load {
        Load::RampingVus { stages, .. } => (stages, ""),
        Load::RampingArrivalRate { stages, .. } => (stages, "/s"),
        _ => return Vec::new(),
    };
    (1..).zip(stages).map(|(number, stage)| format!("{number}: {}{unit}", stage.target)).collect()
}
