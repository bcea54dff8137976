//! The two rates between which the line shall come to lie, and which of them is offered next.

use super::{CARRIED, DOUBT, Search};
use crate::{
    ends::{AtRate, seconds_at},
    goal::Goal,
};

/// The distance of each rate of the pair from the middle, as a part of the width.
pub(super) const ASIDE: f64 = 0.45;
/// A measured rate is taken if its distance differs from that by no more than this: to measure another one from the
/// start takes longer.
const STAYS: f64 = 0.09;
/// Widths from the middle, at most, at which a measurement tells of the side it is on.
const BESIDE: f64 = 1.5;

#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub low: f64,
    pub high: f64,
}

impl Search {
    /// The pair around `middle`, `width` apart at most: of rates that were measured, where there are such.
    pub(super) fn pair(&self, goal: &Goal, rates: &[AtRate<'_>], middle: f64, width: f64) -> Pair {
        let reach = (1.0 + width).ln();
        let away = |at: &AtRate<'_>| (at.rate / middle).ln() / reach;
        let seconds = |at: &AtRate<'_>| goal.pressure(&at.trials).1;
        let longest = |a: &&AtRate<'_>, b: &&AtRate<'_>| seconds(a).total_cmp(&seconds(b));
        // Rates at about that distance, which their own share puts on their side of the line.
        let fits = |at: &&AtRate<'_>| {
            let is_broken = goal.pressure(&at.trials).0 > 1.0;
            (away(at).abs() - ASIDE).abs() <= STAYS && (away(at) > 0.0) == is_broken
        };
        let new = self.beside(middle, (ASIDE * reach).exp());
        let Some(first) = rates.iter().filter(fits).max_by(longest) else { return new };
        let is_other_side =
            |at: &&AtRate<'_>| away(at) * away(first) < 0.0 && (at.rate / first.rate).ln().abs() <= reach;
        let second = rates.iter().filter(fits).filter(is_other_side).max_by(longest).map(|at| at.rate);
        let most = (2.0 * ASIDE * reach).exp();
        if away(first) < 0.0 {
            Pair { low: first.rate, high: second.unwrap_or(new.high.min(first.rate * most)) }
        } else {
            Pair { low: second.unwrap_or(new.low.max(first.rate / most)), high: first.rate }
        }
    }

    /// The loads on both sides of the middle that can be offered.
    fn beside(&self, middle: f64, aside: f64) -> Pair {
        let (low, high) = (middle / aside, middle * aside);
        if self.settings.think.is_none() {
            return Pair { low, high };
        }
        let (low, high) = (self.offered(low), self.offered(high));
        if low < high { Pair { low, high } } else { Pair { low: middle.floor().max(1.0), high: middle.floor() + 1.0 } }
    }

    /// The rate of the pair that is not yet surely an end; of two such, the one on whose side less was measured. If
    /// only the upper one is sure, the lower one is as good as found, and comes with the seconds for which it must
    /// still be carried; otherwise these are 0.
    pub(super) fn doubtful(&self, goal: &Goal, rates: &[AtRate<'_>], pair: Pair) -> (f64, f64) {
        let Pair { low, high } = pair;
        let is_low_sure = seconds_at(goal, rates, low) > 0.0 && goal.below(low) <= DOUBT;
        let is_high_sure = seconds_at(goal, rates, high) > 0.0 && goal.below(high) >= 1.0 - DOUBT;
        match (is_low_sure, is_high_sure) {
            (true, false) => (high, 0.0),
            (false, true) => (low, CARRIED - seconds_at(goal, rates, low)),
            _ if is_less_known_below(goal, rates, pair) => (low, 0.0),
            _ => (high, 0.0),
        }
    }
}

fn is_less_known_below(goal: &Goal, rates: &[AtRate<'_>], Pair { low, high }: Pair) -> bool {
    let (middle, near) = ((low * high).sqrt(), BESIDE * (high / low).ln());
    let (mut below, mut above) = (0.0, 0.0);
    for at in rates.iter().filter(|at| (at.rate / middle).ln().abs() <= near) {
        *if at.rate > middle { &mut above } else { &mut below } += goal.pressure(&at.trials).1;
    }
    below <= above
}
