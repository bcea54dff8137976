//! One run: a fresh process is launched, awaited, loaded level by level, and ended.

use std::{
    ops::{ControlFlow, Range},
    time::Duration,
};

use plimsoll_drive::{Driven, Job, Options, Scenario, Script, ScriptText, Stop, drive};
use plimsoll_record::{Interval, LevelPlan, Nanos, Phase, Run, RunStatus};
use plimsoll_text::joined;
use url::Url;

use super::{
    LabError,
    benchmarks::ResultFile,
    command::command_text,
    execution::Execution,
    pump::{Cause, Step},
    session::{RunEnd, Session, conclude},
    topology::Topology,
    upstream::Upstream,
};
use crate::{
    artifact::Artifact,
    check::CannotLaunch,
    clock,
    event::{Event, LevelPlace, Place, Progress},
    experiment::{Connecting, Experiment, Program, Variant},
    jmh,
    launch::{CgroupLimits, Command, Launch, StartError, Target},
    placeholders::Placeholders,
    ready::{NotReady, Probe},
    steady::is_steady,
};

/// How long a target has to end in order.
const GRACE: Nanos = Nanos::from_secs(5);

/// How long the report of a target's death may take after its last requests failed.
const LAST_MOMENTS: Duration = Duration::from_millis(300);

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
    let result = ResultFile::of_run(place.run);
    let placeholders = topology.beside_target().with(jmh::RESULT, result.path().display());
    let command = command(variant, artifact, &placeholders);
    run.command = Some(command_text(&command.env, &command.argv));
    execution.store.update_run(&run)?;

    let launch = launch(execution, place, &topology, command);
    match Target::start(&execution.context.exe, &launch) {
        Ok(target) => {
            execution.note_limits(place.variant, target.applied())?;
            let mut session = Session::new(execution, run, place, topology, upstream, (target, launch));
            let run_end = match &variant.program {
                Program::Benchmarks { arguments, .. } => session.benchmarks(arguments, &result)?,
                _ => session.load(variant)?,
            };
            session.end(run_end)
        }
        Err(StartError { message, output_tail }) => {
            execution.store.add_output(run.id, &output_tail)?;
            conclude(execution, run, place, RunEnd::because(RunStatus::NotReady, message), &output_tail)
        }
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
        cgroup_name: format!("plimsoll-{}-{}", std::process::id(), place.run),
        grace: GRACE,
        removes: None,
    }
}

/// `level `900``, or `levels `browse` and `buy``.
fn level_names(levels: &[LevelPlan]) -> String {
    let names: Vec<String> = levels.iter().map(|level| format!("`{}`", level.label)).collect();
    let word = if names.len() == 1 { "level" } else { "levels" };
    format!("{word} {}", joined(&names))
}

/// A level that is being driven.
struct LevelUnderWay {
    id: i64,
    place: LevelPlace,
    started: Nanos,
    ended: u64,
    failed: u64,
    /// Throughput of each second so far.
    throughput_per_s: Vec<f64>,
    ends_when_steady: bool,
}

impl Session<'_, '_> {
    /// Waits until the target is ready, then drives all levels.
    fn load(&mut self, variant: &Variant) -> Result<RunEnd, LabError> {
        if let Some(run_end) = self.await_ready(variant)? {
            return Ok(run_end);
        }
        if let Some(metrics) = &variant.metrics {
            let url = self.url(&metrics.url, &self.topology.beside_target())?;
            self.scrape(metrics, url);
        }
        let plan = &self.execution.experiment.plan;
        if let Some(line) = &plan.line
            && let Some(run_end) = self.search(line, variant)?
        {
            return Ok(run_end);
        }
        for group in plan.level_groups() {
            let cause = self.levels(group.clone(), variant)?;
            let when = || format!("while {} was driven", level_names(&plan.levels[group]));
            if let Some(run_end) = self.broken(cause, when) {
                return Ok(run_end);
            }
        }
        if let Some(run_end) = self.explain(variant)? {
            return Ok(run_end);
        }
        // It may have exited on its last request.
        match self.target.poll_ended() {
            Some(_) => Ok(self.exited(RunStatus::Died, "at the end of its load")),
            None => Ok(RunEnd::plain(RunStatus::Done)),
        }
    }

    /// Starts the target anew and waits until it is ready; how the run ends, if it is not.
    pub(super) fn restart(&mut self, variant: &Variant) -> Result<Option<RunEnd>, LabError> {
        self.execution.say_once(&format!("{}: it is started anew, and the search goes on", self.place.name));
        match self.start_anew()? {
            None => self.await_ready(variant),
            failed => Ok(failed),
        }
    }

    /// The end of a run of which a load did not end by itself.
    pub(super) fn broken(&mut self, cause: Cause, when: impl FnOnce() -> String) -> Option<RunEnd> {
        match cause {
            Cause::Over => None,
            Cause::Stopped => Some(RunEnd::plain(RunStatus::Interrupted)),
            Cause::NetworkEnded => Some(RunEnd::network_ended(&when())),
            Cause::UpstreamEnded => Some(self.upstream_exited(&when())),
            Cause::TargetEnded => Some(self.exited(RunStatus::Died, &when())),
        }
    }

    /// Where it listens, if nothing of it listens on the port of `url`.
    fn elsewhere(&self, url: &Url) -> String {
        // Nothing is seen of another namespace.
        let at = if self.topology.target().is_some() { Vec::new() } else { self.target.listens_at() };
        if at.is_empty() || at.iter().any(|address| Some(address.port()) == url.port_or_known_default()) {
            return String::new();
        }
        let at: Vec<String> = at.iter().map(ToString::to_string).collect();
        format!("; it listens on {} instead: `{{port}}` has to reach it, or its `port` be named", joined(&at))
    }

    /// None once it is ready.
    fn await_ready(&mut self, variant: &Variant) -> Result<Option<RunEnd>, LabError> {
        let tls = &self.execution.experiment.connecting.connection.tls;
        let url = self.url(&variant.ready_url, &self.topology.beside_target())?;
        let probe = Probe::new(&url, tls).map_err(|problem| self.cannot_launch(problem))?;
        let deadline = self.target.spawned() + variant.ready_timeout;
        let placement = self.execution.placement.thread_in(self.topology.target());
        let (answer, cause) =
            self.pump(&placement, |abort, _: &mut dyn FnMut(())| probe.await_ready(deadline, abort), &mut |_, ()| {
                Ok(ControlFlow::Continue(()))
            })?;
        match (answer, cause) {
            (_, Cause::TargetEnded) => Ok(Some(self.exited(RunStatus::NotReady, "before it was ready"))),
            (_, Cause::UpstreamEnded) => Ok(Some(self.upstream_exited("before the target was ready"))),
            (_, Cause::NetworkEnded) => Ok(Some(RunEnd::network_ended("before the target was ready"))),
            (_, Cause::Stopped) => Ok(Some(RunEnd::plain(RunStatus::Interrupted))),
            (Err(NotReady(last)), Cause::Over) => Ok(Some(RunEnd::because(
                RunStatus::NotReady,
                format!(
                    "the target was not ready within {}: GET {probe}: {last}{}",
                    variant.ready_timeout,
                    self.elsewhere(&url)
                ),
            ))),
            (Ok(at), Cause::Over) => {
                let startup = at - self.target.spawned();
                if self.run.startup.is_none() {
                    self.run.startup = Some(startup);
                    self.execution.store.update_run(&self.run)?;
                }
                self.execution.say(Event::Ready { place: self.place.clone(), startup });
                Ok(None)
            }
        }
    }

    /// Drives the levels of a group at the same time.
    fn levels(&mut self, group: Range<usize>, variant: &Variant) -> Result<Cause, LabError> {
        let levels = &self.execution.experiment.plan.levels[group.clone()];
        let scripts = &self.execution.experiment.scripts[group.clone()];
        let job = self.job(levels.iter().zip(scripts), variant)?;
        let begun = group.zip(levels).map(|(index, level)| self.begin_level(index, level));
        let mut under_way = begun.collect::<Result<Vec<_>, _>>()?;
        let placement = self.execution.placement.thread_in(self.topology.generator());
        let (driven, cause) = self.pump(
            &placement,
            |abort, tell| {
                let stop = Stop::new().abandoned_by(abort.clone());
                drive(&job, &stop, &mut |scenario, interval| tell((scenario, interval)))
            },
            &mut |session, (scenario, interval)| session.on_interval(&mut under_way[scenario], interval),
        )?;
        let Driven { took, .. } = driven.map_err(|source| LabError::Drive {
            variant: self.place.name.clone(),
            level: level_names(levels),
            source,
        })?;
        if under_way.iter().any(|level| level.failed > 0) && self.is_dying() {
            return Ok(Cause::TargetEnded);
        }
        if matches!(cause, Cause::Over) {
            for (level, took) in under_way.iter().zip(took) {
                self.execution.store.end_level(level.id, took)?;
            }
        }
        Ok(cause)
    }

    /// A target that dies fails its requests first, and its death is reported a moment later.
    pub(super) fn is_dying(&mut self) -> bool {
        self.target.ends_within(LAST_MOMENTS)
    }

    /// The job of these levels, which are driven together, each with its script.
    pub(super) fn job<'p>(
        &self,
        levels: impl Iterator<Item = (&'p LevelPlan, &'p ScriptText)>,
        variant: &Variant,
    ) -> Result<Job, LabError> {
        let Experiment { plan, connecting, .. } = self.execution.experiment;
        let placeholders = self.topology.at_generator();
        let base = self.url(&variant.url, &placeholders)?;
        let scenario = |(level, script): (&LevelPlan, &ScriptText)| {
            let script = self.script(script, &base, &placeholders)?;
            let (name, start, trace) = (level.label.clone(), level.start, level.trace);
            let limits = level.limits.clone();
            Ok(Scenario { name, start, trace, limits, ..Scenario::new(level.load.clone(), script) })
        };
        let scenarios = levels.map(scenario);
        // All variants of a round meet the same arrivals, another round meets others.
        let Connecting { connection, keep_alive, connect_timeout } = connecting.clone();
        let (seed, response_timeout) = (plan.seed.wrapping_add(u64::from(self.place.round)), variant.response_timeout);
        let options = Options { response_timeout, connect_timeout, keep_alive, connection, seed, ..Options::default() };
        Ok(Job { scenarios: scenarios.collect::<Result<_, LabError>>()?, options })
    }

    fn script(&self, text: &ScriptText, base: &Url, placeholders: &Placeholders) -> Result<Script, LabError> {
        let mut text = text.clone();
        for constant in placeholders.constants() {
            text.variables.iter_mut().filter(|it| it.0 == constant.0).for_each(|it| it.clone_from(&constant));
        }
        text.resolve(base).map_err(|errors| {
            let lines: Vec<String> = errors.iter().map(|error| text.describe(error)).collect();
            self.cannot_launch(lines.join("\n"))
        })
    }

    fn begin_level(&mut self, index: usize, level: &LevelPlan) -> Result<LevelUnderWay, LabError> {
        let id = self.execution.store.begin_level(self.run.id, index, self.age() + level.start)?;
        let experiment = self.execution.experiment;
        let place =
            LevelPlace { label: level.label.clone(), phase: level.phase, index, levels: experiment.plan.levels.len() };
        self.execution.say(Event::LevelStarted { place: self.place.clone(), level: place.clone() });
        Ok(LevelUnderWay {
            id,
            place,
            started: clock::now(),
            ended: 0,
            failed: 0,
            throughput_per_s: Vec::new(),
            ends_when_steady: level.phase == Phase::WarmUp && experiment.warmup_until_steady,
        })
    }

    fn on_interval(&mut self, level: &mut LevelUnderWay, interval: Interval) -> Step {
        self.execution.store.add_intervals(level.id, std::slice::from_ref(&interval))?;
        let seconds = interval.duration.as_secs_f64();
        let throughput_per_s = if seconds > 0.0 { interval.counts.succeeded as f64 / seconds } else { 0.0 };
        level.throughput_per_s.push(throughput_per_s);
        level.ended += interval.ended();
        level.failed += interval.counts.failed;
        let response = &interval.ok.response;
        let progress = Progress {
            place: self.place.clone(),
            level: level.place.clone(),
            level_elapsed: clock::now() - level.started,
            elapsed: self.execution.elapsed(),
            remaining: self.execution.remaining(self.place),
            throughput_per_s,
            p99: (!response.is_empty()).then(|| response.quantile(0.99)),
            ended: level.ended,
            failed: level.failed,
        };
        self.execution.say(Event::Progress(progress));
        let is_over = level.ends_when_steady && is_steady(&level.throughput_per_s);
        Ok(if is_over { ControlFlow::Break(Cause::Over) } else { ControlFlow::Continue(()) })
    }

    pub(super) fn url(&self, template: &str, placeholders: &Placeholders) -> Result<Url, LabError> {
        let url = placeholders.fill(template);
        Url::parse(&url).map_err(|error| self.cannot_launch(format!("`{url}` is not a URL: {error}")))
    }

    fn cannot_launch(&self, problem: String) -> LabError {
        LabError::CannotLaunch(CannotLaunch { variant: self.place.name.clone(), index: self.place.variant, problem })
    }
}
