//! Users cannot hold more requests than there are users: N ≥ X·R, and N = X·(R+Z) where they pause.

use plimsoll_record::{Nanos, Statistic};

use super::{Bounds, Row};
use crate::{
    littles_law::{TOLERANCE, at_most},
    results::{Finding, Kind, LittlesLaw, Measure, Weight},
    text::{figure, ms, number},
};

/// The longest request that is under way when the window begins, as a multiple of the mean, if no maximum is printed. A
/// request under way at some instant is longer than the mean one, as long ones are under way more of the time:
/// R·(1 + cv²) on average, twice the mean for exponential times. A factor of 3 leaves room for times that vary more.
const TIMES_THE_MEAN: f64 = 3.0;

pub(super) const KINDS: &[&Kind] = &[&BROKEN];

static BROKEN: Kind = Kind {
    id: "audit-littles-law",
    title: "breaks Little's law",
    weight: Weight::Contradiction,
    means: "Throughput × mean time asks for more requests in flight than there are users. Either an iteration made \
            several calls, or the figures are of different requests.",
    remedy: "Compare none of these figures.",
    evidence: &[
        Measure { name: "in_flight", unit: "", about: "requests in flight that the figures ask for" },
        Measure { name: "allowed", unit: "", about: "requests in flight that the users can hold" },
    ],
};

pub(super) fn check(row: &Row, _: &[Row]) -> Option<Vec<Finding>> {
    let (in_flight, allowed, carried) = bounds(row)?;
    if in_flight.low <= allowed {
        return Some(Vec::new());
    }
    let users = row.conditions.vus?;
    let least = match number(in_flight.low) == number(in_flight.value) {
        true => String::new(),
        false => format!(", at least {} however they were rounded", number(in_flight.low)),
    };
    let text = format!(
        "{} users hold {0} requests at most{carried}, but {}/s × {} asks for {} in flight{least}. Either an iteration \
         made several calls, or these figures are of different requests.",
        number(users),
        figure(row.throughput()?.value),
        ms(row.mean_s()?.scaled(1e3).value),
        number(in_flight.value),
    );
    Some(vec![BROKEN.at(row.place(), text).with("in_flight", in_flight.value).with("allowed", allowed)])
}

/// The law in numbers, where the row says enough.
pub(crate) fn law(row: &Row) -> Option<LittlesLaw> {
    let (in_flight, allowed, _) = bounds(row)?;
    Some(LittlesLaw { in_flight: in_flight.value, allowed: row.conditions.vus?, consistent: in_flight.low <= allowed })
}

/// Requests in flight that the figures ask for; those that are allowed; and a note on why these exceed the users.
fn bounds(row: &Row) -> Option<(Bounds, f64, String)> {
    let users = row.conditions.vus?;
    let mean = row.mean_s()?;
    // The times of failures may be in no mean.
    let answered = 1.0 - row.failed_among().map_or(0.0, |it| (it.high / 100.0).min(1.0));
    let in_flight = row.throughput()?.times(mean.plus(Bounds::exact(paused_s(row, users))));
    let in_flight = Bounds { low: in_flight.low * answered, ..in_flight };
    let Some(held) = row.conditions.duration.filter(|&it| it > Nanos::ZERO) else {
        return Some((in_flight, users * (1.0 + TOLERANCE), String::new()));
    };
    let max_s = row.get(Statistic::Max).map(|it| it.high / 1e3);
    let longest_s = max_s.unwrap_or(TIMES_THE_MEAN * mean.high) + row.think_s();
    let allowed = at_most(users, longest_s, held);
    let carried = format!(" ({} with those that each brought along from before)", number(allowed));
    Some((in_flight, allowed, carried))
}

/// The pause after a request, on average: nobody waits for one after the last. None where it is not known how many
/// requests each made.
fn paused_s(row: &Row, users: f64) -> f64 {
    match (row.conditions.duration, row.conditions.requests) {
        (Some(_), _) => row.think_s(),
        (None, Some(requests)) => row.think_s() * (1.0 - users / requests as f64).max(0.0),
        (None, None) => 0.0,
    }
}
