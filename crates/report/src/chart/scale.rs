//! From values to coordinates, and the round numbers that axes show.

use plimsoll_text::number::sig3;

/// How an axis spaces its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spacing {
    /// Evenly.
    Linear,
    /// Evenly, with ticks at whole numbers only.
    Whole,
    /// By powers of ten.
    Log,
    /// Quantiles by their distance from 1: 90 %, 99 %, 99.9 % are evenly spaced.
    Quantile,
}

impl Spacing {
    /// Linear, or logarithmic if the greatest value is more than `far_apart` times the least.
    pub fn of(values: impl Iterator<Item = f64>, far_apart: f64) -> Self {
        let (least, greatest) =
            values.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), v| (low.min(v), high.max(v)));
        if greatest > least * far_apart { Self::Log } else { Self::Linear }
    }
}

/// An axis: values from `low` to `high` at coordinates from `from_px` to `to_px`.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    spacing: Spacing,
    low: f64,
    high: f64,
    from_px: f64,
    to_px: f64,
}

impl Scale {
    /// An axis that shows all of `values`; a linear one shows zero as well.
    pub fn over(spacing: Spacing, values: impl IntoIterator<Item = f64>) -> Self {
        let values = values.into_iter().filter(|value| value.is_finite());
        let (least, greatest) = match spacing {
            Spacing::Linear | Spacing::Whole => {
                values.fold((0.0, 0.0), |(low, high), value| (value.min(low), value.max(high)))
            }
            _ => values
                .filter(|&value| value > 0.0)
                .fold((f64::INFINITY, 0.0), |(low, high), value| (value.min(low), value.max(high))),
        };
        let (low, high) = match spacing {
            Spacing::Linear | Spacing::Whole if least == greatest => (0.0, 1.0),
            Spacing::Linear | Spacing::Whole => (least * 1.02, greatest * 1.02),
            Spacing::Log if greatest == 0.0 => (1.0, 10.0),
            Spacing::Log if is_narrow(least, greatest) => {
                let step = round_up((greatest - least).max(greatest * 0.02) / 4.0);
                let (low, high) = (((least / step).floor() * step).max(least * 0.5), (greatest / step).ceil() * step);
                // A single value on a round number has no range of its own.
                if high > low { (low, high) } else { (low - step, high + step) }
            }
            Spacing::Log => (round_down(least), round_up(greatest)),
            Spacing::Quantile => (0.0, 0.999),
        };
        Self { spacing, low, high, from_px: 0.0, to_px: 1.0 }
    }

    /// The axis of quantiles from 0 to `high`.
    pub fn quantiles(high: f64) -> Self {
        Self { spacing: Spacing::Quantile, low: 0.0, high, from_px: 0.0, to_px: 1.0 }
    }

    /// An even axis from `low` to `high`.
    pub fn between(low: f64, high: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Self { spacing: Spacing::Linear, low, high, from_px: 0.0, to_px: 1.0 }
    }

    /// The same for whole numbers.
    pub fn whole(low: f64, high: f64) -> Self {
        Self { spacing: Spacing::Whole, ..Self::between(low, high) }
    }

    /// The same axis at other coordinates.
    pub fn at(self, from_px: f64, to_px: f64) -> Self {
        Self { from_px, to_px, ..self }
    }

    /// The coordinate of `value`; values beyond an end are at that end.
    pub fn px(&self, value: f64) -> f64 {
        let share = (self.place(value.clamp(self.low, self.high)) - self.place(self.low))
            / (self.place(self.high) - self.place(self.low));
        self.from_px + share * (self.to_px - self.from_px)
    }

    fn place(&self, value: f64) -> f64 {
        match self.spacing {
            Spacing::Linear | Spacing::Whole => value,
            Spacing::Log => value.max(f64::MIN_POSITIVE).log10(),
            Spacing::Quantile => -(1.0 - value).log10(),
        }
    }

    /// Round values within the axis with their labels, about `wanted` of them.
    pub fn ticks(&self, wanted: usize) -> Vec<(f64, String)> {
        match self.spacing {
            Spacing::Linear => linear_ticks(self.low, self.high, wanted),
            Spacing::Whole => linear_ticks(self.low, self.high, wanted.min((self.high - self.low) as usize)),
            Spacing::Log if is_narrow(self.low, self.high) => linear_ticks(self.low, self.high, wanted),
            Spacing::Log => log_ticks(self.low, self.high, wanted),
            Spacing::Quantile => [
                (0.0, "0 %"),
                (0.5, "50 %"),
                (0.9, "90 %"),
                (0.99, "99 %"),
                (0.999, "99.9 %"),
                (0.9999, "99.99 %"),
                (0.99999, "99.999 %"),
            ]
            .into_iter()
            .filter(|&(quantile, _)| quantile <= self.high)
            .map(|(quantile, label)| (quantile, label.to_owned()))
            .collect(),
        }
    }
}

/// Whether a logarithmic axis is so short that 1, 2, 5, 10 are too far apart as ticks.
fn is_narrow(low: f64, high: f64) -> bool {
    high < low * 5.0
}

const LOG_STEPS: [f64; 4] = [1.0, 2.0, 5.0, 10.0];

fn round_down(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    LOG_STEPS.iter().rev().map(|step| step * power).find(|&round| round <= value * 1.000_001).unwrap_or(power)
}

pub(super) fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let up = LOG_STEPS.iter().map(|step| step * power).find(|&round| round >= value * 0.999_999);
    up.unwrap_or(power * 10.0)
}

fn linear_ticks(low: f64, high: f64, wanted: usize) -> Vec<(f64, String)> {
    let step = round_up((high - low) / wanted.max(1) as f64);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    let decimals = (-(step.log10() + 1e-9).floor()).max(0.0) as usize;
    (first..=last)
        .map(|n| n as f64 * step)
        .map(|value| (value, if step >= 1.0 { sig_free(value) } else { format!("{value:.decimals$}") }))
        .collect()
}

/// A whole number with thousands apart, all digits kept.
fn sig_free(value: f64) -> String {
    let digits = plimsoll_text::number::count(value.abs().round() as u64);
    if value <= -0.5 { format!("−{digits}") } else { digits }
}

fn log_ticks(low: f64, high: f64, wanted: usize) -> Vec<(f64, String)> {
    let decades = (high / low).log10();
    let steps: &[f64] = if decades * 3.0 <= wanted as f64 * 1.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    powers
        .flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)))
        .filter(|value| (low * 0.999_999..=high * 1.000_001).contains(value))
        .map(|value| (value, plain(value)))
        .collect()
}

/// A power of ten or a small multiple of one, without digits that say nothing.
fn plain(value: f64) -> String {
    if value >= 1.0 { sig_free(value) } else { sig3(value).trim_end_matches('0').to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_no_fractions() {
        assert_eq!(labels(Scale::whole(1.0, 2.0), 9), ["1", "2"]);
        assert_eq!(labels(Scale::whole(1.0, 9.0), 3), ["5"]);
    }

    fn labels(scale: Scale, wanted: usize) -> Vec<String> {
        scale.ticks(wanted).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_numbers_within_the_axis() {
        assert_eq!(labels(Scale::over(Spacing::Linear, [190.0]), 4), ["0", "50", "100", "150"]);
        assert_eq!(labels(Scale::over(Spacing::Linear, [0.9]), 3), ["0.0", "0.5"]);
        assert_eq!(labels(Scale::over(Spacing::Linear, [12_345.0]), 3), ["0", "5,000", "10,000"]);
        assert_eq!(labels(Scale::over(Spacing::Log, [0.7, 80.0]), 8), ["0.5", "1", "2", "5", "10", "20", "50", "100"]);
        assert_eq!(
            labels(Scale::over(Spacing::Log, [0.01, 10_000.0]), 5),
            ["0.01", "0.1", "1", "10", "100", "1,000", "10,000"]
        );
        assert_eq!(labels(Scale::over(Spacing::Log, [1.03, 1.41]), 6), ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5"]);
        assert_eq!(labels(Scale::over(Spacing::Log, [1.0]), 2), ["0.995", "1.000", "1.005"]);
        assert_eq!(labels(Scale::quantiles(0.999), 9), ["0 %", "50 %", "90 %", "99 %", "99.9 %"]);
    }

    #[test]
    fn coordinates_keep_order_and_ends() {
        let log = Scale::over(Spacing::Log, [1.0, 100.0]).at(200.0, 0.0);
        assert_eq!((log.px(1.0), log.px(10.0), log.px(100.0)), (200.0, 100.0, 0.0));
        let quantile = Scale::quantiles(0.99).at(0.0, 100.0);
        assert!((quantile.px(0.9) - 50.0).abs() < 1e-9);
        assert_eq!(quantile.px(1.0), 100.0);
    }

    #[test]
    fn nothing_to_show_still_makes_an_axis() {
        for spacing in [Spacing::Linear, Spacing::Log] {
            let scale = Scale::over(spacing, [f64::NAN]).at(0.0, 10.0);
            assert!(scale.px(1.0).is_finite());
        }
    }
}
