//! Numbers as people read them: thousands apart, three significant digits, one unit per table.
//!
//! Measured figures are rounded to three digits ([`sig3`]); what a reader computes with or has typed keeps its whole
//! part ([`in_full`]); counts are exact ([`count`]). Names that are typed back, such as `web @ 2700`, stay as they are.

/// Stands where there is no value.
pub const NONE: &str = "–";

/// `value` to three significant digits: `0.0123`, `1.23`, `12.3`, `123`, `12,300`.
pub fn sig3(value: f64) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let unit = 10f64.powi(value.abs().log10().floor() as i32 - 2);
    let rounded = (value / unit).round() * unit;
    let decimals = (2 - rounded.abs().log10().floor() as i32).clamp(0, 9) as usize;
    thousands_apart(&format!("{rounded:.decimals$}"))
}

/// `value` with `digits` significant digits or more: its whole part in full, its fraction without zeros at the end:
/// `0.316`, `77.8`, `1,959`.
pub fn in_full(value: f64, digits: i32) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    // The sum of nothing is -0.
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = (digits - 1 - magnitude).clamp(0, 12) as usize;
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    thousands_apart(text)
}

/// `value` with the digits it was printed with: `step` is what one more in the last of them would be.
pub fn printed(value: f64, step: f64) -> String {
    let decimals = (-step.log10()).round().clamp(0.0, 9.0) as usize;
    let value = if (value / step).round() == 0.0 { 0.0 } else { value };
    thousands_apart(&format!("{value:.decimals$}"))
}

/// An exact count: `12,345`.
pub fn count(value: u64) -> String {
    thousands_apart(&value.to_string())
}

/// Digits in groups of three: `2,500.5` for `2500.5`.
pub fn thousands_apart(digits: &str) -> String {
    let (sign, digits) = digits.split_at(usize::from(digits.starts_with('-')));
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut out = sign.to_owned();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + fraction
}

/// `bytes` in the decimal unit that fits: `12.3 MB`.
pub fn bytes(bytes: u64) -> String {
    let value = bytes as f64;
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", sig3(value / 1e3)),
        1_000_000..1_000_000_000 => format!("{} MB", sig3(value / 1e6)),
        _ => format!("{} GB", sig3(value / 1e9)),
    }
}

/// `bytes` as experiment files have them, the shortest exact way: `1 GiB`, `1536 MiB`.
pub fn exact_bytes(bytes: u64) -> String {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("MB", 1_000_000), ("KiB", 1 << 10)];
    match units.iter().find(|(_, size)| bytes.is_multiple_of(*size)) {
        Some((unit, size)) => format!("{} {unit}", bytes / size),
        None => format!("{bytes} B"),
    }
}

/// A shown value with its unit: `12.3 ms`, but `190/s`.
pub fn with_unit(value: String, unit: &str) -> String {
    match unit {
        "" => value,
        _ if unit.starts_with('/') => value + unit,
        _ => format!("{value} {unit}"),
    }
}

/// A share of requests that failed, in percent. A few failures among many are never shown as none.
pub fn errors_percent(percent: f64) -> String {
    if percent > 0.0 && percent < 0.01 { "<0.01".to_owned() } else { sig3(percent) }
}

/// The unit in which all times of one table or chart are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds.
    S,
    /// Milliseconds.
    Ms,
    /// Microseconds.
    Us,
}

impl TimeUnit {
    /// The unit in which the least of `times_ms` still has a plain look, and the greatest no more than four digits if
    /// that can be: `136` and `1,780` ms, but `0.915` and `14.2` s.
    pub fn fitting(times_ms: impl IntoIterator<Item = f64>) -> Self {
        let positive = times_ms.into_iter().filter(|&ms| ms > 0.0);
        let (least, greatest) = positive.fold((f64::INFINITY, 0.0_f64), |(low, high), ms| (low.min(ms), high.max(ms)));
        match least {
            f64::INFINITY => Self::Ms,
            ms if ms >= 1e3 || (ms >= 100.0 && greatest >= 1e4) => Self::S,
            ms if ms >= 0.01 => Self::Ms,
            _ => Self::Us,
        }
    }

    /// Its symbol.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::S => "s",
            Self::Ms => "ms",
            Self::Us => "µs",
        }
    }

    /// `ms` in this unit.
    pub fn of_ms(self, ms: f64) -> f64 {
        match self {
            Self::S => ms / 1e3,
            Self::Ms => ms,
            Self::Us => ms * 1e3,
        }
    }

    /// `ms` in this unit, to three digits, without the unit.
    pub fn show(self, ms: f64) -> String {
        sig3(self.of_ms(ms))
    }
}

/// A single time in the unit that fits it: `7.42 s`, `915 ms`, `12.3 µs`.
pub fn time(ms: f64) -> String {
    let (value, unit) = match ms.abs() {
        0.0 | 1.0..1e3 => (ms, "ms"),
        1e3.. => (ms / 1e3, "s"),
        1e-3..1.0 => (ms * 1e3, "µs"),
        _ => (ms * 1e6, "ns"),
    };
    format!("{} {unit}", sig3(value))
}

/// Whole seconds, from a minute on with minutes: `59 s`, `3 min 40 s`, `5 min`.
pub fn lasting(seconds: f64) -> String {
    let seconds = seconds.max(0.0).round() as u64;
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, 0) => format!("{} min", count(minutes)),
        (minutes, seconds) => format!("{} min {seconds} s", count(minutes)),
    }
}

/// As clocks have it: `1:05` or `1:02:03`.
pub fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_kept_whatever_the_magnitude() {
        let shown = [0.0, 0.012_345, 0.999_9, 1.0, 77.46, 99.96, 190.12, 1_291.0, 1_234_567.0, -12_345.0].map(sig3);
        let expected = ["0", "0.0123", "1.00", "1.00", "77.5", "100", "190", "1,290", "1,230,000", "-12,300"];
        assert_eq!(shown, expected);
        assert_eq!(sig3(f64::NAN), NONE);
    }

    #[test]
    fn whole_parts_are_shown_in_full_where_a_reader_computes() {
        let shown =
            [-0.0, 0.316, 0.3, 2.5, 77.8, 102.4, 1_958.968, 1_234_567.0, -0.061_2].map(|value| in_full(value, 3));
        assert_eq!(shown, ["0", "0.316", "0.3", "2.5", "77.8", "102", "1,959", "1,234,567", "-0.0612"]);
        assert_eq!([498.5, 10_683.8, 93.1].map(|value| in_full(value, 4)), ["498.5", "10,684", "93.1"]);
    }

    #[test]
    fn printed_figures_keep_their_digits() {
        let shown = [(14.2, 0.001), (1_279.0, 1.0), (0.0, 1.0), (10_683.8, 0.1), (3_000.0, 1_000.0), (1.5, 0.0)];
        let shown = shown.map(|(value, step)| printed(value, step));
        assert_eq!(shown, ["14.200", "1,279", "0", "10,683.8", "3,000", "1.500000000"]);
    }

    #[test]
    fn units_fit() {
        assert_eq!([12, 1_234, 12_345_678, 5_000_000_000].map(bytes), ["12 B", "1.23 kB", "12.3 MB", "5.00 GB"]);
        assert_eq!([3 << 30, 1536 << 20, 5_000_000, 999].map(exact_bytes), ["3 GiB", "1536 MiB", "5 MB", "999 B"]);
        let times = [0.0, 0.000_004, 0.004, 0.5, 99.0, 915.2, 7_417.0, 2_700_000.0].map(time);
        assert_eq!(times, ["0 ms", "4.00 ns", "4.00 µs", "500 µs", "99.0 ms", "915 ms", "7.42 s", "2,700 s"]);
        assert_eq!(TimeUnit::fitting([0.5, 20_000.0]), TimeUnit::Ms);
        assert_eq!([[136.0, 1_780.0], [1_010.0, 1_780.0]].map(TimeUnit::fitting), [TimeUnit::Ms, TimeUnit::S]);
        assert_eq!(TimeUnit::fitting([915.0, 14_200.0]), TimeUnit::S);
        assert_eq!(with_unit(sig3(190.2), "/s"), "190/s");
    }

    #[test]
    fn times_read_as_people_write_them() {
        assert_eq!([0.2, 59.4, 59.6, 220.0, 300.0].map(lasting), ["0 s", "59 s", "1 min", "3 min 40 s", "5 min"]);
        assert_eq!([5, 65, 3_723].map(clock), ["0:05", "1:05", "1:02:03"]);
    }

    #[test]
    fn a_single_failure_is_never_rounded_away() {
        assert_eq!([0.0, 0.000_1, 2.5].map(errors_percent), ["0", "<0.01", "2.50"]);
    }
}
