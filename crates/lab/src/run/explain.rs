//! Explanations after a load or a search, in the process that has carried it: each step is a level of the run.

use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use plimsoll_drive::ScriptText;
use plimsoll_observe::listener::{Answering, addresses, listener_of};
use plimsoll_record::{Explained, LevelPlan, Nanos, Phase, RunStatus};

use super::{
    LabError,
    session::{RunEnd, Session},
    step::LoadEnd,
};
use crate::{
    event::Event,
    experiment::Variant,
    explain::{CensusOrder, CensusThread, ExplainProgress, Explaining, FullLoad},
};

/// How often it is looked whether to go on while there is no load.
const PAUSE: Duration = Duration::from_millis(20);

/// An explanation of a run, with all that it needs.
struct ExplainRun<'s> {
    explaining: Explaining,
    census_thread: CensusThread,
    script: &'s ScriptText,
}

impl<'a> Session<'_, 'a> {
    /// Looks at the target under the loads that are to be explained, in the first round; without a load in the plan,
    /// under one that saturates it, which is looked for. None if nothing was in the way.
    pub fn explain(&mut self, variant: &Variant) -> Result<Option<RunEnd>, LabError> {
        let experiment = self.execution.experiment;
        let plan = &experiment.plan;
        let alone = plan.explain.as_ref().filter(|_| plan.levels.is_empty() && plan.line.is_none());
        let (fulls, script) = match alone {
            Some(_) => (Vec::new(), experiment.scripts.first()),
            None => self.full_loads(),
        };
        let is_wanted = alone.is_some() || !fulls.is_empty();
        let Some(script) = script.filter(|_| is_wanted && self.place.round == 0) else { return Ok(None) };
        let begun = self.age();
        let names = script.names();
        let explaining = match alone {
            Some(plan) => Explaining::new(plan, names),
            None => Explaining::after_a_load(names, fulls),
        };
        let run_end = self.explain_all(explaining, script, variant)?;
        self.execution.explained(self.place.variant, self.age() - begun);
        Ok(if alone.is_some() { run_end } else { run_end.map(|run_end| self.keep_measured(run_end)) })
    }

    /// Turns an end by death during the explanation into `Done`: what was measured before it counts.
    fn keep_measured(&mut self, run_end: RunEnd) -> RunEnd {
        match run_end {
            RunEnd { status: RunStatus::Died | RunStatus::UpstreamFailed, detail: Some(detail) } => {
                let name = &self.place.name;
                self.execution.say_once(&format!("{name}: {detail}; what was measured before counts"));
                RunEnd::because(RunStatus::Done, detail)
            }
            other => other,
        }
    }

    fn explain_all(
        &mut self,
        explaining: Explaining,
        script: &ScriptText,
        variant: &Variant,
    ) -> Result<Option<RunEnd>, LabError> {
        let Some(Answering { pid, port, .. }) = self.listener(variant)? else { return Ok(None) };
        let census_thread = CensusThread::start(pid, port, self.age());
        if let Some(why) = census_thread.blind() {
            let note = format!("{}: {why}; it is explained from outside only", self.place.name);
            self.execution.say_once(&note);
        }
        let mut explained = ExplainRun { explaining, census_thread, script };
        let mut run_end = None;
        while run_end.is_none()
            && let Some(action) = explained.explaining.next_action()
        {
            explained.census_thread.order(action.census);
            let end = match action.load {
                Ok(level) => self.offer(level, &mut explained, variant)?,
                Err(length) => self.rest(length)?,
            };
            explained.census_thread.order(CensusOrder::Away);
            explained.explaining.end();
            run_end = self.broken(end, || "while it was explained".to_owned());
        }
        self.execution.store.add_censuses(self.run.id, &explained.census_thread.end())?;
        Ok(run_end)
    }

    /// The loads of this variant that are to be explained, the lightest first, and what they request.
    fn full_loads(&self) -> (Vec<FullLoad>, Option<&'a ScriptText>) {
        let experiment = self.execution.experiment;
        let plan = &experiment.plan;
        let capacity = self.run.line.as_ref().and_then(|line| line.capacity);
        let levels = plan.levels.iter().enumerate().filter(|(_, level)| level.phase == Phase::Measured);
        let lasting = |label: &str| {
            levels.clone().find_map(|(index, level)| {
                Some((index, level.lasting().into_iter().find(|(known, _)| *known == label)?.1))
            })
        };
        let of = plan.explain.iter().flat_map(|explain| &explain.of).filter(|of| of.variant == self.place.name);
        let found = of.filter_map(|Explained { level, .. }| match level {
            Some(label) => {
                let (index, load) = lasting(label)?;
                Some((index, FullLoad { level: level.clone(), load }))
            }
            None => capacity.map(|capacity| (0, FullLoad::of_users(capacity.users))),
        });
        let (indices, fulls): (Vec<usize>, Vec<FullLoad>) = found.unzip();
        (fulls, indices.first().and_then(|&index| experiment.scripts.get(index)))
    }

    /// The process that is asked for its threads: the one that answers, which a launched script may have started.
    fn listener(&mut self, variant: &Variant) -> Result<Option<Answering>, LabError> {
        let (port, url) = (self.topology.port(), self.url(&variant.url, &self.topology.beside_target())?);
        let addresses = addresses(url.host_str().unwrap_or_default(), port);
        let placement = self.execution.placement.thread_in(self.topology.target());
        let (found, _) = self.pump(&placement, |_, _: &mut dyn FnMut(())| listener_of(&addresses), &mut |_, ()| {
            Ok(ControlFlow::Continue(()))
        })?;
        if let Err(why) = &found {
            let note = format!("{} is not explained: port {port}: {why}", self.place.name);
            self.execution.say_once(&note);
        }
        Ok(found.ok())
    }

    /// Offers one step until enough was seen of it.
    fn offer(
        &mut self,
        level: LevelPlan,
        explained: &mut ExplainRun<'_>,
        variant: &Variant,
    ) -> Result<LoadEnd, LabError> {
        let ExplainRun { explaining, census_thread, script } = explained;
        let index = self.execution.add_level(level.clone())?;
        let job = self.job([(&level, *script)].into_iter(), variant)?;
        let label = format!("`{}` of its explanation", level.label);
        self.drive_step((index, &label), &job, &mut |session, interval, stop| {
            session.execution.store.add_censuses(session.run.id, &census_thread.take())?;
            if let Some(progress) = explaining.add(interval) {
                session.say_explaining(progress, explaining.remaining());
            }
            if explaining.is_enough() {
                // The end of the load follows.
                census_thread.order(CensusOrder::Away);
                stop.finish();
            }
            if explaining.is_overdue() {
                stop.abandon();
            }
            Ok(())
        })
    }

    fn say_explaining(&mut self, progress: ExplainProgress, left: Nanos) {
        self.execution.explaining(self.place.variant, left);
        let (place, remaining) = (self.place.clone(), self.execution.remaining(self.place));
        self.execution.say(Event::Explaining { place, progress, remaining });
    }

    /// Leaves the target without load.
    fn rest(&mut self, length: Nanos) -> Result<LoadEnd, LabError> {
        let wait = |abort: &Arc<AtomicBool>, _: &mut dyn FnMut(())| {
            let until = Instant::now() + Duration::from(length);
            while Instant::now() < until && !abort.load(Ordering::Relaxed) {
                thread::sleep(PAUSE);
            }
        };
        let placement = self.execution.placement.thread_in(None);
        let ((), cause) = self.pump(&placement, wait, &mut |_, ()| Ok(ControlFlow::Continue(())))?;
        Ok(LoadEnd::By(cause))
    }
}
