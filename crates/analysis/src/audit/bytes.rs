//! Bytes per request tell answers from errors: where none failed they are what an answer has.

use plimsoll_record::Statistic;

use super::{Bounds, Row, question, words::*};
use crate::results::AuditFinding;

/// Answers of the same request differ less than that.
const ALIKE: f64 = 1.1;

pub(super) fn check(row: &Row, table: &[Row]) -> Option<Vec<AuditFinding>> {
    let outcomes = [sent(row, table), received(row, table)];
    let found: Vec<Vec<AuditFinding>> = outcomes.into_iter().flatten().collect();
    (!found.is_empty()).then(|| found.concat())
}

/// In bytes; throughput counts every request, as tools do that print both.
fn per_request(row: &Row, statistic: Statistic) -> Option<Bounds> {
    Some(row.get(statistic)?.scaled(1e3).over(row.throughput()?))
}

/// The same figure of a row of the same variant in which nothing failed.
fn without_failures(row: &Row, table: &[Row], statistic: Statistic) -> Option<Bounds> {
    let succeeded =
        |it: &&Row| it.variant == row.variant && it.get(Statistic::Errors).is_some_and(|it| it.value == 0.0);
    table.iter().filter(succeeded).find_map(|it| per_request(it, statistic))
}

fn failed(row: &Row) -> Option<Bounds> {
    Some(row.get(Statistic::Errors).filter(|it| it.low > 0.0)?.scaled(0.01))
}

fn sent(row: &Row, table: &[Row]) -> Option<Vec<AuditFinding>> {
    let (bytes, each) = (per_request(row, Statistic::Sent)?, without_failures(row, table, Statistic::Sent)?);
    let failed = failed(row)?;
    let less = Bounds::exact(1.0).minus(bytes.over(each));
    let text = || {
        format!(
            "{} B were sent per request, {} B where none failed: {:.1} % less, and {:.1} % failed. Those that failed \
             sent nothing: they got no connection, so the errors speak of connecting (the listen backlog, the \
             generator's ports), not of serving.",
            number(bytes.value),
            number(each.value),
            less.value * 100.0,
            failed.value * 100.0
        )
    };
    let is_so = less.low > 0.0 && less.meets(failed);
    Some(if is_so { vec![question("errors before sending", text())] } else { Vec::new() })
}

fn received(row: &Row, table: &[Row]) -> Option<Vec<AuditFinding>> {
    let (bytes, each) = (per_request(row, Statistic::Received)?, without_failures(row, table, Statistic::Received)?);
    let is_alike = bytes.low <= each.high * ALIKE;
    let text = match failed(row) {
        Some(failed) => {
            let of_failure = bytes.minus(each.times(Bounds::exact(1.0).minus(failed))).over(failed);
            format!(
                "{} B were received per request, {} B where none failed: each failure counts as {} B. If \
                 it got no connection, no server sent these: tools book their own words about a failure, such as an \
                 exception's text, as received. This figure is no traffic then.",
                number(bytes.value),
                number(each.value),
                number(of_failure.value)
            )
        }
        None => format!(
            "{} B were received per request, {} B at another level: these are not the same answers.",
            number(bytes.value),
            number(each.value)
        ),
    };
    Some(if is_alike { Vec::new() } else { vec![question("bytes of no answer", text)] })
}
