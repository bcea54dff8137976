//! Totals as Prometheus reads them: the last answer of a running load's end-point.

use std::collections::BTreeMap;

use plimsoll_record::{ExecutionData, Interval, Phase};

use super::places;
use crate::metrics::{self, Measured};

/// Totals by variant, level and request; rounds are added up.
pub fn render(data: &ExecutionData) -> String {
    let mut all: BTreeMap<(String, String, String), Interval> = BTreeMap::new();
    for place in places(data) {
        for interval in &place.level.intervals {
            let key = (place.variant.to_owned(), place.level.plan.label.clone(), place.request(interval).to_owned());
            all.entry(key).or_default().merge(interval);
        }
    }
    let is_only_level = data.execution.plan.levels.iter().filter(|it| it.phase == Phase::Measured).count() == 1;
    let is_only_variant = data.execution.plan.variants.len() == 1;
    let scenario = |variant: &str, level: String| match (is_only_variant, is_only_level) {
        // k6's name for a test's only scenario.
        (true, true) => "default".to_owned(),
        (true, false) => level,
        (false, _) => format!("{variant} @ {level}"),
    };
    let measured: Vec<Measured> = all
        .into_iter()
        .map(|((variant, level, request), interval)| Measured {
            scenario: scenario(&variant, level),
            // k6 names a request by its URL unless it has a name of its own.
            name: if request.is_empty() { variant } else { request },
            interval,
        })
        .collect();
    let text = metrics::prometheus(&metrics::families(&measured, &[]));
    plimsoll_text::printable(&text).into_owned()
}
