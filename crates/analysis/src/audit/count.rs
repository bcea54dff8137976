//! Requests ÷ total time is the throughput, and no request takes longer than all of them.

use plimsoll_record::Statistic;

use super::Row;
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::{figure, number, seconds},
};

pub(super) const KINDS: &[&Kind] = &[&THROUGHPUT, &LONGER];

static THROUGHPUT: Kind = Kind {
    id: "audit-throughput",
    title: "throughput is not requests ÷ total",
    weight: Weight::Contradiction,
    means: "So many requests in such a time are not that many a second.",
    remedy: "Do not use the row.",
    evidence: &[
        Measure { name: "throughput", unit: "/s", about: "printed" },
        Measure { name: "implied", unit: "/s", about: "by requests ÷ total" },
    ],
};

static LONGER: Kind = Kind {
    id: "audit-longer-than-level",
    title: "longer than the level",
    weight: Weight::Contradiction,
    means: "A request took longer than all of them together.",
    remedy: "Do not use the row: one of the figures is wrong.",
    evidence: &[
        Measure { name: "time", unit: "s", about: "printed" },
        Measure { name: "total", unit: "s", about: "for all requests" },
    ],
};

pub(super) fn check(row: &Row, _: &[Row]) -> Option<Vec<Finding>> {
    let outcomes = [throughput(row), within(row, Statistic::Max), within(row, Statistic::Mean)];
    let found: Vec<Vec<Finding>> = outcomes.into_iter().flatten().collect();
    (!found.is_empty()).then(|| found.concat())
}

/// Some tools count the requests that failed, some do not.
fn throughput(row: &Row) -> Option<Vec<Finding>> {
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
    let implied = requests / total.value;
    let found = || THROUGHPUT.at(row.place(), text()).with("throughput", throughput.value).with("implied", implied);
    Some(if is_right { Vec::new() } else { vec![found()] })
}

fn within(row: &Row, statistic: Statistic) -> Option<Vec<Finding>> {
    let (time, total) = (row.get(statistic)?.scaled(1e-3), row.total_s()?);
    let of = if statistic == Statistic::Max { "The slowest request" } else { "The mean request" };
    let text = || format!("{of} took {}, but all of them took {}.", seconds(time.value), seconds(total.value));
    let found = || LONGER.at(row.place(), text()).with("time", time.value).with("total", total.value);
    Some(if time.low <= total.high { Vec::new() } else { vec![found()] })
}
