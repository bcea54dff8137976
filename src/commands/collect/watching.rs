//! The totals of all parts while the load runs: shown, and looked at for thresholds that abort.

use plimsoll_analysis::thresholds;
use plimsoll_record::{Interval, LevelPlan, Plan};

use crate::{commands::load::thresholds::read, failure::Failure, live::Watch};

pub struct Watching {
    levels: Vec<LevelPlan>,
    limits: thresholds::Watch,
    has_exceeded: bool,
    watch: Watch,
    has_begun: bool,
}

impl Watching {
    /// Reads the thresholds of `plan`; one that cannot be read is a failure.
    pub fn new(plan: &Plan, quiet: bool) -> Result<Self, Failure> {
        let thresholds = read(&plan.thresholds, &plan.levels)?;
        Ok(Self {
            levels: plan.levels.clone(),
            limits: thresholds::Watch::new(&thresholds),
            has_exceeded: false,
            watch: Watch::of_plan(plan, quiet),
            has_begun: false,
        })
    }

    /// The load begins: from now on it is shown.
    pub fn begin(&mut self) {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.watch.begin();
        }
    }

    /// Takes a second of all parts; the threshold that ends the load, once.
    pub fn take(&mut self, scenario: usize, interval: &Interval) -> Option<String> {
        self.watch.add(scenario, interval);
        let level = self.levels.get(scenario)?;
        let exceeded = self.limits.add(level, interval).filter(|_| !self.has_exceeded).map(ToString::to_string);
        self.has_exceeded |= exceeded.is_some();
        exceeded
    }

    /// A line that stays.
    pub fn say(&self, text: &str) {
        self.watch.voice().say(text);
    }
}
