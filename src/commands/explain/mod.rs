//! `plimsoll explain`: what gives way first.

pub mod stepping;

use std::process::ExitCode;

use plimsoll_drive::{Here, Stop};
use plimsoll_lab::{
    explain::{CensusThread, Explaining},
    line::Watching,
    listening::elsewhere,
};
use plimsoll_observe::listener::{Answering, Unknown};
use plimsoll_record::{Arrivals, ExplainPlan, Load, Nanos, Plan, ThinkTime};
use url::Url;

use self::stepping::{Made, Stepping};
use super::{
    beforehand, ci, have_unsure_explanations,
    line::template,
    load::outputs,
    recording::{Ended, Recording},
    results,
    target::{is_here, listener_at, named, port},
};
use crate::{
    cli::ExplainArgs,
    failure::{Failure, INTERRUPTED, NOT_KEPT, PARTS_MISSING},
    interrupt,
    live::Live,
    project,
};

const FAILS_ALL: &str = "nothing can be said about a service that fails each request";

pub fn execute(arguments: &ExplainArgs) -> Result<ExitCode, Failure> {
    let destinations = arguments.output.destinations().map_err(Failure::input)?;
    outputs::check(&destinations)?;
    let plan = plan(arguments);
    let one = Load::ConstantVus { vus: 1, duration: Nanos::from_secs(1), think: ThinkTime::None };
    let load = plan.load.clone().unwrap_or(one);
    let template = template(&arguments.send, arguments.output.seed, load)?;
    plimsoll_drive::check(&template).map_err(Failure::input)?;
    let url = template.scenarios[0].script.first().url.clone();
    let Answering { pid, port, .. } = target(arguments.look.pid, &url)?;
    let stop = interrupt::stop_flag()?;
    let remark = beforehand::check(&template, FAILS_ALL, &Stop::new().abandoned_by(stop.clone()))?;
    let store = arguments.output.record.open()?;
    let recorded = Plan { name: "explain".to_owned(), explain: Some(plan.clone()), ..Plan::default() };
    let environment = project::environment_of_file(arguments.send.file.as_deref());
    let recording = Recording::begin(store, &environment, &template, recorded)?;
    let mut live = Live::new(arguments.output.quiet);
    remark.iter().for_each(|remark| live.say(&format!("note: {remark}")));
    let explaining = Explaining::new(&plan, template.scenarios[0].script.names());
    let census_thread = CensusThread::start(pid, port, explaining.elapsed());
    let watching = Watching::start(pid, port, explaining.elapsed());
    let stepping =
        Stepping { template, generator: &Here, environment, explaining, census_thread, watching, recording, live };
    let Made { execution, ended } = stepping.make_all(&stop)?;
    let (data, results) = results::of(&arguments.output.record, execution)?;
    outputs::write(&destinations, arguments.output.full, &data, &results, None)?;
    ci::tell(&data, &results, arguments.send.file.as_deref());
    Ok(match ended {
        Ended::Interrupted => ExitCode::from(INTERRUPTED),
        Ended::PartsLost(_) => ExitCode::from(PARTS_MISSING),
        Ended::Whole if arguments.strict && have_unsure_explanations(&results) => ExitCode::from(NOT_KEPT),
        Ended::Whole => ExitCode::SUCCESS,
    })
}

fn plan(arguments: &ExplainArgs) -> ExplainPlan {
    let flags = &arguments.look;
    let think = flags.think_time.map_or(ThinkTime::None, |pause| ThinkTime::Constant { pause });
    let (users, users_max, warm_up) = (flags.connections, flags.max_users, flags.warm_up);
    let arrivals = if flags.poisson { Arrivals::Poisson } else { Arrivals::Even };
    let open = |rate| {
        let (duration, max_in_flight, drop_late) = (Nanos::from_secs(1), flags.max_in_flight, false);
        Load::ConstantArrivalRate { rate, duration, arrivals, max_in_flight, drop_late }
    };
    ExplainPlan { users, users_max, warm_up, think, load: flags.rate.map(open), of: Vec::new() }
}

/// The process that is named, or else the one that answers a URL of this machine.
fn target(pid: Option<i32>, url: &Url) -> Result<Answering, Failure> {
    match pid {
        Some(pid) => named(pid, url),
        None if !is_here(url) => Err(Failure::input(format_args!(
            "{url} is not of this machine: run it where the process is, and name that with --pid"
        ))),
        None => listener_at(url).map_err(|why| {
            let port = port(url);
            let remedy = match (elsewhere(url), &why) {
                (Some(other), _) => format!("a service listens on the other loopback: name it as {other}"),
                (None, Unknown::Nobody) => "start it, correct the URL, or name the process with --pid".to_owned(),
                (None, _) => "name the process with --pid".to_owned(),
            };
            Failure::input(format_args!("port {port}: {why}; {remedy}"))
        }),
    }
}
