//! The search: which load to offer next, when a trial is decided, when to stop.

use crate::{
    answer::{Answer, End, Outcome},
    criterion::Criterion,
    ends::{AtRate, by_rate, ends},
    goal::Goal,
    hurry::{Known, QUICK},
    probe::{Capacity, Probe},
    theory::requests_needed,
    trial::{Seen, Trial},
};

/// The probability that the line is beyond an end, at most: while there is time, and when it is up, since by then many
/// looks have been taken.
const DOUBT: f64 = 0.015;
const DOUBT_AT_LAST: f64 = 0.006;
/// A doubt that nothing exceeds: rates whose own share does for an end, wherever the line may be.
const CERTAINLY: f64 = 1.0;
/// A trial is over at once when it is that sure on which side of the line it is.
const SURE: f64 = 0.99;
/// As long as the line is known to less than so many resolutions, single short trials are made.
const COARSE: f64 = 4.0;
/// Relaxation times of a short trial, and its length in seconds, at least and at most.
const SHORT: f64 = 3.0;
const SHORT_RANGE: (f64, f64) = (4.0, 12.0);
/// Other trials take this part of the time so far, at least and at most so many seconds.
const LONG: f64 = 0.2;
const LONG_RANGE: (f64, f64) = (8.0, 40.0);
/// Trials are made on both sides of the middle, that part of the resolution away; rates nearer to one that was measured
/// are that one.
const ASIDE: f64 = 0.45;
const NEAR: f64 = 0.12;
/// The last part of the time, in which ends are made where there are none; and how much farther away than the line may
/// be an end counts as none, as a part of the logarithm of that range.
const LAST_PART: f64 = 0.15;
const FAR: f64 = 0.25;
/// Seconds for which the lower end must have been carried.
const CARRIED: f64 = 30.0;
/// The range in which a line is looked for, around the capacity.
const LOWEST: f64 = 0.01;
const HIGHEST: f64 = 1.12;
/// The first trial is made at this part of the capacity: objectives that do not hold there are no matter of load.
const AT_REST: f64 = 0.1;
/// The capacity is found anew when it is that much higher.
const FASTER: f64 = 1.03;
/// How often it is probed again then, at most, and for how long each time, in seconds.
const AGAIN_MOST: u32 = 4;
const AGAIN_SECONDS: f64 = 12.0;
/// The part of the time that rough trials may take, however little is known by then; so many seconds in any case.
const COARSE_PART: f64 = 0.15;
const COARSE_SECONDS: f64 = 60.0;

/// What to look for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// All criteria of all lines.
    pub criteria: Vec<Criterion>,
    /// For each line the numbers of the criteria that must hold at it.
    pub lines: Vec<Vec<usize>>,
    /// The width of each interval: 0.1 for 10 %.
    pub resolution: f64,
    /// Seconds after the probe after which the search ends with what it knows.
    pub at_most: f64,
    /// Seconds that the probe takes at most, until throughput is steady.
    pub warm_up: f64,
    /// The lowest and the highest rate to offer, if somebody said so.
    pub from: Option<f64>,
    /// The highest.
    pub to: Option<f64>,
    /// The only rate to offer: the search ends as soon as it is sure on which side of the line it is.
    pub at_least: Option<f64>,
    /// Users of the probe at most.
    pub users_max: u32,
}

/// A load to offer, from an empty start: nothing may be in flight before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Virtual users without pauses.
    Closed {
        /// Their number.
        users: u32,
    },
    /// Requests at a constant rate.
    Open {
        /// Requests per second.
        rate: f64,
    },
    /// The search is over.
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Purpose {
    /// To find out roughly where the line is.
    Short,
    /// To know it more closely, for that many seconds after settling.
    Long(f64),
}

/// A search under way.
#[derive(Clone, Debug)]
pub struct Search {
    settings: Settings,
    probe: Probe,
    /// What the probe found last.
    found: Option<Capacity>,
    capacity: f64,
    /// How often the capacity was probed.
    probes: u32,
    /// When the first probe was over, in seconds since the beginning.
    probed: f64,
    goals: Vec<Goal>,
    /// The line that is looked for, once the ones before it are known.
    goal: usize,
    trials: Vec<Trial>,
    current: Option<(Trial, Purpose)>,
    now: f64,
    answers: Vec<Answer>,
}

impl Search {
    /// A search that has not begun.
    pub fn new(settings: Settings) -> Self {
        Self {
            probe: Probe::new(settings.users_max.max(1), settings.warm_up),
            found: None,
            capacity: 0.0,
            probes: 0,
            probed: 0.0,
            goals: Vec::new(),
            goal: 0,
            trials: Vec::new(),
            current: None,
            now: 0.0,
            answers: Vec::new(),
            settings,
        }
    }

    /// The load to offer next, `now` seconds after the beginning.
    pub fn next(&mut self, now: f64) -> Step {
        self.now = now;
        if self.probe.found.is_none() {
            return Step::Closed { users: self.probe.users() };
        }
        while self.goal < self.settings.lines.len() {
            match self.next_trial() {
                Ok((rate, purpose)) => {
                    let rate = short(rate);
                    self.current = Some((Trial { rate, began: now, seen: Seen::default() }, purpose));
                    return Step::Open { rate };
                }
                Err(answer) => {
                    self.answers.push(answer);
                    self.goal += 1;
                }
            }
        }
        Step::Done
    }

    /// Takes in what was seen of the step since the last look; whether the step is over. What is in flight then is to
    /// be waited for, and shown to [`Search::ended`].
    pub fn observe(&mut self, now: f64, seen: Seen) -> bool {
        self.now = now;
        if self.probe.found.is_none() {
            let is_over = self.probe.observe(&seen.succeeded, now);
            if let Some(found) = self.probe.found {
                self.capacity = found.rate.max(self.capacity).max(1e-3);
                if self.probes == 0 {
                    self.probed = now;
                }
                (self.found, self.probes) = (Some(found), self.probes + 1);
                self.set_goals();
            }
            return is_over;
        }
        let Some((trial, purpose)) = &mut self.current else { return true };
        add(&mut trial.seen, seen);
        let purpose = *purpose;
        self.is_decided(purpose)
    }

    /// Takes in the rest of a step, after everything in flight has ended.
    pub fn ended(&mut self, now: f64, seen: Seen) {
        self.now = now;
        let Some((mut trial, _)) = self.current.take() else {
            // Users of the first probe that were awaited take nothing of the time for trials.
            if self.trials.is_empty() {
                self.probed = now;
            }
            return;
        };
        // Slots after the end of the offering are not a part of the trial.
        trial.seen.slots.extend(seen.slots);
        self.trials.push(trial);
        self.find_capacity_anew();
        let trials: Vec<&Trial> = self.trials.iter().collect();
        let goal = &mut self.goals[self.goal];
        goal.settle(&trials);
        goal.leave_out_idle(&trials);
    }

    /// The step says nothing of the service, since the generator or the machine disturbed it.
    pub fn discard(&mut self, now: f64) {
        self.now = now;
        self.current = None;
    }

    /// The generator cannot offer more than `rate`.
    pub fn limit(&mut self, rate: f64) {
        self.settings.to = Some(self.settings.to.map_or(rate, |to| to.min(rate)));
    }

    /// What the service can do at most, once the probe is over.
    pub fn capacity(&self) -> Option<Capacity> {
        self.found.map(|found| Capacity { rate: self.capacity, ..found })
    }

    /// The trials that count, in the order in which they were made.
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// Answers, in the order of the lines; those that are not there yet as far as they are known now.
    pub fn answers(&self) -> Vec<Answer> {
        let mut answers = self.answers.clone();
        for index in answers.len()..self.settings.lines.len() {
            let answer = match self.goals.get(index) {
                Some(_) => self.answer(index, Outcome::TimeUp, DOUBT_AT_LAST),
                None => Answer { outcome: Outcome::TimeUp, lower: None, upper: None },
            };
            answers.push(answer);
        }
        answers
    }

    /// The range in which the line looked for now lies, with a probability of 96 %, as far as trials tell.
    pub fn range_now(&self) -> Option<(f64, f64)> {
        let trials = self.all_trials();
        let mut goal = self.goals.get(self.goal).filter(|_| !trials.is_empty())?.clone();
        goal.learn(&trials);
        Some((goal.quantile(0.02), goal.quantile(0.98)))
    }

    /// Seconds that the line looked for now takes at best to be known as closely as wanted; known after the probe.
    pub fn seconds_needed(&self) -> Option<f64> {
        self.found?;
        let line = self.settings.lines.get(self.goal)?;
        let requests =
            line.iter().map(|&index| requests_needed(self.settings.criteria[index], self.settings.resolution));
        Some(requests.fold(0.0, f64::max) / self.goals.get(self.goal)?.expected())
    }

    fn set_goals(&mut self) {
        let (from, to) = self.range();
        let goal = |line: &Vec<usize>| {
            let criteria = line.iter().map(|&index| (index, self.settings.criteria[index])).collect();
            Goal::new(criteria, self.capacity, from, to)
        };
        self.goals = self.settings.lines.iter().map(goal).collect();
        let trials: Vec<&Trial> = self.trials.iter().collect();
        self.goals.iter_mut().for_each(|goal| goal.settle(&trials));
    }

    fn range(&self) -> (f64, f64) {
        let tested = self.settings.at_least.unwrap_or(self.capacity);
        let to = self.settings.to.unwrap_or(f64::INFINITY).min(HIGHEST * self.capacity.max(tested));
        let from = self.settings.from.unwrap_or(LOWEST * self.capacity.min(tested));
        (from.min(0.9 * to), to)
    }

    fn learn(&mut self) {
        let trials: Vec<&Trial> = self.trials.iter().chain(self.current.as_ref().map(|(trial, _)| trial)).collect();
        if let Some(goal) = self.goals.get_mut(self.goal) {
            goal.learn(&trials);
        }
    }

    fn time_left(&self) -> f64 {
        self.probed + self.settings.at_most - self.now
    }

    /// The next trial of the goal, or its answer.
    fn next_trial(&mut self) -> Result<(f64, Purpose), Answer> {
        let trials: Vec<&Trial> = self.trials.iter().collect();
        let goal = &mut self.goals[self.goal];
        goal.settle(&trials);
        let goal = &self.goals[self.goal];
        let (from, to) = self.range();
        let width = self.settings.resolution;
        let rates = by_rate(&trials);
        let (lower, upper) = ends(goal, &rates, DOUBT);
        if let Some(rate) = self.settings.at_least {
            return self.test(rate, lower.is_some() || upper.is_some());
        }
        let is_narrow = is_within(lower, upper, width);
        if is_narrow && lower.is_some_and(|end| end.seconds >= CARRIED) {
            return Err(self.answer(self.goal, Outcome::Found, DOUBT));
        }
        let is_highest = |end: End| end.rate >= to * 0.999 && end.seconds >= CARRIED;
        if self.settings.to.is_some_and(|most| most <= to * 1.001) && lower.is_some_and(is_highest) {
            return Err(self.answer(self.goal, Outcome::AlwaysHolds, DOUBT));
        }
        let at_rest = short((AT_REST * self.capacity).clamp(from, to));
        let is_hopeless = |at: &AtRate<'_>| at.rate <= at_rest && goal.is_hopeless(&at.trials);
        if rates.iter().any(is_hopeless) {
            let lowest = short(from);
            match rates.iter().find(|at| at.rate <= lowest) {
                Some(at) if is_hopeless(at) => return Err(self.answer(self.goal, Outcome::NeverHolds, DOUBT)),
                Some(_) => {}
                None => return Ok((lowest, Purpose::Long(LONG_RANGE.1))),
            }
        }
        let middle = goal.quantile(0.5).clamp(from, to);
        let time_left = self.time_left();
        let hurried = Known { lower, upper, capacity: self.capacity, most: to, time_left };
        let quickly = |rate: f64| Ok((short(rate), Purpose::Long(QUICK)));
        if time_left < goal.settling(middle) + SHORT_RANGE.0 {
            let time_up = || Err(self.answer(self.goal, Outcome::TimeUp, DOUBT_AT_LAST));
            return hurried.at_last(middle, goal).map_or_else(time_up, quickly);
        }
        if let Some(rate) = self.missing_end(goal, &rates).filter(|_| !is_narrow) {
            return Ok((rate.clamp(from, to), Purpose::Long(LONG_RANGE.0)));
        }
        if let Some(end) = lower.filter(|_| is_narrow) {
            return Ok((end.rate, Purpose::Long((CARRIED - end.seconds).max(1.0))));
        }
        let known = goal.quantile(0.98) / goal.quantile(0.02) - 1.0;
        let spent = (self.now - self.probed).max(1.0);
        if known > COARSE * width && spent < (COARSE_PART * self.settings.at_most).max(COARSE_SECONDS) {
            let rate = match rates.len() {
                0 => at_rest,
                1 => goal.expected().clamp(from, to),
                _ => middle,
            };
            let seconds = self.short_seconds(rate);
            return hurried.instead_of(rate, seconds, goal).map_or(Ok((rate, Purpose::Short)), quickly);
        }
        // What will be known when time is up, if it goes on like that.
        let width = width.max(0.8 * known * (spent / self.settings.at_most).sqrt());
        let seconds = (LONG * self.now).clamp(LONG_RANGE.0, LONG_RANGE.1);
        // Time is kept for an end that this trial may take away.
        let overhead = goal.settling(middle) + goal.known_after();
        let left = time_left - overhead;
        let reserve = LONG_RANGE.0 + overhead;
        let seconds = seconds.min(if left > 2.0 * reserve { left - reserve } else { left.max(1.0) });
        let aside = (1.0 + width).powf(ASIDE);
        let at = |rate: f64| {
            let is_near = |at: &&AtRate<'_>| (at.rate / rate).ln().abs() < NEAR * width;
            rates.iter().find(is_near).map_or((rate, 0.0), |at| (at.rate, goal.pressure(&at.trials).1))
        };
        let (low, low_seconds) = at((middle / aside).max(from));
        let (high, high_seconds) = at((middle * aside).min(to));
        let rate = if low_seconds <= high_seconds { low } else { high };
        hurried.instead_of(rate, seconds, goal).map_or(Ok((rate, Purpose::Long(seconds))), quickly)
    }

    /// How long a short trial at `rate` takes at most, once its queue had time to fill.
    fn short_seconds(&self, rate: f64) -> f64 {
        (SHORT * self.goals[self.goal].relaxation(rate)).clamp(SHORT_RANGE.0, SHORT_RANGE.1)
    }

    /// When time is nearly up, a rate that can be an end, where those measured are much farther away than the line
    /// may be.
    fn missing_end(&self, goal: &Goal, rates: &[AtRate<'_>]) -> Option<f64> {
        if self.time_left() > LAST_PART * self.settings.at_most {
            return None;
        }
        let (lower, upper) = ends(goal, rates, DOUBT_AT_LAST);
        let (low, high) = (goal.quantile(0.5 * DOUBT_AT_LAST), goal.quantile(1.0 - 0.5 * DOUBT_AT_LAST));
        let far = (high / low).powf(FAR);
        if lower.is_none_or(|end| end.rate * far < low) {
            return Some(low);
        }
        upper.is_none_or(|end| end.rate > high * far).then_some(high)
    }

    /// The next trial at the only rate that is tested.
    fn test(&self, rate: f64, is_decided: bool) -> Result<(f64, Purpose), Answer> {
        if is_decided {
            return Err(self.answer(self.goal, Outcome::Found, DOUBT));
        }
        if self.time_left() < self.goals[self.goal].settling(rate) + SHORT_RANGE.0 {
            return Err(self.answer(self.goal, Outcome::TimeUp, DOUBT));
        }
        Ok((rate, Purpose::Long(self.time_left())))
    }

    fn answer(&self, index: usize, outcome: Outcome, doubt: f64) -> Answer {
        let trials: Vec<&Trial> = self.trials.iter().collect();
        let (lower, upper) = ends(&self.goals[index], &by_rate(&trials), doubt);
        Answer { outcome, lower, upper }
    }

    /// Whether the trial under way has told enough. What it means for the line is found out only where that matters.
    fn is_decided(&mut self, purpose: Purpose) -> bool {
        let Some((trial, _)) = &self.current else { return true };
        let Some(goal) = self.goals.get(self.goal) else { return true };
        let elapsed = self.now - trial.began;
        let counted = elapsed - goal.settling(trial.rate) - goal.known_after();
        if trial.is_growing(goal.limit()) || self.time_left() <= 0.0 {
            return true;
        }
        let rate = trial.rate;
        match purpose {
            Purpose::Short => counted >= self.short_seconds(rate) || (counted >= 1.0 && self.is_sure(rate, counted)),
            Purpose::Long(most) => counted >= most || (counted >= SHORT_RANGE.0 && self.is_found()),
        }
    }

    /// Whether it is known on which side of the line `rate` is.
    fn is_sure(&mut self, rate: f64, counted: f64) -> bool {
        self.learn();
        let below = self.goals[self.goal].below(rate);
        below > SURE || (below < 1.0 - SURE && counted >= SHORT_RANGE.0)
    }

    /// Whether the trial under way has made the interval as narrow as wanted, and all else is there, too.
    fn is_found(&mut self) -> bool {
        if !self.is_enough(CERTAINLY) {
            return false;
        }
        self.learn();
        self.is_enough(DOUBT)
    }

    fn is_enough(&self, doubt: f64) -> bool {
        let trials = self.all_trials();
        let (lower, upper) = ends(&self.goals[self.goal], &by_rate(&trials), doubt);
        if self.settings.at_least.is_some() {
            return lower.is_some() || upper.is_some();
        }
        is_within(lower, upper, self.settings.resolution)
            && lower.is_some_and(|lower| {
                let is_lower = self.current.as_ref().is_some_and(|(trial, _)| trial.rate == lower.rate);
                !is_lower || lower.seconds >= CARRIED || doubt >= CERTAINLY
            })
    }

    /// The one under way among them.
    fn all_trials(&self) -> Vec<&Trial> {
        self.trials.iter().chain(self.current.as_ref().map(|(trial, _)| trial)).collect()
    }

    /// A service that has become faster, or a probe that did not saturate it: what failed before says nothing any more.
    fn find_capacity_anew(&mut self) {
        let Some(trial) = self.trials.last() else { return };
        let goal = &self.goals[self.goal];
        let (pressure, seconds) = goal.pressure(&[trial]);
        let seen = if trial.is_growing(goal.limit()) {
            trial.throughput(4)
        } else if pressure <= 1.0 && seconds >= 3.0 {
            goal.least_capacity(trial.rate)
        } else {
            return;
        };
        if seen < FASTER * self.capacity && trial.is_growing(goal.limit()) || seen <= self.capacity {
            return;
        }
        let is_faster = seen >= FASTER * self.capacity;
        self.capacity = seen;
        let last = self.trials.len() - 1;
        let mut index = 0;
        self.trials.retain(|trial| {
            index += 1;
            index > last || !is_faster || goal.pressure(&[trial]).0 <= 1.0
        });
        self.set_goals();
        let is_worth_it = self.settings.at_least.is_none() && self.time_left() > LONG_RANGE.1;
        if is_faster && is_worth_it && self.probes <= AGAIN_MOST {
            self.probe.again(self.now + AGAIN_SECONDS);
        }
    }
}

/// A rate of four digits, which people can read and type.
fn short(rate: f64) -> f64 {
    let unit = 10f64.powf(rate.log10().floor() - 3.0);
    // Dividing by a whole number gives the decimal that is meant; multiplying by a fraction its neighbour.
    if unit < 1.0 { (rate / unit).round() / (1.0 / unit).round() } else { (rate / unit).round() * unit }
}

fn is_within(lower: Option<End>, upper: Option<End>, width: f64) -> bool {
    matches!((lower, upper), (Some(lower), Some(upper)) if upper.rate / lower.rate <= 1.0 + width * 1.001)
}

fn add(all: &mut Seen, seen: Seen) {
    all.slots.extend(seen.slots);
    all.in_flight.extend(seen.in_flight);
    all.succeeded.extend(seen.succeeded);
}
