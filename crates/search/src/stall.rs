//! Times at which a service stands still, as during a collection of its whole heap: what begins meanwhile is late, all
//! of it, however low the rate is. No queue does that far from the capacity, and a trial of few seconds may miss it.

use crate::trial::{SLOT, Trial};

/// Slots in a row of which nearly all requests are late, at least; and slots after it in which nearly none is.
const LEAST_SLOTS: usize = 3;
/// A queue stays long for some relaxation times by chance, but not for so many.
const RELAXATIONS: f64 = 10.0;
/// Requests of a slot from which on their share tells.
const LEAST_OFFERED: u32 = 10;
const NEARLY_ALL: f64 = 0.9;
const NEARLY_NONE: f64 = 0.1;
/// Answers in a second, as a part of its requests, that are none.
const NONE: f64 = 0.02;
/// The part of the requests that may be late, from which on those that come while the service stands still decide.
const MATTERS: f64 = 0.3;
/// Stalls that the lower end must have met then, on average.
const MET: f64 = 2.0;

/// Times at which the service stood still in the trials of a search, in seconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stalls {
    longest: Option<f64>,
    /// Trials in which it did, and seconds of all trials, left-out ones among them.
    count: u32,
    tried: f64,
    /// The longest and the number of stalls as they were before the last trial.
    before_last: (Option<f64>, u32),
}

impl Stalls {
    /// Takes in a trial of so many `seconds`, and for how long the service stood still in it at most, if it did.
    pub fn note(&mut self, seconds: f64, longest: Option<f64>) {
        self.before_last = (self.longest, self.count);
        self.tried += seconds;
        self.count += u32::from(longest.is_some());
        self.longest = longest.into_iter().chain(self.longest).reduce(f64::max);
    }

    /// Forgets those of the last trial: the service stood still for good, which is no pause.
    pub fn forget_last(&mut self) {
        (self.longest, self.count) = self.before_last;
    }

    /// The longest, if there was one.
    pub fn longest(&self) -> Option<f64> {
        self.longest
    }

    /// Seconds for which a rate must have been carried, of whose requests a `share` may be late: as long as once in
    /// that time would be too often, and where stalls matter, as long as surely has some of them.
    pub fn carried_for(&self, share: f64) -> f64 {
        let Some(longest) = self.longest else { return 0.0 };
        let every = self.tried / f64::from(self.count);
        let has_some = if longest / every > MATTERS * share { MET * every } else { 0.0 };
        has_some.max(longest / share)
    }
}

/// The longest time, in seconds, for which the service stood still in `trial`, by the requests beyond `criterion`; none
/// if it never did. It went on within the trial, or is `is_far` from its capacity, so that it is no overload that ended
/// the trial. `relaxation`: how long a queue at that rate remembers, in seconds.
pub(crate) fn longest(trial: &Trial, criterion: usize, relaxation: f64, is_far: bool) -> Option<f64> {
    let shares = trial.seen.slots.iter().map(|slot| {
        let is_known = slot.offered >= LEAST_OFFERED;
        is_known.then(|| f64::from(slot.beyond.get(criterion).copied().unwrap_or(0)) / f64::from(slot.offered))
    });
    let shares: Vec<Option<f64>> = shares.collect();
    let is = |share: &Option<f64>, of: fn(f64) -> bool| share.is_some_and(of);
    let mut longest = 0;
    let mut at = 0;
    while at < shares.len() {
        let late = shares[at..].iter().take_while(|it| is(it, |share| share >= NEARLY_ALL)).count();
        let after = &shares[at + late..];
        // The backlog is served by then.
        let fine = after.iter().skip_while(|it| !is(it, |share| share <= NEARLY_NONE));
        let goes_on = fine.take_while(|it| is(it, |share| share <= NEARLY_NONE)).count() >= LEAST_SLOTS;
        let before = shares[..at].iter().rev().skip_while(|it| !is(it, |share| share <= NEARLY_NONE));
        let came = before.take_while(|it| is(it, |share| share <= NEARLY_NONE)).count() >= LEAST_SLOTS;
        if goes_on || (is_far && came) {
            longest = longest.max(late);
        }
        at += late.max(1);
    }
    let seconds = longest as f64 * SLOT;
    (longest >= LEAST_SLOTS && seconds >= RELAXATIONS * relaxation).then_some(seconds)
}

/// The longest time, in seconds, in which nothing at all was answered though half of a second's requests were before;
/// none if there was no whole second of it. Parts of the seconds at both its ends count as one, as they are on average.
/// An overload is answered at the capacity: near to it, too, this is no queue.
pub(crate) fn without_answer(trial: &Trial) -> Option<f64> {
    let per_second = (1.0 / SLOT).round() as usize;
    let (mut before, mut has_answered) = (0, false);
    let (mut now, mut longest) = (0_u32, 0);
    for (slots, &in_flight) in trial.seen.slots.chunks_exact(per_second).zip(&trial.seen.in_flight) {
        let offered: u32 = slots.iter().map(|slot| slot.offered).sum();
        let answered = f64::from((before + offered).saturating_sub(in_flight)) / f64::from(offered.max(1));
        now = if has_answered && offered >= LEAST_OFFERED && answered <= NONE { now + 1 } else { 0 };
        longest = longest.max(now);
        has_answered |= answered >= 0.5;
        before = in_flight;
    }
    (longest > 0).then(|| f64::from(longest + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Seen, Slot};

    fn trial(slots: &[(u32, u32, usize)]) -> Trial {
        let slots = slots
            .iter()
            .flat_map(|&(offered, beyond, count)| std::iter::repeat_n(Slot { offered, beyond: vec![beyond] }, count));
        Trial { rate: 1_000.0, began: 0.0, seen: Seen { slots: slots.collect(), ..Seen::default() } }
    }

    #[test]
    fn a_rate_is_carried_once_its_stalls_could_not_have_been_missed() {
        let mut stalls = Stalls::default();
        stalls.note(30.0, None);
        assert_eq!(stalls.carried_for(0.01), 0.0);
        stalls.note(70.0, Some(0.2));
        assert_eq!((stalls.longest(), stalls.carried_for(0.01)), (Some(0.2), 20.0), "a five-hundredth of the time");
        stalls.note(100.0, Some(1.0));
        assert_eq!(stalls.carried_for(0.02), 200.0, "two of them, one in 100 s");
        stalls.forget_last();
        assert_eq!(stalls.carried_for(0.01), 20.0);
    }

    #[test]
    fn a_second_of_late_requests_among_prompt_ones_is_a_stall() {
        let stalled = trial(&[(100, 0, 30), (100, 98, 8), (100, 40, 1), (100, 1, 20)]);
        assert_eq!(longest(&stalled, 0, 0.02, false), Some(0.8));
        assert_eq!(longest(&stalled, 0, 0.1, false), None, "a queue may do that");
    }

    #[test]
    fn a_second_without_an_answer_is_told_from_an_overload() {
        let seen = |in_flight: &[u32]| {
            let all = trial(&[(100, 50, 10 * in_flight.len())]);
            Trial { seen: Seen { in_flight: in_flight.to_vec(), ..all.seen }, ..all }
        };
        assert_eq!(without_answer(&seen(&[20, 20, 1_020, 2_020, 1_900])), Some(3.0));
        assert_eq!(without_answer(&seen(&[20, 520, 1_020, 1_520])), None, "half of them are answered");
        assert_eq!(without_answer(&seen(&[1_000, 2_000, 2_000])), None, "answers take two seconds");
    }

    #[test]
    fn neither_an_overload_nor_single_late_requests_are() {
        let to_the_end = trial(&[(100, 0, 10), (100, 100, 30)]);
        assert_eq!(longest(&to_the_end, 0, 0.02, false), None, "it does not go on");
        assert_eq!(longest(&to_the_end, 0, 0.02, true), Some(3.0), "no overload");
        assert_eq!(longest(&trial(&[(100, 20, 60)]), 0, 0.02, true), None);
        assert_eq!(longest(&trial(&[(3, 0, 20), (3, 3, 9), (3, 0, 20)]), 0, 0.02, true), None, "too few to tell");
    }
}
