//! So many requests in such a time are that many a second, and none of them took longer than all of them.

use plimsoll_record::Statistic;

use super::{Row, contradiction, words::*};
use crate::results::AuditFinding;

pub(super) fn check(row: &Row, _: &[Row]) -> Option<Vec<AuditFinding>> {
    let outcomes = [throughput(row), within(row, Statistic::Max), within(row, Statistic::Mean)];
    let found: Vec<Vec<AuditFinding>> = outcomes.into_iter().flatten().collect();
    (!found.is_empty()).then(|| found.concat())
}

/// Some tools count the requests that failed, some do not.
fn throughput(row: &Row) -> Option<Vec<AuditFinding>> {
    let requests = row.conditions.requests? as f64;
    let total = row.get(Statistic::Total).filter(|it| it.low > 0.0)?;
    let throughput = row.throughput()?;
    let failed = row.get(Statistic::Errors).map_or(0.0, |it| it.high / 100.0);
    let is_right = throughput.high * total.high >= requests * (1.0 - failed) && throughput.low * total.low <= requests;
    let text = || {
        format!(
            "{} requests in {} are {}/s, not {}/s: one of the three figures is wrong.",
            number(requests),
            seconds(total.value),
            number(requests / total.value),
            figure(throughput.value)
        )
    };
    Some(if is_right { Vec::new() } else { vec![contradiction("throughput is not requests ÷ total", text())] })
}

fn within(row: &Row, statistic: Statistic) -> Option<Vec<AuditFinding>> {
    let (time, total) = (row.get(statistic)?.scaled(1e-3), row.total_s()?);
    let of = if statistic == Statistic::Max { "The slowest request" } else { "The mean request" };
    let text = || format!("{of} took {}, but all of them took {}.", seconds(time.value), seconds(total.value));
    Some(if time.low <= total.high { Vec::new() } else { vec![contradiction("longer than the level", text())] })
}
