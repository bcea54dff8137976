//! The lab: experiment files, the plan they resolve to, and the launching, loading and watching of each run.

pub mod artifact;
pub mod beside;
mod calls;
mod check;
mod clock;
pub mod event;
pub mod experiment;
pub mod explain;
pub mod file;
pub mod jdk;
mod jmh;
mod jmx;
pub mod jvm;
mod launch;
pub mod line;
pub mod listening;
mod order;
pub mod packaging;
mod placeholders;
mod placement;
pub mod port;
pub mod prove;
mod ready;
mod run;
mod sampling;
mod scrape;
mod second;
pub mod service;
mod steady;
mod subject;
pub mod trial;

pub use check::{CannotLaunch, check};
pub use event::{Event, LevelPlace, Place, Progress};
pub use launch::supervisor_main;
pub use placeholders::Placeholders;
pub use run::{Context, LabError, Outcome, command_text, run};
