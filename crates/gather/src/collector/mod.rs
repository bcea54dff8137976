//! The other side of all parts: who is there, when the load starts, what they have measured, who was lost.

mod joins;
mod place;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use plimsoll_record::{ExecutionStatus, Interval, Nanos, Plan};
use plimsoll_text::joined;

use self::place::Place;
pub use self::{
    joins::{free_place, is_of_version},
    place::Standing,
};
use crate::{
    Answer, Ended, Envelope, Message, Second, Shape, Totals, attention::Attention, clock::until, upload::Taken,
};

/// Between two questions of a part that waits, at least.
const ASK_AGAIN_LEAST: Nanos = Nanos::from_millis(200);
/// Pause for each part of the load, so that all together ask at most so often; each several times before it is lost.
const ASK_AGAIN_EACH: Nanos = Nanos::from_millis(1);
/// Time from the last part's joining to the start; every part asks twice meanwhile.
const LEAD: Nanos = Nanos::from_secs(1);
/// Longest load, in seconds: a year.
const SECONDS_MOST: u64 = 366 * 86_400;
/// Time by which a second may begin after now, by this side's clock: clocks and machines are no more precise.
pub const AHEAD_MOST: Nanos = Nanos::from_secs(5);
const NOT_TRUSTED: &str = "it told a second that has not come yet: its measurements cannot be trusted";

/// Rules of a collector.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Parts of the load.
    pub parts: u32,
    /// Version of Plimsoll.
    pub version: String,
    /// Time from the collector's beginning within which all parts must have joined.
    pub deadline: Nanos,
    /// Silence after which a part is lost.
    pub silence: Nanos,
    /// The seed, where no part asks for one.
    pub seed: u64,
}

/// An event for the person who waits, or work for whoever has a disk.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A part is there: its number, and its host.
    Joined(u32, Option<String>),
    /// A part was refused, for this reason.
    Refused(String),
    /// A part has left before the load began.
    Left(u32),
    /// All are there, and the load starts then.
    Starts(Nanos),
    /// These parts never came: there will be no load.
    NeverCame(Vec<u32>),
    /// A part has measured this.
    Seconds(u32, Vec<Second>),
    /// A part says nothing any more.
    Lost(u32),
    /// A part that was lost is back.
    Back(u32),
    /// The load of a part has ended so.
    Ended(u32, ExecutionStatus),
    /// Bytes of the record of a part, and their place in it; at 0 it begins anew.
    Bytes(u32, u64, Vec<u8>),
    /// The record of a part is whole.
    Whole(u32),
    /// The record of a part will not come, for this reason.
    Hopeless(u32, &'static str),
}

/// The load that all parts offer.
#[derive(Debug)]
struct Agreed {
    plan: Plan,
    digest: String,
    seed: u64,
    /// The part that offered it first.
    first: u32,
}

/// One collector, of one load.
#[derive(Debug)]
pub struct Collector {
    rules: Rules,
    agreed: Option<Agreed>,
    places: BTreeMap<u32, Place>,
    by_session: HashMap<String, u32>,
    start: Option<Nanos>,
    /// Why there will be no load, or no more of it.
    abort: Option<String>,
    totals: Totals,
    attention: Attention,
}

type Answered = (Answer, Vec<Effect>);

impl Collector {
    /// Its times are counted from its beginning.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            agreed: None,
            places: BTreeMap::new(),
            by_session: HashMap::new(),
            start: None,
            abort: None,
            totals: Totals::default(),
            attention: Attention::default(),
        }
    }

    /// The load, once a part has joined, with the seed of all parts.
    pub fn plan(&self) -> Option<Plan> {
        self.agreed.as_ref().map(|agreed| Plan { seed: agreed.seed, ..agreed.plan.clone() })
    }

    /// When the load starts, or has started.
    pub fn start(&self) -> Option<Nanos> {
        self.start
    }

    /// A part as it stands.
    pub fn standing(&self, number: u32) -> Option<Standing> {
        self.places.get(&number).map(Place::standing)
    }

    /// Ends the load, or the waiting for it: each part hears it with its next answer.
    pub fn abort(&mut self, reason: impl Into<String>) {
        self.abort.get_or_insert(reason.into());
    }

    /// Takes a message. Returns its answer, and what follows from it.
    pub fn take(&mut self, now: Nanos, envelope: Envelope) -> Answered {
        let Envelope { session, message } = envelope;
        let number = self.by_session.get(&session).copied();
        let (number, message) = match (message, number) {
            (Message::Join(join), _) => return self.join(now, session, *join),
            (Message::Enlist(_), _) => {
                return refuse("one load is collected here: expected `plimsoll load … --join`, found `serve-part`");
            }
            (message, Some(number)) => (number, message),
            (_, None) => return refuse("this collector knows no such part: it may have been started again"),
        };
        let Some(place) = self.places.get_mut(&number) else { return refuse("this part has left") };
        let mut effects = place.hear(now).then_some(Effect::Back(number)).into_iter().collect::<Vec<_>>();
        if let Some(why) = place.hopeless() {
            return (refuse(why).0, effects);
        }
        let answer = match message {
            Message::Join(_) => unreachable!("taken above"),
            Message::Wait => self.wait(now, number),
            Message::Leave => {
                effects.push(self.leave(number));
                Answer::Done
            }
            Message::Seconds { number: of_message, seconds } => {
                self.seconds(now, number, (of_message, seconds), &mut effects)
            }
            Message::End(ended) => self.ended(number, ended, &mut effects),
            Message::Chunk { offset, data } => self.piece(number, offset, data.0, &mut effects),
            Message::Enlist(_)
            | Message::Idle
            | Message::Prepared { .. }
            | Message::Told { .. }
            | Message::Over { .. } => refuse("one load is collected here: expected `plimsoll load --join`").0,
        };
        (answer, effects)
    }

    /// Effects that have become due at `now`. Parts that could not be heard while this side stood still get that time
    /// in addition.
    pub fn tick(&mut self, now: Nanos) -> Vec<Effect> {
        let silence = self.rules.silence;
        let still = self.attention.look(now);
        self.places.values_mut().for_each(|place| place.excuse(still, now));
        let is_silent = |place: &Place| !place.is_over() && place.heard() + silence <= now;
        let silent: Vec<u32> = self.places.iter().filter(|(_, it)| is_silent(it)).map(|(&number, _)| number).collect();
        let mut effects: Vec<Effect> = silent.into_iter().map(|number| self.leave(number)).collect();
        if self.start.is_none() && now >= self.rules.deadline && self.abort.is_none() {
            effects.push(self.never_came());
        }
        effects
    }

    /// Whether nothing more is to come: every part has handed over its record or is lost; or, where there was no load,
    /// has heard so.
    pub fn is_over(&self) -> bool {
        let is_ending = self.start.is_some() || self.abort.is_some();
        is_ending && self.places.values().all(|place| place.is_over() || place.was_told())
    }

    /// Seconds of all parts together, with their scenarios, that have become complete at `now`, or that are so old that
    /// nobody waits for the rest any longer.
    pub fn take_seconds(&mut self, now: Nanos) -> Vec<(usize, Interval)> {
        let Some(start) = self.start else { return Vec::new() };
        let told = self.places.values().filter_map(Place::told_of_all).min();
        self.totals.take_due(told.unwrap_or(u64::MAX), now - start)
    }

    fn wait(&mut self, now: Nanos, number: u32) -> Answer {
        if let Some(reason) = &self.abort {
            self.places.get_mut(&number).expect("it was heard just now").tell();
            return Answer::Abort { reason: reason.clone(), next: 0 };
        }
        match self.start {
            Some(at) => Answer::Starts { within_ns: until(at, now) },
            None => Answer::Waiting {
                joined: self.places.len() as u32,
                parts: self.rules.parts,
                ask_again: self.ask_again(),
            },
        }
    }

    fn ask_again(&self) -> Nanos {
        ask_again(&self.rules, ASK_AGAIN_LEAST)
    }

    fn seconds(
        &mut self,
        now: Nanos,
        part: u32,
        (number, seconds): (u64, Vec<Second>),
        effects: &mut Vec<Effect>,
    ) -> Answer {
        let levels = self.agreed.as_ref().map_or(&[][..], |agreed| &agreed.plan.levels);
        let Some(place) = self.places.get_mut(&part) else { return refuse("this part has left").0 };
        let has = |second: &Second| levels.get(second.scenario).is_some_and(|level| is_of(&Shape::of(level), second));
        if !seconds.iter().all(has) {
            return refuse("a second of a scenario, a stage or a request that the load does not have").0;
        }
        let begins = |it: &Second| levels[it.scenario].start + Nanos::from_secs(it.second);
        let has_come = |it: &Second| self.start.is_some_and(|start| begins(it) <= (now - start) + AHEAD_MOST);
        if !seconds.iter().all(has_come) {
            place.give_up(NOT_TRUSTED);
            effects.push(Effect::Hopeless(part, NOT_TRUSTED));
            return refuse(NOT_TRUSTED).0;
        }
        // A message without seconds only says that its sender is alive: it has no number of its own.
        if !seconds.is_empty() && place.seconds.is_next(number) {
            for second in &seconds {
                let start = levels[second.scenario].start;
                place.seconds.tell(second, start, levels.len());
                self.totals.add(second, start);
            }
            effects.push(Effect::Seconds(part, seconds));
        }
        let next = place.seconds.next_message();
        match &self.abort {
            Some(reason) => Answer::Abort { reason: reason.clone(), next },
            None => Answer::GoOn { next },
        }
    }

    fn ended(&mut self, number: u32, ended: Ended, effects: &mut Vec<Effect>) -> Answer {
        let place = self.places.get_mut(&number).expect("it was heard just now");
        if self.start.is_none() {
            return refuse("the load has not begun").0;
        }
        let status = ended.status;
        if place.end(ended) {
            effects.push(Effect::Ended(number, status));
        }
        place.wanted()
    }

    fn piece(&mut self, number: u32, offset: u64, piece: Vec<u8>, effects: &mut Vec<Effect>) -> Answer {
        let place = self.places.get_mut(&number).expect("it was heard just now");
        match place.take(offset, &piece) {
            None => return refuse("a piece of a record whose end was not told").0,
            Some(Taken::Other | Taken::Broken) => {}
            Some(Taken::Piece(offset)) => effects.push(Effect::Bytes(number, offset, piece)),
            Some(Taken::Last(offset)) => {
                effects.extend([Effect::Bytes(number, offset, piece), Effect::Whole(number)]);
            }
            Some(Taken::Hopeless(why)) => {
                effects.push(Effect::Hopeless(number, why));
                return refuse(why).0;
            }
        }
        place.wanted()
    }

    /// A part is gone. Before the load has begun another one may take its place, and the load may be another one once
    /// all are gone.
    fn leave(&mut self, number: u32) -> Effect {
        if self.start.is_some() {
            self.places.get_mut(&number).into_iter().for_each(Place::lose);
            return Effect::Lost(number);
        }
        self.places.remove(&number);
        self.by_session.retain(|_, of| *of != number);
        if self.places.is_empty() {
            self.agreed = None;
        }
        Effect::Left(number)
    }

    fn never_came(&mut self) -> Effect {
        let missing: Vec<u32> = (1..=self.rules.parts).filter(|number| !self.places.contains_key(number)).collect();
        let names: Vec<String> = missing.iter().map(|number| format!("{number}/{}", self.rules.parts)).collect();
        self.abort(format!("{} never came within {}: nothing was sent", joined(&names), self.rules.deadline));
        Effect::NeverCame(missing)
    }
}

/// When a part is to ask again, which is `least` later at least.
pub fn ask_again(rules: &Rules, least: Nanos) -> Nanos {
    let at_most = Nanos(rules.silence.0 / 4).max(least);
    Nanos(ASK_AGAIN_EACH.0 * u64::from(rules.parts)).clamp(least, at_most)
}

/// Whether a scenario of that shape may have that second.
pub fn is_of(shape: &Shape, second: &Second) -> bool {
    let has =
        |interval: &Interval| (interval.stage as usize) < shape.stages && (interval.request as usize) < shape.requests;
    second.second < SECONDS_MOST && second.intervals.iter().all(has)
}

fn refuse(reason: impl Into<String>) -> Answered {
    let reason = reason.into();
    (Answer::Refused { reason: reason.clone() }, vec![Effect::Refused(reason)])
}
