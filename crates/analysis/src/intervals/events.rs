//! Figures that count rare events: errors, retransmits, overflows.

use super::{Interval, Tails};

/// The number of events in all rounds up to which their own randomness matters beside that of the rounds.
const FEW: f64 = 30.0;

/// The interval, widened by the randomness of few events.
///
/// Three rounds without an error do not scatter, but do not show that there is none: a Poisson variable with a mean of
/// 3.7 is zero in 2.5 % of cases ("rule of three"). So the interval of the mean number is joined with the exact one of
/// a Poisson variable (Garwood, Biometrika 28, 1936). If anything was counted at all, the truth is above zero.
pub(super) fn widened(t: Interval, values: &[f64], step: f64, most: f64, tails: Tails) -> Interval {
    let rounds = values.len() as f64;
    let sum = values.iter().sum::<f64>();
    let mut ends = [t.low, t.high];
    if step > 0.0 && sum / step <= FEW {
        let events = (sum / step).round() as u32;
        let of = |mean: f64| mean * step / rounds;
        ends = [ends[0].min(of(least(events, tails.below))), ends[1].max(of(greatest(events, tails.above)))];
    } else if step > 0.0 && values.iter().all(|value| *value == values[0]) {
        // All rounds are alike, so that rounds which differ by a step are no more than this share.
        let unseen = |tail: f64| step * -tail.ln() / rounds;
        ends = [ends[0].min(t.estimate - unseen(tails.below)), ends[1].max(t.estimate + unseen(tails.above))];
    }
    let floor = if sum > 0.0 { least(1, tails.below) * step.min(sum) / rounds } else { 0.0 };
    Interval { estimate: t.estimate, low: ends[0].max(floor), high: ends[1].min(most).max(t.estimate) }
}

/// The mean of a Poisson variable that is `events` or more with probability `tail`.
fn least(events: u32, tail: f64) -> f64 {
    if events == 0 { 0.0 } else { solved(|mean| 1.0 - at_most(events - 1, mean) < tail, f64::from(events)) }
}

/// The mean of a Poisson variable that is `events` or fewer with probability `tail`.
fn greatest(events: u32, tail: f64) -> f64 {
    let beyond = f64::from(events) + 10.0 - tail.ln() * 2.0 + (-tail.ln() * 4.0 * f64::from(events)).sqrt();
    solved(|mean| at_most(events, mean) > tail, beyond)
}

/// The number between zero and `high` up to which `is_below` is true.
fn solved(is_below: impl Fn(f64) -> bool, mut high: f64) -> f64 {
    let mut low = 0.0;
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if is_below(middle) { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// Probability that a Poisson variable is `events` or fewer.
fn at_most(events: u32, mean: f64) -> f64 {
    let mut term = (-mean).exp();
    let mut sum = term;
    for event in 1..=events {
        term *= mean / f64::from(event);
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_tables() {
        // Pearson & Hartley, "Biometrika Tables for Statisticians", table 40: 95 % limits of a Poisson mean.
        for (events, low, high) in [(0, 0.0, 3.689), (1, 0.0253, 5.572), (5, 1.623, 11.668), (30, 20.24, 42.83)] {
            let found = [least(events, 0.025), greatest(events, 0.025)];
            assert!((found[0] - low).abs() < 0.005 && (found[1] - high).abs() < 0.005, "{events}: {found:?}");
        }
    }

    #[test]
    fn nothing_seen_is_not_nothing_and_something_seen_is_something() {
        let of = |values: &[f64]| widened(Interval::at(values[0]), values, 1.0, f64::INFINITY, Tails::both(0.05));
        let none = of(&[0.0; 3]);
        assert!(none.low == 0.0 && (none.high - 1.2296).abs() < 1e-3, "{none:?}");
        assert!(of(&[1.0, 0.0, 0.0]).low > 0.0);
        let alike = of(&[100.0; 3]);
        assert!((alike.low - 98.77).abs() < 0.01 && (alike.high - 101.23).abs() < 0.01, "{alike:?}");
    }

    #[test]
    fn a_share_is_no_more_than_all() {
        let all = widened(Interval::at(100.0), &[100.0; 3], 0.1, 100.0, Tails::both(0.05));
        assert_eq!(all.high, 100.0);
    }
}
