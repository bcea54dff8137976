//! A service that lives on a reserve for a while: the tokens of a bucket, the room of a long queue. A trial that begins
//! after a rest tells what the service carries for long only once the reserve is used up.

use crate::{
    criterion::Criterion,
    trial::{SLOT, Slot, Trial},
};

/// Twice the log-likelihood ratio of two shares of failures, the later one higher, to one share, divided by their
/// dispersion: more than this is no chance.
const CLEAR: f64 = 12.0;
/// The later share is at least this multiple of the share allowed, and at most this part of all requests: a service
/// that stands still fails nearly all, which says nothing of how much it can do.
const BROKEN: f64 = 1.5;
const FAILING_MOST: f64 = 0.7;
/// Slots before and after the change, at least.
const LEAST_SLOTS: usize = 10;
/// Requests that are late, but do not fail, as a part of those that may be late: more of them come from a queue.
const LATE: f64 = 0.3;

/// Facts about the failures of a goal, by which a reserve shows itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failures {
    /// The index of the criterion.
    pub criterion: usize,
    /// The share of requests that may be beyond all criteria of the goal.
    pub share: f64,
    /// The variance of their number divided by its mean, as long as nothing changes.
    pub dispersion: f64,
    /// Seconds at the beginning of a trial that do not count.
    pub settling: f64,
}

impl Failures {
    /// The requests per second that the service goes on to answer in `trial`, once its reserve is used up; none where
    /// that does not show.
    pub fn lasting(&self, trial: &Trial, criteria: &[(usize, Criterion)]) -> Option<f64> {
        let slots = &trial.seen.slots;
        self.answered(&[whole(&slots[self.onset(slots)?..])], criteria)
    }

    /// The highest rate that may be carried for ever, by trials at a higher one: a service that is offered a little
    /// more answers no fewer. None where nearly all requests fail, or many are late.
    pub fn most(&self, trials: &[&Trial], criteria: &[(usize, Criterion)]) -> Option<f64> {
        let settled = trials.iter().map(|trial| trial.settled(trial.shortened(self.settling)));
        let parts: Vec<&[Slot]> = settled.map(whole).collect();
        self.answered(&parts, criteria).map(|answered| self.carried(answered))
    }

    /// The highest rate that is carried where so many requests per second are answered.
    pub fn carried(&self, answered: f64) -> f64 {
        answered / (1.0 - self.share)
    }

    /// Requests per second that succeed; none where nearly all fail, or many are late by one of the `criteria`.
    fn answered(&self, parts: &[&[Slot]], criteria: &[(usize, Criterion)]) -> Option<f64> {
        let all = |criterion| {
            let sum = |(offered, beyond), part: &&[Slot]| {
                let (more_offered, more_beyond) = counts(part, criterion);
                (offered + more_offered, beyond + more_beyond)
            };
            parts.iter().fold((0.0, 0.0), sum)
        };
        let (offered, failed) = all(self.criterion);
        let is_late = |(index, criterion): &(usize, Criterion)| {
            criterion.limit.is_some() && all(*index).1 - failed > LATE * criterion.share * offered
        };
        let is_told = failed <= FAILING_MOST * offered && !criteria.iter().any(is_late);
        let seconds = parts.iter().map(|part| part.len()).sum::<usize>() as f64 * SLOT;
        (is_told && seconds > 0.0).then(|| (offered - failed) / seconds)
    }

    /// The slot from which on the share of failures is too high, but not before; none if that is not clear.
    fn onset(&self, slots: &[Slot]) -> Option<usize> {
        let (offered, failed) = counts(slots, self.criterion);
        let one = ln_likelihood(offered, failed);
        let (mut before, mut best) = ((0.0, 0.0), (CLEAR * self.dispersion, None));
        for (at, slot) in slots.iter().enumerate().take(slots.len().saturating_sub(LEAST_SLOTS)) {
            let after = (offered - before.0, failed - before.1);
            let is_change = before.1 <= self.share * before.0 && after.1 >= BROKEN * self.share * after.0;
            if at >= LEAST_SLOTS && is_change {
                let gain = 2.0 * (ln_likelihood(before.0, before.1) + ln_likelihood(after.0, after.1) - one);
                if gain > best.0 {
                    best = (gain, Some(at));
                }
            }
            let (more_offered, more_failed) = counts(std::slice::from_ref(slot), self.criterion);
            before = (before.0 + more_offered, before.1 + more_failed);
        }
        best.1
    }

    /// The part of a trial that tells of what lasts: it settles until the first failure. None where nothing failed.
    pub fn without_reserve(&self, mut trial: Trial) -> Option<Trial> {
        let first = trial.seen.slots.iter().position(|slot| slot.beyond[self.criterion] > 0)?;
        let settling = (self.settling / SLOT).ceil() as usize;
        trial.seen.slots.drain(..first.saturating_sub(settling));
        Some(trial)
    }
}

/// All slots but the last, in the middle of which the trial may have ended.
fn whole(slots: &[Slot]) -> &[Slot] {
    slots.split_last().map_or(slots, |(_, before)| before)
}

/// Requests that were offered, and those beyond a criterion.
fn counts(slots: &[Slot], criterion: usize) -> (f64, f64) {
    let count = |(offered, beyond), slot: &Slot| {
        (offered + f64::from(slot.offered), beyond + f64::from(slot.beyond[criterion]))
    };
    slots.iter().fold((0.0, 0.0), count)
}

/// The log-likelihood of `some` out of `all` requests, at their own share.
fn ln_likelihood(all: f64, some: f64) -> f64 {
    let of = |part: f64| if part > 0.0 { part * (part / all).ln() } else { 0.0 };
    of(some) + of(all - some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::Seen;

    const FAILURES: Failures = Failures { criterion: 0, share: 0.01, dispersion: 28.0, settling: 1.2 };

    /// Slots as (offered, failed, late or failed, how many).
    fn trial(slots: &[(u32, u32, u32, usize)]) -> Trial {
        let slots = slots.iter().flat_map(|&(offered, failed, late, count)| {
            std::iter::repeat_n(Slot { offered, beyond: vec![failed, late] }, count)
        });
        Trial { rate: 1_000.0, began: 0.0, seen: Seen { slots: slots.collect(), ..Seen::default() } }
    }

    fn lasting(slots: &[(u32, u32, u32, usize)]) -> Option<f64> {
        let criteria = [(0, Criterion::errors(0.01)), (1, Criterion::percentile(0.99, 0.1))];
        FAILURES.lasting(&trial(slots), &criteria).map(f64::round)
    }

    /// A bucket of 2,000 tokens that gets 900 a second.
    #[test]
    fn a_bucket_that_gets_empty_tells_how_many_tokens_come() {
        assert_eq!(lasting(&[(100, 0, 0, 200), (100, 10, 10, 30)]), Some(900.0));
        assert_eq!(lasting(&[(100, 0, 0, 200), (100, 10, 10, 5)]), None, "too short");
        assert_eq!(lasting(&[(100, 0, 0, 200), (100, 80, 80, 30)]), None, "it stands still");
        assert_eq!(lasting(&[(100, 0, 0, 200), (100, 10, 12, 30)]), None, "it has a queue, too");
    }

    #[test]
    fn failures_that_come_in_bursts_are_none() {
        let burst = [(100, 0, 0, 20), (100, 40, 40, 5), (100, 0, 0, 30), (100, 60, 60, 4), (100, 0, 0, 20)];
        assert_eq!(lasting(&burst), None);
        assert_eq!(lasting(&[(100, 10, 10, 30), (100, 0, 0, 200)]), None, "they end");
        assert_eq!(lasting(&[(100, 10, 10, 230)]), None);
        // Chance does that within two seconds of 1,000 requests each, since failures come in bursts of 28.
        assert_eq!(lasting(&[(100, 0, 0, 10), (100, 5, 5, 20)]), None);
        assert_eq!(lasting(&[]), None);
    }

    #[test]
    fn a_trial_tells_of_what_lasts_once_its_reserve_is_used_up() {
        let rest = FAILURES.without_reserve(trial(&[(100, 0, 0, 200), (100, 10, 10, 30)])).unwrap();
        assert_eq!((rest.counts(0, 1.2).length, rest.counts(0, 1.2).share()), (3.0, 0.1));
        assert_eq!(FAILURES.without_reserve(trial(&[(100, 0, 3, 200)])), None);
    }
}
