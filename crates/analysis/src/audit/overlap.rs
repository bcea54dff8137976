//! Two means that are no further apart than both intervals together allow do not show a difference.
//!
//! The interval of a difference is as wide as the root of the sum of the squares of both: two intervals that overlap a
//! little may still show one.

use plimsoll_record::Statistic;

use super::Row;
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::ms,
};

pub(super) const KINDS: &[&Kind] = &[&OVERLAP];

static OVERLAP: Kind = Kind {
    id: "audit-no-difference-shown",
    title: "no difference shown",
    weight: Weight::Warning,
    means: "The interval of this mean overlaps that of another variant so far that their difference may be zero.",
    remedy: "By these figures there is no difference; ask for more rounds.",
    evidence: &[
        Measure { name: "low", unit: "ms", about: "lower end of the interval" },
        Measure { name: "high", unit: "ms", about: "upper end of the interval" },
    ],
};

/// Reports it for the later of two rows.
pub(super) fn check(row: &Row, table: &[Row]) -> Option<Vec<Finding>> {
    let [low, high] = interval(row)?;
    let before = table.iter().take_while(|it| !std::ptr::eq(*it, row));
    let others = before.filter(|it| it.variant != row.variant && it.level == row.level);
    let findings = others.filter_map(|other| {
        let [other_low, other_high] = interval(other)?;
        let apart = (low + high - other_low - other_high).abs() / 2.0;
        let is_none_shown = apart <= (high - low).hypot(other_high - other_low) / 2.0;
        is_none_shown.then(|| {
            let text = format!(
                "Its interval, {} to {}, overlaps that of {}, {} to {}.",
                ms(low),
                ms(high),
                other.variant,
                ms(other_low),
                ms(other_high)
            );
            OVERLAP.at(row.place(), text).with("low", low).with("high", high)
        })
    });
    Some(findings.collect())
}

/// The printed interval in milliseconds, as narrow as its digits allow.
fn interval(row: &Row) -> Option<[f64; 2]> {
    let (mean, width) = (row.get(Statistic::Mean)?.value, row.get(Statistic::Interval)?.low);
    Some([mean - width / 2.0, mean + width / 2.0])
}
