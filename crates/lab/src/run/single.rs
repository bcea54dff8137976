//! One run: a fresh process is launched, loaded, and ended; or one that runs already is loaded.

use plimsoll_record::{Nanos, Run, RunStatus};

use super::{
    LabError,
    benchmarks::ResultFile,
    beside::{Beside, Failed},
    command::command_text,
    execution::Execution,
    job::url,
    session::{Readiness, RunEnd, Session, conclude},
    target::{Running, Target},
    topology::Topology,
    upstream::Upstream,
};
use crate::{
    artifact::Artifact,
    event::Place,
    experiment::{Program, Variant},
    jmh,
    launch::{self, CgroupLimits, Command, Launch, StartError},
    placeholders::Placeholders,
};

/// How long a target has to end in order.
const GRACE: Nanos = Nanos::from_secs(5);

/// Makes the run, up to its entry in the record.
pub fn run(
    execution: &mut Execution<'_>,
    mut run: Run,
    place: &Place,
    artifact: &Artifact,
) -> Result<RunStatus, LabError> {
    let variant = &execution.experiment.variants[place.variant];
    let mut topology = match Topology::open(execution, place)? {
        Ok(topology) => topology,
        Err(problem) => return conclude(execution, run, place, RunEnd::because(RunStatus::NotReady, problem), &[]),
    };
    let upstream = match Upstream::start_at(&mut topology, execution, place) {
        Ok(upstream) => upstream,
        Err(StartError { message, output_tail }) => {
            execution.store.add_output(run.id, &output_tail)?;
            let stopped = execution.is_stopped().then(|| RunEnd::plain(RunStatus::Interrupted));
            let run_end = stopped.unwrap_or_else(|| RunEnd::because(RunStatus::UpstreamFailed, message));
            return conclude(execution, run, place, run_end, &output_tail);
        }
    };
    let beside = match Beside::start(execution, run.id, place, &mut topology)? {
        Ok(beside) => beside,
        Err(Failed { run_end, output_tail }) => return conclude(execution, run, place, run_end, &output_tail),
    };
    if matches!(variant.program, Program::Running) {
        return load_running(execution, run, place, topology, (upstream, beside));
    }
    let result = matches!(variant.program, Program::Benchmarks { .. }).then(ResultFile::new).transpose()?;
    let placeholders = match &result {
        Some(result) => topology.beside_target().with(jmh::RESULT, result.path().display()),
        None => topology.beside_target(),
    };
    let command = command(variant, artifact, &placeholders);
    run.command = Some(command_text(&command.env, &command.argv));
    execution.store.update_run(&run)?;

    let launch = launch(execution, place, &topology, command);
    match launch::Target::start(&execution.context.exe, &launch) {
        Ok(target) => {
            execution.note_limits(place.variant, target.applied())?;
            let target = (Target::Launched(Box::new(target)), Some(launch), readiness(variant, artifact));
            let mut session = Session::new(execution, run, place, topology, (upstream, beside), target);
            let run_end = match (&variant.program, &result) {
                (Program::Benchmarks { arguments, .. }, Some(result)) => session.benchmarks(arguments, result),
                _ => session.load(variant),
            };
            let run_end = run_end.or_else(|failed| session.without_network(failed))?;
            session.end(run_end)
        }
        Err(StartError { message, output_tail }) => {
            execution.store.add_output(run.id, &output_tail)?;
            beside.end(execution, &place.name)?;
            conclude(execution, run, place, RunEnd::because(RunStatus::NotReady, message), &output_tail)
        }
    }
}

/// Loads a service that was there before.
fn load_running(
    execution: &mut Execution<'_>,
    run: Run,
    place: &Place,
    topology: Topology,
    beside: (Option<Upstream>, Beside),
) -> Result<RunStatus, LabError> {
    let variant = &execution.experiment.variants[place.variant];
    let target = match url(&variant.url, &topology.at_generator()) {
        Ok(url) => Running::at(url),
        Err(problem) => {
            beside.1.end(execution, &place.name)?;
            return conclude(execution, run, place, RunEnd::because(RunStatus::NotReady, problem), &[]);
        }
    };
    let readiness = match &variant.ready_url {
        Some(url) => Readiness { url: url.clone(), takes_any_answer: false },
        None => Readiness { url: variant.url.clone(), takes_any_answer: true },
    };
    let target = (Target::Running(target), None, readiness);
    let mut session = Session::new(execution, run, place, topology, beside, target);
    let run_end = session.load(variant).or_else(|failed| session.without_network(failed))?;
    session.end(run_end)
}

/// The file's word on when a target is ready, else its framework's.
fn readiness(variant: &Variant, artifact: &Artifact) -> Readiness {
    match (&variant.ready_url, artifact.ready_path()) {
        (Some(url), _) => Readiness { url: url.clone(), takes_any_answer: false },
        (None, Some(path)) => Readiness { url: variant.url_of(path), takes_any_answer: true },
        (None, None) => Readiness { url: variant.url.clone(), takes_any_answer: true },
    }
}

fn command(variant: &Variant, artifact: &Artifact, placeholders: &Placeholders) -> Command {
    let line = artifact.command_line(placeholders);
    let own = variant.env.iter().map(|(name, value)| (name.clone(), placeholders.fill(value)));
    Command { argv: line.argv, env: line.env.into_iter().chain(own).collect(), workdir: line.workdir }
}

fn launch(execution: &Execution<'_>, place: &Place, topology: &Topology, command: Command) -> Launch {
    let limits = &execution.experiment.variants[place.variant].limits;
    Launch {
        command,
        cpus: execution.placement.target_cpus().to_vec(),
        namespace: topology.target().cloned(),
        limits: CgroupLimits { memory_bytes: limits.memory_bytes, cpus: limits.cpus },
        files: limits.files,
        grace: GRACE,
        is_command: false,
        removes: None,
    }
}
