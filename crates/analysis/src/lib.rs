//! From a record to results: statistics, claims, Little's law, ceilings. Pure: no files, no clock.

pub mod results;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use results::Results;
