//! `plimsoll line`: the highest rate at which a service keeps its objectives, by a search.

mod objectives;
mod offering;
mod progress;

use std::process::ExitCode;

use plimsoll_analysis::{
    line::critical,
    results::{LineResults, SearchResults},
};
use plimsoll_drive::{Generator, Here, Job, JobText, Scenario, Stop};
use plimsoll_lab::{
    experiment::Gathering,
    explain::{CensusThread, Explaining, FullLoad},
    file::load_requests,
    line::{Searching, Watching},
};
use plimsoll_observe::listener::Answering;
use plimsoll_record::{Amount, Arrivals, ExplainPlan, Explained, LinePlan, Load, LoadUnit, Nanos, Plan};
use url::Url;

use self::{offering::Offering, progress::Progress};
use super::{
    beforehand, ci,
    compare::Against,
    explain::stepping::Stepping,
    load::{file, import, job, outputs},
    recording::{Ended, Recording},
    results,
    target::{self, Target},
};
use crate::{
    cli::{LineArgs, PartsArgs, SearchArgs, SendArgs},
    failure::{Failure, INTERRUPTED, NOT_KEPT, PARTS_MISSING, UNDECIDED},
    gathering::Parts,
    interrupt,
    live::Live,
    project,
};

/// Expected of `--cold`, and what there is instead.
const COLD: &str = "--cold: expected a process that has just been started for each trial, and the one behind a URL cannot \
    be started anew: let `plimsoll run` launch it, by a file with `line: {slo: [...], cold: 20s, at-most: 10min}`";

const FAILS_ALL: &str = "a service that fails each request has no load line";

pub fn execute(arguments: &LineArgs) -> Result<ExitCode, Failure> {
    let destinations = arguments.output.destinations().map_err(Failure::input)?;
    outputs::check(&destinations)?;
    let plan = plan(arguments)?;
    let template = template(&arguments.send, arguments.output.seed, plan.open(1.0, Nanos::from_secs(1)))?;
    plimsoll_drive::check(&template).map_err(Failure::input)?;
    let url = template.scenarios[0].script.first().url.clone();
    let target = target::find(&arguments.watch, &url)?;
    if let (true, Target::Nobody(why)) = (arguments.watch.explain, &target) {
        return Err(not_explained(&url, why.as_deref()));
    }
    let stop = interrupt::stop_flag()?;
    // Parts may reach what this process does not.
    let remark = match arguments.parts.parts {
        None => beforehand::check(&template, FAILS_ALL, &Stop::new().abandoned_by(stop.clone()))?,
        Some(_) => None,
    };
    let store = arguments.output.record.open()?;
    let explained =
        ExplainPlan { of: vec![Explained { variant: url.to_string(), level: None }], ..ExplainPlan::default() };
    let explain = arguments.watch.explain.then_some(explained);
    let recorded = Plan { name: "line".to_owned(), line: Some(plan.clone()), explain, ..Plan::default() };
    let (output, file) = (&arguments.output, arguments.send.file.as_deref());
    let against = Against::find(&arguments.against, &output.record, output.full, file, &recorded)?;
    let parts = match gathering(&arguments.parts) {
        Some(gathering) => {
            // A job that cannot be sent is an error before anybody joins.
            JobText::of(&template).map_err(|error| Failure::input(format_args!("--parts: {error}")))?;
            match Parts::gather(&gathering, output.quiet, &stop)? {
                Some(parts) => Some(parts),
                None => return Ok(ExitCode::from(INTERRUPTED)),
            }
        }
        None => None,
    };
    let generator: &dyn Generator = match &parts {
        Some(parts) => parts,
        None => &Here,
    };
    let mut environment = project::environment_of_file(arguments.send.file.as_deref());
    let mut recording = Recording::begin(store, &environment, &template, recorded)?;
    let mut progress = Progress::new(arguments.output.quiet);
    remark.iter().for_each(|remark| progress.note(remark));
    let beside: Vec<i32> = target.process().into_iter().flat_map(Answering::pids).collect();
    let script = &template.scenarios[0].script;
    let mut searching = Searching::new(&plan, script.names(), script.requests_per_iteration(), &beside);
    let watching = match &target {
        &Target::Process(Answering { pid, port, .. }) => {
            Some(Watching::start_beside_others(pid, port, searching.elapsed(), beside))
        }
        Target::Nobody(remark) => {
            remark.iter().for_each(|remark| progress.note(remark));
            None
        }
    };
    let of = Offering { template: &template, generator, interrupted: &stop, watching: watching.as_ref() };
    let mut ended = loop {
        let Some(offer) = searching.next_offer() else { break Ended::Whole };
        match offering::offer(&offer, &of, &mut searching, &mut recording, &mut progress) {
            Ok(Ended::Whole) => {}
            Ok(ended) => break ended,
            Err(failure) => {
                let is_target = searching.gone().is_some();
                recording.end_search(searching.line_run(), &searching.forgotten(), &failure, is_target);
                return Err(failure);
            }
        }
    };
    if let Some(why) = ended.why_parts_are_lost() {
        progress.warn(&format!("{why}; the search ends with what it knows"));
    }
    drop(progress);
    if let Some(merged) = generator.parts() {
        environment.merged = Some(merged);
        recording.keep_environment(&environment)?;
    }
    recording.forget(&searching.forgotten())?;
    let found = searching.line_run();
    let capacity = found.capacity;
    recording.keep_line(found)?;
    let id = match (watching, target.process(), capacity) {
        (Some(watching), Some(Answering { pid, port, .. }), Some(capacity))
            if arguments.watch.explain && ended == Ended::Whole =>
        {
            let names = template.scenarios[0].script.names();
            let fulls = vec![FullLoad::of_users(capacity.users)];
            let explaining = Explaining::after_a_load(names, fulls).begun_before(searching.elapsed());
            let census_thread = CensusThread::start(pid, port, explaining.elapsed());
            let live = Live::new(arguments.output.quiet);
            let stepping =
                Stepping { template, generator, environment, explaining, census_thread, watching, recording, live };
            let made = stepping.make_all(&stop)?;
            ended = made.ended;
            made.execution
        }
        (watching, ..) => {
            if let Some(watching) = watching {
                recording.add_samples(&watching.end()).map_err(Failure::running)?;
            }
            recording.finish(&ended)?
        }
    };
    parts.iter().for_each(|parts| parts.dismiss(ended.why_parts_are_lost().map(str::to_owned)));
    let (data, results) = results::of(&arguments.output.record, id)?;
    let against = against.filter(|_| ended == Ended::Whole);
    let compared = against.as_ref().map(|against| against.compared(&data, &results)).transpose()?;
    outputs::write(&destinations, arguments.output.full, &data, &results, compared.as_ref())?;
    ci::tell(&data, &results, arguments.send.file.as_deref());
    let is_worse = match against.zip(compared) {
        Some((against, compared)) => against.tell(&compared, &destinations)?,
        None => false,
    };
    Ok(match ended {
        Ended::PartsLost(_) => ExitCode::from(PARTS_MISSING),
        Ended::Interrupted => ExitCode::from(INTERRUPTED),
        Ended::Whole if is_worse => ExitCode::from(NOT_KEPT),
        Ended::Whole if arguments.strict && super::have_unsure_lines(&results) => ExitCode::from(NOT_KEPT),
        Ended::Whole => exit_code(arguments, &results.lines),
    })
}

/// How parts are gathered, if they are to offer the loads.
fn gathering(arguments: &PartsArgs) -> Option<Gathering> {
    let &PartsArgs { parts, listen, deadline, silence, .. } = arguments;
    let token_file = arguments.token.token_file.clone();
    Some(Gathering { parts: parts?, listen, deadline, silence, token_file })
}

fn not_explained(url: &Url, why: Option<&str>) -> Failure {
    let why = why.map_or_else(|| format!("{url} is not of this machine"), str::to_owned);
    Failure::input(format_args!("--explain: {why}; name the process that answers with --pid"))
}

/// One scenario whose load each trial replaces.
pub fn template(send: &SendArgs, seed: Option<u64>, load: Load) -> Result<Job, Failure> {
    if let Some(path) = &send.file {
        let read = load_requests(path).map_err(Failure::input)?;
        return file::job_with(send, seed, &read, load);
    }
    let imported = import::read(send)?;
    let script = job::script(send, imported.as_ref())?;
    let options = job::options(send, seed, imported.as_ref())?;
    Ok(Job { scenarios: vec![Scenario::new(load, script)], options })
}

fn plan(arguments: &LineArgs) -> Result<LinePlan, Failure> {
    let flags = &arguments.search;
    if flags.cold {
        return Err(Failure::input(COLD));
    }
    let plan = LinePlan {
        objectives: if flags.critical { critical::objectives() } else { objectives::read(&flags.slo)? },
        resolution: flags.resolution,
        at_most: flags.at_most,
        warm_up: flags.warm_up,
        from: offered("--from", flags.from, flags)?,
        to: offered("--to", flags.to, flags)?,
        at_least: offered("--at-least", flags.at_least, flags)?,
        arrivals: if flags.evenly && !flags.poisson { Arrivals::Even } else { Arrivals::Poisson },
        max_in_flight: flags.max_in_flight,
        overload: !flags.no_overload && flags.at_least.is_none() && !flags.users,
        users: flags.users.then(|| LinePlan::think(flags.think_time.unwrap_or_default())),
        cold: None,
    };
    match (plan.from, plan.to) {
        (Some(from), Some(to)) if to <= from => {
            let [from, to] = [from, to].map(|number| Amount { number, unit: plan.unit() });
            Err(Failure::input(format_args!("--to {to}: expected more than --from, {from}")))
        }
        _ => Ok(plan),
    }
}

/// The number of a flag, in the unit of the line.
fn offered(flag: &str, given: Option<Amount>, flags: &SearchArgs) -> Result<Option<f64>, Failure> {
    let is_whole = |it: Amount| it.unit == LoadUnit::VirtualUsers && it.number.fract() == 0.0;
    match given {
        Some(amount) if flags.users && !is_whole(amount) => Err(Failure::input(format_args!(
            "{flag} {amount}: expected a whole number of users, since --users is given, e.g. {flag} 500"
        ))),
        Some(amount) if flags.users && amount.number > f64::from(flags.max_in_flight) => Err(Failure::input(
            format_args!("{flag} {amount}: there are at most {} users; raise --max-in-flight", flags.max_in_flight),
        )),
        _ => Ok(given.map(|amount| amount.number)),
    }
}

/// A test ends by its verdict; a search that found anything has done its work.
fn exit_code(arguments: &LineArgs, lines: &[LineResults]) -> ExitCode {
    let searches: Vec<&SearchResults> = lines.iter().flat_map(|line| &line.searches).collect();
    let is_test = arguments.search.at_least.is_some();
    if super::hold_nowhere(lines) || is_test && searches.iter().any(|search| search.upper.is_some()) {
        ExitCode::from(NOT_KEPT)
    } else if !is_test || searches.iter().all(|search| search.lower.is_some()) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(UNDECIDED)
    }
}
