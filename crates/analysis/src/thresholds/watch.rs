//! Thresholds that end a load while it runs.

use plimsoll_record::{Interval, LevelPlan};

use super::{Threshold, judge, judge::Part};

/// Looks at what was measured so far for thresholds that abort.
#[derive(Debug)]
pub struct Watch {
    thresholds: Vec<Threshold>,
    parts: Vec<Part>,
}

impl Watch {
    /// The `thresholds` that abort.
    pub fn new(thresholds: &[Threshold]) -> Self {
        let thresholds = thresholds.iter().filter(|threshold| threshold.abort_after.is_some()).cloned().collect();
        Self { thresholds, parts: Vec::new() }
    }

    /// Takes in an interval of a level. The first threshold that is exceeded and aborts the load.
    pub fn add(&mut self, level: &LevelPlan, interval: &Interval) -> Option<&Threshold> {
        if self.thresholds.is_empty() {
            return None;
        }
        judge::add(&mut self.parts, level, interval);
        let now = level.start + interval.start + interval.duration;
        let parts = &self.parts;
        self.thresholds.iter().find(|threshold| {
            let value = threshold.value(parts);
            // A figure that has not been measured yet is not exceeded.
            threshold.abort_after.is_some_and(|delay| delay <= now) && value.is_some() && !threshold.is_kept(value)
        })
    }
}
