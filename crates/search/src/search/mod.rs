//! The search: which load to offer next, when a trial is decided, when to stop.

mod decided;
mod faster;
mod fresh;
mod lasting;
mod next;
mod offered;
mod pair;
mod settings;
mod slower;

pub use self::settings::{Settings, Step};
use crate::{
    answer::{Answer, End, Outcome},
    cold::Cold,
    ends::{by_rate, ends},
    goal::Goal,
    probe::{Capacity, Probe},
    stall::Stalls,
    trial::{SLOT, Seen, Trial},
};

/// The greatest probability that the line is beyond an end: while there is time, and when it is up. It is lower then,
/// since many looks have been taken by then.
const DOUBT: f64 = 0.02;
const DOUBT_AT_LAST: f64 = 0.006;
/// Seconds for which a trial counts, at least and at most: a short one, and others.
const SHORT_RANGE: (f64, f64) = (4.0, 12.0);
const LONG_RANGE: (f64, f64) = (8.0, 40.0);
/// The time of discarded trials is made up for, up to this part of the time for the search.
const MADE_UP: f64 = 0.5;
/// Seconds for which the lower end must have been carried at least.
const CARRIED: f64 = 30.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Purpose {
    /// To find out roughly where the line is.
    Short,
    /// To have an end where time is short, for that many seconds after settling; an overload shows itself sooner.
    Quick(f64),
    /// To know it more closely, for that many seconds after settling.
    Long(f64),
}

/// A search under way.
#[derive(Clone, Debug)]
pub struct Search {
    settings: Settings,
    probe: Probe,
    /// The last finding of the probe.
    found: Option<Capacity>,
    capacity: f64,
    /// Whether a rate beyond the known capacity was carried, so that it is open how much the service can do.
    is_exceeded: bool,
    /// Whether the service has turned slower, until it is probed anew.
    has_turned_slower: bool,
    /// How often the capacity was probed.
    probes: u32,
    /// When the first probe was over, in seconds since the beginning.
    probed: f64,
    /// When the service was started anew, until that process is warm.
    restarted: Option<f64>,
    /// Until when a trial may fail because the service is cold; set if throughput still rose when the probe ended.
    cold_until: Option<f64>,
    goals: Vec<Goal>,
    /// Knowledge of each line, where lines of cold processes are searched.
    colds: Vec<Cold>,
    /// The line that is looked for, once the ones before it are known.
    goal: usize,
    trials: Vec<Trial>,
    current: Option<(Trial, Purpose)>,
    stalls: Stalls,
    /// Seconds of trials that say nothing.
    lost: f64,
    /// Requests per second that the service goes on to answer, where it carries more for a while.
    lasting: Option<f64>,
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
            is_exceeded: false,
            has_turned_slower: false,
            probes: 0,
            probed: 0.0,
            restarted: None,
            cold_until: None,
            goals: Vec::new(),
            colds: Vec::new(),
            goal: 0,
            trials: Vec::new(),
            current: None,
            stalls: Stalls::default(),
            lost: 0.0,
            lasting: None,
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
        if self.settings.cold.is_some()
            && let Some(at) = self.restarted.take()
        {
            self.probed += now - at;
        }
        if self.trials.is_empty() && self.found.is_some_and(|found| found.rate == 0.0) {
            // No request succeeds: objectives hold at no rate.
            self.goal = self.settings.lines.len();
            self.answers = vec![Answer { outcome: Outcome::NeverHolds, lower: None, upper: None }; self.goal];
        }
        while self.goal < self.settings.lines.len() {
            match self.next_trial() {
                Ok((rate, purpose)) => {
                    let rate = self.settings.at_least.unwrap_or_else(|| self.offered(rate));
                    self.current = Some((Trial { rate, began: now, seen: Seen::default() }, purpose));
                    return match self.settings.think {
                        Some(_) => Step::Users { users: rate as u32 },
                        None => Step::Open { rate },
                    };
                }
                Err(answer) => {
                    self.answers.push(answer);
                    self.goal += 1;
                }
            }
        }
        Step::Done
    }

    /// Takes in what was seen of the step since the last look; whether the step is over. Requests in flight then are to
    /// be waited for, and shown to [`Search::ended`].
    pub fn observe(&mut self, now: f64, seen: Seen) -> bool {
        self.now = now;
        if self.probe.found.is_none() {
            let is_over = self.probe.observe(&seen, now);
            if let Some(found) = self.probe.found {
                let least = if std::mem::take(&mut self.has_turned_slower) { 0.0 } else { self.capacity };
                self.capacity = found.rate.max(least).max(1e-3);
                self.is_exceeded = false;
                let restarted = self.restarted.take();
                self.probed = restarted.map_or(self.probed, |at| self.probed + now - at);
                if self.probes == 0 {
                    self.probed = now;
                }
                if self.probes == 0 || restarted.is_some() {
                    self.cold_until = (!found.is_steady).then_some(now + self.settings.warm_up);
                }
                (self.found, self.probes) = (Some(found), self.probes + 1);
                self.set_goals();
            }
            return is_over;
        }
        let Some((trial, purpose)) = &mut self.current else { return true };
        trial.seen.extend(seen);
        let purpose = *purpose;
        if self.settings.cold.is_some() { self.is_fresh_decided() } else { self.is_decided(purpose) }
    }

    /// Takes in the rest of a step, after everything in flight has ended.
    pub fn ended(&mut self, now: f64, seen: Seen) {
        self.now = now;
        let Some((mut trial, _)) = self.current.take() else {
            // The wait for users of the first probe takes nothing of the time for trials.
            if self.trials.is_empty() {
                self.probed = now;
            }
            return;
        };
        // The rest ends with the last slot in which requests were offered.
        trial.seen.slots.extend(seen.slots);
        if self.settings.cold.is_some() {
            self.learn_fresh(&trial);
            self.trials.push(trial);
            return;
        }
        self.note_stall(&trial);
        self.trials.push(trial);
        self.find_lasting();
        if self.lasting.is_none() {
            self.find_capacity_anew();
        }
        let trials: Vec<&Trial> = self.trials.iter().collect();
        let goal = &mut self.goals[self.goal];
        goal.settle(&trials);
        goal.leave_out_idle(&trials);
        self.find_turned_slower();
    }

    /// Discards the step under way: it says nothing of the service, since the generator or the machine disturbed it.
    /// Its time is made up for, within bounds.
    pub fn discard(&mut self, now: f64) {
        self.now = now;
        if let Some((trial, _)) = self.current.take() {
            self.note_stall(&trial);
            self.lost += now - trial.began;
        }
    }

    /// Notes that the service did not recover from the last step: it stood still for good, which is no pause.
    pub fn unrecovered(&mut self) {
        self.stalls.forget_last();
    }

    /// Notes that the service was started anew, since it did not recover: it is probed until it is warm, which takes
    /// nothing of the time for trials. Trials of the process before count: both are the same service.
    pub fn restarted(&mut self, now: f64) {
        (self.now, self.restarted) = (now, Some(now));
        if self.settings.cold.is_some() {
            return;
        }
        self.probe.again(now + self.settings.warm_up);
    }

    /// Limits the search to `rate`, the most that the generator can offer.
    pub fn limit(&mut self, rate: f64) {
        self.settings.to = Some(self.settings.to.map_or(rate, |to| to.min(rate)));
    }

    /// The most that the service can do, once the probe is over.
    pub fn capacity(&self) -> Option<Capacity> {
        self.found.map(|found| Capacity { rate: self.capacity, ..found })
    }

    /// The trials that count, in the order in which they were made.
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// Answers, in the order of the lines; about lines that are still searched, as far as they are known now.
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
        if let Some(cold) = self.colds.get(self.goal) {
            return (!self.trials.is_empty()).then(|| (cold.quantile(DOUBT), cold.quantile(1.0 - DOUBT)));
        }
        let trials = self.all_trials();
        let mut goal = self.goals.get(self.goal).filter(|_| !trials.is_empty())?.clone();
        goal.learn(&trials);
        Some((goal.quantile(DOUBT), goal.quantile(1.0 - DOUBT)))
    }

    /// The longest time for which the service stood still in a trial, in seconds. If there is one, a lower end must
    /// have been carried for half a minute at least.
    pub fn stalled(&self) -> Option<f64> {
        self.stalls.longest()
    }

    /// Notes the stalls of a trial, even of a discarded one: the generator may have been late because of the stall.
    fn note_stall(&mut self, trial: &Trial) {
        let met = self.goals.get(self.goal).map(|goal| goal.stalls(trial)).unwrap_or_default();
        self.stalls.note(trial.seen.slots.len() as f64 * SLOT, met);
    }

    /// Share of the trial under way beyond the criterion that is nearest to its limit, as a multiple of the share
    /// allowed; none as long as nothing counts.
    pub fn pressure_now(&self) -> Option<f64> {
        let (trial, _) = self.current.as_ref()?;
        let (pressure, seconds) = self.goals.get(self.goal)?.pressure(&[trial]);
        (seconds > 0.0).then_some(pressure)
    }

    /// Seconds that are left at most; known after the probe.
    pub fn seconds_left(&self) -> Option<f64> {
        self.found.map(|_| self.time_left().max(0.0))
    }

    /// Seconds that the line looked for now takes at best to be known as closely as wanted; known after the probe.
    pub fn seconds_needed(&self) -> Option<f64> {
        self.found.filter(|_| self.settings.cold.is_none())?;
        Some(self.goals.get(self.goal)?.seconds_needed(self.settings.resolution))
    }

    fn set_goals(&mut self) {
        let (from, to) = self.range();
        // The line may be beyond what is offered.
        let range = (from, to.max(self.most().unwrap_or(to)).max(self.overload()));
        let goal = |line: &Vec<usize>| {
            let criteria = line.iter().map(|&index| (index, self.settings.criteria[index])).collect();
            Goal::new(criteria, self.capacity, self.settings.think, range, self.settings.requests_per_arrival)
        };
        self.goals = self.settings.lines.iter().map(goal).collect();
        if self.settings.cold.is_some() {
            let shares = |line: &Vec<usize>| line.iter().map(|&it| (it, self.settings.criteria[it].share)).collect();
            let cold = |line| Cold::new(shares(line), (from, to), self.settings.requests_per_arrival);
            self.colds = self.settings.lines.iter().map(cold).collect();
        }
        let trials: Vec<&Trial> = self.trials.iter().collect();
        self.goals.iter_mut().for_each(|goal| goal.settle(&trials));
    }

    fn learn(&mut self) {
        let trials: Vec<&Trial> = self.trials.iter().chain(self.current.as_ref().map(|(trial, _)| trial)).collect();
        if let Some(goal) = self.goals.get_mut(self.goal) {
            goal.learn(&trials);
        }
    }

    fn time_left(&self) -> f64 {
        let at_most = self.settings.at_most;
        self.probed + at_most + self.lost.min(MADE_UP * at_most) - self.now
    }

    fn answer(&self, index: usize, outcome: Outcome, doubt: f64) -> Answer {
        if self.settings.cold.is_some() {
            return self.fresh_answer(index);
        }
        let trials: Vec<&Trial> = self.trials.iter().collect();
        let (lower, upper) = ends(&self.goals[index], &by_rate(&trials), doubt);
        Answer { outcome, lower: lower.filter(|end| self.is_carried(*end, index)), upper }
    }

    /// Whether a lower end was carried for long enough: a few seconds of it may lie between two stalls.
    fn is_carried(&self, end: End, line: usize) -> bool {
        self.stalled().is_none() || end.seconds >= self.carried_for(line)
    }

    /// Whether it is known on which side of the line the only rate is that is tested.
    fn is_tested(&self, lower: Option<End>, upper: Option<End>) -> bool {
        upper.is_some() || lower.is_some_and(|end| self.is_carried(end, self.goal))
    }

    /// Seconds for which the lower end of a line must have been carried: longer where the service stood still.
    fn carried_for(&self, line: usize) -> f64 {
        let criteria = self.settings.lines[line].iter().map(|&index| self.settings.criteria[index]);
        let shares = criteria.filter(|it| it.limit.is_some() && it.share > 0.0).map(|it| it.share);
        shares.reduce(f64::min).map_or(CARRIED, |share| self.stalls.carried_for(share).max(CARRIED))
    }

    /// All trials, the one under way among them.
    fn all_trials(&self) -> Vec<&Trial> {
        self.trials.iter().chain(self.current.as_ref().map(|(trial, _)| trial)).collect()
    }
}
