//! Measurements: the plan that was made, the intervals that were measured, the samples
//! that were taken beside them, and the SQLite file that keeps them.
//!
//! This crate holds types and storage. It computes nothing: statistics live in
//! `plimsoll-analysis`, and every report is derived from what is kept here.

pub mod arrivals;
pub mod census;
mod comparison;
pub mod distribution;
pub mod error_kind;
pub mod execution;
mod explain;
pub mod interval;
mod line;
pub mod load;
pub mod metric;
pub mod network;
pub mod part;
pub mod plan;
mod proof;
pub mod published;
pub mod score;
pub mod seed;
mod status;
pub mod store;
mod summary;
pub mod traced;
pub mod upstream;

pub use plimsoll_times::{Histogram, LogEntry, Nanos, ValueCounts, histogram_log, read_histogram_log};

pub use arrivals::{ARRIVAL_SLOT, ArrivalCounts, ArrivalSlot};
pub use census::{
    Awaited, Census, HeapLook, Objects, OtherProcess, Peer, ProcessFacts, Side, Stack, Tasks, Thread, ThreadState,
    Window,
};
pub use comparison::Comparison;
pub use distribution::Distribution;
pub use error_kind::ErrorKind;
pub use execution::{Environment, Execution, ExecutionData, LevelData, Making, Run, RunData, Sample};
pub use explain::{ExplainPlan, Explained};
pub use interval::{CheckCount, Counts, ErrorCount, Generator, Interval, Timings};
pub use line::{CapacityFound, LineEndFound, LineFound, LinePlan, LineRun, ObjectivePlan, Unrecovered};
pub use load::{Amount, Arrivals, Leg, Load, LoadUnit, Stage, ThinkTime, label_for_people, stage_of_scenario};
pub use network::{Between, NetworkBy, NetworkPlan};
pub use part::{Merged, MergedPart, Part, PartClock};
pub use plan::{Claim, LevelPlan, Phase, Plan, REQUESTS_MAX, ServerSeen, UntilDecided, VariantPlan};
pub use proof::{Change, ProofPlan};
pub use published::{Conditions, PrintedFigure, Published, PublishedLevel, PublishedVariant, Statistic};
pub use score::{Score, ScoreValue};
pub use seed::seed_for;
pub use status::{ExecutionStatus, RunStatus};
pub use store::{Store, StoreError};
pub use summary::{Baseline, ClaimTally, ExecutionSummary, KeyFigure, Listed, ThresholdTally, VariantSummary};
pub use traced::TracedRequest;
pub use upstream::{
    Freeze, KeepAlive, StatusShare, UpstreamCounts, UpstreamLine, UpstreamPlan, UpstreamReady, UpstreamTls,
};
