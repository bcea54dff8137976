//! Tables of a load, beside its percentiles.

use plimsoll_analysis::results::{LevelResults, MedianP99, RequestResults, Times, Totals};
use plimsoll_text::number::{NONE, TimeUnit, count, errors_percent, sig3};

use super::{Column, Table};

/// Tables of phases, requests, checks and errors, without empty ones.
pub fn tables(level: &LevelResults) -> Vec<Table> {
    let all = [phases(level), requests(&level.requests), checks(&level.totals), errors(&level.totals)];
    all.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

/// The phases of a request, in their order, with their times.
fn phases(level: &LevelResults) -> Table {
    let phases: [(&str, Option<MedianP99>); 7] = [
        ("connection wait", level.connection_wait_ms),
        ("name resolution", level.dns_ms),
        ("connect", level.connect_ms),
        ("TLS handshake", level.tls_ms),
        ("first byte", level.first_byte_ms),
        ("body", level.body_ms),
        ("whole iteration", level.iteration_ms),
    ];
    let there: Vec<_> = phases.into_iter().filter_map(|(name, ms)| Some((name, ms?))).collect();
    let unit = TimeUnit::fitting(there.iter().map(|(_, ms)| ms.p99));
    let head = |name: &str| Column::numbers(format!("{name} {}", unit.symbol()));
    Table {
        title: "Phases".to_owned(),
        columns: vec![Column::words("phase"), head("p50"), head("p99")],
        rows: there
            .iter()
            .map(|(name, ms)| vec![(*name).to_owned(), unit.show(ms.median), unit.show(ms.p99)])
            .collect(),
    }
}

/// Each request of a flow or a mix.
fn requests(requests: &[RequestResults]) -> Table {
    let unit = unit_of(requests.iter());
    Table {
        title: "Requests by name".to_owned(),
        columns: request_columns(unit),
        rows: requests.iter().map(|request| request_cells(request, unit)).collect(),
    }
}

/// The unit of the times of requests.
pub fn unit_of<'a>(requests: impl Iterator<Item = &'a RequestResults>) -> TimeUnit {
    TimeUnit::fitting(requests.filter_map(|request| request.response.as_ref()).map(|it| it.median_ms))
}

/// Heads of [`request_cells`].
pub fn request_columns(unit: TimeUnit) -> Vec<Column> {
    let time = |name: &str| Column::numbers(format!("{name} {}", unit.symbol()));
    vec![
        Column::words("request"),
        Column::numbers("count"),
        Column::numbers("succeeded/s"),
        time("p50"),
        time("p99"),
        Column::numbers("errors %"),
    ]
}

/// Cells of one request of several.
pub fn request_cells(request: &RequestResults, unit: TimeUnit) -> Vec<String> {
    let time = |pick: fn(&Times<f64>) -> Option<f64>| {
        request.response.as_ref().and_then(pick).map_or_else(|| NONE.to_owned(), |ms| unit.show(ms))
    };
    vec![
        request.name.clone(),
        count(request.totals.counts.succeeded + request.totals.counts.failed),
        sig3(request.throughput_per_s),
        time(|it| Some(it.median_ms)),
        time(|it| it.p99_ms),
        request.totals.errors_percent().map_or_else(|| NONE.to_owned(), errors_percent),
    ]
}

fn checks(totals: &Totals) -> Table {
    Table {
        title: "Checks".to_owned(),
        columns: vec![Column::words("check"), Column::numbers("passed"), Column::numbers("failed")],
        rows: (totals.checks.iter())
            .map(|(name, check)| vec![name.clone(), count(check.passed), count(check.failed)])
            .collect(),
    }
}

/// Failures by kind: name, how often, and the first in words.
fn errors(totals: &Totals) -> Table {
    Table {
        title: "Errors".to_owned(),
        columns: vec![Column::words("kind"), Column::numbers("count"), Column::words("example")],
        rows: (totals.errors.iter())
            .map(|(kind, error)| vec![kind.to_string(), count(error.count), error.example.clone()])
            .collect(),
    }
}
