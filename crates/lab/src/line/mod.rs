//! Search for a load line on a real target, as far as it is the same for a URL and for a run of an experiment: which
//! load is offered next, what the search sees of it, and what the record keeps. Does not know who drives the loads.

mod drain;
mod found;
mod machine;
mod notes;
mod offer;
mod others;
mod seconds;
mod settings;
mod silence;
#[cfg(test)]
mod tests;
mod warming;
mod watching;

use plimsoll_record::{Amount, Interval, LevelPlan, LinePlan, LineRun, Load, Nanos, Phase, ThinkTime, Unrecovered};
use plimsoll_search::{Criterion, SLOT, Search, Seen, Slot, Step, recovery};

use self::{
    machine::Machine,
    seconds::Seconds,
    settings::{limits, settings},
};
pub use self::{
    offer::{Ended, Offer, Offered, Standing},
    settings::check_objective,
    silence::{Gone, Silence},
    warming::Warming,
    watching::Watching,
};
use crate::clock;

/// Requests beyond a criterion, as a multiple of those allowed, up to which a disturbed trial counts all the same:
/// disturbance only makes it worse.
const CARRIED_BY_FAR: f64 = 0.5;
/// Rest after a step in which requests failed, so that a rate limit that it used up does not affect the next step.
const REST: Nanos = Nanos::from_secs(1);

/// A search under way.
pub struct Searching {
    plan: LinePlan,
    criteria: Vec<Criterion>,
    limits: Vec<Nanos>,
    /// Names of the requests; empty if there is but one.
    requests: Vec<String>,
    search: Search,
    began: Nanos,
    step: Option<UnderWay>,
    /// How many steps were begun.
    steps: usize,
    /// Steps that the search has counted: the number of each, and when it began.
    counted: Vec<(usize, f64)>,
    /// Trials in a row that the generator has spoilt.
    spoilt: u32,
    machine: Machine,
    silence: Silence,
    /// Whether requests failed in the last second of offering.
    has_failures: bool,
    /// Trials in a row that others on the machine have spoilt.
    disturbed: u32,
    has_told_time: bool,
    has_told_stall: bool,
    has_told_lasting: bool,
    /// The highest rate that the generator can offer, where that was met.
    offered_most: Option<f64>,
    /// Number of criteria of the first line, the one that is overloaded once it is known.
    of_first: usize,
    /// The rate of the overload, once it was begun.
    overloaded_at: Option<f64>,
    /// The first load that the service did not recover from.
    unrecovered: Option<Unrecovered>,
}

struct UnderWay {
    step: Step,
    began: f64,
    seconds: Seconds,
    /// Seconds in which the target may have begun to end: shown to the search once something answers again.
    held_back: Seen,
    /// Slots of an overload that were seen.
    slots: Vec<Slot>,
    is_enough: bool,
    /// Time waited since then for requests in flight.
    drained: Nanos,
}

impl Searching {
    /// A search that begins now. `requests` are the names of what is requested, empty if it is but one, of which an
    /// iteration makes `per_iteration` on average. `targets` are the process that answers, if it is one of this machine
    /// that this process has not started, and what hands connections on to it.
    ///
    /// # Panics
    ///
    /// If an objective cannot be read: they are checked where they come from.
    pub fn new(plan: &LinePlan, requests: Vec<String>, per_iteration: f64, targets: &[i32]) -> Self {
        let (settings, of_first) = settings(plan, per_iteration);
        let criteria = settings.criteria.clone();
        Self {
            limits: limits(&criteria),
            criteria,
            requests,
            search: Search::new(settings),
            began: clock::now(),
            step: None,
            steps: 0,
            counted: Vec::new(),
            spoilt: 0,
            machine: Machine::new(targets),
            silence: Silence::default(),
            has_failures: false,
            disturbed: 0,
            has_told_time: false,
            has_told_stall: false,
            has_told_lasting: false,
            offered_most: None,
            of_first,
            overloaded_at: None,
            unrecovered: None,
            plan: plan.clone(),
        }
    }

    /// The load to offer next; none once the search is over, or the service has not recovered from the last one.
    pub fn next_offer(&mut self) -> Option<Offer> {
        if self.unrecovered.is_some_and(|it| it.is_end) {
            return None;
        }
        // A fresh process has nothing to recover from.
        let rests = std::mem::take(&mut self.has_failures) && self.plan.cold.is_none();
        let rest = if rests { REST } else { Nanos::ZERO };
        let now = self.now() + rest.as_secs_f64();
        let step = self.search.next(now);
        // The search ends a step; this is only how long it may take at most.
        let longest = self.plan.warm_up + self.plan.at_most + self.plan.at_most;
        let (load, phase) = match step {
            Step::Closed { users } => {
                (Load::ConstantVus { vus: users, duration: longest, think: ThinkTime::None }, Phase::WarmUp)
            }
            Step::Open { rate } => (self.plan.open(rate, longest), Phase::Measured),
            Step::Users { users } => {
                let think = self.plan.users.unwrap_or_default();
                (Load::ConstantVus { vus: users, duration: longest, think }, Phase::Measured)
            }
            Step::Done => return Some(Offer { rest, ..self.overload(now)? }),
        };
        let label = match phase {
            Phase::WarmUp => "capacity".to_owned(),
            _ if load.is_closed() => format!("trial {}: {} users", self.search.trials().len() + 1, load.label()),
            _ => format!("trial {}: {}", self.search.trials().len() + 1, load.label()),
        };
        let note = self.stall_note().or_else(|| self.lasting_note()).or_else(|| self.note(step));
        Some(Offer { rest, ..self.begin(step, now, LevelPlan::new(label, phase, load), note) })
    }

    fn begin(&mut self, step: Step, now: f64, level: LevelPlan, note: Option<String>) -> Offer {
        let seconds = Seconds::new(&self.limits, &self.criteria, self.requests.len() <= 1);
        self.step = Some(UnderWay {
            step,
            began: now,
            seconds,
            held_back: Seen::default(),
            slots: Vec::new(),
            is_enough: false,
            drained: Nanos::ZERO,
        });
        self.steps += 1;
        self.machine.begin(clock::now());
        let (requests, limits) = (self.requests.clone(), self.limits.clone());
        let is_staggered = matches!(step, Step::Users { .. });
        let level = LevelPlan { requests, limits, ..level };
        Offer { level, seed: self.steps as u64, is_staggered, note, rest: Nanos::ZERO }
    }

    /// The overload that follows the search; none where it is not wanted, was made, or cannot be.
    fn overload(&mut self, now: f64) -> Option<Offer> {
        if !self.plan.overload || self.plan.users.is_some() || self.plan.cold.is_some() || self.overloaded_at.is_some()
        {
            return None;
        }
        let (rate, after) = recovery::rates(self.search.answers().first()?)?;
        if [self.offered_most, self.plan.to].into_iter().flatten().any(|most| rate > most) {
            return None;
        }
        self.overloaded_at = Some(rate);
        let seconds = |seconds| Nanos::from_secs_f64(seconds);
        let load = self.plan.jump([(rate, seconds(recovery::OVERLOAD_S)), (after, seconds(recovery::PATIENCE_S))]);
        Some(self.begin(Step::Done, now, LevelPlan::new("overload", Phase::Recovery, load), None))
    }

    /// Takes in an interval, and whether the target was [warming](Warming) up meanwhile. Returns how the search stands
    /// once a second is complete. [`Searching::is_enough`] then says whether to end the load and await what is in
    /// flight.
    pub fn add(&mut self, interval: Interval, is_warming: bool) -> Option<Standing> {
        let now = self.now();
        let under_way = self.step.as_mut()?;
        let second = under_way.seconds.complete(interval)?;
        self.silence.add(&second);
        let seen = under_way.seconds.add(&second);
        if under_way.is_enough {
            under_way.drained = under_way.drained + second.duration;
            // Requests after the end of the offering are no part of the trial.
            under_way.seconds.keep_rest(seen);
            return None;
        }
        self.has_failures = second.counts.failed > 0;
        let succeeded_per_s = seen.succeeded.first().copied().unwrap_or(0);
        under_way.held_back.extend(seen);
        if self.silence.may_begin() {
            return None;
        }
        let seen = Seen { is_warming, ..std::mem::take(&mut under_way.held_back) };
        under_way.is_enough = match under_way.step {
            Step::Done => {
                under_way.slots.extend(seen.slots);
                let overload = (recovery::OVERLOAD_S / SLOT).round() as usize;
                recovery::recovered_after(&under_way.slots, &self.criteria[..self.of_first], overload).is_some()
            }
            _ => self.search.observe(now, seen),
        };
        let offered = match under_way.step {
            Step::Open { rate } => self.trial(rate),
            Step::Users { users } => self.trial(f64::from(users)),
            Step::Closed { users } => Offered::Users(users),
            Step::Done => Offered::Overload { rate_per_s: self.overloaded_at.unwrap_or(0.0) },
        };
        Some(Standing {
            offered,
            elapsed: Nanos::from_secs_f64(now),
            range: self.search.range_now(),
            unit: self.plan.unit(),
            succeeded_per_s,
            share_of_allowed: self.search.pressure_now(),
            most: self.search.most(),
            left: self.search.seconds_left().map(Nanos::from_secs_f64),
        })
    }

    fn trial(&self, load: f64) -> Offered {
        let load = Amount { number: load, unit: self.plan.unit() };
        Offered::Trial { number: self.search.trials().len() + 1, load }
    }

    /// Whether nothing answers any more: the target has ended, or never was there.
    pub fn gone(&self) -> Option<Gone> {
        self.silence.gone()
    }

    /// Whether enough was seen of the step.
    pub fn is_enough(&self) -> bool {
        self.step.as_ref().is_some_and(|step| step.is_enough)
    }

    fn end_step(&mut self) -> Ended {
        let now = self.now();
        let Some(UnderWay { step, began, mut seconds, held_back, .. }) = self.step.take() else {
            return Ended::Counted;
        };
        seconds.keep_rest(held_back);
        let used = self.machine.end(clock::now());
        let is_carried = self.search.pressure_now().is_some_and(|pressure| pressure <= CARRIED_BY_FAR);
        let spoilt = seconds.spoilt(self.plan.resolution, self.plan.max_in_flight, is_carried);
        match (step, spoilt) {
            (Step::Closed { .. }, _) => {
                self.machine.expect(used);
                self.search.ended(now, seconds.finish());
            }
            (Step::Done, None) => {}
            (Step::Done, Some(why)) => return Ended::Spoilt(vec![format!("{why}; the overload is left out")]),
            (Step::Open { rate }, Some(why)) => {
                self.search.discard(now);
                return Ended::Spoilt(self.spoil(rate, &why));
            }
            (Step::Users { users }, Some(why)) => {
                self.search.discard(now);
                return Ended::Spoilt(self.spoil(f64::from(users), &why));
            }
            (Step::Open { .. } | Step::Users { .. }, None) => {
                self.spoilt = 0;
                if let Some(why) = self.disturbed(used).filter(|_| !is_carried) {
                    self.search.discard(now);
                    return Ended::Spoilt(vec![format!("{why}; the trial is left out")]);
                }
                self.counted.push((self.steps - 1, began));
                self.search.ended(now, seconds.finish());
            }
        }
        Ended::Counted
    }

    /// Leaves out the step under way, which was abandoned.
    pub fn abandon(&mut self) {
        let now = self.now();
        self.step = None;
        self.search.discard(now);
    }

    /// Numbers of steps, from 0, that the search counted and has forgotten: they say nothing of the service as it is
    /// now.
    pub fn forgotten(&self) -> Vec<usize> {
        let is_kept = |began: f64| self.search.trials().iter().any(|trial| trial.began == began);
        self.counted.iter().filter(|(_, began)| !is_kept(*began)).map(|(step, _)| *step).collect()
    }

    /// The answer as far as it is known now.
    pub fn line_run(&self) -> LineRun {
        LineRun { unrecovered: self.unrecovered, ..found::line_run(&self.search, self.offered_most) }
    }

    /// Since the search began.
    pub fn elapsed(&self) -> Nanos {
        clock::now() - self.began
    }

    fn now(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }
}
