//! Prometheus' text format, version 0.0.4.

use std::fmt::{self, Write};

use plimsoll_record::Histogram;

use super::{BOUNDS_S, Family, Labels, Points, bucket_counts, sum_s};

/// The text of all metrics. A family of times becomes a histogram, `…_seconds`, and the statistics that k6's remote
/// write makes of a trend: `…_p99` and so on, in seconds.
pub fn prometheus(families: &[Family]) -> String {
    let mut text = String::new();
    families.iter().try_for_each(|family| write_family(&mut text, family)).expect("writing to memory does not fail");
    text
}

fn write_family(text: &mut String, family: &Family) -> fmt::Result {
    let Family { name, help, points } = family;
    match points {
        Points::Counter(_, points) => {
            head(text, &format!("{name}_total"), "counter", help)?;
            points.iter().try_for_each(|(labels, value)| sample(text, &format!("{name}_total"), labels, *value))
        }
        Points::Gauge(points) => {
            head(text, name, "gauge", help)?;
            points.iter().try_for_each(|(labels, value)| sample(text, name, labels, *value))
        }
        Points::Times(points) => {
            head(text, &format!("{name}_seconds"), "histogram", help)?;
            points.iter().try_for_each(|(labels, times)| write_histogram(text, name, labels, times))?;
            STATISTICS.iter().try_for_each(|&(suffix, statistic)| {
                let name = format!("{name}_{suffix}");
                head(text, &name, "gauge", &format!("In seconds. {help}"))?;
                points.iter().try_for_each(|(labels, times)| sample(text, &name, labels, statistic(times)))
            })
        }
    }
}

type Statistic = fn(&Histogram) -> f64;

const STATISTICS: &[(&str, Statistic)] = &[
    ("avg", |it| it.mean_ns() / 1e9),
    ("min", |it| it.min().as_secs_f64()),
    ("med", |it| it.quantile(0.5).as_secs_f64()),
    ("p90", |it| it.quantile(0.9).as_secs_f64()),
    ("p95", |it| it.quantile(0.95).as_secs_f64()),
    ("p99", |it| it.quantile(0.99).as_secs_f64()),
    ("max", |it| it.max().as_secs_f64()),
];

fn write_histogram(text: &mut String, name: &str, labels: &Labels, times: &Histogram) -> fmt::Result {
    let bounds = BOUNDS_S.iter().map(f64::to_string).chain(["+Inf".to_owned()]);
    let mut below = 0;
    for (bound, count) in bounds.zip(bucket_counts(times)) {
        below += count;
        let labels: Labels = labels.iter().cloned().chain([("le", bound)]).collect();
        sample(text, &format!("{name}_seconds_bucket"), &labels, below as f64)?;
    }
    sample(text, &format!("{name}_seconds_sum"), labels, sum_s(times))?;
    sample(text, &format!("{name}_seconds_count"), labels, times.count() as f64)
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) -> fmt::Result {
    writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}")
}

fn sample(text: &mut String, name: &str, labels: &Labels, value: f64) -> fmt::Result {
    let labels: Vec<String> = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escape(value))).collect();
    let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
    writeln!(text, "{name}{labels} {value}")
}

fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
