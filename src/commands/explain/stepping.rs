//! Makes the steps of an explanation on a URL.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use plimsoll_drive::{DriveError, Generator, Job, Scenario, Stop, Told};
use plimsoll_lab::{
    explain::{CensusOrder, CensusThread, Explaining},
    line::Watching,
};
use plimsoll_record::{Environment, LevelPlan, Nanos, Phase, Window};

use crate::{
    commands::{
        gone::nobody_answers,
        recording::{Ended, Recording},
    },
    failure::Failure,
    live::{Live, explanation},
};

/// Ctrl-C is looked at this often while there is no load.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// An explanation with all that it needs.
pub struct Stepping<'a> {
    pub template: Job,
    pub generator: &'a dyn Generator,
    /// The environment as it is recorded so far.
    pub environment: Environment,
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
    /// How it ended.
    pub ended: Ended,
}

impl Stepping<'_> {
    /// Makes all steps, and ends the execution.
    pub fn make_all(mut self, interrupted: &Arc<AtomicBool>) -> Result<Made, Failure> {
        if let Some(why) = self.census_thread.blind() {
            self.live.say(&format!("note: {why}; it is explained from outside only"));
        }
        let ended = match self.steps(interrupted) {
            Ok(ended) => ended,
            Err(failure) => {
                self.fail(&failure);
                return Err(failure);
            }
        };
        if let Some(why) = ended.why_parts_are_lost() {
            self.live.say(&format!("warning: {why}; the explanation ends with what it knows"));
        }
        Ok(Made { execution: self.finish(&ended)?, ended })
    }

    /// Keeps what was seen until then.
    fn fail(self, failure: &Failure) {
        let Self { mut recording, census_thread, watching, live, .. } = self;
        drop(live);
        // The failure says more than one that follows from it.
        let _ = recording.add_samples(&watching.end()).and_then(|()| recording.add_censuses(&census_thread.end()));
        recording.fail(failure);
    }

    fn steps(&mut self, interrupted: &Arc<AtomicBool>) -> Result<Ended, Failure> {
        while let Some(action) = self.explaining.next_action() {
            self.census_thread.order(action.census);
            let ended = match action.load {
                Ok(level) => self.offer(level, interrupted)?,
                Err(length) => self.rest(length, interrupted),
            };
            self.census_thread.order(CensusOrder::Away);
            match ended {
                Ended::Whole => self.explaining.end(),
                Ended::Interrupted | Ended::PartsLost(_) => return Ok(ended),
            }
        }
        Ok(Ended::Whole)
    }

    /// Ends the execution; its number.
    fn finish(mut self, ended: &Ended) -> Result<i64, Failure> {
        drop(self.live);
        if let Some(parts) = self.generator.parts() {
            self.environment.merged = Some(parts);
            self.recording.keep_environment(&self.environment)?;
        }
        let samples = self.watching.end();
        self.recording.add_samples(&samples).map_err(Failure::running)?;
        self.recording.add_censuses(&self.census_thread.end()).map_err(Failure::running)?;
        self.recording.finish(ended)
    }

    fn offer(&mut self, level: LevelPlan, interrupted: &Arc<AtomicBool>) -> Result<Ended, Failure> {
        let stop = Stop::new().abandoned_by(interrupted.clone());
        let job = job(&self.template, &level);
        let mut problem: Option<String> = None;
        let driven = self.generator.drive(&job, &stop, &mut |told| {
            let interval = match told {
                Told::Started => {
                    if let Err(failure) = self.recording.begin_level(level.clone(), self.explaining.elapsed()) {
                        problem = Some(failure.message());
                        stop.abandon();
                    }
                    return;
                }
                Told::Measured(_, interval) => *interval,
            };
            let (samples, seen) = (self.watching.take(), self.census_thread.take());
            let kept = (self.recording.add(&interval))
                .and_then(|()| self.recording.add_samples(&samples))
                .and_then(|()| self.recording.add_censuses(&seen));
            if let Err(error) = kept {
                problem = Some(error.to_string());
                stop.abandon();
            }
            if let Some(progress) = self.explaining.add(interval) {
                self.live.progress(&explanation::in_full_width(&progress));
            }
            if self.explaining.is_enough() {
                // The end of the load follows.
                self.census_thread.order(CensusOrder::Away);
                stop.finish();
            }
            if self.explaining.is_overdue() || self.explaining.gone().is_some() {
                stop.abandon();
            }
        });
        if let Some(error) = problem {
            return Err(Failure::running(format_args!(
                "the explanation is stopped, since it can no longer be recorded: {error}"
            )));
        }
        let driven = match driven {
            Ok(driven) => driven,
            Err(DriveError::Parts(why)) => {
                self.recording.end_level(Nanos::ZERO, true)?;
                return Ok(Ended::PartsLost(why));
            }
            Err(error) => return Err(Failure::running(error)),
        };
        if let Some(gone) = self.explaining.gone() {
            self.recording.end_level(driven.took[0], true)?;
            if level.phase != Phase::WarmUp {
                // Its silence may have begun in the window of figures before.
                self.recording.forget_all(&level.label)?;
            }
            let url = &self.template.scenarios[0].script.first().url;
            return Err(nobody_answers(url, in_words(&level), gone));
        }
        // Measurements until then are no worse: figures are by second.
        self.recording.end_level(driven.took[0], driven.stopped && interrupted.load(Ordering::Relaxed))?;
        Ok(ended_by(interrupted))
    }

    fn rest(&mut self, length: Nanos, interrupted: &AtomicBool) -> Ended {
        let until = Instant::now() + Duration::from(length);
        while Instant::now() < until && !interrupted.load(Ordering::Relaxed) {
            thread::sleep(LOOK_EVERY);
        }
        ended_by(interrupted)
    }
}

/// A load, as in `the target ended during the full load`.
fn in_words(level: &LevelPlan) -> &'static str {
    match level.label.as_str() {
        label if label == Window::Full.label() => "the full load",
        label if label == Window::Light.label() => "the load of one request at a time",
        _ => "the search for its capacity",
    }
}

/// How a step has ended that lost no part.
fn ended_by(interrupted: &AtomicBool) -> Ended {
    if interrupted.load(Ordering::Relaxed) { Ended::Interrupted } else { Ended::Whole }
}

fn job(template: &Job, level: &LevelPlan) -> Job {
    let scenario = Scenario { load: level.load.clone(), ..template.scenarios[0].clone() };
    Job { scenarios: vec![scenario], options: template.options.clone() }
}
