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
    explain::{Explaining, Look, Looking, Standing},
    line::Watching,
};
use plimsoll_record::{LevelPlan, Nanos, Phase, StoreError, Window};
use plimsoll_text::number::in_full;

use crate::{
    commands::recording::Recording,
    failure::Failure,
    live::{Live, clock},
};

/// Ctrl-C is looked at this often while there is no load.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// So many seconds what is in flight at the end of a step is awaited: before the target is looked at without load it
/// is to have none left.
const AWAITED_S: u32 = 20;
const AWAITED_FULL_S: u32 = 3;

/// An explanation with all that it needs.
pub struct Stepping {
    pub template: Job,
    pub explaining: Explaining,
    pub looking: Looking,
    pub watching: Watching,
    pub recording: Recording,
    pub live: Live,
}

impl Stepping {
    /// Makes all steps. Whether they came to their end: not by Ctrl-C.
    pub fn make_all(&mut self, interrupted: &Arc<AtomicBool>) -> Result<bool, Failure> {
        while let Some(offer) = self.explaining.next_offer() {
            self.looking.look(offer.look);
            let is_whole = match offer.load {
                Ok(level) => self.offer(level, interrupted)?,
                Err(length) => self.rest(length, interrupted),
            };
            self.looking.look(Look::Away);
            if !is_whole {
                return Ok(false);
            }
            self.explaining.end();
        }
        Ok(true)
    }

    /// Ends the execution; its number.
    pub fn finish(mut self, is_interrupted: bool) -> Result<i64, Failure> {
        drop(self.live);
        let samples = self.watching.end();
        self.recording.add_samples(&samples).map_err(Failure::running)?;
        self.recording.add_censuses(&self.looking.end()).map_err(Failure::running)?;
        self.recording.finish(None, is_interrupted)
    }

    fn offer(&mut self, level: LevelPlan, interrupted: &Arc<AtomicBool>) -> Result<bool, Failure> {
        self.recording.begin_level(level.clone(), self.explaining.elapsed())?;
        let stop = Stop::new().abandoned_by(interrupted.clone());
        let job = job(&self.template, &level);
        let (mut problem, mut awaited): (Option<StoreError>, u32) = (None, 0);
        let driven = drive(&job, &stop, &mut |_, interval| {
            let (samples, seen) = (self.watching.take(), self.looking.take());
            let kept = (self.recording.add(&interval))
                .and_then(|()| self.recording.add_samples(&samples))
                .and_then(|()| self.recording.add_censuses(&seen));
            if let Err(error) = kept {
                problem = Some(error);
                stop.abandon();
            }
            if let Some(standing) = self.explaining.add(&interval) {
                self.live.progress(&progress(&standing));
            }
            if self.explaining.is_enough() {
                // What follows is the end of the load.
                self.looking.look(Look::Away);
                stop.finish();
                awaited += 1;
                if awaited > if level.phase == Phase::WarmUp { AWAITED_S } else { AWAITED_FULL_S } {
                    stop.abandon();
                }
            }
        })
        .map_err(Failure::running)?;
        if let Some(error) = problem {
            return Err(Failure::running(format_args!(
                "the explanation is stopped, since it can no longer be recorded: {error}"
            )));
        }
        // What was measured until then is no worse: figures are by second.
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

/// `0:12  fully loaded: 64 users, 397 req/s`.
fn progress(standing: &Standing) -> String {
    let window = match standing.window {
        None => "capacity",
        Some(Window::Rest) => "at rest",
        Some(Window::Light) => "lightly loaded",
        Some(Window::Full) => "fully loaded",
    };
    let users = plimsoll_text::counted(u64::from(standing.users), "user");
    let rate = in_full(standing.succeeded_per_s as f64, 4);
    format!("{}  {window}: {users}, {rate} req/s", clock(standing.elapsed))
}
