//! Events of a run loop: facts for a live line, never text laid out for one.

use plimsoll_record::{ExecutionStatus, Nanos, Phase, RunStatus};

use crate::{explain, line::Standing};

/// Something that happened. Variants are indices into [`plimsoll_record::Plan::variants`].
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The execution is in the record; `runs` is how many are planned.
    Started {
        /// Its number in the record.
        execution: i64,
        /// Rounds × variants.
        runs: u32,
    },
    /// A variant's artifact is being made ready; may take minutes when it is made for the first time.
    Preparing {
        /// The variant.
        variant: usize,
    },
    /// A step of making ready, in words, e.g. `mvn package`.
    PreparationStep {
        /// The variant.
        variant: usize,
        /// In words.
        step: String,
    },
    /// How far such a step has come, about once a second.
    PreparationProgress {
        /// The variant.
        variant: usize,
        /// In words.
        line: String,
    },
    /// A variant cannot run on this machine: its runs are skipped, the others go on.
    Skipped {
        /// The variant.
        variant: usize,
        /// Why, and what to do.
        detail: String,
        /// The lines of a failed build that say why.
        telling: Vec<String>,
    },
    /// Something a reader should know, e.g. that a limit could not be set. Said once for the same text.
    Note(String),
    /// A run's target is being started.
    RunStarting(Place),
    /// The target answered its first 2xx.
    Ready {
        /// The run.
        place: Place,
        /// From spawn to the first 2xx.
        startup: Nanos,
    },
    /// A level begins.
    LevelStarted {
        /// The run.
        place: Place,
        /// The level.
        level: LevelPlace,
    },
    /// About once a second while a level is driven.
    Progress(Progress),
    /// About once a second while a load line is searched for.
    Searching {
        /// The run.
        place: Place,
        /// How the search is getting on.
        standing: Standing,
        /// Until the execution ends, at most as far as that can be told.
        remaining: Option<Nanos>,
    },
    /// About once a second while a load is explained.
    Explaining {
        /// The run.
        place: Place,
        /// How far it is.
        progress: explain::ExplainProgress,
        /// Until the execution ends, as far as that can be told.
        remaining: Option<Nanos>,
    },
    /// Last line of a second that the target put out, for targets whose output is the only sign of progress.
    Told {
        /// The run.
        place: Place,
        /// As it came.
        line: String,
    },
    /// A run is over.
    RunEnded {
        /// The run.
        place: Place,
        /// How it ended.
        status: RunStatus,
        /// Why, if it did not end well.
        detail: Option<String>,
        /// The target's last lines of output, if it did not end well.
        output_tail: Vec<String>,
    },
    /// The claims were looked at, in an execution that ends once they are decided.
    Looked {
        /// Rounds that were made.
        rounds: u32,
        /// Claims that are undecided, in words; without those that cannot be judged.
        undecided: Vec<String>,
    },
    /// The execution is over and the record complete.
    Ended {
        /// How it ended.
        status: ExecutionStatus,
    },
}

/// A run of the execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its variant.
    pub variant: usize,
    /// The variant's name.
    pub name: String,
    /// 0-based.
    pub round: u32,
    /// Rounds in all; at most, if it ends once all is decided.
    pub rounds: u32,
    /// Whether it ends once all is decided.
    pub is_until_decided: bool,
    /// Runs before this one, in all rounds.
    pub run: u32,
    /// Runs in all.
    pub runs: u32,
}

/// A level of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelPlace {
    /// Its label in tables and claims.
    pub label: String,
    /// Warm-up or measured.
    pub phase: Phase,
    /// 0-based index into [`plimsoll_record::Plan::levels`].
    pub index: usize,
    /// Levels in all.
    pub levels: usize,
}

/// How a level is getting on.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The run.
    pub place: Place,
    /// The level.
    pub level: LevelPlace,
    /// Since the level began.
    pub level_elapsed: Nanos,
    /// Since the execution began.
    pub elapsed: Nanos,
    /// Until the execution ends, as far as that can be told.
    pub remaining: Option<Nanos>,
    /// Requests that succeeded, per second, in the last interval.
    pub throughput_per_s: f64,
    /// 99th percentile of the response time of requests that succeeded in the last interval; none without one.
    pub p99: Option<Nanos>,
    /// Requests that ended since the level began.
    pub ended: u64,
    /// Requests that failed, contained in `ended`.
    pub failed: u64,
}
