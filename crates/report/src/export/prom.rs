//! Totals as Prometheus reads them: what the end-point of a running load says last.

use std::collections::BTreeMap;

use plimsoll_record::{ExecutionData, Interval};

use super::places;
use crate::metrics::{self, Measured};

/// By variant, level and request; rounds are added up.
pub fn render(data: &ExecutionData) -> String {
    let mut all: BTreeMap<(String, String, String), Interval> = BTreeMap::new();
    for place in places(data) {
        for interval in &place.level.intervals {
            let key = (place.variant.to_owned(), place.level.plan.label.clone(), place.request(interval).to_owned());
            all.entry(key).or_default().merge(interval);
        }
    }
    let single = data.execution.plan.variants.len() == 1;
    let measured: Vec<Measured> = all
        .into_iter()
        .map(|((variant, level, request), interval)| Measured {
            // k6 names a request by its URL unless it has a name of its own.
            name: if request.is_empty() { variant.clone() } else { request },
            scenario: if single { level } else { format!("{variant} @ {level}") },
            interval,
        })
        .collect();
    metrics::prometheus(&metrics::families(&measured, &[]))
}
