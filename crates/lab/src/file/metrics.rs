//! A target's own metrics that are watched.

use plimsoll_observe::parse::prometheus::Selector;
use plimsoll_record::Nanos;

use crate::experiment::Metrics;

use super::{
    decode::mapping,
    errors::{At, Errors},
    quantity::Duration,
};

const DEFAULT_PATH: &str = "/actuator/prometheus";
const DEFAULT_EVERY: Nanos = Nanos::from_millis(500);
const SHORTEST: Nanos = Nanos::from_millis(100);
const LONGEST: Nanos = Nanos::from_secs(60);
const MOST_SERIES: usize = 50;

mapping! {
    /// Series of the target's own metrics, in Prometheus' text format, read over plain HTTP from where `ready` is asked
    /// too. They stand beside the load in reports: drawn over time, and with mean, peak and growth per level. The
    /// target makes the page with the threads that serve requests: where these are busy, it comes less often.
    pub struct MetricsSection as "metrics" {
        /// Path of the page. Default: `/actuator/prometheus`. Example: `path: /metrics`.
        pub path: Option<At<String>>,
        /// How often it is read, from 100ms to 1min. Default: 500ms. Example: `every: 1s`.
        pub every: Option<At<Duration>>,
        /// The series that are kept, by name or by name and labels; several that match are added up. Example: `keep:
        /// [gateway_pool_leased, 'http_server_requests_seconds_count{uri="/call"}']`.
        pub keep: At<Vec<At<String>>>,
    }
}

/// `ready` is the URL at which the target is asked whether it is ready, with its placeholders.
pub(super) fn resolve(section: &MetricsSection, ready: &str, errors: &mut Errors) -> Option<Metrics> {
    let path = section.path.as_ref().map_or(DEFAULT_PATH, |path| path.value.as_str());
    if let Some(path) = section.path.as_ref().filter(|path| !path.value.starts_with('/') || path.value.contains(' ')) {
        errors.push(&path.place, format!("expected a path such as `/metrics`, found `{}`", path.value));
    }
    if !ready.starts_with("http://") {
        errors.push(&section.keep.place, format!("metrics are read over plain HTTP, and the target is at `{ready}`"));
    }
    let every = section.every.as_ref().map_or(DEFAULT_EVERY, |every| every.value.0);
    if let Some(every) = section.every.as_ref().filter(|every| !(SHORTEST..=LONGEST).contains(&every.value.0)) {
        errors.push(&every.place, format!("expected from {SHORTEST} to {LONGEST}, found {}", every.value.0));
    }
    if section.keep.value.is_empty() || section.keep.value.len() > MOST_SERIES {
        let found = section.keep.value.len();
        errors.push(&section.keep.place, format!("expected from 1 to {MOST_SERIES} series, found {found}"));
    }
    let mut keep: Vec<Selector> = Vec::new();
    for text in &section.keep.value {
        match Selector::parse(&text.value) {
            Ok(series) if keep.contains(&series) => {
                errors.push(&text.place, format!("`{}` is there twice: remove one", text.value));
            }
            Ok(series) => keep.push(series),
            Err(problem) => errors.push(&text.place, problem),
        }
    }
    Some(Metrics { url: format!("{}{path}", origin(ready)), every, keep })
}

/// Scheme and authority.
fn origin(url: &str) -> &str {
    let authority = url.find("://").map_or(0, |at| at + 3);
    url[authority..].find(['/', '?', '#']).map_or(url, |end| &url[..authority + end])
}
