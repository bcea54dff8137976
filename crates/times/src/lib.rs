//! Times in nanoseconds, and histograms of them in the encodings of HdrHistogram.

mod encoding;
mod histogram;
mod log;
mod nanos;

pub use histogram::Histogram;
pub use log::{LogEntry, ValueCounts, histogram_log, read_histogram_log};
pub use nanos::Nanos;
