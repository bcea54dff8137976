//! A mean above a high percentile is due to the few requests beyond it.

use plimsoll_record::Statistic;

use super::Row;
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::{ms, number},
};

pub(super) const KINDS: &[&Kind] = &[&ABOVE];

static ABOVE: Kind = Kind {
    id: "audit-mean-above-percentile",
    title: "mean above a high percentile",
    weight: Weight::Warning,
    means: "The mean is above a high percentile: a few requests beyond it took so long that they make the mean.",
    remedy: "Ask for p99 and the maximum, which would show these requests.",
    evidence: &[
        Measure { name: "mean", unit: "ms", about: "mean printed" },
        Measure { name: "tail", unit: "ms", about: "average of the slowest at least" },
    ],
};

const HIGHEST_FIRST: [(Statistic, f64); 3] = [(Statistic::P99, 0.99), (Statistic::P95, 0.95), (Statistic::P90, 0.9)];

pub(super) fn check(row: &Row, _: &[Row]) -> Option<Vec<Finding>> {
    let mean = row.get(Statistic::Mean)?;
    let (statistic, quantile, time) =
        HIGHEST_FIRST.iter().find_map(|&(statistic, quantile)| Some((statistic, quantile, row.get(statistic)?)))?;
    if mean.low <= time.high {
        return Some(Vec::new());
    }
    // The others took as long as the percentile at most.
    let share = (1.0 - quantile + row.percentile_slack()).min(1.0);
    let tail = |mean: f64, time: f64| (mean - (1.0 - share) * time) / share;
    let text = format!(
        "The mean, {}, is above {}, {}: the slowest {:.0} % of requests must average {}, at least {} however the \
         figures were rounded, {} times that percentile.",
        ms(mean.value),
        statistic.name(),
        ms(time.value),
        share * 100.0,
        ms(tail(mean.value, time.value)),
        ms(tail(mean.low, time.high)),
        number(tail(mean.low, time.high) / time.high),
    );
    let least_tail = tail(mean.low, time.high);
    Some(vec![ABOVE.at(row.place(), text).with("mean", mean.value).with("tail", least_tail)])
}
