//! A part under load tells its collector each second, on a thread of its own: whatever becomes of the collector, the
//! load goes on.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use plimsoll_drive::Stop;
use plimsoll_gather::{Second, Telling, Turn};
use plimsoll_record::{Interval, Nanos};
use plimsoll_secrets::mask;

use crate::{
    gathering::{Elapsed, Link},
    live::Voice,
};

/// Tells until it is ended.
pub struct Teller {
    seconds: Sender<Second>,
    thread: JoinHandle<Link>,
    aborted: Arc<Mutex<Option<String>>>,
}

impl Teller {
    pub fn start(link: Link, clock: Elapsed, stop: Stop, voice: Voice) -> Self {
        let (seconds, measured) = mpsc::channel();
        let aborted = Arc::new(Mutex::new(None));
        let conversation = Conversation { link, clock, stop, voice, aborted: aborted.clone(), is_unheard: false };
        Self { seconds, thread: thread::spawn(move || conversation.hold(&measured)), aborted }
    }

    /// Measured of a scenario, all of the seconds that are in it.
    pub fn tell(&self, scenario: usize, intervals: Vec<Interval>) {
        let mut by_second: BTreeMap<u64, Vec<Interval>> = BTreeMap::new();
        for interval in intervals {
            by_second.entry(interval.start.0 / 1_000_000_000).or_default().push(without_secrets(interval));
        }
        for (second, intervals) in by_second {
            // The thread ends after this side only.
            drop(self.seconds.send(Second { scenario, second, intervals }));
        }
    }

    /// Why the collector has ended the load, if it has.
    pub fn aborted(&self) -> Option<String> {
        self.aborted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells the rest. Until then the collector hears that this part is alive.
    pub fn end(self) -> Link {
        drop(self.seconds);
        self.thread.join().expect("telling does not panic")
    }
}

struct Conversation {
    link: Link,
    clock: Elapsed,
    stop: Stop,
    voice: Voice,
    aborted: Arc<Mutex<Option<String>>>,
    is_unheard: bool,
}

impl Conversation {
    fn hold(mut self, measured: &Receiver<Second>) -> Link {
        let mut telling = Telling::new(self.clock.now());
        let mut has_ended = false;
        while !has_ended || !(telling.is_told() || telling.is_unheard(self.clock.now())) {
            let now = self.clock.now();
            let pause = match telling.turn(now) {
                Turn::Send(message) => {
                    match self.link.ask(&message) {
                        Ok(answered) => {
                            self.is_unheard = false;
                            if let Some(reason) = telling.answered(answered.at, answered.reply.answer) {
                                self.abort(reason);
                            }
                        }
                        Err(why) => {
                            self.miss(&why);
                            telling.failed(self.clock.now(), why);
                        }
                    }
                    Nanos::ZERO
                }
                Turn::Pause(until) => until - now,
                Turn::Start(_) | Turn::GiveUp(_) => unreachable!("a part that tells neither starts nor gives up"),
            };
            match has_ended {
                true => thread::sleep(pause.into()),
                false => has_ended = take(measured, pause.into(), &mut telling),
            }
        }
        self.link
    }

    fn abort(&self, reason: String) {
        self.voice.say(&format!("the collector ends the load: {reason}"));
        *self.aborted.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
        self.stop.abandon();
    }

    fn miss(&mut self, why: &str) {
        if !std::mem::replace(&mut self.is_unheard, true) {
            self.voice.say(&format!("warning: the collector does not answer ({why}): the load goes on without it"));
        }
    }
}

/// Takes what was measured, and waits so long if nothing was; whether there will be no more.
fn take(measured: &Receiver<Second>, pause: Duration, telling: &mut Telling) -> bool {
    let mut wait = pause;
    loop {
        match measured.recv_timeout(wait) {
            Ok(second) => telling.add(second),
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => return true,
        }
        wait = Duration::ZERO;
    }
}

/// Messages of a target may hold what was sent to it.
fn without_secrets(mut interval: Interval) -> Interval {
    interval.errors.values_mut().for_each(|error| error.example = mask(&error.example));
    interval.checks = interval.checks.into_iter().map(|(name, count)| (mask(&name), count)).collect();
    for request in &mut interval.traced {
        request.server_timing = request.server_timing.as_deref().map(mask);
    }
    interval
}
