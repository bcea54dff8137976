//! The collector, its clock and its files, shared by the server's threads and by the one that watches.

use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError, mpsc::Sender},
};

use jiff::{SignedDuration, Timestamp};
use plimsoll_gather::{Answer, Collector, Effect, Envelope, Rules, Source, Standing};
use plimsoll_record::{Interval, Part, Plan};

use super::files::Files;
use crate::gathering::Elapsed;

pub struct Desk {
    state: Mutex<State>,
    clock: Elapsed,
    effects: Sender<Effect>,
    parts: u32,
}

struct State {
    collector: Collector,
    files: Files,
    /// Why parts can no longer be kept.
    problem: Option<String>,
}

/// Everything that has become due.
pub struct Looked {
    pub effects: Vec<Effect>,
    pub seconds: Vec<(usize, Interval)>,
    pub has_begun: bool,
    pub is_over: bool,
}

impl Desk {
    pub fn new(rules: Rules, clock: Elapsed, files: Files, effects: Sender<Effect>) -> Self {
        let parts = rules.parts;
        let state = State { collector: Collector::new(rules), files, problem: None };
        Self { state: Mutex::new(state), clock, effects, parts }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a message of a part. Its measurements are on disk before they are answered; where they cannot be kept, the
    /// part keeps them.
    pub fn take(&self, envelope: Envelope) -> Answer {
        let state = &mut *self.lock();
        let (answer, effects) = state.collector.take(self.clock.now(), envelope);
        for effect in effects {
            let kept = match effect {
                Effect::Seconds(part, seconds) => state.files.add_seconds(part, &seconds),
                Effect::Bytes(part, offset, bytes) => state.files.add_bytes(part, offset, &bytes),
                // Nobody is left who would hear it: the command has ended.
                effect => {
                    drop(self.effects.send(effect));
                    Ok(())
                }
            };
            if let Err(problem) = kept {
                state.collector.abort(&problem);
                state.problem.get_or_insert(problem);
            }
        }
        match &state.problem {
            Some(problem) => unkept(answer, problem),
            None => answer,
        }
    }

    pub fn look(&self) -> Looked {
        let now = self.clock.now();
        let state = &mut *self.lock();
        Looked {
            effects: state.collector.tick(now),
            seconds: state.collector.take_seconds(now),
            has_begun: state.collector.start().is_some_and(|start| start <= now),
            is_over: state.collector.is_over(),
        }
    }

    pub fn abort(&self, reason: &str) {
        self.lock().collector.abort(reason);
    }

    /// Why parts cannot be kept any longer, if so.
    pub fn problem(&self) -> Option<String> {
        self.lock().problem.clone()
    }

    pub fn plan(&self) -> Option<Plan> {
        self.lock().collector.plan()
    }

    pub fn standing(&self, part: u32) -> Option<Standing> {
        self.lock().collector.standing(part)
    }

    /// Everything that is there of a part: its record, or else the seconds that it told; none if there is nothing.
    pub fn source(&self, part: u32) -> Option<Result<Source, String>> {
        let state = self.lock();
        let (start, plan) = state.collector.start().zip(state.collector.plan())?;
        let ago = i64::try_from((self.clock.now() - start).0).unwrap_or_default();
        let now = Timestamp::now();
        let started = now.checked_sub(SignedDuration::from_nanos(ago)).unwrap_or(now).to_string();
        let standing = state.collector.standing(part)?;
        let part = Part { number: part, count: self.parts };
        state.files.read(part, &standing, &plan, &started)
    }

    /// The folder of the parts' records.
    pub fn folder(&self) -> PathBuf {
        self.lock().files.folder().to_owned()
    }

    /// Whether it has the record of any part.
    pub fn has_records(&self) -> bool {
        self.lock().files.has_records()
    }

    pub fn discard_files(&self) {
        self.lock().files.discard();
    }
}

/// The answer to a part whose measurements may not have been kept.
fn unkept(answer: Answer, problem: &str) -> Answer {
    let reason = problem.to_owned();
    match answer {
        Answer::GoOn { next } => Answer::Abort { reason, next },
        Answer::Send { .. } | Answer::Done => Answer::Refused { reason },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part that hears that its record is there removes its own.
    #[test]
    fn no_part_hears_that_something_is_kept_that_may_not_be() {
        let reason = || "the disk is full".to_owned();
        let of = |answer| unkept(answer, &reason());
        for answer in [Answer::Done, Answer::Send { offset: 7 }] {
            assert_eq!(of(answer), Answer::Refused { reason: reason() });
        }
        assert_eq!(of(Answer::GoOn { next: 3 }), Answer::Abort { reason: reason(), next: 3 });
        let ends = Answer::Abort { reason: "enough".to_owned(), next: 3 };
        assert_eq!(of(ends.clone()), ends);
    }
}
