//! Percentiles ascend: none is above a higher one.

use plimsoll_record::Statistic;

use super::{Bounds, Row};
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::ms,
};

pub(super) const KINDS: &[&Kind] = &[&DESCENDING];

static DESCENDING: Kind = Kind {
    id: "audit-percentile-order",
    title: "percentiles descend",
    weight: Weight::Contradiction,
    means: "A lower percentile is above a higher one.",
    remedy: "Do not use the row: one of the figures is wrong.",
    evidence: &[
        Measure { name: "lower", unit: "ms", about: "the lower percentile" },
        Measure { name: "higher", unit: "ms", about: "the higher percentile" },
    ],
};

const ASCENDING: [Statistic; 6] =
    [Statistic::Min, Statistic::Median, Statistic::P90, Statistic::P95, Statistic::P99, Statistic::Max];

pub(super) fn check(row: &Row, _: &[Row]) -> Option<Vec<Finding>> {
    let known: Vec<(Statistic, Bounds)> = ASCENDING.iter().filter_map(|&it| Some((it, row.get(it)?))).collect();
    let mean = row.get(Statistic::Mean);
    let ends = [(Statistic::Min, Statistic::Mean), (Statistic::Mean, Statistic::Max)];
    let ends = ends.iter().filter_map(|&(a, b)| Some(((a, row.get(a)?), (b, row.get(b)?))));
    let pairs: Vec<_> = known.windows(2).map(|pair| (pair[0], pair[1])).chain(ends).collect();
    let is_enough = known.len() > 1 || (mean.is_some() && !pairs.is_empty());
    let descending = pairs.into_iter().filter(|((_, lower), (_, higher))| lower.low > higher.high);
    let findings = descending.map(|((lower, a), (higher, b))| {
        let text = format!(
            "{} is {} and {} is {}: the former cannot be above the latter.",
            lower.name(),
            ms(a.value),
            higher.name(),
            ms(b.value)
        );
        DESCENDING.at(row.place(), text).with("lower", a.value).with("higher", b.value)
    });
    is_enough.then(|| findings.collect())
}
