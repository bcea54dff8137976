//! Runs an experiment: every variant in every round in a fresh process, loaded level by level and watched all the
//! while. Everything measured goes into the record as it comes.

mod benchmarks;
mod beside;
mod command;
mod execution;
mod explain;
mod failures;
pub(crate) mod folder;
mod job;
mod limits;
mod line;
mod loading;
mod pump;
mod remaining;
mod session;
mod single;
mod step;
mod target;
mod topology;
mod training;
mod upstream;
mod warm_up;

use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

pub use command::command_text;

use plimsoll_drive::{DriveError, Generator};
use plimsoll_record::{
    Environment, ExecutionStatus,
    store::{Store, StoreError},
};

use crate::{
    artifact::Artifacts,
    check::{CannotLaunch, check},
    event::Event,
    experiment::Experiment,
};

/// Surroundings of a run.
#[derive(Debug)]
pub struct Context {
    /// Where bundled subjects come from.
    pub artifacts: Artifacts,
    /// Facts known so far; the run adds limits, placement, JDK and versions.
    pub environment: Environment,
    /// Offers the loads.
    pub generator: Arc<dyn Generator>,
    /// This program, whose `main` calls [`crate::supervisor_main`] first.
    pub exe: PathBuf,
}

/// The outcome of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Its number in the record.
    pub execution: i64,
    /// How it ended.
    pub status: ExecutionStatus,
    /// Runs that were driven to their end.
    pub runs_done: u32,
    /// Runs that were not: skipped, never ready, or died.
    pub runs_failed: u32,
}

/// Why an execution could not be begun or had to be given up. All data measured until then are in the record.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// Known before anything was launched.
    #[error(transparent)]
    CannotLaunch(#[from] CannotLaunch),
    /// The record cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The load cannot be offered.
    #[error("variant `{variant}`, {level}: {source}")]
    Drive {
        /// Its name.
        variant: String,
        /// Its label.
        level: String,
        /// Why.
        source: DriveError,
    },
    /// The namespace of an emulated network cannot be entered.
    #[error("{0}")]
    Network(std::io::Error),
    /// The file for the result of benchmarks cannot be made.
    #[error("no temporary file can be made: {0}; set TMPDIR to a directory with room")]
    ResultFile(std::io::Error),
    /// No port could be had.
    #[error("no free port was found on this machine: {0}")]
    Port(std::io::Error),
}

/// Runs `experiment` into `store`. Blocks until it is over, or soon after `stop` is set, which ends it in order:
/// the target is stopped and what was measured is kept. `on_event` is told of what happens, on the calling thread.
///
/// # Errors
///
/// [`LabError::CannotLaunch`] before anything is launched or recorded, the others later. A variant that cannot run, is
/// never ready or dies is not an error: its run is marked so, and the others go on.
pub fn run(
    experiment: &Experiment,
    store: &mut Store,
    context: &Context,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(Event),
) -> Result<Outcome, LabError> {
    check(experiment)?;
    execution::rounds::execute(experiment, store, context, stop, on_event)
}
