//! A search for the line of cold processes: each trial has a process of its own, and lasts for the same time.

use super::{DOUBT, Purpose, Search};
use crate::{
    answer::{Answer, End, Outcome},
    cold::Cold,
    trial::Trial,
};

/// The last trials for which there is time are kept for ends that are not measured yet.
const KEPT: f64 = 2.0;
/// Trials are made at the median until the line is known to within so many resolutions; then at the rates that it is
/// below, or above, with this probability.
const ROUGH: f64 = 4.0;
const ASIDE: f64 = 0.1;
/// Trials at the lowest rate after which their failure is no chance.
const HOPELESS: usize = 3;

impl Search {
    /// Whether the next step is a trial that needs a process which has just been started. The time from here to
    /// [`Search::next`] is that of its start, and is not counted.
    pub fn needs_fresh_process(&mut self, now: f64) -> bool {
        self.now = now;
        if self.settings.cold.is_none() || self.found.is_none() {
            return false;
        }
        let is_trial = (self.goal..self.settings.lines.len()).any(|goal| self.next_fresh(goal).is_ok());
        if is_trial {
            self.restarted = Some(now);
        }
        is_trial
    }

    /// The next trial of a line of cold processes, or its answer.
    pub(super) fn next_fresh(&self, goal: usize) -> Result<(f64, Purpose), Answer> {
        let seconds = self.settings.cold.unwrap_or_default();
        let cold = &self.colds[goal];
        let (from, to) = self.range();
        let (lower, upper) = ends(cold, seconds);
        let answer = |outcome| Err(Answer { outcome, lower, upper });
        let is_tested = self.settings.at_least.is_some() && (lower.is_some() || upper.is_some());
        if is_tested || self.is_within(lower, upper) {
            return answer(Outcome::Found);
        }
        if self.settings.to.is_some_and(|most| lower.is_some_and(|end| end.rate >= self.offered(most) * 0.999)) {
            return answer(Outcome::AlwaysHolds);
        }
        let lowest = self.offered(from);
        if cold.at(lowest).is_some_and(|(trials, pressure)| trials >= HOPELESS && pressure > 1.0) {
            return answer(Outcome::NeverHolds);
        }
        let each = seconds + self.goals[goal].known_after();
        if self.time_left() < each {
            return answer(Outcome::TimeUp);
        }
        if let Some(rate) = self.settings.at_least {
            return Ok((rate, Purpose::Long(seconds)));
        }
        Ok((self.fresh_rate(cold, (lower, upper), each).clamp(from, to), Purpose::Long(seconds)))
    }

    /// The rate of the next trial: the median at first, then rates on both sides of it, so that the ends are measured;
    /// when time runs out, an end that is missing.
    fn fresh_rate(&self, cold: &Cold, (lower, upper): (Option<End>, Option<End>), each: f64) -> f64 {
        let (low, high) = (cold.quantile(DOUBT), cold.quantile(1.0 - DOUBT));
        if self.time_left() < (KEPT + 1.0) * each {
            let reach = (1.0 + self.settings.resolution).ln();
            let is_far = |end: Option<End>, at: f64| end.is_none_or(|end| (end.rate / at).ln().abs() > reach);
            if is_far(lower, low) || is_far(upper, high) {
                return if is_far(lower, low) { low } else { high };
            }
        }
        let is_rough = high / low > 1.0 + ROUGH * self.settings.resolution;
        let probability = match self.trials.len() % 2 {
            _ if is_rough => 0.5,
            0 => ASIDE,
            _ => 1.0 - ASIDE,
        };
        cold.quantile(probability)
    }

    /// Whether the trial of a cold process is over: its time is up, or it is lost for every line.
    pub(super) fn is_fresh_decided(&self) -> bool {
        let (Some(seconds), Some((trial, _))) = (self.settings.cold, &self.current) else { return true };
        let known_after = self.goals.iter().map(|goal| goal.known_after()).fold(0.0, f64::max);
        self.now - trial.began >= seconds + known_after || self.colds.iter().all(|cold| cold.is_lost(trial, seconds))
    }

    /// Takes in a trial of a cold process that came to its end.
    pub(super) fn learn_fresh(&mut self, trial: &Trial) {
        let seconds = self.settings.cold.unwrap_or_default();
        self.colds.iter_mut().for_each(|cold| cold.learn(trial, seconds));
    }

    /// The answer about a line of cold processes, as far as it is known.
    pub(super) fn fresh_answer(&self, goal: usize) -> Answer {
        let (lower, upper) = ends(&self.colds[goal], self.settings.cold.unwrap_or_default());
        Answer { outcome: Outcome::TimeUp, lower, upper }
    }
}

/// The ends: rates whose own trials put them on their side of the line, and beyond which it surely does not lie.
fn ends(cold: &Cold, seconds: f64) -> (Option<End>, Option<End>) {
    let end = |rate: f64| {
        let (trials, pressure) = cold.at(rate)?;
        Some(End { rate, seconds: trials as f64 * seconds, pressure, dispersion: None })
    };
    let rates = cold.rates();
    let is_lower = |end: &End| end.pressure <= 1.0 && cold.below(end.rate) <= DOUBT;
    let is_upper = |end: &End| end.pressure > 1.0 && cold.below(end.rate) >= 1.0 - DOUBT;
    let lower = rates.iter().rev().filter_map(|&rate| end(rate)).find(is_lower);
    let upper = rates.iter().filter_map(|&rate| end(rate)).find(is_upper);
    (lower, upper)
}
