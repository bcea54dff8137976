//! A target's own metrics that are watched.

use plimsoll_observe::parse::{actuator::Meter, prometheus::Selector};
use plimsoll_record::Nanos;

use crate::{
    experiment::{Kept, Metrics},
    jmx::Attribute,
};

use super::{
    decode::{choice, mapping},
    errors::{At, Errors},
    quantity::Duration,
};

const DEFAULT_EVERY: Nanos = Nanos::from_millis(500);
const SHORTEST: Nanos = Nanos::from_millis(100);
const LONGEST: Nanos = Nanos::from_secs(60);
const MOST_SERIES: usize = 50;

mapping! {
    /// Series of the target's own metrics, read over plain HTTP from where `ready` is asked too, or by JMX. They stand
    /// beside the load in reports: drawn over time, and with mean, peak and growth per level. The target makes the page
    /// with the threads that serve requests: where these are busy, it comes less often. JMX has threads of its own.
    pub struct MetricsSection as "metrics" {
        /// The way in which the target tells them: one page in `prometheus` text format, the `actuator` of Spring
        /// Boot, which has a JSON page for each meter, or `jmx`, of a JVM of this machine. Default: `prometheus`.
        /// Example: `from: actuator`.
        pub from: Option<MetricsWord>,
        /// Path of the page. Default: `/actuator/prometheus`; of the actuator `/actuator/metrics`. Example: `path:
        /// /metrics`.
        pub path: Option<At<String>>,
        /// How often it is read, from 100ms to 1min. Default: 500ms. Example: `every: 1s`.
        pub every: Option<At<Duration>>,
        /// The series that are kept, by name or by name and labels; several that match are added up. Example: `keep:
        /// [gateway_pool_leased, 'http_server_requests_seconds_count{uri="/call"}']`. From the actuator by the names of
        /// its meters, with the statistic behind it if it is not the first: `keep: [hikaricp.connections.active,
        /// 'http.server.requests{uri="/call"} COUNT']`. By JMX attributes of MBeans, with the key within a composite
        /// one; `*` in a name adds up all that match: `keep: ["java.lang:type=Threading/ThreadCount",
        /// "java.lang:type=MemoryPool,name=*/Usage.used"]`.
        pub keep: At<Vec<At<String>>>,
    }
}

choice! {
    /// How a target tells its metrics.
    pub enum MetricsWord as "metrics-from" {
        /// Prometheus' text format.
        Prometheus = "prometheus",
        /// Spring Boot's actuator.
        Actuator = "actuator",
        /// MBeans of a JVM of this machine, read by a small JVM beside the generator.
        Jmx = "jmx",
    }
}

/// `ready` is the URL at which the target is asked whether it is ready, with its placeholders.
pub(super) fn resolve(section: &MetricsSection, ready: &str, errors: &mut Errors) -> Option<Metrics> {
    let from = section.from.unwrap_or(MetricsWord::Prometheus);
    let url = match from {
        MetricsWord::Prometheus => Some(page(section, "/actuator/prometheus", ready, errors)),
        MetricsWord::Actuator => Some(page(section, "/actuator/metrics", ready, errors)),
        MetricsWord::Jmx => {
            let path = section.path.as_ref();
            path.iter().for_each(|path| errors.push(&path.place, "JMX has no page: remove `path`".to_owned()));
            None
        }
    };
    let every = section.every.as_ref().map_or(DEFAULT_EVERY, |every| every.value.0);
    if let Some(every) = section.every.as_ref().filter(|every| !(SHORTEST..=LONGEST).contains(&every.value.0)) {
        errors.push(&every.place, format!("expected from {SHORTEST} to {LONGEST}, found {}", every.value.0));
    }
    if section.keep.value.is_empty() || section.keep.value.len() > MOST_SERIES {
        let found = section.keep.value.len();
        errors.push(&section.keep.place, format!("expected from 1 to {MOST_SERIES} series, found {found}"));
    }
    let keep = match from {
        MetricsWord::Prometheus => Kept::Prometheus(series(&section.keep.value, Selector::parse, errors)),
        MetricsWord::Actuator => Kept::Actuator(series(&section.keep.value, Meter::parse, errors)),
        MetricsWord::Jmx => Kept::Jmx(series(&section.keep.value, Attribute::parse, errors)),
    };
    Some(Metrics { url, every, keep })
}

/// URL of the page; `usual` is its path if none is named.
fn page(section: &MetricsSection, usual: &str, ready: &str, errors: &mut Errors) -> String {
    let path = section.path.as_ref().map_or(usual, |path| path.value.as_str());
    if let Some(path) = section.path.as_ref().filter(|path| !path.value.starts_with('/') || path.value.contains(' ')) {
        errors.push(&path.place, format!("expected a path such as `/metrics`, found `{}`", path.value));
    }
    if !ready.starts_with("http://") {
        errors.push(&section.keep.place, format!("metrics are read over plain HTTP, and the target is at `{ready}`"));
    }
    format!("{}{path}", origin(ready))
}

fn series<T: PartialEq>(
    texts: &[At<String>],
    parse: impl Fn(&str) -> Result<T, String>,
    errors: &mut Errors,
) -> Vec<T> {
    let mut keep: Vec<T> = Vec::new();
    for text in texts {
        match parse(&text.value) {
            Ok(series) if keep.contains(&series) => {
                errors.push(&text.place, format!("`{}` is there twice: remove one", text.value));
            }
            Ok(series) => keep.push(series),
            Err(problem) => errors.push(&text.place, problem),
        }
    }
    keep
}

/// Scheme and authority.
fn origin(url: &str) -> &str {
    let authority = url.find("://").map_or(0, |at| at + 3);
    url[authority..].find(['/', '?', '#']).map_or(url, |end| &url[..authority + end])
}
