//! The collector, its clock and its files, shared by the server's threads and by the one that watches.

use std::sync::{Mutex, MutexGuard, PoisonError, mpsc::Sender};

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

    /// Takes a message of a part. Its measurements are on disk before they are answered.
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
        answer
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

    pub fn discard_files(&self) {
        self.lock().files.discard();
    }
}
