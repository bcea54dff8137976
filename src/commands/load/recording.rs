//! The load's place in the record: one execution of one variant, a level for each scenario.

use plimsoll_drive::{Driven, Job, Scenario};
use plimsoll_lab::file::LoadFile;
use plimsoll_record::{
    Environment, ExecutionStatus, Interval, LevelPlan, Nanos, Phase, Plan, Run, RunStatus, Sample, Store, StoreError,
    VariantPlan,
};

use super::job;
use crate::{cli::LoadArgs, failure::Failure, project};

/// An execution that is under way.
pub struct Recording {
    store: Store,
    execution: i64,
    run: Run,
    /// By scenario.
    levels: Vec<i64>,
    /// The first reason why something could not be written.
    error: Option<StoreError>,
}

/// The plan that is recorded of `job`. Thresholds that are given replace those of the file.
pub fn plan(arguments: &LoadArgs, job: &Job, file: Option<&LoadFile>) -> Plan {
    let script = &job.scenarios[0].script;
    let url = script.first().url.to_string();
    Plan {
        name: "load".to_owned(),
        title: job::title(script),
        variants: vec![VariantPlan { name: url.clone(), url, ..VariantPlan::default() }],
        levels: levels(job, file.map_or(&[], |file| &file.levels)),
        rounds: 1,
        until_decided: None,
        seed: job.options.seed,
        segment: arguments.scale.segment,
        thresholds: match (&arguments.verdict.threshold[..], file) {
            ([], Some(file)) => file.thresholds.clone(),
            (given, _) => given.to_vec(),
        },
        ..Plan::default()
    }
}

/// One level per scenario, all driven together. Stages that have names in a file keep them.
fn levels(job: &Job, of_file: &[LevelPlan]) -> Vec<LevelPlan> {
    let level = |(number, scenario): (usize, &Scenario)| LevelPlan {
        stage_labels: match of_file.get(number) {
            Some(level) if level.load == scenario.load => level.stage_labels.clone(),
            _ => scenario.load.stage_labels(&[]),
        },
        requests: scenario.script.names(),
        start: scenario.start,
        is_with_previous: number > 0,
        trace: scenario.trace,
        limits: scenario.limits.clone(),
        ..LevelPlan::new(label(scenario), Phase::Measured, scenario.load.clone())
    };
    job.scenarios.iter().enumerate().map(level).collect()
}

fn label(scenario: &Scenario) -> String {
    if scenario.name.is_empty() { scenario.load.label() } else { scenario.name.clone() }
}

impl Recording {
    /// Begins to record what `plan` says, of a load that starts at `started_at`.
    pub fn begin(mut store: Store, environment: &Environment, plan: &Plan, started_at: &str) -> Result<Self, Failure> {
        let execution = store.begin_execution(plan, environment, started_at)?;
        let run = store.begin_run(execution, 0, 0, 0)?;
        let begun = plan.levels.iter().enumerate().map(|(index, level)| store.begin_level(run.id, index, level.start));
        let levels = begun.collect::<Result<_, _>>()?;
        Ok(Self { store, execution, run, levels, error: None })
    }

    /// Adds what a scenario measured. An error is told once, and by [`Recording::finish`].
    pub fn add(&mut self, scenario: usize, interval: &Interval) -> Result<(), String> {
        let level = self.levels[scenario];
        self.write(|store, _| store.add_intervals(level, std::slice::from_ref(interval)))
    }

    /// Adds what was seen beside the load; an error as above.
    pub fn watch(&mut self, samples: &[Sample]) -> Result<(), String> {
        match samples {
            [] => Ok(()),
            _ => self.write(|store, run| store.add_samples(run, samples)),
        }
    }

    fn write(&mut self, write: impl FnOnce(&mut Store, i64) -> Result<(), StoreError>) -> Result<(), String> {
        if self.error.is_some() {
            return Ok(());
        }
        write(&mut self.store, self.run.id).map_err(|error| {
            let message = error.to_string();
            self.error = Some(error);
            message
        })
    }

    /// Its number.
    pub fn execution(&self) -> i64 {
        self.execution
    }

    /// Ends the execution as the load has ended; its number. `aborted` says what ended it, if it was not a person.
    pub fn finish(mut self, driven: &Driven, aborted: Option<String>) -> Result<i64, Failure> {
        if let Some(error) = self.error.take() {
            return Err(Failure::running(format_args!("the load was not recorded to its end: {error}")));
        }
        let id = self.execution;
        if driven.stopped {
            // A level that did not come to its end has no length: see `LevelData::took`.
            self.end(ExecutionStatus::Interrupted, RunStatus::Interrupted, aborted, &[])
        } else {
            self.end(ExecutionStatus::Done, RunStatus::Done, None, &driven.took)
        }
        .map_err(Failure::running)?;
        Ok(id)
    }

    /// Ends the execution after the load itself has failed.
    pub fn fail(self, detail: String) {
        // The first error says more than one that follows from it.
        let _ = self.end(ExecutionStatus::Failed, RunStatus::Interrupted, Some(detail), &[]);
    }

    fn end(
        mut self,
        execution: ExecutionStatus,
        status: RunStatus,
        detail: Option<String>,
        took: &[Nanos],
    ) -> Result<(), StoreError> {
        for (&level, &took) in self.levels.iter().zip(took) {
            self.store.end_level(level, took)?;
        }
        self.run.status = status;
        self.run.detail = detail;
        self.store.update_run(&self.run)?;
        self.store.end_execution(self.execution, execution, &project::now())?;
        Ok(())
    }
}
