//! Student's t: the error of the mean of a few rounds, in standard errors that are estimated from the same rounds ("The
//! probable error of a mean", Biometrika 6, 1908).

use std::{cell::RefCell, collections::HashMap};

use libm::lgamma;

thread_local! {
    /// Quantiles that were asked for: a claim about all cells of a table asks for the same ones, thousands of times.
    static KNOWN: RefCell<HashMap<(u64, usize), f64>> = RefCell::default();
}

/// The value that a t of `freedom` degrees exceeds with probability `tail`, for `tail` below a half. Infinite without
/// freedom.
pub(super) fn quantile(tail: f64, freedom: usize) -> f64 {
    if freedom == 0 || tail <= 0.0 {
        return f64::INFINITY;
    }
    let key = (tail.to_bits(), freedom);
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&key).copied()) {
        return known;
    }
    let found = solved(tail, freedom);
    KNOWN.with_borrow_mut(|known| known.insert(key, found));
    found
}

fn solved(tail: f64, freedom: usize) -> f64 {
    // Bisection always finds it: a t of one degree of freedom exceeds 10¹² with probability 3·10⁻¹³.
    let (mut low, mut high) = (0.0_f64, 1e12_f64);
    for _ in 0..200 {
        let middle = if low < 1.0 { f64::midpoint(low, high.min(4.0)) } else { (low * high).sqrt() };
        if beyond(middle, freedom) > tail {
            low = middle
        } else {
            high = middle
        }
        if high - low <= 1e-12 * high {
            break;
        }
    }
    f64::midpoint(low, high)
}

/// Probability that a t of `freedom` degrees exceeds `t`, for `t` not negative.
pub(super) fn beyond(t: f64, freedom: usize) -> f64 {
    let freedom = freedom as f64;
    0.5 * incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

/// The regularised incomplete beta function, by its continued fraction (Abramowitz & Stegun 26.5.8, evaluated as Lentz
/// does).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let front = (lgamma(a + b) - lgamma(a) - lgamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp();
    match x < (a + 1.0) / (a + b + 2.0) {
        true => front * fraction(a, b, x) / a,
        false => 1.0 - front * fraction(b, a, 1.0 - x) / b,
    }
}

fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const LEAST: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < LEAST { LEAST } else { value };
    let (mut c, mut d) = (1.0, 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0)));
    let mut value = d;
    for m in 1..500 {
        let m = f64::from(m);
        for factor in [
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        ] {
            d = 1.0 / away_from_zero(1.0 + factor * d);
            c = away_from_zero(1.0 + factor / c);
            value *= d * c;
        }
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // Fisher & Yates, "Statistical Tables", table III; one and two degrees also have closed forms.
        for (tail, freedom, expected) in [
            (0.025, 1, 12.706_204_736),
            (0.025, 2, 4.302_652_730),
            (0.025, 4, 2.776_445_105),
            (0.025, 9, 2.262_157_163),
            (0.025, 29, 2.045_229_642),
            (0.005, 9, 3.249_835_542),
            (0.2, 9, 0.883_403_860),
            (0.0005, 2, 31.599_054_58),
        ] {
            let found = quantile(tail, freedom);
            assert!((found / expected - 1.0).abs() < 1e-8, "{tail} {freedom}: {found}");
        }
        assert_eq!(quantile(0.025, 0), f64::INFINITY);
    }

    #[test]
    fn one_and_two_degrees_are_as_by_their_closed_forms() {
        for t in [0.01_f64, 0.5, 1.0, 3.0, 40.0, 1e4] {
            let cauchy = 0.5 - t.atan() / std::f64::consts::PI;
            let two = 0.5 - t / (2.0 * (2.0 + t * t).sqrt());
            assert!((beyond(t, 1) - cauchy).abs() < 1e-12, "{t}");
            assert!((beyond(t, 2) - two).abs() < 1e-12, "{t}");
        }
    }
}
