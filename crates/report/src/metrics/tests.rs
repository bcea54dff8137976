use plimsoll_record::{ErrorCount, ErrorKind, Nanos};
use serde_json::Value;

use super::*;

/// Three succeeded in 2, 4 and 20 ms, one was refused.
fn measured() -> Vec<Measured> {
    let mut interval = Interval::default();
    for ms in [2, 4, 20] {
        interval.ok.service.record(Nanos::from_millis(ms));
        interval.ok.response.record(Nanos::from_millis(ms + 1));
    }
    interval.counts.succeeded = 3;
    interval.counts.failed = 1;
    interval.counts.bytes_sent = 300;
    interval.statuses.insert(200, 3);
    interval.errors.insert(ErrorKind::Refused, ErrorCount { count: 1, example: String::new() });
    vec![Measured { scenario: "default".to_owned(), name: "http://h/\"q\"".to_owned(), interval }]
}

fn line<'a>(text: &'a str, start: &str) -> &'a str {
    text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("no {start} in:\n{text}"))
}

#[test]
fn prometheus_has_k6s_names_and_labels() {
    let text = prometheus(&families(&measured(), &[("default".to_owned(), 5.0)]));
    let labels = r#"scenario="default",name="http://h/\"q\"""#;
    assert!(text.contains(&format!("k6_http_reqs_total{{{labels},status=\"200\"}} 3\n")), "{text}");
    assert!(text.contains(&format!("k6_http_reqs_total{{{labels},status=\"0\"}} 1\n")), "{text}");
    assert!(text.contains(&format!("k6_http_req_failed_rate{{{labels}}} 0.25\n")), "{text}");
    assert!(text.contains(&format!("k6_data_sent_total{{{labels}}} 300\n")), "{text}");
    assert!(text.contains("k6_vus{scenario=\"default\"} 5\n"), "{text}");
    assert!(text.contains(&format!("plimsoll_errors_total{{{labels},kind=\"refused\"}} 1\n")), "{text}");
    assert!(!text.contains("k6_http_req_connecting"), "nothing connected, nothing is said");
}

#[test]
fn buckets_are_cumulative_and_end_with_the_count() {
    let text = prometheus(&families(&measured(), &[]));
    let bucket = |bound: &str| {
        let found = text.lines().find(|it| it.starts_with("k6_http_req_duration_seconds_bucket") && it.contains(bound));
        found.unwrap().rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()
    };
    let bounds = ["le=\"0.001\"", "le=\"0.0025\"", "le=\"0.005\"", "le=\"0.025\"", "le=\"+Inf\""];
    assert_eq!(bounds.map(bucket), [0, 1, 2, 3, 3]);
    let sum = line(&text, "k6_http_req_duration_seconds_sum").rsplit_once(' ').unwrap().1.parse::<f64>().unwrap();
    assert!((sum - 0.026).abs() < 0.000_1, "{sum}");
    assert!(line(&text, "k6_http_req_duration_med{").contains(" 0.00"));
    assert!(line(&text, "plimsoll_response_time_max{").contains(" 0.021"));
}

#[test]
fn every_line_is_a_comment_or_a_sample_and_each_family_is_introduced_once() {
    let text = prometheus(&families(&measured(), &[]));
    let heads: Vec<&str> = text.lines().filter(|line| line.starts_with("# TYPE")).collect();
    let distinct: std::collections::BTreeSet<&&str> = heads.iter().collect();
    assert_eq!(heads.len(), distinct.len());
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (series, value) = line.rsplit_once(' ').unwrap();
        assert!(value.parse::<f64>().is_ok(), "{line}");
        assert_eq!(series.contains('{'), series.ends_with('}'), "{line}");
    }
}

#[test]
fn otlp_has_the_same_values_in_its_own_form() {
    let (started, now) = (Nanos(1_700_000_000_000_000_001), Nanos(1_700_000_005_000_000_000));
    let body: Value = serde_json::from_str(&otlp(&families(&measured(), &[]), started, now)).unwrap();
    let metrics = body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].as_array().unwrap();
    let metric = |name: &str| metrics.iter().find(|it| it["name"] == name).unwrap();
    let requests = &metric("k6_http_reqs")["sum"];
    assert_eq!((&requests["isMonotonic"], &requests["aggregationTemporality"]), (&true.into(), &2.into()));
    assert_eq!(requests["dataPoints"][0]["asDouble"], 3.0);
    assert_eq!(requests["dataPoints"][0]["startTimeUnixNano"], "1700000000000000001");
    let times = &metric("k6_http_req_duration")["histogram"]["dataPoints"][0];
    assert_eq!(times["count"], "3");
    let (bounds, counts) = (times["explicitBounds"].as_array().unwrap(), times["bucketCounts"].as_array().unwrap());
    assert_eq!(counts.len(), bounds.len() + 1);
    let sum: u64 = counts.iter().map(|count| count.as_str().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(sum, 3);
    assert_eq!(metric("k6_http_req_failed_rate")["gauge"]["dataPoints"][0]["asDouble"], 0.25);
}
