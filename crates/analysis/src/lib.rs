//! From a record to results: statistics, claims, Little's law, ceilings. Pure: no files, no clock.

pub mod results;

pub use results::Results;
