//! OpenTelemetry's protocol (OTLP) in its JSON form, as `POST /v1/metrics` takes it. Names carry neither unit nor
//! `_total`: collectors that write for Prometheus add them, and arrive at k6's names.

use plimsoll_record::{Histogram, Nanos};
use serde_json::{Value, json};

use super::{BOUNDS_S, Family, Labels, Points, Unit, bucket_counts, sum_s};

/// OTLP's code for values that are cumulative since the start of the load.
const CUMULATIVE: u32 = 2;

/// The body of a request. `started` and `now` count from 1970 (Unix time).
pub fn otlp(families: &[Family], started: Nanos, now: Nanos) -> String {
    let metrics: Vec<Value> = families.iter().map(|family| metric(family, started, now)).collect();
    let resource = json!({"attributes": [attribute("service.name", "plimsoll")]});
    let scope = json!({"name": "plimsoll", "version": env!("CARGO_PKG_VERSION")});
    json!({"resourceMetrics": [{
        "resource": resource,
        "scopeMetrics": [{"scope": scope, "metrics": metrics}],
    }]})
    .to_string()
}

fn metric(family: &Family, started: Nanos, now: Nanos) -> Value {
    // 64-bit numbers are strings in the protocol's JSON.
    let at = |labels: &Labels| {
        json!({
            "attributes": labels.iter().map(|(name, value)| attribute(name, value)).collect::<Vec<_>>(),
            "startTimeUnixNano": started.0.to_string(),
            "timeUnixNano": now.0.to_string(),
        })
    };
    let number = |(labels, value): &(Labels, f64)| with(at(labels), json!({"asDouble": value}));
    let (unit, kind, data) = match &family.points {
        Points::Counter(unit, points) => {
            let points: Vec<Value> = points.iter().map(number).collect();
            let unit = if *unit == Unit::Bytes { "By" } else { "1" };
            (unit, "sum", json!({"dataPoints": points, "aggregationTemporality": CUMULATIVE, "isMonotonic": true}))
        }
        Points::Gauge(points) => ("1", "gauge", json!({"dataPoints": points.iter().map(number).collect::<Vec<_>>()})),
        Points::Times(points) => {
            let points: Vec<Value> = points.iter().map(|(labels, times)| with(at(labels), histogram(times))).collect();
            ("s", "histogram", json!({"dataPoints": points, "aggregationTemporality": CUMULATIVE}))
        }
    };
    json!({"name": family.name, "description": family.help, "unit": unit, kind: data})
}

fn histogram(times: &Histogram) -> Value {
    let counts = bucket_counts(times).map(|count| count.to_string());
    json!({
        "count": times.count().to_string(),
        "sum": sum_s(times),
        "min": times.min().as_secs_f64(),
        "max": times.max().as_secs_f64(),
        "bucketCounts": counts.as_slice(),
        "explicitBounds": BOUNDS_S,
    })
}

fn attribute(name: &str, value: &str) -> Value {
    json!({"key": name, "value": {"stringValue": value}})
}

/// Both objects' fields in one.
fn with(mut point: Value, more: Value) -> Value {
    if let (Value::Object(point), Value::Object(more)) = (&mut point, more) {
        point.extend(more);
    }
    point
}
