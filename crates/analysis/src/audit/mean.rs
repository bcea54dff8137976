//! A mean lies between the least and the most that the percentiles allow.

use plimsoll_record::Statistic;

use super::Row;
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::ms,
};

pub(super) const KINDS: &[&Kind] = &[&APART];

static APART: Kind = Kind {
    id: "audit-mean",
    title: "mean does not go with percentiles",
    weight: Weight::Contradiction,
    means: "The mean lies outside what the percentiles allow.",
    remedy: "Do not use the row: one of the figures is wrong.",
    evidence: &[
        Measure { name: "mean", unit: "ms", about: "mean printed" },
        Measure { name: "bound", unit: "ms", about: "least or most that the percentiles allow" },
    ],
};

const QUANTILES: [(Statistic, f64); 4] =
    [(Statistic::Median, 0.5), (Statistic::P90, 0.9), (Statistic::P95, 0.95), (Statistic::P99, 0.99)];

pub(super) fn check(row: &Row, _: &[Row]) -> Option<Vec<Finding>> {
    let mean = row.get(Statistic::Mean)?;
    let known = QUANTILES.iter().filter_map(|&(statistic, quantile)| Some((quantile, row.get(statistic)?)));
    let known: Vec<(f64, super::Bounds)> = known.collect();
    if known.is_empty() {
        return None;
    }
    let slack = row.percentile_slack();
    let least = least(row, &known, slack);
    let most = row.get(Statistic::Max).map(|max| most(&known, max.high, slack));
    let found = |which: &str, bound: f64| {
        let (printed, allowed) = (ms(mean.value), ms(bound));
        let says = format!("A mean of {printed} does not go with the percentiles, which ask for {allowed} at {which}.");
        APART.at(row.place(), says).with("mean", mean.value).with("bound", bound)
    };
    Some(match most {
        Some(most) if mean.low > most => vec![found("most", most)],
        _ if mean.high < least => vec![found("least", least)],
        _ => Vec::new(),
    })
}

/// The mean if every request is as fast as the percentiles allow: a share of 1 − q is no faster than the q-quantile.
fn least(row: &Row, known: &[(f64, super::Bounds)], slack: f64) -> f64 {
    let mut below = row.get(Statistic::Min).map_or(0.0, |it| it.low);
    let mut sum = below;
    for (quantile, time) in known {
        sum += (1.0 - quantile - slack).max(0.0) * (time.low - below).max(0.0);
        below = below.max(time.low);
    }
    sum
}

/// The mean if every request is as slow as the percentiles allow: a share of q is no slower than the q-quantile.
fn most(known: &[(f64, super::Bounds)], max: f64, slack: f64) -> f64 {
    let mut above = max;
    let mut sum = max;
    for (quantile, time) in known.iter().rev() {
        sum -= (quantile - slack).max(0.0) * (above - time.high).max(0.0);
        above = above.min(time.high);
    }
    sum
}
