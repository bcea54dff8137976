//! What a simulated upstream is told to do.

mod words;

pub use words::{parse_answer_size, parse_freeze, parse_latency, parse_statuses};
