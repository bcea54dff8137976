//! A part before its load: it joins and waits for the start.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use plimsoll_gather::{Clocks, Join, Joining, Message, Seat, Turn};
use plimsoll_record::Nanos;

use crate::{
    cli::LoadArgs,
    failure::Failure,
    gathering::{Elapsed, Link},
    live::Live,
};

/// Ctrl-C is looked at this often.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Remark of a part that asks again.
pub fn not_yet(why: &str, deadline: Nanos) -> String {
    format!("no answer yet ({why}): asks again, for {deadline} at most")
}

pub struct Waiting {
    link: Link,
    joining: Joining,
    clock: Elapsed,
    live: Live,
    quiet: bool,
    deadline: Nanos,
    is_unheard: bool,
}

impl Waiting {
    pub fn new(link: Link, join: Join, arguments: &LoadArgs, clock: Elapsed) -> Self {
        let (deadline, quiet) = (arguments.scale.deadline, arguments.output.quiet);
        let joining = Joining::new(join, deadline, clock.now());
        Self { link, joining, clock, live: Live::new(quiet), quiet, deadline, is_unheard: false }
    }

    /// Joins; none if `stop` was set first.
    pub fn for_seat(&mut self, stop: &AtomicBool) -> Result<Option<Seat>, Failure> {
        self.live.progress(&format!("joins the collector at {}", self.link.address()));
        self.until(stop, |joining, _| joining.seat())
    }

    /// Waits for all others, and until shortly before the start; none if `stop` was set first.
    pub fn for_start(&mut self, stop: &AtomicBool) -> Result<Option<Nanos>, Failure> {
        if let Some(Seat { part, parts, .. }) = self.joining.seat().filter(|_| !self.quiet) {
            self.live.say(&format!("joined as part {part}/{parts}: the load starts once all have joined"));
        }
        let start = self.until(stop, |_, turn| if let Turn::Start(at) = turn { Some(*at) } else { None })?;
        self.live.clear();
        Ok(start)
    }

    /// Tells the collector that the others need not wait for this part.
    pub fn leave(&mut self) {
        drop(self.link.ask(&Message::Leave));
    }

    pub fn end(self) -> (Link, Clocks) {
        (self.link, self.joining.clocks().clone())
    }

    /// Says once that nobody answers: it may be a wrong address, which is no reason to give up.
    fn miss(&mut self, why: &str) {
        if !std::mem::replace(&mut self.is_unheard, true) && !self.quiet {
            self.live.say(&not_yet(why, self.deadline));
        }
    }

    fn until<T>(
        &mut self,
        stop: &AtomicBool,
        is_reached: impl Fn(&Joining, &Turn) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        while !stop.load(Ordering::Relaxed) {
            let now = self.clock.now();
            let turn = self.joining.turn(now);
            if let Some(reached) = is_reached(&self.joining, &turn) {
                return Ok(Some(reached));
            }
            match turn {
                Turn::GiveUp(reason) => {
                    return Err(Failure::not_joined(format_args!(
                        "{} does not let this part take part: {reason}",
                        self.link.address()
                    )));
                }
                Turn::Pause(until) => thread::sleep(Duration::from(until - now).min(LOOK_EVERY)),
                Turn::Start(_) => return Err(Failure::running("the load started before this part was ready")),
                Turn::Send(message) => match self.link.ask(&message) {
                    Ok(answered) => {
                        self.is_unheard = false;
                        self.joining.answered(answered.sent, answered.at, answered.time_of_day, answered.reply);
                    }
                    Err(why) => {
                        self.miss(&why);
                        self.joining.failed(self.clock.now(), why);
                    }
                },
            }
            if let Some((joined, parts)) = self.joining.joined() {
                self.live.progress(&format!("waits for the others: {joined} of {parts} parts have joined"));
            }
        }
        self.leave();
        self.live.say("interrupted before the load started: nothing was sent");
        Ok(None)
    }
}
