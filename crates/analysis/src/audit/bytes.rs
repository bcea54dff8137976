//! Bytes per request tell answers from errors: where no request failed they are the size of an answer.

use plimsoll_record::Statistic;

use super::{Bounds, Row};
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&UNSENT, &NO_ANSWER];

static UNSENT: Kind = Kind {
    id: "audit-errors-before-sending",
    title: "errors before sending",
    weight: Weight::Warning,
    means: "Fewer bytes were sent per request than where none failed, by the share that failed: those requests were \
            never sent.",
    remedy: "Take the errors as failures to connect (the listen backlog, the generator's ports), not to serve.",
    evidence: &[
        Measure { name: "less_sent", unit: "%", about: "less sent per request" },
        Measure { name: "failed", unit: "%", about: "of requests failed" },
    ],
};

static NO_ANSWER: Kind = Kind {
    id: "audit-bytes-of-no-answer",
    title: "bytes of no answer",
    weight: Weight::Warning,
    means: "More bytes were received per request than an answer has.",
    remedy: "Do not take this figure for traffic: tools book their own words about a failure, such as an exception's \
             text, as received.",
    evidence: &[
        Measure { name: "received", unit: "B", about: "received per request" },
        Measure { name: "of_answer", unit: "B", about: "received per request where none failed" },
    ],
};

/// Sizes of answers to the same request differ by less than this factor.
const ALIKE: f64 = 1.1;

pub(super) fn check(row: &Row, table: &[Row]) -> Option<Vec<Finding>> {
    let outcomes = [sent(row, table), received(row, table)];
    let found: Vec<Vec<Finding>> = outcomes.into_iter().flatten().collect();
    (!found.is_empty()).then(|| found.concat())
}

/// Bytes per request; the throughput counts every request, as in tools that print both.
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

fn sent(row: &Row, table: &[Row]) -> Option<Vec<Finding>> {
    let (bytes, each) = (per_request(row, Statistic::Sent)?, without_failures(row, table, Statistic::Sent)?);
    let failed = failed(row)?;
    let less = Bounds::exact(1.0).minus(bytes.over(each));
    let text = || {
        format!(
            "{} B were sent per request, {} B where none failed: {:.1} % less, and {:.1} % failed. Failed requests \
             sent nothing: they got no connection.",
            number(bytes.value),
            number(each.value),
            less.value * 100.0,
            failed.value * 100.0
        )
    };
    let is_so = less.low > 0.0 && less.meets(failed);
    let found =
        || UNSENT.at(row.place(), text()).with("less_sent", less.value * 100.0).with("failed", failed.value * 100.0);
    Some(if is_so { vec![found()] } else { Vec::new() })
}

fn received(row: &Row, table: &[Row]) -> Option<Vec<Finding>> {
    let (bytes, each) = (per_request(row, Statistic::Received)?, without_failures(row, table, Statistic::Received)?);
    let is_alike = bytes.low <= each.high * ALIKE;
    let text = match failed(row) {
        Some(failed) => {
            let of_failure = bytes.minus(each.times(Bounds::exact(1.0).minus(failed))).over(failed);
            format!(
                "{} B were received per request, {} B where none failed: each failure counts as {} B. If it got no \
                 connection, no server sent these.",
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
    let found = || NO_ANSWER.at(row.place(), text).with("received", bytes.value).with("of_answer", each.value);
    Some(if is_alike { Vec::new() } else { vec![found()] })
}
