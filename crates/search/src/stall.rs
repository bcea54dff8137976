//! Stalls: times at which a service stands still, as during a collection of its whole heap. All requests that begin
//! meanwhile are late, however low the rate. No queue does that far from the capacity; a short trial may miss it.

use crate::trial::{SLOT, Trial};

/// Slots in a row of which nearly all requests are late, at least; and slots after it in which nearly none is.
const LEAST_SLOTS: usize = 3;
/// A queue stays long for some relaxation times by chance, but not for so many.
const RELAXATIONS: f64 = 10.0;
/// Requests of a slot from which on their share tells.
const LEAST_OFFERED: u32 = 10;
const NEARLY_ALL: f64 = 0.9;
const NEARLY_NONE: f64 = 0.1;
/// Answers in a second, as a part of its requests, that count as none.
const NONE: f64 = 0.02;
/// Stalls matter once the requests that come during them are more than this part of those that may be late.
const MATTERS: f64 = 0.3;
/// Stalls that the lower end must have met where they matter, on average.
const MET: f64 = 2.0;
/// Half of the standard deviations that 97.5 % take: where n stalls were met, there may be (√(n + 1) + 0.98)², by the
/// square root of Poisson's.
const DEVIATIONS: f64 = 0.98;

/// Times at which the service stood still in the trials of a search, in seconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stalls {
    met: Met,
    /// Seconds of all trials, discarded ones among them.
    tried: f64,
    /// Stalls that were met before the last trial.
    before_last: Met,
}

/// Stalls that were met.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Met {
    /// The longest.
    pub longest: f64,
    /// All together, in seconds.
    pub all: f64,
    pub count: u32,
}

impl Met {
    /// The same stalls seen in two ways: the greater of each number.
    pub fn or(self, other: Self) -> Self {
        let (longest, all) = (self.longest.max(other.longest), self.all.max(other.all));
        Self { longest, all, count: self.count.max(other.count) }
    }

    fn add(&mut self, longest: f64, all: f64, count: u32) {
        *self = Self { longest: self.longest.max(longest), all: self.all + all, count: self.count + count };
    }
}

impl Stalls {
    /// Takes in a trial of so many `seconds`, and the stalls that were met in it.
    pub fn note(&mut self, seconds: f64, met: Met) {
        self.before_last = self.met;
        self.tried += seconds;
        self.met.add(met.longest, met.all, met.count);
    }

    /// Forgets the stalls of the last trial: the service stood still for good, which is no pause.
    pub fn forget_last(&mut self) {
        self.met = self.before_last;
    }

    /// The longest, if there was one.
    pub fn longest(&self) -> Option<f64> {
        (self.met.count > 0).then_some(self.met.longest)
    }

    /// Seconds for which a rate must have been carried if a `share` of its requests may be late: so long that one stall
    /// is within the share, and where stalls matter, so long that some are surely met. Infinite as long as stalls may
    /// be so frequent that they alone exceed the share.
    pub fn carried_for(&self, share: f64) -> f64 {
        let Met { longest, all, count } = self.met;
        if count == 0 {
            return 0.0;
        }
        let every = self.tried / f64::from(count);
        let most = (f64::from(count + 1).sqrt() + DEVIATIONS).powi(2);
        if most / f64::from(count) * all > share * self.tried {
            return f64::INFINITY;
        }
        let has_some = if longest / every > MATTERS * share { MET * every } else { 0.0 };
        has_some.max(longest / share)
    }
}

/// The stalls in `trial`, by its requests beyond `criterion`. One that lasts until the trial's end counts only if the
/// load `is_far` from the capacity: otherwise it may be an overload. `relaxation`: how long a queue at that rate
/// remembers, in seconds.
pub(crate) fn met(trial: &Trial, criterion: usize, relaxation: f64, is_far: bool) -> Met {
    let shares = trial.seen.slots.iter().map(|slot| {
        let is_known = slot.offered >= LEAST_OFFERED;
        is_known.then(|| f64::from(slot.beyond.get(criterion).copied().unwrap_or(0)) / f64::from(slot.offered))
    });
    let shares: Vec<Option<f64>> = shares.collect();
    let is_late = |at: &Option<f64>| at.is_some_and(|share| share >= NEARLY_ALL);
    let is_fine = |at: &Option<f64>| at.is_some_and(|share| share <= NEARLY_NONE);
    let (mut met, mut at, mut is_new) = (Met::default(), 0, true);
    while at < shares.len() {
        let late = shares[at..].iter().take_while(|it| is_late(it)).count();
        is_new |= is_fine(&shares[at]);
        let seconds = late as f64 * SLOT;
        if late >= LEAST_SLOTS && seconds >= RELAXATIONS * relaxation {
            // Slots in which the backlog is served are skipped.
            let after = shares[at + late..].iter().skip_while(|it| !is_fine(it));
            let before = shares[..at].iter().rev().skip_while(|it| !is_fine(it));
            let goes_on = after.take(LEAST_SLOTS).filter(|it| is_fine(it)).count() == LEAST_SLOTS;
            let came = before.take(LEAST_SLOTS).filter(|it| is_fine(it)).count() == LEAST_SLOTS;
            if goes_on || (is_far && came) {
                met.add(seconds, seconds, u32::from(is_new));
                is_new = false;
            }
        }
        at += late.max(1);
    }
    met
}

/// The longest time, in seconds, in which nothing was answered, after a second in which half of the requests were; none
/// if it has no whole second. The parts of seconds at both its ends count as one, which they are on average. No queue
/// does that, even near the capacity: an overload is answered at the capacity.
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
        let of = |longest: f64| Met { longest, all: longest, count: 1 };
        let mut stalls = Stalls::default();
        stalls.note(30.0, Met::default());
        assert_eq!((stalls.longest(), stalls.carried_for(0.01)), (None, 0.0));
        stalls.note(170.0, of(0.2));
        assert_eq!((stalls.longest(), stalls.carried_for(0.01)), (Some(0.2), 20.0), "a thousandth of the time");
        stalls.note(100.0, of(1.0));
        assert_eq!(stalls.carried_for(0.02), 300.0, "two of them, one in 150 s");
        stalls.forget_last();
        assert_eq!(stalls.carried_for(0.01), 20.0);
    }

    /// Where two were met in 200 s there may be seven: (√3 + 0.98)².
    #[test]
    fn no_rate_is_carried_as_long_as_stalls_may_be_too_many() {
        let mut stalls = Stalls::default();
        (0..2).for_each(|_| stalls.note(100.0, Met { longest: 1.0, all: 1.0, count: 1 }));
        assert_eq!(stalls.carried_for(0.036), f64::INFINITY);
        assert!(stalls.carried_for(0.037).is_finite());
    }

    #[test]
    fn stalls_are_counted_once_each() {
        // The second has a second in its middle of which some requests are in time.
        let twice =
            trial(&[(100, 0, 30), (100, 98, 8), (100, 1, 20), (100, 95, 4), (100, 50, 1), (100, 95, 5), (100, 0, 9)]);
        let met = met(&twice, 0, 0.02, false);
        assert_eq!((met.longest, met.count), (0.8, 2));
        assert!((met.all - 1.7).abs() < 1e-9, "{met:?}");
    }

    #[test]
    fn a_second_of_late_requests_among_prompt_ones_is_a_stall() {
        let stalled = trial(&[(100, 0, 30), (100, 98, 8), (100, 40, 1), (100, 1, 20)]);
        assert_eq!(met(&stalled, 0, 0.02, false), Met { longest: 0.8, all: 0.8, count: 1 });
        assert_eq!(met(&stalled, 0, 0.1, false), Met::default(), "a queue may do that");
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
        assert_eq!(met(&to_the_end, 0, 0.02, false).count, 0, "it does not go on");
        assert_eq!(met(&to_the_end, 0, 0.02, true), Met { longest: 3.0, all: 3.0, count: 1 }, "no overload");
        assert_eq!(met(&trial(&[(100, 20, 60)]), 0, 0.02, true).count, 0);
        assert_eq!(met(&trial(&[(3, 0, 20), (3, 3, 9), (3, 0, 20)]), 0, 0.02, true).count, 0, "too few to tell");
    }
}
