//! The lab: experiment files, the plan they resolve to, and the launching, loading and watching of each run.

pub mod artifact;
pub mod event;
pub mod experiment;
pub mod file;
pub mod jdk;

pub use event::{Event, LevelPlace, Place, Progress};
