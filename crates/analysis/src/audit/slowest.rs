//! A mean above a high percentile was made by the few requests beyond it.

use plimsoll_record::Statistic;

use super::{Row, question, words::*};
use crate::results::AuditFinding;

const HIGHEST_FIRST: [(Statistic, f64); 3] = [(Statistic::P99, 0.99), (Statistic::P95, 0.95), (Statistic::P90, 0.9)];

pub(super) fn check(row: &Row, _: &[Row]) -> Option<Vec<AuditFinding>> {
    let mean = row.get(Statistic::Mean)?;
    let (statistic, quantile, time) =
        HIGHEST_FIRST.iter().find_map(|&(statistic, quantile)| Some((statistic, quantile, row.get(statistic)?)))?;
    if mean.low <= time.high {
        return Some(Vec::new());
    }
    // The others took as long as the percentile at most.
    let share = 1.0 - quantile;
    let tail = |mean: f64, time: f64| (mean - quantile * time) / share;
    let text = format!(
        "The mean, {}, is above {}, {}: the slowest {:.0} % of requests must average {}, at least {} however the \
         figures were rounded, {} times that percentile. Nothing here shows these requests; p99 and max would.",
        ms(mean.value),
        statistic.name(),
        ms(time.value),
        share * 100.0,
        ms(tail(mean.value, time.value)),
        ms(tail(mean.low, time.high)),
        number(tail(mean.low, time.high) / time.high),
    );
    Some(vec![question(&format!("mean above {}", statistic.name()), text)])
}
