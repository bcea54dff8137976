//! Two means whose intervals overlap are not told apart by them.

use plimsoll_record::Statistic;

use super::{Row, question, words::*};
use crate::results::AuditFinding;

/// Said of the later of two rows.
pub(super) fn check(row: &Row, table: &[Row]) -> Option<Vec<AuditFinding>> {
    let [low, high] = interval(row)?;
    let before = table.iter().take_while(|it| it.variant != row.variant).filter(|it| it.level == row.level);
    let findings = before.filter_map(|other| {
        let [other_low, other_high] = interval(other)?;
        let overlaps = low <= other_high && other_low <= high;
        overlaps.then(|| {
            let text = format!(
                "Its interval, {} to {}, overlaps that of {}, {} to {}: by these figures there is no difference.",
                ms(low),
                ms(high),
                other.variant,
                ms(other_low),
                ms(other_high)
            );
            question("no difference shown", text)
        })
    });
    Some(findings.collect())
}

/// In milliseconds, as narrow as its digits allow.
fn interval(row: &Row) -> Option<[f64; 2]> {
    let (mean, width) = (row.get(Statistic::Mean)?.value, row.get(Statistic::Interval)?.low);
    Some([mean - width / 2.0, mean + width / 2.0])
}
