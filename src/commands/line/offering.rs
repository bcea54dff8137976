//! Steps of the search, for real: a load is offered, counted by the instants at which requests were intended, ended as
//! soon as the search has seen enough, and waited for until nothing is in flight.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use plimsoll_drive::{Job, Scenario, Stop, drive};
use plimsoll_record::{ArrivalCounts, ArrivalSlot, Interval, LevelPlan, Load, Nanos, Phase, ThinkTime};
use plimsoll_search::{Criterion, Search, Seen, Slot, Step};

use super::{objectives::Objectives, open, progress::Progress, recording::Recording};
use crate::{cli::LineArgs, failure::Failure};

/// A share of the limit that the generator may be late, in the 99th percentile, and the least that matters.
const LATE_MOST: f64 = 0.05;
const LATE_LEAST: Nanos = Nanos::from_millis(2);
/// CPU of the generator's busiest thread, in percent of a core, from which on it is the limit.
const BUSY: f64 = 95.0;

/// How a step ended.
pub enum Ended {
    /// The search has seen it.
    Over,
    /// The generator was the limit: why.
    Spoilt(String),
    /// By Ctrl-C.
    Interrupted,
}

/// Offers the steps of a search.
pub struct Bench<'a> {
    template: &'a Job,
    objectives: &'a Objectives,
    arguments: &'a LineArgs,
    limits: Vec<Nanos>,
    interrupted: Arc<AtomicBool>,
    began: Instant,
    steps: u32,
}

impl<'a> Bench<'a> {
    pub fn new(
        template: &'a Job,
        objectives: &'a Objectives,
        arguments: &'a LineArgs,
        interrupted: Arc<AtomicBool>,
    ) -> Self {
        let limits = objectives.limits();
        Self { template, objectives, arguments, limits, interrupted, began: Instant::now(), steps: 0 }
    }

    /// Seconds since the search began.
    pub fn now(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Offers a step until the search has seen enough of it.
    pub fn offer(
        &mut self,
        step: Step,
        search: &mut Search,
        recording: &mut Recording,
        progress: &mut Progress,
    ) -> Result<Ended, Failure> {
        self.steps += 1;
        let scenario = self.scenario(step);
        recording.begin_level(self.level(step, &scenario, search), Nanos::from_secs_f64(self.now()))?;
        let mut options = self.template.options.clone();
        options.seed = options.seed.wrapping_add(u64::from(self.steps));
        let is_single = scenario.script.names().len() <= 1;
        let job = Job { scenarios: vec![scenario], options };
        let stop = Stop::new().abandoned_by(self.interrupted.clone());
        let mut seconds = Seconds::new(&self.limits, &self.objectives.criteria, is_single);
        let mut problem = None;
        let driven = drive(&job, &stop, &mut |_, interval| {
            if let Err(error) = recording.add(&interval) {
                problem = Some(error);
                stop.abandon();
            }
            let Some(seen) = seconds.add(interval) else { return };
            if stop.is_finishing() {
                // What comes after the end of the offering is no part of the trial.
                return seconds.rest.extend(seen.slots);
            }
            let now = self.began.elapsed().as_secs_f64();
            progress.second(step, search, now, seen.succeeded[0]);
            if search.observe(now, seen) {
                stop.finish();
            }
        })
        .map_err(Failure::running)?;
        if let Some(error) = problem {
            return Err(Failure::running(format_args!(
                "the search is stopped, since it can no longer be recorded: {error}"
            )));
        }
        if driven.stopped {
            search.discard(self.now());
            recording.end_level(driven.took[0], false, true)?;
            return Ok(Ended::Interrupted);
        }
        let is_trial = matches!(step, Step::Open { .. });
        if let Some(reason) = seconds.spoilt(self.arguments.search.max_in_flight).filter(|_| is_trial) {
            search.discard(self.now());
            recording.end_level(driven.took[0], false, true)?;
            return Ok(Ended::Spoilt(reason));
        }
        search.ended(self.now(), seconds.finish());
        recording.end_level(driven.took[0], is_trial, false)?;
        Ok(Ended::Over)
    }

    fn scenario(&self, step: Step) -> Scenario {
        let flags = &self.arguments.search;
        // The search ends a step; this is only how long it may take at most.
        let longest = flags.warm_up + flags.at_most + flags.at_most;
        let load = match step {
            Step::Closed { users } => Load::ConstantVus { vus: users, duration: longest, think: ThinkTime::None },
            Step::Open { rate } => open(self.arguments, rate, longest),
            Step::Done => open(self.arguments, 1.0, Nanos::ZERO),
        };
        let template = &self.template.scenarios[0];
        Scenario { limits: self.limits.clone(), ..Scenario { load, ..template.clone() } }
    }

    fn level(&self, step: Step, scenario: &Scenario, search: &Search) -> LevelPlan {
        let (label, phase) = match step {
            Step::Open { .. } => {
                (format!("trial {}: {}", search.trials().len() + 1, scenario.load.label()), Phase::Measured)
            }
            _ => ("capacity".to_owned(), Phase::WarmUp),
        };
        LevelPlan {
            requests: scenario.script.names(),
            limits: self.limits.clone(),
            ..LevelPlan::new(label, phase, scenario.load.clone())
        }
    }
}

/// Seconds of a step, put together from the intervals of all its requests.
struct Seconds<'a> {
    limits: &'a [Nanos],
    criteria: &'a [Criterion],
    is_single: bool,
    /// The second that is not complete.
    open: Option<Interval>,
    arrivals: ArrivalCounts,
    /// Slots that the search has been shown.
    shown: u32,
    in_flight: u64,
    in_flight_most: u64,
    all: Interval,
    busiest: f64,
    /// Slots that were known after the search had seen enough.
    rest: Vec<Slot>,
}

impl<'a> Seconds<'a> {
    fn new(limits: &'a [Nanos], criteria: &'a [Criterion], is_single: bool) -> Self {
        Self {
            limits,
            criteria,
            is_single,
            open: None,
            arrivals: ArrivalCounts::new(),
            shown: 0,
            in_flight: 0,
            in_flight_most: 0,
            all: Interval::default(),
            busiest: 0.0,
            rest: Vec::new(),
        }
    }

    /// Takes in an interval; what is known by it.
    fn add(&mut self, interval: Interval) -> Option<Seen> {
        // Scripts of several requests have an interval for each: a second is complete when the next one begins.
        let complete = match self.open.take() {
            None if self.is_single => Some(interval),
            None => {
                self.open = Some(interval);
                None
            }
            Some(mut open) if open.start == interval.start => {
                open.merge(&interval);
                self.open = Some(open);
                None
            }
            Some(open) => {
                self.open = Some(interval);
                Some(open)
            }
        };
        complete.map(|second| self.second(&second))
    }

    fn second(&mut self, second: &Interval) -> Seen {
        let now = second.start + second.duration;
        let counts = &second.counts;
        self.arrivals.merge(&second.arrivals);
        self.in_flight = (self.in_flight + counts.offered)
            .saturating_sub(counts.succeeded + counts.failed + counts.dropped + counts.abandoned);
        self.in_flight_most = self.in_flight_most.max(self.in_flight);
        self.busiest = self.busiest.max(second.generator.busiest_worker_percent);
        self.all.merge(second);
        let known_after = self.criteria.iter().map(Criterion::known_after).fold(0.0, f64::max);
        let known = now.0.saturating_sub(Nanos::from_secs_f64(known_after).0) / plimsoll_record::ARRIVAL_SLOT.0;
        let slots = self.slots(u32::try_from(known).unwrap_or(u32::MAX));
        let succeeded = if self.is_single { counts.succeeded } else { counts.iterations };
        Seen {
            slots,
            in_flight: vec![u32::try_from(self.in_flight).unwrap_or(u32::MAX)],
            succeeded: vec![u32::try_from(succeeded).unwrap_or(u32::MAX)],
        }
    }

    /// Slots up to number `end` that have not been shown, and not beyond the last arrival: after it nothing is offered.
    fn slots(&mut self, end: u32) -> Vec<Slot> {
        let end = end.min(self.arrivals.slots().last().map_or(0, |slot| slot.slot + 1));
        let none = ArrivalSlot { within: vec![0; self.limits.len()], ..ArrivalSlot::default() };
        let counts = self.arrivals.slots();
        let slots = (self.shown..end).map(|number| {
            let found = counts.binary_search_by_key(&number, |slot| slot.slot).map_or(&none, |index| &counts[index]);
            Slot { offered: found.offered, beyond: plimsoll_analysis::line::beyond(found, self.limits, self.criteria) }
        });
        let slots = slots.collect();
        self.shown = self.shown.max(end);
        slots
    }

    /// All that is left, once nothing is in flight.
    fn finish(mut self) -> Seen {
        if let Some(second) = self.open.take() {
            let seen = self.second(&second);
            self.rest.extend(seen.slots);
        }
        let mut slots = std::mem::take(&mut self.rest);
        slots.extend(self.slots(u32::MAX));
        Seen { slots, ..Seen::default() }
    }

    /// Why the step says more of the generator than of the service.
    fn spoilt(&self, max_in_flight: u32) -> Option<String> {
        let lag = self.all.send_lag.quantile(0.99);
        let limit = self.limits.first().copied().unwrap_or(Nanos::from_secs(1));
        let allowed = LATE_LEAST.max(Nanos::from_secs_f64(limit.as_secs_f64() * LATE_MOST));
        if self.busiest >= BUSY {
            return Some(format!(
                "the generator was the limit: its busiest thread used {:.0} % of a core",
                self.busiest
            ));
        }
        // What a limit of requests in flight holds back is late on purpose.
        let is_held_back = self.in_flight_most >= u64::from(max_in_flight);
        (lag > allowed && !is_held_back).then(|| format!("the generator sent 1 % of requests more than {lag} late"))
    }
}
