//! Quantities: a number and a unit, as in `1.5 s`, `1 GiB`, `200/s`. A number alone is an error, because
//! whoever reads it must guess.

use std::borrow::Cow;

use plimsoll_record::{Amount, LoadUnit, Nanos};
use plimsoll_text::{did_you_mean, quoted};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    decode::{FromNode, push_unexpected},
    errors::Errors,
    node::Node,
};

/// A kind of quantity: its units, and how much one of each is in the base unit.
#[derive(Debug)]
pub(super) struct Dimension {
    /// With its article, e.g. `a duration`.
    what: &'static str,
    example: &'static str,
    units: &'static [(&'static str, f64)],
    /// More than this, in the base unit, is a slip of the pen.
    most: f64,
    most_words: &'static str,
    /// Whether parts may be added up, as in `1m 30s`.
    compound: bool,
}

/// In nanoseconds.
pub(super) static DURATION: Dimension = Dimension {
    what: "a duration",
    example: "30s",
    units: &[
        ("ns", 1.0),
        ("us", 1e3),
        ("µs", 1e3),
        ("ms", 1e6),
        ("s", 1e9),
        ("m", 60e9),
        ("min", 60e9),
        ("h", 3_600e9),
        ("d", 86_400e9),
    ],
    most: 30.0 * 86_400e9,
    most_words: "30 d",
    compound: true,
};

/// In bytes.
pub(super) static SIZE: Dimension = Dimension {
    what: "a size",
    example: "1 GiB",
    units: &[
        ("B", 1.0),
        ("kB", 1e3),
        ("KB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("TB", 1e12),
        ("KiB", 1_024.0),
        ("MiB", 1_048_576.0),
        ("GiB", 1_073_741_824.0),
        ("TiB", 1_099_511_627_776.0),
    ],
    most: 64.0 * 1_099_511_627_776.0,
    most_words: "64 TiB",
    compound: false,
};

/// Per second.
pub(super) static RATE: Dimension = Dimension {
    what: "a rate",
    example: "200/s",
    units: &[("/s", 1.0), ("/min", 1.0 / 60.0), ("/h", 1.0 / 3_600.0)],
    most: 1e7,
    most_words: "10,000,000/s",
    compound: false,
};

/// In percent.
pub(super) static PERCENT: Dimension = Dimension {
    what: "a percentage",
    example: "50 %",
    units: &[("%", 1.0)],
    most: 1e6,
    most_words: "1,000,000 %",
    compound: false,
};

/// In kB (10³ bytes) per second.
pub(super) static BYTE_RATE: Dimension = Dimension {
    what: "an amount of data per second",
    example: "59.4 kB/s",
    units: &[("B/s", 1e-3), ("kB/s", 1.0), ("KB/s", 1.0), ("KiB/s", 1.024), ("MB/s", 1e3), ("MiB/s", 1_048.576)],
    most: 1e9,
    most_words: "1 TB/s",
    compound: false,
};

/// In bits per second.
pub(super) static BIT_RATE: Dimension = Dimension {
    what: "a bandwidth",
    example: "100 Mbit/s",
    units: &[("bit/s", 1.0), ("kbit/s", 1e3), ("Mbit/s", 1e6), ("Gbit/s", 1e9)],
    most: 100e9,
    most_words: "100 Gbit/s",
    compound: false,
};

static ALL: [&Dimension; 6] = [&DURATION, &SIZE, &RATE, &PERCENT, &BYTE_RATE, &BIT_RATE];

impl Dimension {
    /// The value in the base unit, or what is wrong with it.
    pub fn parse(&self, text: &str) -> Result<f64, String> {
        let found = format!("expected {}, e.g. `{}`, found `{text}`", self.what, self.example);
        if text.trim_start().starts_with('-') {
            return Err(format!("{found}: it must not be negative"));
        }
        let mut rest = text.trim();
        let mut sum = 0.0;
        loop {
            let (number, after) = number_prefix(rest).ok_or_else(|| found.clone())?;
            let unit_end = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
            let (unit, after) = (after[..unit_end].trim(), &after[unit_end..]);
            sum += number * self.factor(unit).ok_or_else(|| format!("{found}: {}", self.wrong_unit(number, unit)))?;
            rest = after;
            if rest.is_empty() {
                break;
            }
            if !self.compound {
                return Err(found);
            }
        }
        if sum > self.most {
            return Err(format!("{found}: more than {} is not sensible", self.most_words));
        }
        Ok(sum)
    }

    /// The value and what one more in its last printed digit would be, both in the base unit: `1.50 s` is exact to
    /// 10 ms. None if it cannot be read.
    pub fn printed(&self, text: &str) -> Option<(f64, f64)> {
        let value = self.parse(text).ok()?;
        let last = text.trim_end().trim_end_matches(|c: char| !c.is_ascii_digit());
        let unit = text.trim_end()[last.len()..].trim();
        let digits = last.rsplit(|c: char| !c.is_ascii_digit() && c != '.').next()?;
        let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        Some((value, self.factor(unit)? * 0.1_f64.powi(i32::try_from(decimals).ok()?)))
    }

    fn factor(&self, unit: &str) -> Option<f64> {
        self.units.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor)
    }

    fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.units.iter().map(|(name, _)| *name)
    }

    fn wrong_unit(&self, number: f64, unit: &str) -> String {
        let units = quoted(self.names());
        if unit.is_empty() {
            return format!("the unit is missing; units are {units}");
        }
        match ALL.iter().find(|dimension| dimension.factor(unit).is_some()) {
            Some(other) => format!("`{number} {unit}` is {}; units are {units}", other.what),
            None => {
                format!("there is no unit `{unit}`{}; units are {units}", did_you_mean(self.names(), unit))
            }
        }
    }

    fn schema(&self) -> Schema {
        let units = self.names().collect::<Vec<_>>().join("|");
        let part = format!(r"\d+(\.\d+)?\s*({units})\s*");
        let pattern = if self.compound { format!("^\\s*({part})+$") } else { format!("^\\s*{part}$") };
        json_schema!({"type": "string", "pattern": pattern, "examples": [self.example], "x-what": self.what})
    }
}

/// The decimal number that `text` starts with, and what follows it.
fn number_prefix(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    if !text.starts_with(|c: char| c.is_ascii_digit()) || text[..end].ends_with('.') {
        return None;
    }
    Some((text[..end].parse().ok()?, &text[end..]))
}

macro_rules! quantities {
    ($($(#[$meta:meta])* $name:ident($inner:ty) = $dimension:ident, $convert:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(super) struct $name(pub $inner);

        impl FromNode for $name {
            fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
                let Some(text) = node.scalar() else {
                    push_unexpected(node, &format!("{}, e.g. `{}`", $dimension.what, $dimension.example), errors);
                    return None;
                };
                let convert: fn(f64) -> $inner = $convert;
                let value = $dimension.parse(text).map_err(|why| errors.push(&node.place, why)).ok()?;
                Some(Self(convert(value)))
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $dimension.schema()
            }
        }
    )*};
}

quantities! {
    /// E.g. `30s`, `250 ms`, `1m 30s`.
    Duration(Nanos) = DURATION, |ns| Nanos(ns.round() as u64);
    /// E.g. `1 GiB`: bytes.
    Size(u64) = SIZE, |bytes| bytes.round() as u64;
    /// E.g. `200/s`: per second.
    Rate(f64) = RATE, |per_s| per_s;
    /// E.g. `50 %`.
    Percent(f64) = PERCENT, |percent| percent;
    /// E.g. `59.4 kB/s`: kB per second.
    ByteRate(f64) = BYTE_RATE, |kb_per_s| kb_per_s;
    /// E.g. `100 Mbit/s`: bits per second.
    BitRate(u64) = BIT_RATE, |bits_per_s| bits_per_s.round() as u64;
}

/// A number of virtual users, or requests per second with or without the unit: which of them, the load model says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LoadAmount(pub Amount);

impl LoadAmount {
    const EXPECTED: &str = "a number, e.g. `100`, or a rate, e.g. `200/s`";
}

impl FromNode for LoadAmount {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        let Some(text) = node.scalar() else {
            push_unexpected(node, Self::EXPECTED, errors);
            return None;
        };
        if text.starts_with('-') {
            push_unexpected(node, &format!("{}, that is not negative", Self::EXPECTED), errors);
            return None;
        }
        if let Ok(amount) = text.parse() {
            return Some(Self(amount));
        }
        let number = RATE.parse(text).map_err(|why| errors.push(&node.place, why)).ok()?;
        Some(Self(Amount { number, unit: LoadUnit::PerSecond }))
    }
}

impl JsonSchema for LoadAmount {
    fn schema_name() -> Cow<'static, str> {
        "amount".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let rate = RATE.schema();
        json_schema!({"anyOf": [{"type": "number", "minimum": 0}, rate]})
    }
}

/// Reads a duration as experiment files write it, e.g. `30s` or `1m 30s`.
///
/// # Errors
/// Expected and found values.
pub fn parse_duration(text: &str) -> Result<Nanos, String> {
    DURATION.parse(text).map(|ns| Nanos(ns.round() as u64))
}

/// The shortest exact way to write it, e.g. `250ms`: Spring reads it as well.
pub(super) fn duration_words(duration: Nanos) -> String {
    let units = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)];
    match units.iter().find(|(_, ns)| duration.0.is_multiple_of(*ns)) {
        Some((unit, ns)) => format!("{}{unit}", duration.0 / ns),
        None => format!("{}ns", duration.0),
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_text::number::exact_bytes;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parts_of_a_duration_add_up() {
        assert_eq!(DURATION.parse("1m 30s"), Ok(90e9));
        assert_eq!(DURATION.parse(" 1.5 s "), Ok(1.5e9));
        assert!(SIZE.parse("1 GiB 2 MiB").is_err());
    }

    #[test]
    fn the_last_digit_says_how_exact_a_figure_is() {
        assert_eq!(DURATION.printed("14.200 s"), Some((14.2e9, 1e9 * 0.1_f64.powi(3))));
        assert_eq!(DURATION.printed("1m 30s"), Some((90e9, 1e9)));
        assert_eq!(RATE.printed("77.5/s"), Some((77.5, 0.1)));
        assert_eq!(BYTE_RATE.printed("3 MB/s"), Some((3_000.0, 1_000.0)));
        assert_eq!(PERCENT.printed("much"), None);
    }

    #[test]
    fn what_is_not_a_quantity_is_refused() {
        let messages: Vec<String> =
            ["", "s", "30", "-1s", "1e3s", "1.s", ".5s", "1.2.3s", "40d", "1 GiB", "5 sec", "99999999999999999999h"]
                .iter()
                .map(|text| format!("{text:?}: {}", DURATION.parse(text).unwrap_err()))
                .collect();
        assert_eq!(
            messages,
            [
                "\"\": expected a duration, e.g. `30s`, found ``",
                "\"s\": expected a duration, e.g. `30s`, found `s`",
                "\"30\": expected a duration, e.g. `30s`, found `30`: the unit is missing; units are `ns`, `us`, `µs`, `ms`, `s`, `m`, `min`, `h`, `d`",
                "\"-1s\": expected a duration, e.g. `30s`, found `-1s`: it must not be negative",
                "\"1e3s\": expected a duration, e.g. `30s`, found `1e3s`: there is no unit `e`; units are `ns`, `us`, `µs`, `ms`, `s`, `m`, `min`, `h`, `d`",
                "\"1.s\": expected a duration, e.g. `30s`, found `1.s`",
                "\".5s\": expected a duration, e.g. `30s`, found `.5s`",
                "\"1.2.3s\": expected a duration, e.g. `30s`, found `1.2.3s`",
                "\"40d\": expected a duration, e.g. `30s`, found `40d`: more than 30 d is not sensible",
                "\"1 GiB\": expected a duration, e.g. `30s`, found `1 GiB`: `1 GiB` is a size; units are `ns`, `us`, `µs`, `ms`, `s`, `m`, `min`, `h`, `d`",
                "\"5 sec\": expected a duration, e.g. `30s`, found `5 sec`: there is no unit `sec`; units are `ns`, `us`, `µs`, `ms`, `s`, `m`, `min`, `h`, `d`",
                "\"99999999999999999999h\": expected a duration, e.g. `30s`, found `99999999999999999999h`: more than 30 d is not sensible",
            ]
        );
    }

    proptest! {
        #[test]
        fn what_is_written_in_any_unit_reads_back(
            number in 0_u32..100_000,
            decimals in 0_u32..1_000,
            unit in 0_usize..30,
        ) {
            for dimension in ALL {
                let (name, factor) = dimension.units[unit % dimension.units.len()];
                let text = format!("{number}.{decimals:03}{}{name}", if unit % 2 == 0 { " " } else { "" });
                let expected = (f64::from(number) + f64::from(decimals) / 1e3) * factor;
                match dimension.parse(&text) {
                    Ok(value) => prop_assert!((value - expected).abs() <= expected * 1e-12, "{text}: {value} for {expected}"),
                    Err(why) => prop_assert!(expected > dimension.most, "{text}: {why}"),
                }
            }
        }

        #[test]
        fn whole_nanoseconds_are_exact(ns in 0_u64..2_592_000_000_000_000) {
            prop_assert_eq!(parse_duration(&format!("{ns} ns")), Ok(Nanos(ns)));
        }

        #[test]
        fn words_read_back(number in 0_u64..1_000_000_000_000) {
            prop_assert_eq!(DURATION.parse(&duration_words(Nanos(number))).map(|ns| ns as u64), Ok(number));
            prop_assert_eq!(SIZE.parse(&exact_bytes(number)).map(|bytes| bytes as u64), Ok(number));
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,20}") {
            for dimension in ALL {
                let _ = dimension.parse(&text);
            }
        }
    }
}
