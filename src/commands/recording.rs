//! An execution of one run whose levels are appended as they begin, since none is known before.

use plimsoll_drive::Job;
use plimsoll_record::{
    Census, Environment, ExecutionStatus, Interval, LevelPlan, LineRun, Nanos, Phase, Plan, Run, RunStatus, Sample,
    Store, StoreError, VariantPlan,
};

use super::load::job;
use crate::{failure::Failure, project};

/// How a search or an explanation ended, or a step of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Enough was seen.
    Whole,
    /// By Ctrl-C.
    Interrupted,
    /// Parts that offered its load were lost; in words.
    PartsLost(String),
}

impl Ended {
    /// Why parts are lost, if that ended it.
    pub fn why_parts_are_lost(&self) -> Option<&str> {
        match self {
            Self::PartsLost(why) => Some(why),
            Self::Whole | Self::Interrupted => None,
        }
    }
}

/// An execution that is under way.
pub struct Recording {
    store: Store,
    execution: i64,
    run: Run,
    plan: Plan,
    /// The level under way.
    level: Option<i64>,
}

impl Recording {
    /// Begins to record what `plan` names; the loads are of `job`.
    pub fn begin(mut store: Store, environment: &Environment, job: &Job, plan: Plan) -> Result<Self, Failure> {
        let script = &job.scenarios[0].script;
        let url = script.first().url.to_string();
        let plan = Plan {
            title: job::title(script),
            variants: vec![VariantPlan { name: url.clone(), url, ..VariantPlan::default() }],
            rounds: 1,
            seed: job.options.seed,
            ..plan
        };
        let execution = store.begin_execution(&plan, environment, &project::now())?;
        let run = store.begin_run(execution, 0, 0, 0)?;
        Ok(Self { store, execution, run, plan, level: None })
    }

    /// Begins a step, `at` after the beginning.
    pub fn begin_level(&mut self, level: LevelPlan, at: Nanos) -> Result<(), Failure> {
        self.plan.levels.push(level);
        self.keep_plan()?;
        let begun = self.store.begin_level(self.run.id, self.plan.levels.len() - 1, at).map_err(Failure::running)?;
        self.level = Some(begun);
        Ok(())
    }

    /// Adds the measurements of a second of it.
    pub fn add(&mut self, interval: &Interval) -> Result<(), StoreError> {
        match self.level {
            Some(level) => self.store.add_intervals(level, std::slice::from_ref(interval)),
            None => Ok(()),
        }
    }

    /// Adds samples that were taken beside it.
    pub fn add_samples(&mut self, samples: &[Sample]) -> Result<(), StoreError> {
        self.store.add_samples(self.run.id, samples)
    }

    /// Adds looks at the target.
    pub fn add_censuses(&mut self, censuses: &[Census]) -> Result<(), StoreError> {
        self.store.add_censuses(self.run.id, censuses)
    }

    /// Ends the step; `is_spoilt` leaves it out.
    pub fn end_level(&mut self, took: Nanos, is_spoilt: bool) -> Result<(), Failure> {
        let Some(level) = self.level.take() else { return Ok(()) };
        self.store.end_level(level, took).map_err(Failure::running)?;
        if is_spoilt {
            self.discard(self.plan.levels.len() - 1);
            self.keep_plan()?;
        }
        Ok(())
    }

    /// Leaves out all steps of a label.
    pub fn forget_all(&mut self, label: &str) -> Result<(), Failure> {
        let levels = self.plan.levels.iter().enumerate().filter(|(_, level)| level.label == label);
        self.forget(&levels.map(|(index, _)| index).collect::<Vec<_>>())
    }

    /// Leaves out steps that count no longer.
    pub fn forget(&mut self, steps: &[usize]) -> Result<(), Failure> {
        steps.iter().for_each(|&level| self.discard(level));
        self.keep_plan()
    }

    /// Keeps what a search found.
    pub fn keep_line(&mut self, line: LineRun) -> Result<(), Failure> {
        self.run.line = Some(line);
        self.store.update_run(&self.run).map_err(Failure::running)
    }

    /// Keeps what is known of the machines only now.
    pub fn keep_environment(&mut self, environment: &Environment) -> Result<(), Failure> {
        self.store.update_environment(self.execution, environment).map_err(Failure::running)
    }

    /// Ends the execution as it has `ended`; its number.
    pub fn finish(mut self, ended: &Ended) -> Result<i64, Failure> {
        let (execution, run) = match ended {
            Ended::Whole => (ExecutionStatus::Done, RunStatus::Done),
            Ended::Interrupted => (ExecutionStatus::Interrupted, RunStatus::Interrupted),
            Ended::PartsLost(_) => (ExecutionStatus::Failed, RunStatus::PartsLost),
        };
        let detail = ended.why_parts_are_lost().map(str::to_owned);
        self.end(execution, run, detail).map_err(Failure::running)?;
        Ok(self.execution)
    }

    fn discard(&mut self, level: usize) {
        self.plan.levels[level].phase = Phase::Discarded;
    }

    /// Ends the execution after it has failed.
    pub fn fail(mut self, failure: &Failure) {
        // The first error says more than one that follows from it.
        let _ = self.end(ExecutionStatus::Failed, RunStatus::Interrupted, Some(failure.message()));
    }

    /// Ends a search that cannot go on, with what it has found; `forgotten` are steps that count no longer.
    pub fn end_search(mut self, line: LineRun, forgotten: &[usize], failure: &Failure, is_target: bool) {
        let status = if is_target { ExecutionStatus::Interrupted } else { ExecutionStatus::Failed };
        let _ = self
            .forget(forgotten)
            .and_then(|()| self.keep_line(line))
            .and_then(|()| self.end(status, RunStatus::Interrupted, Some(failure.message())).map_err(Failure::running));
    }

    fn end(&mut self, execution: ExecutionStatus, run: RunStatus, detail: Option<String>) -> Result<(), StoreError> {
        (self.run.status, self.run.detail) = (run, detail);
        self.store.update_run(&self.run)?;
        self.store.end_execution(self.execution, execution, &project::now())
    }

    fn keep_plan(&mut self) -> Result<(), Failure> {
        self.store.update_plan(self.execution, &self.plan).map_err(Failure::running)
    }
}
