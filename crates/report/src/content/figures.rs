//! Every figure by name, in the names that claims use.

use plimsoll_analysis::results::{Figure, LevelResults, Times, VariantResults};
use plimsoll_text::number::NONE;

/// A figure with its name and unit.
pub struct Named<'a> {
    /// E.g. `p99`, `service_p99`.
    pub name: String,
    /// E.g. `ms`.
    pub unit: &'a str,
    /// The figure over rounds; none for a percentile that is not known.
    pub figure: Option<&'a Figure>,
}

/// Figures of a variant as a whole, those that were measured.
pub fn of_variant(variant: &VariantResults) -> Vec<Named<'_>> {
    [
        ("startup", "s", &variant.startup_s),
        ("peak_cpu", "%", &variant.peak_cpu_percent),
        ("peak_memory", "MB", &variant.peak_rss_mb),
        ("peak_cgroup_memory", "MB", &variant.peak_cgroup_mb),
        ("peak_threads", "", &variant.peak_threads),
        ("peak_descriptors", "", &variant.peak_descriptors),
    ]
    .into_iter()
    .filter_map(|(name, unit, figure)| Some(Named { name: name.to_owned(), unit, figure: Some(figure.as_ref()?) }))
    .collect()
}

/// Figures of a variant at a level.
pub fn of_level(level: &LevelResults) -> Vec<Named<'_>> {
    let whole = [
        ("throughput", "/s", Some(&level.throughput_per_s)),
        ("offered", "/s", Some(&level.offered_per_s)),
        ("duration", "s", Some(&level.duration_s)),
        ("tail", "s", Some(&level.tail_s)),
        ("success", "%", level.success_percent.as_ref()),
        ("received", "kB/s", Some(&level.received_kb_per_s)),
        ("sent", "kB/s", Some(&level.sent_kb_per_s)),
        ("send_lag_p99", "ms", Some(&level.send_lag_p99_ms)),
        ("generator_cpu_per_request", "µs", Some(&level.generator_cpu_us_per_request)),
    ]
    .map(|(name, unit, figure)| Named { name: name.to_owned(), unit, figure });
    let times = [("", &level.response), ("service_", &level.service)].into_iter().flat_map(|(prefix, times)| {
        of_times(times).map(|(name, figure)| Named { name: format!("{prefix}{name}"), unit: "ms", figure })
    });
    whole.into_iter().chain(times).chain(of_upstream(level)).collect()
}

/// Figures of an upstream, if there is one.
fn of_upstream(level: &LevelResults) -> impl Iterator<Item = Named<'_>> {
    let figures = level.upstream.iter().flat_map(|upstream| {
        [
            ("upstream_requests", Some(&upstream.requests)),
            ("upstream_connections_per_1000", upstream.connections_per_1000.as_ref()),
            ("upstream_handshakes_per_1000", upstream.handshakes_per_1000.as_ref()),
            ("upstream_resets", Some(&upstream.resets)),
        ]
    });
    figures.filter_map(|(name, figure)| Some(Named { name: name.to_owned(), unit: "", figure: Some(figure?) }))
}

/// A time's head in tables: `p50` for `median`.
pub fn head(name: &str) -> &str {
    match name {
        "median" => "p50",
        "p999" => "p99.9",
        "p9999" => "p99.99",
        other => other,
    }
}

/// Times by name; a percentile may not be known.
pub fn of_times(times: &Times<Figure>) -> [(&'static str, Option<&Figure>); 9] {
    [
        ("mean", Some(&times.mean_ms)),
        ("min", Some(&times.min_ms)),
        ("median", Some(&times.median_ms)),
        ("p90", times.p90_ms.as_ref()),
        ("p95", times.p95_ms.as_ref()),
        ("p99", times.p99_ms.as_ref()),
        ("p999", times.p999_ms.as_ref()),
        ("p9999", times.p9999_ms.as_ref()),
        ("max", Some(&times.max_ms)),
    ]
}

/// The same for values of all rounds together.
pub fn values_of(times: &Times<f64>) -> [(&'static str, Option<f64>); 9] {
    [
        ("mean", Some(times.mean_ms)),
        ("min", Some(times.min_ms)),
        ("median", Some(times.median_ms)),
        ("p90", times.p90_ms),
        ("p95", times.p95_ms),
        ("p99", times.p99_ms),
        ("p999", times.p999_ms),
        ("p9999", times.p9999_ms),
        ("max", Some(times.max_ms)),
    ]
}

/// Why percentiles are missing in a table, as a line below it: the reason for the lowest missing one, since all higher
/// ones are missing, too. None if no percentile is missing; where no request succeeded, the cells say so.
pub fn why_missing<'a, T: 'a>(all: impl Iterator<Item = &'a Times<T>>, shown: &[&str]) -> Option<String> {
    const OF_EACH: &str = "fewer than 10 responses of a round lie beyond the percentile";
    let lowest = |times: &'a Times<T>| shown.iter().find_map(|name| times.unknown.get(name));
    let mut reasons: Vec<&str> =
        all.filter_map(lowest).map(String::as_str).filter(|why| why.contains("lie beyond")).collect();
    reasons.dedup();
    match reasons[..] {
        [] => None,
        [only] => Some(format!("{NONE}: {only}.")),
        _ => Some(format!("{NONE}: {OF_EACH}.")),
    }
}
