//! The exponential and the logarithm by arithmetic alone, without branches and tables, so that the compiler vectorises
//! loops over them. A search spends most of its time here.

use std::f64::consts::LOG2_E;

/// The logarithm of 2 in two parts: one whose last bits are zero, so that its product with a whole number is exact, and
/// the rest.
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Added to a number below 2^51, it leaves the nearest whole number in the last bits.
const SHIFT: f64 = 6_755_399_441_055_744.0;
/// The least argument of [`exp`]: the result is as good as 0, but not subnormal, which would take many times as long.
const LEAST: f64 = -500.0;

/// Bits of the exponent and the sign.
const EXPONENT: u64 = 0xfff0_0000_0000_0000;
const EXPONENT_OF_1: u64 = 1023 << 52;
const MANTISSA_BITS: u32 = 52;
/// Bits of 2^52: numbers of this size count ones in their last bits.
const COUNTING: u64 = 0x4330_0000_0000_0000;
const COUNTING_FROM: f64 = 4_503_599_627_370_496.0 + 1023.0;

/// The exponential of a number up to 700; numbers below -500 count as -500.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    const EVEN: [f64; 7] =
        [1.0, 1.0 / 2.0, 1.0 / 24.0, 1.0 / 720.0, 1.0 / 40_320.0, 1.0 / 3_628_800.0, 1.0 / 479_001_600.0];
    const ODD: [f64; 6] = [1.0, 1.0 / 6.0, 1.0 / 120.0, 1.0 / 5_040.0, 1.0 / 362_880.0, 1.0 / 39_916_800.0];
    let x = if x > LEAST { x } else { LEAST };
    let shifted = x * LOG2_E + SHIFT;
    let whole = shifted - SHIFT;
    let rest = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    let square = rest * rest;
    let power = polynomial(EVEN, square) + rest * polynomial(ODD, square);
    f64::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << MANTISSA_BITS))
}

/// The logarithm of a positive number that is not subnormal.
#[inline(always)]
pub(crate) fn ln(x: f64) -> f64 {
    const EVEN: [f64; 5] = [2.0, 2.0 / 5.0, 2.0 / 9.0, 2.0 / 13.0, 2.0 / 17.0];
    const ODD: [f64; 5] = [2.0 / 3.0, 2.0 / 7.0, 2.0 / 11.0, 2.0 / 15.0, 2.0 / 19.0];
    // The power of 2 by which `x` is divided, so that it comes to lie between √½ and √2.
    let above = x.to_bits().wrapping_sub(std::f64::consts::FRAC_1_SQRT_2.to_bits());
    let exponent = above.wrapping_add(EXPONENT_OF_1) >> MANTISSA_BITS;
    let power = f64::from_bits(COUNTING | exponent) - COUNTING_FROM;
    let near_1 = f64::from_bits(x.to_bits().wrapping_sub(above & EXPONENT));
    let part = (near_1 - 1.0) / (near_1 + 1.0);
    let square = part * part;
    let fourth = square * square;
    let series = polynomial(EVEN, fourth) + square * polynomial(ODD, fourth);
    power * LN_2_HIGH + (power * LN_2_LOW + part * series)
}

/// A polynomial at `x`, by its coefficients, that of x⁰ first.
#[inline(always)]
pub(crate) fn polynomial<const N: usize>(coefficients: [f64; N], x: f64) -> f64 {
    let mut sum = coefficients[N - 1];
    for index in (0..N - 1).rev() {
        sum = sum * x + coefficients[index];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_that_of_the_standard_library() {
        for step in -49_999..=70_000 {
            let x = f64::from(step) / 100.0 + 0.001_7;
            let expected = x.exp();
            assert!((exp(x) - expected).abs() <= 1e-15 * expected, "{x}: {} {expected}", exp(x));
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(f64::NEG_INFINITY), exp(-1e4));
        assert!(exp(-1e4) < 1e-200);
    }

    #[test]
    fn the_logarithm_is_that_of_the_standard_library() {
        for exponent in -10_000..=10_000 {
            let x = 1.07f64.powi(exponent);
            let expected = x.ln();
            assert!((ln(x) - expected).abs() <= 1e-15 * expected.abs().max(1.0), "{x}: {} {expected}", ln(x));
        }
        for step in -1_000..=1_000 {
            let x = 1.0 + f64::from(step) * 1e-5;
            let expected = x.ln();
            assert!((ln(x) - expected).abs() <= 1e-15 * expected.abs(), "{x}: {} {expected}", ln(x));
        }
    }

    #[test]
    fn polynomials_are_summed_from_the_constant() {
        assert_eq!(polynomial([1.0, 2.0, 3.0], 10.0), 321.0);
        assert_eq!(polynomial([7.0], 10.0), 7.0);
    }
}
