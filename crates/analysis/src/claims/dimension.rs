//! Dimensions of quantities, and the units they are written in.

use std::{
    fmt,
    ops::{Div, Mul},
};

/// Exponents of second, byte and percent. Percent is a dimension of its own: `errors(a @ 1) < 1` must not mean 100 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dimension {
    time: i32,
    bytes: i32,
    percent: i32,
}

impl Dimension {
    pub const RATIO: Self = Self { time: 0, bytes: 0, percent: 0 };
    pub const TIME: Self = Self { time: 1, ..Self::RATIO };
    pub const RATE: Self = Self { time: -1, ..Self::RATIO };
    pub const MEMORY: Self = Self { bytes: 1, ..Self::RATIO };
    pub const DATA_RATE: Self = Self { time: -1, bytes: 1, percent: 0 };
    pub const PERCENT: Self = Self { percent: 1, ..Self::RATIO };

    /// The unit of figures where the claim itself names none.
    pub fn default_unit(self) -> Unit {
        let (text, scale) = match self {
            Self::RATIO => ("", 1.0),
            Self::TIME => ("ms", 1e-3),
            Self::RATE => ("/s", 1.0),
            Self::MEMORY => ("MB", 1e6),
            Self::DATA_RATE => ("kB/s", 1e3),
            Self::PERCENT => ("%", 1.0),
            other => return other.compound_unit(),
        };
        Unit { text: text.to_owned(), dimension: self, scale }
    }

    /// E.g. `/s/MB` for requests per second and megabyte.
    fn compound_unit(self) -> Unit {
        let parts = [("MB", self.bytes), ("%", self.percent), ("s", self.time)];
        let power =
            |name: &str, exponent: u32| if exponent == 1 { name.to_owned() } else { format!("{name}^{exponent}") };
        let over: Vec<String> = parts.iter().filter(|it| it.1 > 0).map(|it| power(it.0, it.1.unsigned_abs())).collect();
        let under: Vec<String> =
            parts.iter().filter(|it| it.1 < 0).map(|it| format!("/{}", power(it.0, it.1.unsigned_abs()))).collect();
        Unit { text: over.join("·") + &under.concat(), dimension: self, scale: 1e6_f64.powi(self.bytes) }
    }
}

impl Mul for Dimension {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self { time: self.time + other.time, bytes: self.bytes + other.bytes, percent: self.percent + other.percent }
    }
}

impl Div for Dimension {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        Self { time: self.time - other.time, bytes: self.bytes - other.bytes, percent: self.percent - other.percent }
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::RATIO => f.write_str("a ratio"),
            Self::TIME => f.write_str("a time"),
            Self::RATE => f.write_str("a rate"),
            Self::MEMORY => f.write_str("an amount of memory"),
            Self::DATA_RATE => f.write_str("a data rate"),
            Self::PERCENT => f.write_str("a percentage"),
            other => write!(f, "a figure in {}", other.default_unit().text),
        }
    }
}

/// A unit: what it measures, and how many base units (seconds, bytes, requests per second) it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unit {
    pub text: String,
    pub dimension: Dimension,
    pub scale: f64,
}

const UNITS: &[(&str, Dimension, f64)] = &[
    ("ns", Dimension::TIME, 1e-9),
    ("us", Dimension::TIME, 1e-6),
    ("µs", Dimension::TIME, 1e-6),
    ("ms", Dimension::TIME, 1e-3),
    ("s", Dimension::TIME, 1.0),
    ("min", Dimension::TIME, 60.0),
    ("/s", Dimension::RATE, 1.0),
    ("/min", Dimension::RATE, 1.0 / 60.0),
    ("B", Dimension::MEMORY, 1.0),
    ("kB", Dimension::MEMORY, 1e3),
    ("MB", Dimension::MEMORY, 1e6),
    ("GB", Dimension::MEMORY, 1e9),
    ("KiB", Dimension::MEMORY, 1_024.0),
    ("MiB", Dimension::MEMORY, 1_048_576.0),
    ("GiB", Dimension::MEMORY, 1_073_741_824.0),
    ("B/s", Dimension::DATA_RATE, 1.0),
    ("kB/s", Dimension::DATA_RATE, 1e3),
    ("MB/s", Dimension::DATA_RATE, 1e6),
    ("%", Dimension::PERCENT, 1.0),
];

impl Unit {
    /// The longest unit that `text` begins with, followed by no letter or digit.
    pub fn at_start_of(text: &str) -> Option<Self> {
        let is_whole = |unit: &str| {
            text.strip_prefix(unit).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
        };
        let longest = UNITS.iter().filter(|unit| is_whole(unit.0)).max_by_key(|unit| unit.0.len());
        longest.map(|&(text, dimension, scale)| Self { text: text.to_owned(), dimension, scale })
    }

    /// All units, for messages.
    pub fn list() -> String {
        UNITS.iter().map(|unit| unit.0).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_unit_wins_and_must_end_there() {
        let unit = |text: &str| Unit::at_start_of(text).map(|unit| unit.text);
        assert_eq!(unit("MB/s >").as_deref(), Some("MB/s"));
        assert_eq!(unit("MB / 2").as_deref(), Some("MB"));
        assert_eq!(unit("/s").as_deref(), Some("/s"));
        assert_eq!(unit("/startup(a)"), None);
        assert_eq!(unit("min").as_deref(), Some("min"));
    }

    #[test]
    fn dimensions_multiply_and_divide() {
        assert_eq!(Dimension::RATE * Dimension::TIME, Dimension::RATIO);
        assert_eq!(Dimension::MEMORY / Dimension::TIME, Dimension::DATA_RATE);
        let per_mb = (Dimension::RATE / Dimension::MEMORY).default_unit();
        assert_eq!((per_mb.text.as_str(), per_mb.scale), ("/MB/s", 1e-6));
    }
}
