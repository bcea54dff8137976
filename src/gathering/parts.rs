//! Parts that stay as one generator: they join, offer each load together, and are dismissed.

use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use plimsoll_drive::{DriveError, Driven, Generator, Job, JobText, Scenario, Stop, Told};
use plimsoll_gather::{Answer, BODY_BYTES_MAX, Crew, CrewEffect, Envelope, LoadOutcome, Rules, Shape};
use plimsoll_lab::experiment::Gathering;
use plimsoll_record::{Merged, Nanos};
use plimsoll_text::{joined, number::bytes};

use super::{Elapsed, Listener, Token, invitation};
use crate::{failure::Failure, live::Live};

/// Time between two looks at what has become due.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Longest wait for parts to hear that they are dismissed: they ask again sooner, however starved the machine is.
const DISMISSED_WITHIN: Duration = Duration::from_secs(10);

/// All parts. Dropping it dismisses them.
pub struct Parts {
    desk: Arc<Desk>,
    clock: Elapsed,
    count: u32,
    // Dropped last: parts hear that they are dismissed.
    _listener: Listener,
}

struct Desk {
    state: Mutex<State>,
    clock: Elapsed,
}

struct State {
    crew: Crew,
    effects: Vec<CrewEffect>,
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, envelope: Envelope) -> Answer {
        let state = &mut *self.lock();
        let (answer, effects) = state.crew.take(self.clock.now(), envelope);
        state.effects.extend(effects);
        answer
    }

    /// Everything that has happened since the last look.
    fn look(&self) -> Vec<CrewEffect> {
        let state = &mut *self.lock();
        let due = state.crew.tick(self.clock.now());
        state.effects.drain(..).chain(due).collect()
    }
}

impl Parts {
    /// Waits until all have joined, and says who has; none if `interrupted` was set first.
    pub fn gather(of: &Gathering, quiet: bool, interrupted: &AtomicBool) -> Result<Option<Self>, Failure> {
        let token = Token::for_listening(of.token_file.as_deref(), of.listen)?;
        let clock = Elapsed::start();
        let rules = Rules {
            parts: of.parts,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            deadline: of.deadline,
            silence: of.silence,
            seed: 0,
        };
        let state = State { crew: Crew::new(rules), effects: Vec::new() };
        let desk = Arc::new(Desk { state: Mutex::new(state), clock });
        let served = desk.clone();
        let of_listener = token.as_ref().map(|(token, _)| token.clone());
        let listener = Listener::start(of.listen, of_listener, of.parts, move |envelope| served.take(envelope))?;
        let invitation = invitation(listener.address(), of.parts, token.as_ref(), "serve-part");
        // The token itself is for this person, so nothing is masked.
        tell!("{invitation}");
        let parts = Self { desk, clock, count: of.parts, _listener: listener };
        let mut telling = Telling { live: Live::new(quiet), quiet, count: of.parts, joined: 0 };
        loop {
            for effect in parts.desk.look() {
                telling.tell(&effect);
                if let CrewEffect::NeverCame(missing) = effect {
                    let names: Vec<String> = missing.iter().map(|number| format!("{number}/{}", of.parts)).collect();
                    return Err(Failure::parts_missing(format_args!(
                        "parts that never came within {}: {}: nothing was sent; start them by `plimsoll serve-part \
                         --join`, or give them a longer deadline",
                        of.deadline,
                        joined(&names)
                    )));
                }
            }
            if parts.desk.lock().crew.is_complete() {
                return Ok(Some(parts));
            }
            if interrupted.load(Ordering::Relaxed) {
                parts.dismiss(Some("interrupted before the first load".to_owned()));
                return Ok(None);
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    fn merged(&self) -> Merged {
        let (now, time) = (self.clock.now(), Timestamp::now());
        let joined = |at: Nanos| {
            let ago = i64::try_from((now - at).0).unwrap_or_default();
            time.checked_sub(SignedDuration::from_nanos(ago)).unwrap_or(time).to_string()
        };
        self.desk.lock().crew.parts(joined)
    }

    /// Lets all parts end, and waits until they know. The first reason is the reason.
    pub fn dismiss(&self, reason: Option<String>) {
        self.desk.lock().crew.dismiss(reason);
        // Looks are counted, not time: while all stands still, nobody can ask.
        for _ in 0..DISMISSED_WITHIN.as_millis() / LOOK_EVERY.as_millis() {
            drop(self.desk.look());
            if self.desk.lock().crew.has_dismissed_all() {
                break;
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    fn name(&self, number: u32) -> String {
        let state = self.desk.lock();
        let host = state.crew.host(number).map(|host| format!(" on {host}")).unwrap_or_default();
        format!("part {number}/{}{host}", self.count)
    }

    /// Why a load says nothing, if so.
    fn failure(&self, outcome: &LoadOutcome, how: &str) -> Option<DriveError> {
        if !outcome.lost.is_empty() {
            let names: Vec<String> = outcome.lost.iter().map(|&number| self.name(number)).collect();
            let is = if names.len() == 1 { "is" } else { "are" };
            return Some(DriveError::Parts(format!("{} {is} lost: {how}", joined(&names))));
        }
        let (number, why) = outcome.failed.as_ref()?;
        Some(DriveError::Load(format!("{}: {why}", self.name(*number))))
    }
}

impl Generator for Parts {
    fn drive(&self, job: &Job, stop: &Stop, tell: &mut dyn FnMut(Told)) -> Result<Driven, DriveError> {
        let is_short = |it: &&Scenario| !it.load.is_closed() && it.load.max_in_flight() < self.count;
        if let Some(scenario) = job.scenarios.iter().find(is_short) {
            return Err(DriveError::Load(format!(
                "{} requests in flight at most cannot be shared out to {} parts: raise `max-in-flight`, or take fewer \
                 parts",
                scenario.load.max_in_flight(),
                self.count
            )));
        }
        let unsent = |problem: String| DriveError::Load(format!("the load cannot be sent to its parts: {problem}"));
        let text = JobText::of(job).map_err(|error| unsent(error.to_string()))?;
        let length = serde_json::to_vec(&text).map_err(|error| unsent(error.to_string()))?.len();
        if length > BODY_BYTES_MAX {
            let (length, most) = (bytes(length as u64), bytes(BODY_BYTES_MAX as u64));
            return Err(unsent(format!("with its bodies and rows of data it has {length}, and {most} are possible")));
        }
        let work = serde_json::to_value(text).map_err(|error| unsent(error.to_string()))?;
        let shape = |scenario: &Scenario| Shape {
            start: scenario.start,
            stages: scenario.load.legs().len().max(1),
            requests: scenario.script.steps().count().max(1),
        };
        self.desk.lock().crew.begin(work, job.scenarios.iter().map(shape).collect());
        let (mut has_started, mut how) = (false, "nothing is heard of it");
        loop {
            for effect in self.desk.look() {
                if let CrewEffect::Lost(_, why) = effect {
                    how = why;
                }
            }
            let (starts, seconds, outcome) = {
                let (now, state) = (self.clock.now(), &mut *self.desk.lock());
                if stop.is_abandoned() {
                    state.crew.abort("it is to end");
                } else if stop.is_finishing() {
                    state.crew.finish(now);
                }
                let starts = state.crew.start().is_some_and(|start| start <= now);
                let outcome = state.crew.end_load();
                match outcome {
                    Some((outcome, seconds)) => (starts, seconds, Some(outcome)),
                    None => (starts, state.crew.take_seconds(), None),
                }
            };
            if (starts || outcome.is_some()) && !std::mem::replace(&mut has_started, true) {
                tell(Told::Started);
            }
            for (scenario, interval) in seconds {
                tell(Told::Measured(scenario, Box::new(interval)));
            }
            if let Some(outcome) = outcome {
                return match self.failure(&outcome, how) {
                    Some(error) => Err(error),
                    None => Ok(Driven {
                        took: outcome.took,
                        stopped: outcome.is_stopped,
                        is_spread: outcome.is_spread,
                        late: outcome.late,
                    }),
                };
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    fn parts(&self) -> Option<Merged> {
        Some(self.merged())
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        self.dismiss(None);
    }
}

/// The person at the terminal hears who has joined.
struct Telling {
    live: Live,
    quiet: bool,
    count: u32,
    joined: u32,
}

impl Telling {
    fn tell(&mut self, effect: &CrewEffect) {
        let text = match effect {
            CrewEffect::Joined(number, host) => {
                self.joined += 1;
                let host = host.as_ref().map(|host| format!(" on {host}")).unwrap_or_default();
                format!(
                    "part {number}/{} has joined{host}: {} of {} parts have joined",
                    self.count, self.joined, self.count
                )
            }
            CrewEffect::Left(number) => {
                self.joined -= 1;
                format!("part {number}/{} has left: {} of {} parts are there", self.count, self.joined, self.count)
            }
            CrewEffect::Refused(reason) => format!("a part was refused: {reason}"),
            CrewEffect::Complete | CrewEffect::NeverCame(_) | CrewEffect::Lost(..) => return,
        };
        let is_good = matches!(effect, CrewEffect::Joined(..));
        if !(self.quiet && is_good) {
            self.live.say(&text);
        }
    }
}
