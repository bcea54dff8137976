//! Limits that the load must keep: checked before it, looked at while it runs.

use plimsoll_analysis::thresholds::{Threshold, Watch};
use plimsoll_record::{Interval, LevelPlan};

use crate::failure::Failure;

/// Reads `--threshold` and checks it against the load.
pub fn read(texts: &[String], levels: &[LevelPlan]) -> Result<Vec<Threshold>, Failure> {
    let read = |text: &String| {
        Threshold::of_levels(text, levels)
            .map_err(|error| Failure::input(format_args!("--threshold '{text}': {error}")))
    };
    texts.iter().map(read).collect()
}

/// Why a load was ended.
pub fn was_exceeded(threshold: &str) -> String {
    format!("the threshold {threshold} was exceeded")
}

/// Ends the load when a threshold that says so is exceeded.
pub struct Abort<'a> {
    watch: Watch,
    levels: &'a [LevelPlan],
    exceeded: Option<String>,
}

impl<'a> Abort<'a> {
    pub fn new(thresholds: &[Threshold], levels: &'a [LevelPlan]) -> Self {
        Self { watch: Watch::new(thresholds), levels, exceeded: None }
    }

    /// Takes what a scenario measured; the threshold that ends the load, once.
    pub fn look_at(&mut self, scenario: usize, interval: &Interval) -> Option<String> {
        if self.exceeded.is_none() {
            self.exceeded = self.watch.add(&self.levels[scenario], interval).map(ToString::to_string);
            return self.exceeded.clone();
        }
        None
    }

    /// The threshold that has ended the load.
    pub fn exceeded(&self) -> Option<&str> {
        self.exceeded.as_deref()
    }
}
