//! The place where experiments are run, for `plimsoll run` and its proofs alike.

use std::sync::{Arc, atomic::AtomicBool};

use plimsoll_analysis::{Results, results::Comparison};
use plimsoll_drive::{Generator, Here};
use plimsoll_lab::{
    Context, LabError,
    experiment::{Experiment, Gathering},
};
use plimsoll_record::{ExecutionData, ExecutionStatus, RunStatus};
use plimsoll_report::Format;

use super::{report, results};
use crate::{
    cli::RunArgs,
    failure::Failure,
    gathering::Parts,
    interrupt,
    live::{Live, Narrator, shown},
    project,
};

pub struct Bench<'a> {
    pub arguments: &'a RunArgs,
    /// Set by Ctrl-C.
    pub stop: Arc<AtomicBool>,
    context: Context,
    parts: Option<Arc<Parts>>,
}

impl<'a> Bench<'a> {
    /// The parts that `generator` names have joined once this returns; none if Ctrl-C came first.
    pub fn new(arguments: &'a RunArgs, generator: Option<&Gathering>) -> Result<Option<Self>, Failure> {
        let exe = project::own_program();
        let stop = interrupt::stop_flag()?;
        let parts = match generator {
            Some(gathering) => match Parts::gather(gathering, arguments.quiet, &stop)? {
                Some(parts) => Some(Arc::new(parts)),
                None => return Ok(None),
            },
            None => None,
        };
        let generator: Arc<dyn Generator> = match parts.clone() {
            Some(parts) => parts,
            None => Arc::new(Here),
        };
        let context = Context {
            artifacts: project::artifacts().stopped_by(stop.clone()),
            environment: project::environment_of_file(Some(&arguments.file)),
            generator,
            exe,
        };
        Ok(Some(Self { arguments, stop, context, parts }))
    }

    /// Makes all runs of an experiment: how that ended, and what was measured.
    pub fn run(&self, experiment: &Experiment) -> Result<(ExecutionStatus, ExecutionData, Results), Failure> {
        let RunArgs { record, quiet, .. } = self.arguments;
        let mut store = record.open()?;
        let mut narrator = Narrator::new(Live::new(*quiet), *quiet, &experiment.plan);
        let outcome =
            plimsoll_lab::run(experiment, &mut store, &self.context, &self.stop, &mut |event| narrator.tell(event));
        drop(narrator);
        let outcome = outcome.map_err(|error| match error {
            LabError::CannotLaunch(error) => Failure::input(error),
            error => Failure::running(error),
        })?;
        let (data, results) = results::of(record, outcome.execution)?;
        if let (Some(parts), Some(why)) = (&self.parts, why_parts_are_lost(&results)) {
            parts.dismiss(Some(why.to_owned()));
        }
        Ok((outcome.status, data, results))
    }

    /// A report that cannot be written can be made again from the record: no reason to call the execution a failure.
    pub fn write_html(&self, results: &Results, compared: Option<&Comparison>) {
        let path = self.arguments.record.report_path(results.execution.id, &results.execution.name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let html = match compared {
            Some(compared) => plimsoll_report::render_against(Format::Html, results, compared, &Default::default()),
            None => plimsoll_report::render(Format::Html, results, &Default::default()),
        };
        match made.map_err(Failure::running).and_then(|()| report::write(&path, &html)) {
            Ok(()) => tell!("Report with charts: {}", shown(&path.display().to_string())),
            Err(failure) => tell!("warning: no report with charts: {}", failure.message()),
        }
    }
}

/// The reason given by the first run that has lost parts of its load; none if no run has.
pub fn why_parts_are_lost(results: &Results) -> Option<&str> {
    let lost = results.runs.iter().find(|run| run.status == RunStatus::PartsLost)?;
    Some(lost.problem.as_deref().unwrap_or("parts were lost"))
}
