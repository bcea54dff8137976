//! `plimsoll explain`: what gives way first.

mod stepping;

use std::process::ExitCode;

use plimsoll_analysis::analyse;
use plimsoll_lab::{
    explain::{Explaining, Looking},
    line::Watching,
};
use plimsoll_observe::listener::{self, listener_of};
use plimsoll_record::{ExplainPlan, Load, Nanos, Plan, ThinkTime};
use url::Url;

use self::stepping::Stepping;
use super::{
    line::{target::is_here, template},
    load::outputs,
    recording::Recording,
};
use crate::{
    cli::ExplainArgs,
    failure::{Failure, INTERRUPTED},
    interrupt,
    live::Live,
    project,
};

pub fn execute(arguments: &ExplainArgs) -> Result<ExitCode, Failure> {
    let destinations = arguments.output.destinations().map_err(Failure::input)?;
    outputs::check(&destinations)?;
    let plan = plan(arguments);
    let load = Load::ConstantVus { vus: 1, duration: Nanos::from_secs(1), think: ThinkTime::None };
    let template = template(&arguments.send, arguments.output.seed, load)?;
    plimsoll_drive::check(&template).map_err(Failure::input)?;
    let url = template.scenarios[0].script.first().url.clone();
    let pid = target(arguments.look.pid, &url)?;
    let stop = interrupt::stop_flag()?;
    let store = arguments.output.record.open()?;
    let recorded = Plan { name: "explain".to_owned(), explain: Some(plan.clone()), ..Plan::default() };
    let recording = Recording::begin(store, &project::environment(), &template, recorded)?;
    let mut live = Live::new(arguments.output.quiet);
    let explaining = Explaining::new(&plan, template.scenarios[0].script.names());
    let port = url.port_or_known_default().unwrap_or(0);
    let looking = Looking::start(pid, port, explaining.elapsed());
    if let Some(why) = looking.blind() {
        live.say(&format!("note: {why}; it is explained from outside only"));
    }
    let watching = Watching::start(pid, port, explaining.elapsed());
    let mut stepping = Stepping { template, explaining, looking, watching, recording, live };
    let is_interrupted = match stepping.make_all(&stop) {
        Ok(is_whole) => !is_whole,
        Err(failure) => {
            stepping.recording.fail(&failure);
            return Err(failure);
        }
    };
    let id = stepping.finish(is_interrupted)?;
    let data = arguments.output.record.read(&id.to_string())?;
    let results = analyse(&data);
    outputs::write(&destinations, arguments.output.full, &data, &results)?;
    Ok(if is_interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

fn plan(arguments: &ExplainArgs) -> ExplainPlan {
    let flags = &arguments.look;
    let think = flags.think_time.map_or(ThinkTime::None, |pause| ThinkTime::Constant { pause });
    let (users, users_max, warm_up) = (flags.connections, flags.max_users, flags.warm_up);
    ExplainPlan { users, users_max, warm_up, think, ..ExplainPlan::default() }
}

/// The process that is named, or else the one that listens on the port of a URL of this machine.
fn target(pid: Option<i32>, url: &Url) -> Result<i32, Failure> {
    match pid {
        Some(pid) if listener::is_there(pid) => Ok(pid),
        Some(pid) => Err(Failure::input(format_args!("--pid {pid}: expected a process that runs, found none"))),
        None if !is_here(url) => Err(Failure::input(format_args!(
            "{url} is not of this machine: run it where the process is, and name that with --pid"
        ))),
        None => {
            let port = url.port_or_known_default().unwrap_or(0);
            listener_of(port)
                .map_err(|why| Failure::input(format_args!("port {port}: {why}; name the process with --pid")))
        }
    }
}
