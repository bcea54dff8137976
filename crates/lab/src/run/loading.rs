//! The load of a run: its target is awaited, then driven level by level.

use std::ops::{ControlFlow, Range};

use plimsoll_drive::{Job, ScriptText, Stop, Told};
use plimsoll_observe::server;
use plimsoll_record::{Interval, LevelPlan, Nanos, Phase, RunStatus};
use plimsoll_text::joined;
use url::Url;

use super::{
    LabError,
    failures::Failures,
    job::{job, url},
    pump::{Cause, Step},
    session::{RunEnd, Session},
    step::LoadEnd,
    warm_up::WarmUp,
};
use crate::{
    check::CannotLaunch,
    clock,
    event::{Event, LevelPlace, Progress},
    experiment::Variant,
    placeholders::Placeholders,
    ready::{NotReady, Probe},
    second::Joined,
};

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
    failures: Failures,
    seconds: Joined,
    /// If it ends once the target is warm.
    warm_up: Option<WarmUp>,
}

impl Session<'_, '_> {
    /// Waits until the target is ready, then drives all levels.
    pub(super) fn load(&mut self, variant: &Variant) -> Result<RunEnd, LabError> {
        if let Some(run_end) = self.await_ready(variant)? {
            return Ok(run_end);
        }
        let target = &self.target;
        self.execution.note_server(self.place.variant, || server::of(&target.pids()))?;
        self.scrape(variant)?;
        let plan = &self.execution.experiment.plan;
        if plan.line.is_some()
            && let Some(run_end) = self.before_levels("line")?
        {
            return Ok(run_end);
        }
        if let Some(line) = &plan.line
            && let Some(run_end) = self.search(line, variant)?
        {
            return Ok(run_end);
        }
        for group in plan.level_groups() {
            let labels: Vec<&str> = plan.levels[group.clone()].iter().map(|level| level.label.as_str()).collect();
            if let Some(run_end) = self.before_levels(&labels.join(","))? {
                return Ok(run_end);
            }
            let end = self.levels(group.clone(), variant)?;
            let when = || format!("while {} was driven", level_names(&plan.levels[group]));
            if let Some(run_end) = self.broken(end, when) {
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

    /// Runs the command before levels; how the run ends, if that fails.
    fn before_levels(&mut self, labels: &str) -> Result<Option<RunEnd>, LabError> {
        Ok(self.beside.before_levels(self.execution, labels)?.err().map(|failed| failed.run_end))
    }

    /// Starts the target anew and waits until it is ready; how the run ends, if it is not.
    pub(super) fn restart(&mut self, variant: &Variant) -> Result<Option<RunEnd>, LabError> {
        if self.target.spawned().is_some() {
            self.execution.say_once(&format!("{}: it is started anew, and the search goes on", self.place.name));
        }
        self.start_fresh(variant)
    }

    /// Starts the target in place of the one that runs, and waits until it is ready.
    pub(super) fn start_fresh(&mut self, variant: &Variant) -> Result<Option<RunEnd>, LabError> {
        match self.start_anew()? {
            None => {
                let run_end = self.await_ready(variant)?;
                self.scrape(variant)?;
                Ok(run_end)
            }
            failed => Ok(failed),
        }
    }

    /// End of a run whose load did not end by itself.
    pub(super) fn broken(&mut self, end: LoadEnd, when: impl FnOnce() -> String) -> Option<RunEnd> {
        let cause = match end {
            LoadEnd::By(cause) => cause,
            LoadEnd::PartsLost(why) => {
                return Some(RunEnd::because(RunStatus::PartsLost, format!("{why}, {}", when())));
            }
        };
        match cause {
            Cause::Over => None,
            Cause::Stopped => Some(RunEnd::plain(RunStatus::Interrupted)),
            Cause::NetworkEnded => Some(RunEnd::network_ended(&when())),
            Cause::UpstreamEnded => Some(self.upstream_exited(&when())),
            Cause::DependencyEnded => Some(self.dependency_exited(&when())),
            Cause::TargetEnded => Some(self.exited(RunStatus::Died, &when())),
        }
    }

    /// Remark on where the target listens, if not on the port of `url`; else empty.
    fn elsewhere(&self, url: &Url) -> String {
        // Nothing is seen of another namespace.
        let at = if self.topology.target().is_some() { Vec::new() } else { self.target.listens_at() };
        if at.is_empty() || at.iter().any(|address| Some(address.port()) == url.port_or_known_default()) {
            return String::new();
        }
        let at: Vec<String> = at.iter().map(ToString::to_string).collect();
        format!("; it listens on {} instead: `{{port}}` has to reach it, or its `port` be named", joined(&at))
    }

    /// The probe that asks whether the target is ready, and its URL; a message explaining why there is none.
    fn probe(&self) -> Result<(Probe, Url), String> {
        let url = url(&self.readiness.url, &self.topology.beside_target())?;
        let probe = Probe::new(&url, &self.execution.experiment.connecting.connection.tls)?;
        Ok((if self.readiness.takes_any_answer { probe.taking_any_answer() } else { probe }, url))
    }

    /// Waits until the target is ready. How the run ends, if it is not; none once it is ready.
    fn await_ready(&mut self, variant: &Variant) -> Result<Option<RunEnd>, LabError> {
        let (probe, url) = match self.probe() {
            Ok(probe) => probe,
            Err(problem) => return Ok(Some(RunEnd::because(RunStatus::NotReady, problem))),
        };
        let deadline = self.target.began() + variant.ready_timeout;
        let placement = self.execution.placement.thread_in(self.topology.target());
        let (answer, cause) =
            self.pump(&placement, |abort, _: &mut dyn FnMut(())| probe.await_ready(deadline, abort), &mut |_, ()| {
                Ok(ControlFlow::Continue(()))
            })?;
        match (answer, cause) {
            (_, Cause::TargetEnded) => Ok(Some(self.exited(RunStatus::NotReady, "before it was ready"))),
            (_, Cause::UpstreamEnded) => Ok(Some(self.upstream_exited("before the target was ready"))),
            (_, Cause::DependencyEnded) => Ok(Some(self.dependency_exited("before the target was ready"))),
            (_, Cause::NetworkEnded) => Ok(Some(RunEnd::network_ended("before the target was ready"))),
            (_, Cause::Stopped) => Ok(Some(RunEnd::plain(RunStatus::Interrupted))),
            (Err(NotReady(last)), Cause::Over) => Ok(Some(RunEnd::because(
                RunStatus::NotReady,
                format!(
                    "the target was not ready within {}: GET {probe}: {last}{}{}",
                    variant.ready_timeout,
                    unwell(&last),
                    self.elsewhere(&url)
                ),
            ))),
            (Ok(at), Cause::Over) => {
                let Some(spawned) = self.target.spawned() else {
                    self.look_again()?;
                    return Ok(None);
                };
                let startup = at - spawned;
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
    fn levels(&mut self, group: Range<usize>, variant: &Variant) -> Result<LoadEnd, LabError> {
        let levels = &self.execution.experiment.plan.levels[group.clone()];
        let scripts = &self.execution.experiment.scripts[group.clone()];
        let job = self.job(levels.iter().zip(scripts), variant)?;
        let mut under_way = Vec::new();
        let (driven, end) = self.drive(&job, &Stop::new(), &level_names(levels), &mut |session, told| match told {
            Told::Started => {
                let begun = group.clone().zip(levels).map(|(index, level)| session.begin_level(index, level));
                under_way = begun.collect::<Result<_, _>>()?;
                Ok(ControlFlow::Continue(()))
            }
            Told::Measured(scenario, interval) => session.on_interval(&mut under_way[scenario], *interval),
        })?;
        if self.is_dying(under_way.iter().map(|level| &level.failures)) {
            return Ok(LoadEnd::By(Cause::TargetEnded));
        }
        if let (Some(driven), LoadEnd::By(Cause::Over)) = (driven, &end) {
            for (level, took) in under_way.iter().zip(driven.took) {
                self.execution.store.end_level(level.id, took)?;
                level.warm_up.iter().for_each(|warm_up| self.warmed_up(warm_up));
            }
        }
        Ok(end)
    }

    /// A target that dies fails its requests first, and its death is reported a moment later.
    pub(super) fn is_dying<'f>(&mut self, failures: impl IntoIterator<Item = &'f Failures>) -> bool {
        let patience = failures.into_iter().filter_map(Failures::patience).max();
        patience.is_some_and(|patience| self.target.ends_within(patience))
    }

    /// The job of these levels, which are driven together, each with its script.
    pub(super) fn job<'p>(
        &self,
        levels: impl Iterator<Item = (&'p LevelPlan, &'p ScriptText)>,
        variant: &Variant,
    ) -> Result<Job, LabError> {
        let made = job(self.execution.experiment, levels, variant, &self.topology.at_generator(), self.place.round);
        made.map_err(|problem| self.cannot_launch(problem))
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
            failures: Failures::default(),
            seconds: Joined::new(level.requests.len()),
            warm_up: (level.phase == Phase::WarmUp && experiment.warmup_until_steady).then(WarmUp::default),
        })
    }

    fn on_interval(&mut self, level: &mut LevelUnderWay, interval: Interval) -> Step {
        self.execution.store.add_intervals(level.id, std::slice::from_ref(&interval))?;
        level.ended += interval.ended();
        level.failures.add(&interval);
        let Some(second) = level.seconds.complete(interval) else { return Ok(ControlFlow::Continue(())) };
        let seconds = second.duration.as_secs_f64();
        let throughput_per_s = if seconds > 0.0 { second.counts.succeeded as f64 / seconds } else { 0.0 };
        let response = &second.ok.response;
        let progress = Progress {
            place: self.place.clone(),
            level: level.place.clone(),
            level_elapsed: clock::now() - level.started,
            elapsed: self.execution.elapsed(),
            remaining: self.execution.remaining(self.place),
            throughput_per_s,
            p99: (!response.is_empty()).then(|| response.quantile(0.99)),
            ended: level.ended,
            failed: level.failures.count(),
        };
        self.execution.say(Event::Progress(progress));
        let is_over = level.warm_up.as_mut().is_some_and(|warm_up| self.is_warm(warm_up, &second));
        Ok(if is_over { ControlFlow::Break(Cause::Over) } else { ControlFlow::Continue(()) })
    }

    pub(super) fn url(&self, template: &str, placeholders: &Placeholders) -> Result<Url, LabError> {
        url(template, placeholders).map_err(|problem| self.cannot_launch(problem))
    }

    fn cannot_launch(&self, problem: String) -> LabError {
        LabError::CannotLaunch(CannotLaunch { variant: self.place.name.clone(), index: self.place.variant, problem })
    }
}

/// Remark on a last answer with which health checks say that something is down; else empty.
fn unwell(last: &str) -> &'static str {
    if last.contains(" 503") {
        ": it runs, and says itself that it cannot serve; ask that URL what it misses (`services` can start it), or name \
         another page by `ready`"
    } else {
        ""
    }
}
