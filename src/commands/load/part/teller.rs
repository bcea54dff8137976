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
use plimsoll_gather::{Ending, Second, Telling, Turn};
use plimsoll_record::{Interval, Nanos};
use plimsoll_secrets::mask;

use crate::gathering::{Elapsed, Link};

/// Lines for people.
pub type Say = Box<dyn Fn(&str) + Send>;

/// Tells until it is ended.
pub struct Teller {
    seconds: Sender<Second>,
    thread: JoinHandle<(Link, bool)>,
    aborted: Arc<Mutex<Option<String>>>,
}

impl Teller {
    pub fn start(link: Link, clock: Elapsed, stop: Stop, say: Say) -> Self {
        let telling = Telling::new(clock.now());
        Self::start_with(telling, None, Conversation::new(link, clock, stop, say))
    }

    /// The same of a load of an order, which starts at `start`, and which ends if nobody has answered for `silence`.
    pub fn start_of_order(
        load: u64,
        (start, silence): (Nanos, Nanos),
        (link, clock): (Link, Elapsed),
        stop: Stop,
        say: Say,
    ) -> Self {
        let telling = Telling::of_order(load, clock.now());
        Self::start_with(telling, Some((start, silence)), Conversation::new(link, clock, stop, say))
    }

    fn start_with(telling: Telling, lease: Option<(Nanos, Nanos)>, conversation: Conversation) -> Self {
        let (seconds, measured) = mpsc::channel();
        let aborted = conversation.aborted.clone();
        let conversation = Conversation { lease, ..conversation };
        Self { seconds, thread: thread::spawn(move || conversation.hold(telling, &measured)), aborted }
    }

    /// Tells what was measured of a scenario: of each second in it, all.
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

    /// Tells the rest; until then the collector hears that this part is alive. Returns whether it was told all.
    pub fn end(self) -> (Link, bool) {
        drop(self.seconds);
        self.thread.join().expect("telling does not panic")
    }
}

struct Conversation {
    link: Link,
    clock: Elapsed,
    stop: Stop,
    say: Say,
    aborted: Arc<Mutex<Option<String>>>,
    is_unheard: bool,
    /// When the load starts, and for how long it may go on unheard; none: to its end.
    lease: Option<(Nanos, Nanos)>,
}

impl Conversation {
    fn new(link: Link, clock: Elapsed, stop: Stop, say: Say) -> Self {
        Self { link, clock, stop, say, aborted: Arc::default(), is_unheard: false, lease: None }
    }

    fn hold(mut self, mut telling: Telling, measured: &Receiver<Second>) -> (Link, bool) {
        let mut has_ended = false;
        while !has_ended || !(telling.is_told() || telling.is_unheard(self.clock.now())) {
            let now = self.clock.now();
            let pause = match telling.turn(now) {
                Turn::Send(message) => {
                    match self.link.ask(&message) {
                        Ok(answered) => {
                            self.is_unheard = false;
                            match telling.answered(answered.at, answered.reply.answer) {
                                Some(Ending::Abort(reason)) => self.abort(reason),
                                Some(Ending::Finish(after)) => self.finish(after),
                                None => {}
                            }
                        }
                        Err(why) => {
                            self.miss(&why);
                            telling.failed(self.clock.now(), why);
                            self.end_unheard(&telling);
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
        (self.link, telling.is_told())
    }

    /// Lets the load end so long after its start, whatever becomes of the conversation until then.
    fn finish(&self, after: Nanos) {
        let (start, _) = self.lease.unwrap_or_default();
        let (stop, left) = (self.stop.clone(), (start + after) - self.clock.now());
        thread::spawn(move || {
            thread::sleep(left.into());
            stop.finish();
        });
    }

    /// Ends a load that nobody may want any longer: nobody has answered for as long as its lease allows.
    fn end_unheard(&self, telling: &Telling) {
        if self.lease.is_some_and(|(_, silence)| telling.silent_for(self.clock.now()) >= silence) {
            self.stop.abandon();
        }
    }

    fn abort(&self, reason: String) {
        (self.say)(&format!("the collector ends the load: {reason}"));
        *self.aborted.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
        self.stop.abandon();
    }

    fn miss(&mut self, why: &str) {
        if !std::mem::replace(&mut self.is_unheard, true) {
            let until = match self.lease {
                Some((_, silence)) => format!("the load ends in {silence} if that lasts"),
                None => "the load goes on without it".to_owned(),
            };
            (self.say)(&format!("warning: the collector does not answer ({why}): {until}"));
        }
    }
}

/// Takes what was measured, and waits for `pause` if nothing was. Returns whether there will be no more.
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
