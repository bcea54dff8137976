//! `plimsoll load`: one load, recorded and reported like any other execution.

mod connection;
mod import;
mod job;
mod script;

use std::{process::ExitCode, sync::atomic::Ordering};

use plimsoll_analysis::analyse;
use plimsoll_drive::{Driven, Job, drive};
use plimsoll_record::{
    ExecutionStatus, Interval, LevelPlan, Nanos, Phase, Plan, Run, RunStatus, Store, StoreError, VariantPlan,
};
use plimsoll_report::Format;

use crate::{
    cli::LoadArgs,
    failure::{Failure, INTERRUPTED},
    interrupt,
    live::{Live, clock},
    project,
};

pub fn execute(arguments: &LoadArgs) -> Result<ExitCode, Failure> {
    let format: Format = arguments.output.format.parse().map_err(Failure::input)?;
    let imported = import::read(arguments)?;
    let job = job::of(arguments, imported.as_ref())?;
    plimsoll_drive::check(&job).map_err(Failure::input)?;
    let stop = interrupt::stop_flag()?;
    let mut recording = Recording::begin(arguments, &job)?;
    let mut live = Live::new(arguments.output.quiet);
    imported.iter().flat_map(|imported| &imported.notes).for_each(|note| live.say(&format!("note: {note}")));
    let mut progress = Progress::default();
    let driven = drive(&job, &stop, &mut |_, interval| {
        if let Err(error) = recording.add(&interval) {
            live.say(&format!("the load is stopped, since it can no longer be recorded: {error}"));
            stop.store(true, Ordering::Relaxed);
        }
        live.progress(&progress.line(&job, &interval));
    });
    live.clear();
    drop(live);
    let driven = match driven {
        Ok(driven) => driven,
        Err(error) => {
            // The first error says more than one that follows from it.
            let _ = recording.end(ExecutionStatus::Failed, RunStatus::Interrupted, Some(error.to_string()), None);
            return Err(Failure::running(error));
        }
    };
    let id = recording.finish(&driven)?;
    let results = analyse(&arguments.output.record.read(&id.to_string())?);
    super::print(&super::render_for_stdout(format, &results))?;
    Ok(if driven.stopped { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// The load's place in the record.
struct Recording {
    store: Store,
    execution: i64,
    run: Run,
    level: i64,
    /// The first reason why something could not be written.
    error: Option<StoreError>,
}

impl Recording {
    fn begin(arguments: &LoadArgs, job: &Job) -> Result<Self, Failure> {
        let scenario = &job.scenarios[0];
        let request = scenario.script.first();
        let url = request.url.to_string();
        let variant = VariantPlan { name: url.clone(), url: url.clone(), ..VariantPlan::default() };
        let level = LevelPlan {
            stage_labels: job::stage_labels(&scenario.load),
            requests: scenario.script.names(),
            ..LevelPlan::new(job::label(&scenario.load), Phase::Measured, scenario.load.clone())
        };
        let plan = Plan {
            name: "load".to_owned(),
            title: job::title(&scenario.script),
            variants: vec![variant],
            levels: vec![level],
            rounds: 1,
            seed: job.options.seed,
            ..Plan::default()
        };
        let mut store = arguments.output.record.open()?;
        let execution = store.begin_execution(&plan, &project::environment(), &project::now())?;
        let run = store.begin_run(execution, 0, 0, 0)?;
        let level = store.begin_level(run.id, 0, Nanos::ZERO)?;
        Ok(Self { store, execution, run, level, error: None })
    }

    fn add(&mut self, interval: &Interval) -> Result<(), String> {
        if self.error.is_some() {
            return Ok(());
        }
        self.store.add_intervals(self.level, std::slice::from_ref(interval)).map_err(|error| {
            let message = error.to_string();
            self.error = Some(error);
            message
        })
    }

    fn finish(mut self, driven: &Driven) -> Result<i64, Failure> {
        if let Some(error) = self.error.take() {
            return Err(Failure::running(format_args!("the load was not recorded to its end: {error}")));
        }
        let id = self.execution;
        if driven.stopped {
            // A level that did not come to its end has no length: see `LevelData::took`.
            self.end(ExecutionStatus::Interrupted, RunStatus::Interrupted, None, None)
        } else {
            self.end(ExecutionStatus::Done, RunStatus::Done, None, driven.took.first().copied())
        }
        .map_err(Failure::running)?;
        Ok(id)
    }

    fn end(
        mut self,
        execution: ExecutionStatus,
        status: RunStatus,
        detail: Option<String>,
        took: Option<Nanos>,
    ) -> Result<(), StoreError> {
        if let Some(took) = took {
            self.store.end_level(self.level, took)?;
        }
        self.run.status = status;
        self.run.detail = detail;
        self.store.update_run(&self.run)?;
        self.store.end_execution(self.execution, execution, &project::now())?;
        Ok(())
    }
}

/// What the live line counts.
#[derive(Default)]
struct Progress {
    ended: u64,
    failed: u64,
}

impl Progress {
    fn line(&mut self, job: &Job, interval: &Interval) -> String {
        self.ended += interval.ended();
        self.failed += interval.counts.failed;
        let at = interval.start + interval.duration;
        let length = interval.duration.as_secs_f64().max(1e-9);
        let load = &job.scenarios[0].load;
        let of = load.duration().map(|duration| format!(" of {}", clock(duration))).unwrap_or_default();
        let wanted = match load {
            plimsoll_record::Load::SharedIterations { iterations, .. } => format!(" of {iterations}"),
            _ => String::new(),
        };
        let p99 = if interval.ok.response.is_empty() {
            "–".to_owned()
        } else {
            interval.ok.response.quantile(0.99).to_string()
        };
        let rate = interval.counts.succeeded as f64 / length;
        format!("{}{of}  {rate:.0} req/s  p99 {p99}  {}{wanted} done  {} errors", clock(at), self.ended, self.failed)
    }
}
