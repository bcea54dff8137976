//! Names of levels and stages, as claims, flags and reports use them. This is their only grammar:
//!
//! ```text
//! level   = amount                    `2700` virtual users; `5000/s`
//! stage   = name | leg [ "." count ]  the second `0-100` is called `0-100.2`
//! leg     = amount                    the load holds: `100`
//!         | number "-" amount         the load ramps: `0-100`, `50-200/s`
//! amount  = number [ "/s" ]
//! ```
//!
//! Several scenarios that are driven together put their names before it: `browse.0-100`.

use std::{fmt, str::FromStr};

use plimsoll_text::number::thousands_apart;

use super::{Leg, Load};

/// A number of virtual users, or of requests per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    /// How many.
    pub number: f64,
    /// Their unit.
    pub unit: LoadUnit,
}

/// The unit of a load's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadUnit {
    /// Closed models; a whole number.
    VirtualUsers,
    /// Open models; requests.
    PerSecond,
}

impl LoadUnit {
    /// Written behind a number.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::VirtualUsers => "",
            Self::PerSecond => "/s",
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.unit.symbol())
    }
}

/// The text is not an [`Amount`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnAmount;

impl FromStr for Amount {
    type Err = NotAnAmount;

    fn from_str(text: &str) -> Result<Self, NotAnAmount> {
        let (digits, unit) = match text.strip_suffix("/s") {
            Some(digits) => (digits.trim_end(), LoadUnit::PerSecond),
            None => (text, LoadUnit::VirtualUsers),
        };
        let is_digit = |byte: u8| byte.is_ascii_digit();
        let is_plain = digits.bytes().all(|byte| is_digit(byte) || byte == b'.')
            && digits.bytes().next().is_some_and(is_digit)
            && digits.bytes().next_back().is_some_and(is_digit);
        let number = digits.parse().ok().filter(|_| is_plain).ok_or(NotAnAmount)?;
        Ok(Self { number, unit })
    }
}

impl Load {
    /// The label of its level: its greatest number of virtual users, or its greatest rate.
    pub fn label(&self) -> String {
        self.peak().to_string()
    }

    /// Virtual users, or requests per second, at most.
    pub fn peak(&self) -> Amount {
        self.amount(self.peak_target())
    }

    /// Labels of its stages, as many as it has. `given` are the names that were chosen for them, in order; where
    /// there is none, the leg is the name. No two are alike: a repeated one is numbered.
    pub fn stage_labels(&self, given: &[Option<&str>]) -> Vec<String> {
        let mut labels: Vec<String> = Vec::new();
        for (index, leg) in self.legs().into_iter().enumerate() {
            let given = given.get(index).copied().flatten();
            let label = given.map_or_else(|| self.leg_label(leg), str::to_owned);
            labels.push(unlike(&labels, label));
        }
        labels
    }

    fn leg_label(&self, leg: Leg) -> String {
        let to = self.amount(leg.to);
        if leg.from == leg.to { to.to_string() } else { format!("{}-{to}", leg.from) }
    }

    const fn amount(&self, number: f64) -> Amount {
        Amount { number, unit: self.unit() }
    }
}

/// A leg as its label has it: from where, if it ramps, to where, and which of those that are alike.
type LegLabel = (Option<f64>, Amount, Option<u32>);

/// Reads the label of a leg; none of a name.
fn read_leg(label: &str) -> Option<LegLabel> {
    // Numbers of virtual users are whole, so a point in them begins a count; in a rate it comes behind the unit.
    let counted = label.rsplit_once('.').filter(|(leg, _)| leg.ends_with("/s") || !label.ends_with("/s"));
    let (leg, again) = match counted {
        Some((leg, again)) => (leg, Some(again.parse().ok()?)),
        None => (label, None),
    };
    let is_from = |amount: &Amount| amount.unit == LoadUnit::VirtualUsers;
    let (from, to) = match leg.split_once('-') {
        Some((from, to)) => (Some(from.parse().ok().filter(is_from)?.number), to),
        None => (None, leg),
    };
    Some((from, to.parse().ok()?, again))
}

/// A label as a heading or a table shows it, with thousands apart: `2,700` for `2700`, `0-2,000/s.2` for the stage
/// `0-2000/s.2`, `browse.0-2,000` for one of the scenario `browse`. Names stay.
pub fn label_for_people(label: &str) -> String {
    if let Some(leg) = read_leg(label) {
        return leg_for_people(leg);
    }
    let of_scenario = label.split_once('.').and_then(|(scenario, stage)| Some((scenario, read_leg(stage)?)));
    of_scenario.map_or_else(|| label.to_owned(), |(scenario, leg)| stage_of_scenario(scenario, &leg_for_people(leg)))
}

fn leg_for_people((from, to, again): LegLabel) -> String {
    let from = from.map_or_else(String::new, |from| format!("{}-", thousands_apart(&from.to_string())));
    let again = again.map_or_else(String::new, |again| format!(".{again}"));
    format!("{from}{}{}{again}", thousands_apart(&to.number.to_string()), to.unit.symbol())
}

/// The label, numbered if there is one like it.
fn unlike(labels: &[String], label: String) -> String {
    if !labels.contains(&label) {
        return label;
    }
    let again = (2..).map(|count: u32| format!("{label}.{count}")).find(|again| !labels.contains(again));
    again.unwrap_or(label)
}

/// A stage of one of several scenarios that are driven together.
pub fn stage_of_scenario(scenario: &str, stage: &str) -> String {
    format!("{scenario}.{stage}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Arrivals, Nanos, Stage, ThinkTime};

    fn ramp(targets: &[f64], unit: LoadUnit) -> Load {
        let duration = Nanos::from_secs(1);
        let stages = targets[1..].iter().map(|&target| Stage { duration, target }).collect();
        match unit {
            LoadUnit::VirtualUsers => Load::RampingVus { start_vus: targets[0] as u32, stages, think: ThinkTime::None },
            LoadUnit::PerSecond => Load::RampingArrivalRate {
                start_rate: targets[0],
                stages,
                arrivals: Arrivals::Even,
                max_in_flight: 1,
                drop_late: false,
            },
        }
    }

    /// From and to, and which of those that are alike.
    fn read(label: &str) -> (f64, Amount, u32) {
        let (from, to, again) = read_leg(label).unwrap();
        (from.unwrap_or(to.number), to, again.unwrap_or(1))
    }

    #[test]
    fn labels_for_people_have_thousands_apart() {
        for (label, expected) in [
            ("2700", "2,700"),
            ("5000/s", "5,000/s"),
            ("0-2000/s", "0-2,000/s"),
            ("1000-2500.5/s", "1,000-2,500.5/s"),
            ("1000-2000.2", "1,000-2,000.2"),
            ("0-2000/s.12", "0-2,000/s.12"),
            ("browse.0-2000", "browse.0-2,000"),
            ("browse.2500.5/s", "browse.2,500.5/s"),
            ("browse.1000-0/s.2", "browse.1,000-0/s.2"),
        ] {
            assert_eq!(label_for_people(label), expected);
        }
        for name in ["warm-up", "v2000", "2026-11-22", "peak.2", "1: 2000/s", "2000/s-3000/s", "-", ""] {
            assert_eq!(label_for_people(name), name);
        }
    }

    #[test]
    fn a_stage_that_holds_has_one_number_and_one_that_ramps_two() {
        let targets = [0.0, 100.0, 100.0, 0.0, 100.0, 100.0];
        assert_eq!(
            ramp(&targets, LoadUnit::VirtualUsers).stage_labels(&[]),
            ["0-100", "100", "100-0", "0-100.2", "100.2"]
        );
        let rates = ramp(&[0.5, 5.0, 5.0, 5.0], LoadUnit::PerSecond);
        assert_eq!(rates.stage_labels(&[None, Some("peak")]), ["0.5-5/s", "peak", "5/s"]);
        assert_eq!((rates.label(), ramp(&targets, LoadUnit::VirtualUsers).label()), ("5/s".into(), "100".into()));
    }

    #[test]
    fn an_amount_is_digits_and_a_unit() {
        for wrong in ["", "/s", "1e3", "-1", "+1", ".5", "5.", "inf", "NaN", "5 000", "5/min", "1.2.3"] {
            assert_eq!(wrong.parse::<Amount>(), Err(NotAnAmount), "{wrong}");
        }
        assert_eq!("5000 /s".parse(), Ok(Amount { number: 5_000.0, unit: LoadUnit::PerSecond }));
    }

    proptest! {
        #[test]
        fn labels_read_back_as_their_legs_and_differ(
            whole in prop::collection::vec(0_u32..4, 2..12),
            exponent in 0_i32..3,
            is_rate: bool,
        ) {
            // Few different targets, so that legs repeat; for rates with decimals.
            let unit = if is_rate { LoadUnit::PerSecond } else { LoadUnit::VirtualUsers };
            let scale = if is_rate { 0.1_f64.powi(exponent) } else { 10_f64.powi(exponent) };
            let targets: Vec<f64> = whole.iter().map(|&number| f64::from(number) * scale).collect();
            let labels = ramp(&targets, unit).stage_labels(&[]);
            for (index, (legs, label)) in targets.windows(2).zip(&labels).enumerate() {
                let (from, to, count) = read(label);
                prop_assert_eq!((from, to), (legs[0], Amount { number: legs[1], unit }), "{}", label);
                let is_alike = |other: &&String| (read(other).0, read(other).1) == (from, to);
                let alike = labels[..=index].iter().filter(is_alike).count();
                prop_assert_eq!(count as usize, alike, "{}", label);
            }
        }

        #[test]
        fn amounts_read_back(number in 0.0_f64..1e9, is_rate: bool) {
            let unit = if is_rate { LoadUnit::PerSecond } else { LoadUnit::VirtualUsers };
            let amount = Amount { number, unit };
            prop_assert_eq!(amount.to_string().parse(), Ok(amount));
        }
    }
}
