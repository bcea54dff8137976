//! Makes the steps of an explanation on a URL.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use plimsoll_drive::{Job, Scenario, Stop, drive};
use plimsoll_lab::{
    explain::{CensusOrder, CensusThread, Explaining},
    line::Watching,
};
use plimsoll_record::{LevelPlan, Nanos, StoreError};

use crate::{
    commands::recording::Recording,
    failure::Failure,
    live::{Live, explanation},
};

/// Ctrl-C is looked at this often while there is no load.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// An explanation with all that it needs.
pub struct Stepping {
    pub template: Job,
    pub explaining: Explaining,
    pub census_thread: CensusThread,
    pub watching: Watching,
    pub recording: Recording,
    pub live: Live,
}

/// An explanation that was made, with all that came before.
pub struct Made {
    /// The number of its execution.
    pub execution: i64,
    /// Whether Ctrl-C ended it.
    pub is_interrupted: bool,
}

impl Stepping {
    /// Makes all steps, and ends the execution.
    pub fn make_all(mut self, interrupted: &Arc<AtomicBool>) -> Result<Made, Failure> {
        if let Some(why) = self.census_thread.blind() {
            self.live.say(&format!("note: {why}; it is explained from outside only"));
        }
        let is_interrupted = match self.steps(interrupted) {
            Ok(is_whole) => !is_whole,
            Err(failure) => {
                self.recording.fail(&failure);
                return Err(failure);
            }
        };
        Ok(Made { execution: self.finish(is_interrupted)?, is_interrupted })
    }

    /// Whether they came to their end: not by Ctrl-C.
    fn steps(&mut self, interrupted: &Arc<AtomicBool>) -> Result<bool, Failure> {
        while let Some(action) = self.explaining.next_action() {
            self.census_thread.order(action.census);
            let is_whole = match action.load {
                Ok(level) => self.offer(level, interrupted)?,
                Err(length) => self.rest(length, interrupted),
            };
            self.census_thread.order(CensusOrder::Away);
            if !is_whole {
                return Ok(false);
            }
            self.explaining.end();
        }
        Ok(true)
    }

    /// Ends the execution; its number.
    fn finish(mut self, is_interrupted: bool) -> Result<i64, Failure> {
        drop(self.live);
        let samples = self.watching.end();
        self.recording.add_samples(&samples).map_err(Failure::running)?;
        self.recording.add_censuses(&self.census_thread.end()).map_err(Failure::running)?;
        self.recording.finish(is_interrupted)
    }

    fn offer(&mut self, level: LevelPlan, interrupted: &Arc<AtomicBool>) -> Result<bool, Failure> {
        self.recording.begin_level(level.clone(), self.explaining.elapsed())?;
        let stop = Stop::new().abandoned_by(interrupted.clone());
        let job = job(&self.template, &level);
        let mut problem: Option<StoreError> = None;
        let driven = drive(&job, &stop, &mut |_, interval| {
            let (samples, seen) = (self.watching.take(), self.census_thread.take());
            let kept = (self.recording.add(&interval))
                .and_then(|()| self.recording.add_samples(&samples))
                .and_then(|()| self.recording.add_censuses(&seen));
            if let Err(error) = kept {
                problem = Some(error);
                stop.abandon();
            }
            if let Some(progress) = self.explaining.add(&interval) {
                self.live.progress(&explanation::in_full_width(&progress));
            }
            if self.explaining.is_enough() {
                // The end of the load follows.
                self.census_thread.order(CensusOrder::Away);
                stop.finish();
            }
            if self.explaining.is_overdue() {
                stop.abandon();
            }
        })
        .map_err(Failure::running)?;
        if let Some(error) = problem {
            return Err(Failure::running(format_args!(
                "the explanation is stopped, since it can no longer be recorded: {error}"
            )));
        }
        // Measurements until then are no worse: figures are by second.
        self.recording.end_level(driven.took[0], driven.stopped && interrupted.load(Ordering::Relaxed))?;
        Ok(!interrupted.load(Ordering::Relaxed))
    }

    fn rest(&mut self, length: Nanos, interrupted: &AtomicBool) -> bool {
        let until = Instant::now() + Duration::from(length);
        while Instant::now() < until && !interrupted.load(Ordering::Relaxed) {
            thread::sleep(LOOK_EVERY);
        }
        !interrupted.load(Ordering::Relaxed)
    }
}

fn job(template: &Job, level: &LevelPlan) -> Job {
    let scenario = Scenario { load: level.load.clone(), ..template.scenarios[0].clone() };
    Job { scenarios: vec![scenario], options: template.options.clone() }
}
