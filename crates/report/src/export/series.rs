//! Second by second as CSV, for spreadsheets and data frames.

use plimsoll_record::{ExecutionData, Histogram, Interval};

use super::{Place, places};
use crate::csv::cell;

const HEAD: [&str; 27] = [
    "variant",
    "round",
    "level",
    "request",
    "start_s",
    "duration_s",
    "offered",
    "sent",
    "succeeded",
    "failed",
    "dropped",
    "iterations",
    "connections_opened",
    "bytes_received",
    "bytes_sent",
    "response_mean_ms",
    "response_p50_ms",
    "response_p90_ms",
    "response_p99_ms",
    "response_p999_ms",
    "response_max_ms",
    "service_mean_ms",
    "service_p50_ms",
    "service_p90_ms",
    "service_p99_ms",
    "service_p999_ms",
    "service_max_ms",
];

/// One row per second, level (or stage) and request. Times are those of successful requests that ended in that second;
/// empty where none did. Instants count from the start of the run.
pub fn render(data: &ExecutionData) -> String {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    writer.write_record(HEAD).expect(MEMORY);
    for place in places(data) {
        for interval in &place.level.intervals {
            writer.write_record(row(&place, interval)).expect(MEMORY);
        }
    }
    String::from_utf8(writer.into_inner().expect(MEMORY)).expect("every cell is text")
}

const MEMORY: &str = "writing to memory does not fail";

fn row(place: &Place<'_>, interval: &Interval) -> Vec<String> {
    let counts = &interval.counts;
    let mut row = vec![
        cell(place.variant).into_owned(),
        (place.run.run.round + 1).to_string(),
        cell(place.label(interval)).into_owned(),
        cell(place.request(interval)).into_owned(),
        (place.level.started + interval.start).as_secs_f64().to_string(),
        interval.duration.as_secs_f64().to_string(),
    ];
    let numbers = [
        counts.offered,
        counts.sent,
        counts.succeeded,
        counts.failed,
        counts.dropped,
        counts.iterations,
        counts.connections_opened,
        counts.bytes_received,
        counts.bytes_sent,
    ];
    row.extend(numbers.map(|number| number.to_string()));
    row.extend(times(&interval.ok.response));
    row.extend(times(&interval.ok.service));
    row
}

fn times(times: &Histogram) -> [String; 6] {
    let at = |quantile| times.quantile(quantile).as_millis_f64();
    let all = [times.mean_ns() / 1e6, at(0.5), at(0.9), at(0.99), at(0.999), times.max().as_millis_f64()];
    all.map(|ms| if times.is_empty() { String::new() } else { ms.to_string() })
}
