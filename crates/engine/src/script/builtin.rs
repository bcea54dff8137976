//! Values that are there without being declared: `{{$uuid}}` and its like, under the names of IntelliJ's and
//! Visual Studio Code's HTTP clients.

use plimsoll_record::Nanos;
use rand::{RngExt, rngs::Xoshiro256PlusPlus};

use super::user::User;

/// Inputs of a built-in value.
pub(crate) struct Context<'a> {
    pub user: &'a User,
    /// Unix time.
    pub unix: Nanos,
    pub rng: &'a mut Xoshiro256PlusPlus,
}

/// A built-in value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    Uuid,
    Timestamp,
    IsoTimestamp,
    /// From the first to below the second.
    RandomInt(i64, i64),
    Vu,
    Iteration,
}

/// All names, as errors list them.
pub(crate) const NAMES: [&str; 6] = ["$uuid", "$timestamp", "$isoTimestamp", "$randomInt", "$vu", "$iteration"];

const RANDOM_INT_DEFAULT: (i64, i64) = (0, 1_000);

impl Builtin {
    /// Reads `$name`, with its arguments; none if there is no such name.
    pub fn parse(text: &str) -> Option<Result<Self, String>> {
        // IntelliJ writes `$random.integer(1, 5)`, Visual Studio Code `$randomInt 1 5`.
        let mut words = text.split([' ', '\t', '(', ',', ')']).filter(|word| !word.is_empty());
        let builtin = match words.next()? {
            "$uuid" | "$guid" | "$random.uuid" => Self::Uuid,
            "$timestamp" => Self::Timestamp,
            "$isoTimestamp" => Self::IsoTimestamp,
            "$vu" => Self::Vu,
            "$iteration" => Self::Iteration,
            "$randomInt" | "$random.integer" => return Some(random_int(&words.collect::<Vec<_>>())),
            _ => return None,
        };
        let more = words.next().map(|word| format!("expected nothing after the name, found `{word}` in `{text}`"));
        Some(more.map_or(Ok(builtin), Err))
    }

    pub fn write(self, context: &mut Context<'_>, output: &mut String) {
        use std::fmt::Write;
        // Writing to a string cannot fail.
        let _ = match self {
            Self::Uuid => write!(output, "{}", uuid(context.rng.random())),
            Self::Timestamp => write!(output, "{}", context.unix.0 / 1_000_000_000),
            Self::IsoTimestamp => write!(output, "{}", iso(context.unix)),
            Self::RandomInt(from, to) => write!(output, "{}", context.rng.random_range(from..to)),
            Self::Vu => write!(output, "{}", context.user.number),
            Self::Iteration => write!(output, "{}", context.user.iteration),
        };
    }
}

fn random_int(arguments: &[&str]) -> Result<Builtin, String> {
    let (from, to) = match arguments {
        [] => RANDOM_INT_DEFAULT,
        [from, to] => match (from.parse(), to.parse()) {
            (Ok(from), Ok(to)) if from < to => (from, to),
            _ => return Err(format!("expected two whole numbers, the smaller one first, found `{from} {to}`")),
        },
        _ => return Err("expected `$randomInt`, or `$randomInt FROM TO`".to_owned()),
    };
    Ok(Builtin::RandomInt(from, to))
}

/// Version 4, variant 1 (RFC 9562).
fn uuid(bits: u128) -> String {
    let bits = bits & !(0xf << 76) & !(0b11 << 62) | (4 << 76) | (0b10 << 62);
    let hex = format!("{bits:032x}");
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// The time in milliseconds, as browsers write it.
fn iso(unix: Nanos) -> String {
    let timestamp = jiff::Timestamp::from_nanosecond(i128::from(unix.0)).unwrap_or_default();
    timestamp.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn value(text: &str) -> String {
        let user = User { number: 3, iteration: 5, ..User::default() };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut output = String::new();
        let mut context = Context { user: &user, unix: Nanos(1_700_000_000_123_000_000), rng: &mut rng };
        Builtin::parse(text).unwrap().unwrap().write(&mut context, &mut output);
        output
    }

    #[test]
    fn values_have_their_forms() {
        assert_eq!(value("$timestamp"), "1700000000");
        assert_eq!(value("$isoTimestamp"), "2023-11-14T22:13:20.123Z");
        assert_eq!((value("$vu"), value("$iteration")), ("3".to_owned(), "5".to_owned()));
        assert!(matches!(value("$random.integer(1, 3)").as_str(), "1" | "2"));
        assert!((-5..7).contains(&value("$randomInt -5 7").parse::<i64>().unwrap()));
        let uuid = value("$uuid");
        let dashes: Vec<usize> = uuid.match_indices('-').map(|(at, _)| at).collect();
        assert_eq!((uuid.len(), dashes), (36, vec![8, 13, 18, 23]), "{uuid}");
        assert!(uuid.as_bytes()[14] == b'4' && b"89ab".contains(&uuid.as_bytes()[19]), "{uuid}");
    }

    #[test]
    fn wrong_arguments_are_named() {
        for wrong in ["$randomInt 1", "$randomInt 5 5", "$randomInt a b", "$uuid 4"] {
            assert!(Builtin::parse(wrong).unwrap().is_err(), "{wrong}");
        }
        assert_eq!(Builtin::parse("$nothing"), None);
    }
}
