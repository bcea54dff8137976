//! The other side of parts that stay: who is there, which load they offer together, what they have measured so far.

mod enlisting;
mod member;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use plimsoll_record::{ExecutionStatus, Interval, Merged, MergedPart, Nanos};
use serde_json::Value;

use self::member::{Member, Stage};
use crate::{
    AHEAD_MOST, Answer, Envelope, Message, Order, Over, Rules, Second, Shape, Totals,
    attention::Attention,
    clock::until,
    collector::{ask_again, is_of},
};

/// Time from the last part's being ready to the start, so that each hears of the start and may ask again.
const LEAD: Nanos = Nanos::from_millis(400);
/// Time until the last instant of a load that is ended early, so that each part hears of it before.
const FINISH_AHEAD: Nanos = Nanos::from_millis(250);
/// Between two questions of a part that waits, at least.
const ASK_AGAIN_LEAST: Nanos = Nanos::from_millis(50);

/// An event for the person who waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrewEffect {
    /// A part is there: its number, and its host.
    Joined(u32, Option<String>),
    /// A part was refused, for this reason.
    Refused(String),
    /// A part has left before all were there.
    Left(u32),
    /// All are there.
    Complete,
    /// These parts never came.
    NeverCame(Vec<u32>),
    /// A part has left, or says nothing any more: in words.
    Lost(u32, &'static str),
}

/// How a load went on all parts together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// By scenario: from the first request intended to the last one ended; none if a part offered nothing.
    pub took: Vec<Nanos>,
    /// Whether any part ended it at once.
    pub is_stopped: bool,
    /// Whether connections of any part came from many addresses of 127.0.0.0/8.
    pub is_spread: bool,
    /// How late the last part began.
    pub late: Nanos,
    /// The first part that could not offer its part of it, and why.
    pub failed: Option<(u32, String)>,
    /// Parts that were lost: nothing of this load counts.
    pub lost: Vec<u32>,
}

/// Parts that stay, and the load that they offer.
#[derive(Debug)]
pub struct Crew {
    rules: Rules,
    members: BTreeMap<u32, Member>,
    by_session: HashMap<String, u32>,
    is_complete: bool,
    load: Option<Load>,
    /// Loads so far.
    loads: u64,
    /// Set once there will be no more loads; with the reason, if there should have been.
    dismissal: Option<Option<String>>,
    attention: Attention,
}

/// The load under way.
#[derive(Debug)]
struct Load {
    order: Order,
    shapes: Vec<Shape>,
    start: Option<Nanos>,
    /// Last instant of the load, counted from its start, if it is ended early.
    finish: Option<Nanos>,
    abort: Option<String>,
    totals: Totals,
}

type Answered = (Answer, Vec<CrewEffect>);

impl Crew {
    /// Its times are counted from its beginning.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            members: BTreeMap::new(),
            by_session: HashMap::new(),
            is_complete: false,
            load: None,
            loads: 0,
            dismissal: None,
            attention: Attention::default(),
        }
    }

    /// Whether all parts have come.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Parts that were lost since all had come.
    pub fn lost(&self) -> Vec<u32> {
        self.members.iter().filter(|(_, it)| it.is_lost).map(|(&number, _)| number).collect()
    }

    /// The host of a part, if it said so.
    pub fn host(&self, part: u32) -> Option<&str> {
        self.members.get(&part)?.host.as_deref()
    }

    /// The parts as the record has them; `joined` gives the time of day of an instant at which a part joined.
    pub fn parts(&self, joined: impl Fn(Nanos) -> String) -> Merged {
        let part = |(&number, member): (&u32, &Member)| MergedPart {
            number,
            started_at: joined(member.joined),
            // Each load has started on all at one instant.
            after: Nanos::ZERO,
            status: if member.is_lost { ExecutionStatus::Running } else { ExecutionStatus::Done },
            machine: member.machine.clone(),
            clock: member.clock,
            lost_after: None,
        };
        Merged { count: self.rules.parts, parts: self.members.iter().map(part).collect() }
    }

    /// Why there will be no more loads, if that was said.
    pub fn dismissal(&self) -> Option<&str> {
        self.dismissal.as_ref()?.as_deref()
    }

    /// Begins the next load: `work` is the whole of it, for all parts.
    ///
    /// # Panics
    ///
    /// If the last one is not over.
    pub fn begin(&mut self, work: Value, shapes: Vec<Shape>) {
        assert!(self.load.is_none(), "one load after the other");
        self.loads += 1;
        self.members.values_mut().for_each(|member| member.begin(shapes.len()));
        let order = Order { number: self.loads, work, silence: self.rules.silence };
        let abort = (!self.lost().is_empty()).then(|| "a part was lost".to_owned());
        self.load = Some(Load { order, shapes, start: None, finish: None, abort, totals: Totals::default() });
    }

    /// When the load starts, or has started.
    pub fn start(&self) -> Option<Nanos> {
        self.load.as_ref()?.start
    }

    /// Lets all parts end the load at one instant: nothing more is offered, and what was offered is awaited.
    pub fn finish(&mut self, now: Nanos) {
        let Some(load) = &mut self.load else { return };
        match load.start {
            Some(start) => drop(load.finish.get_or_insert((now + FINISH_AHEAD) - start)),
            None => self.abort("ended before it has begun"),
        }
    }

    /// Ends the load at once on all parts.
    pub fn abort(&mut self, reason: impl Into<String>) {
        if let Some(load) = &mut self.load {
            load.abort.get_or_insert(reason.into());
        }
    }

    /// Lets no more loads begin; with a `reason` if there should have been some.
    pub fn dismiss(&mut self, reason: Option<String>) {
        self.dismissal.get_or_insert(reason);
    }

    /// Whether every part that is there has heard that it is dismissed.
    pub fn has_dismissed_all(&self) -> bool {
        self.dismissal.is_some() && self.members.values().all(|member| member.is_lost || member.was_told)
    }

    /// Seconds of all parts together that are complete, in order, with their scenarios. Nothing is given out before
    /// every part has told it.
    pub fn take_seconds(&mut self) -> Vec<(usize, Interval)> {
        let Some(load) = &mut self.load else { return Vec::new() };
        let told = self.members.values().filter_map(|member| member.told(&load.shapes)).min();
        // An age of 0, by which nothing is ever given out.
        load.totals.take_due(told.unwrap_or(u64::MAX), Nanos::ZERO)
    }

    /// How the load went, once it is over on all parts that are there, with the last seconds; it is then no more.
    pub fn end_load(&mut self) -> Option<(Outcome, Vec<(usize, Interval)>)> {
        let load = self.load.as_ref()?;
        let mut outcome = Outcome { took: vec![Nanos::ZERO; load.shapes.len()], ..Outcome::default() };
        for (&number, member) in &self.members {
            match &member.stage {
                _ if member.is_lost => outcome.lost.push(number),
                Stage::Over(over) => outcome.add(number, over),
                Stage::Idle | Stage::Prepared => return None,
            }
        }
        let seconds = self.take_seconds();
        self.load = None;
        Some((outcome, seconds))
    }

    /// Takes a message. Returns its answer, and what follows from it.
    pub fn take(&mut self, now: Nanos, envelope: Envelope) -> Answered {
        let Envelope { session, message } = envelope;
        let number = self.by_session.get(&session).copied();
        let (number, message) = match (message, number) {
            (Message::Enlist(enlist), _) => return self.enlist(now, session, &enlist),
            (Message::Join(_), _) => {
                return refuse("one load after the other is offered here: expected `plimsoll serve-part --join`");
            }
            (message, Some(number)) => (number, message),
            (_, None) => return refuse("nobody knows of such a part here: it may have been started again"),
        };
        let Some(member) = self.members.get_mut(&number) else { return refuse("this part has left") };
        if member.is_lost {
            return refuse("this part was lost: what it was a part of goes on without it, or has ended");
        }
        member.heard = now;
        match message {
            Message::Idle => (self.idle(number), Vec::new()),
            Message::Prepared { load } => (self.prepared(now, number, load), Vec::new()),
            Message::Told { load, number: of_message, seconds } => self.told(now, number, (load, of_message), seconds),
            Message::Over { load, over } => self.over(number, load, *over),
            Message::Leave => (Answer::Done, vec![self.lose(number, "it has left")]),
            _ => refuse("a message of a part that joins a single load: expected `plimsoll serve-part`"),
        }
    }

    /// Effects that have become due at `now`. Parts that could not be heard while this side stood still get that time
    /// in addition.
    pub fn tick(&mut self, now: Nanos) -> Vec<CrewEffect> {
        let silence = self.rules.silence;
        let still = self.attention.look(now);
        self.members.values_mut().for_each(|member| member.heard = (member.heard + still).min(now));
        let is_silent = |it: &Member| !it.is_lost && !it.was_told && it.heard + silence <= now;
        let silent: Vec<u32> = self.members.iter().filter(|(_, it)| is_silent(it)).map(|(&number, _)| number).collect();
        let lost = silent.into_iter().map(|number| self.lose(number, "nothing is heard of it"));
        let mut effects: Vec<CrewEffect> = lost.collect();
        if !self.is_complete && now >= self.rules.deadline && self.dismissal.is_none() {
            effects.push(self.never_came());
        }
        effects
    }

    fn idle(&mut self, number: u32) -> Answer {
        let waiting = self.waiting();
        let member = self.members.get_mut(&number).expect("it was heard just now");
        match (&self.load, &self.dismissal) {
            (Some(load), _) if matches!(member.stage, Stage::Idle | Stage::Prepared) => {
                Answer::Load(Box::new(load.order.clone()))
            }
            (None, Some(reason)) => {
                member.was_told = true;
                Answer::Dismissed { reason: reason.clone() }
            }
            _ => waiting,
        }
    }

    fn prepared(&mut self, now: Nanos, number: u32, of: u64) -> Answer {
        let waiting = self.waiting();
        let called_off = || Answer::Abort { reason: "the load was called off".to_owned(), next: 0 };
        let Some(load) = self.load.as_mut().filter(|load| load.order.number == of) else { return called_off() };
        let member = self.members.get_mut(&number).expect("it was heard just now");
        if let Some(reason) = &load.abort {
            return Answer::Abort { reason: reason.clone(), next: 0 };
        }
        if matches!(member.stage, Stage::Idle) {
            member.stage = Stage::Prepared;
        }
        if load.start.is_none() && self.members.values().all(|member| matches!(member.stage, Stage::Prepared)) {
            load.start = Some(now + LEAD + ask_again(&self.rules, ASK_AGAIN_LEAST));
        }
        load.start.map_or(waiting, |start| Answer::Starts { within_ns: until(start, now) })
    }

    fn told(&mut self, now: Nanos, part: u32, (of, number): (u64, u64), seconds: Vec<Second>) -> Answered {
        let member = self.members.get_mut(&part).expect("it was heard just now");
        let Some(load) = self.load.as_mut().filter(|load| load.order.number == of) else {
            return refuse("a second of a load that is over");
        };
        let Some(start) = load.start else { return refuse("a second of a load that has not begun") };
        let age = now - start;
        let is_good = |second: &Second| {
            load.shapes.get(second.scenario).is_some_and(|shape| {
                let end = shape.start + Nanos(second.second.saturating_mul(1_000_000_000));
                is_of(shape, second) && end <= age + AHEAD_MOST
            })
        };
        if !seconds.iter().all(is_good) {
            // The part's measurements cannot be trusted.
            let lost = self.lose(part, "it tells seconds that the load does not have, or not yet");
            let (answer, mut effects) = refuse("a second that the load does not have, or not yet");
            effects.push(lost);
            return (answer, effects);
        }
        if !seconds.is_empty() && member.seconds.is_next(number) {
            for second in &seconds {
                let start = load.shapes[second.scenario].start;
                member.seconds.tell(second, start, load.shapes.len());
                load.totals.add(second, start);
            }
        }
        let next = member.seconds.next_message();
        let answer = match (&load.abort, load.finish) {
            (Some(reason), _) => Answer::Abort { reason: reason.clone(), next },
            (None, Some(after)) => Answer::Finish { after, next },
            (None, None) => Answer::GoOn { next },
        };
        (answer, Vec::new())
    }

    fn over(&mut self, number: u32, of: u64, over: Over) -> Answered {
        let member = self.members.get_mut(&number).expect("it was heard just now");
        // A message about another load came again, since its answer was lost.
        if let Some(load) = self.load.as_mut().filter(|load| load.order.number == of) {
            if let Some(why) = &over.failed {
                load.abort.get_or_insert(format!("part {number}/{}: {why}", self.rules.parts));
            }
            member.clock = Some(over.clock).filter(|_| !over.took.is_empty()).or(member.clock);
            member.stage = Stage::Over(over);
        }
        (Answer::Done, Vec::new())
    }

    fn waiting(&self) -> Answer {
        let ask_again = ask_again(&self.rules, ASK_AGAIN_LEAST);
        Answer::Waiting { joined: self.members.len() as u32, parts: self.rules.parts, ask_again }
    }

    /// A part is gone. Before all have come another one may take its place; later none can, and the load is over.
    fn lose(&mut self, number: u32, how: &'static str) -> CrewEffect {
        if self.is_complete {
            self.abort(format!("part {number}/{} was lost", self.rules.parts));
            self.members.get_mut(&number).into_iter().for_each(|member| member.is_lost = true);
            return CrewEffect::Lost(number, how);
        }
        self.members.remove(&number);
        self.by_session.retain(|_, of| *of != number);
        CrewEffect::Left(number)
    }
}

impl Outcome {
    fn add(&mut self, number: u32, over: &Over) {
        for (mine, other) in self.took.iter_mut().zip(&over.took) {
            *mine = (*mine).max(*other);
        }
        self.is_stopped |= over.is_stopped;
        self.is_spread |= over.is_spread;
        self.late = self.late.max(over.clock.late);
        if let Some(why) = &over.failed {
            self.failed.get_or_insert((number, why.clone()));
        }
    }
}

fn refuse(reason: impl Into<String>) -> Answered {
    let reason = reason.into();
    (Answer::Refused { reason: reason.clone() }, vec![CrewEffect::Refused(reason)])
}
