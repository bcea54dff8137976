//! Long form for spreadsheets and data frames: one row per variant, level and statistic, quoted as RFC 4180 says.
//!
//! `level` is empty for figures of a variant as a whole, and the benchmark's name for scores. `median`, `min` and `max`
//! are over rounds, and empty for a percentile with fewer than ten responses beyond it; `values` holds one value per
//! round, separated by `;`. Requests of a flow or a mix are rows of `variant/request`, with all rounds together in
//! `median`, and so are the shares of checks that `passed`. A search for a load line has one row per trial and line:
//! `low` and `high` are the ends of the search's interval, in requests per second or users, and `low_percentile_ms` the
//! objective's percentile at the lower end, surely between `…_from_ms` and `…_to_ms`.

use std::borrow::Cow;

use csv::Writer;
use plimsoll_analysis::{
    Results,
    results::{Figure, LevelResults, LineEnd, LineResults, RequestResults, SearchResults, TrialResults},
};

use crate::{
    Style,
    content::figures::{self, Named},
};

const HEAD: [&str; 9] = ["variant", "level", "statistic", "unit", "median", "min", "max", "rounds", "values"];

const TRIALS_HEAD: [&str; 25] = [
    "variant",
    "round",
    "began_s",
    "took_s",
    "offered_per_s",
    "p50_ms",
    "p90_ms",
    "percentile",
    "percentile_ms",
    "errors_percent",
    "cpu_percent",
    "cpu_ms_per_request",
    "memory_mb",
    "threads",
    "users",
    "line",
    "outcome",
    "low",
    "high",
    "low_percentile_ms",
    "low_percentile_from_ms",
    "low_percentile_to_ms",
    "high_percentile_ms",
    "high_percentile_from_ms",
    "high_percentile_to_ms",
];

/// A table of cells, with a head.
pub(crate) fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut writer = writer();
    writer.write_record(head).expect(MEMORY);
    rows.into_iter().for_each(|row| writer.write_record(row).expect(MEMORY));
    text(writer)
}

fn writer() -> Writer<Vec<u8>> {
    csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new())
}

fn text(writer: Writer<Vec<u8>>) -> String {
    String::from_utf8(writer.into_inner().expect(MEMORY)).expect("every cell is text")
}

/// The rows, with a head.
pub fn render(results: &Results, _: &Style) -> String {
    let mut writer = writer();
    if results.lines.is_empty() {
        levels(&mut writer, results)
    } else {
        trials(&mut writer, results)
    }
    text(writer)
}

/// One row per trial of a search and line, in the order in which they were made; the lines of one variant share them.
fn trials(writer: &mut Writer<Vec<u8>>, results: &Results) {
    writer.write_record(TRIALS_HEAD).expect(MEMORY);
    for (line, search) in results.lines.iter().flat_map(|line| line.searches.iter().map(move |it| (line, it))) {
        for trial in &search.trials {
            write_trial(writer, line, search, trial);
        }
    }
}

fn write_trial(writer: &mut Writer<Vec<u8>>, line: &LineResults, search: &SearchResults, trial: &TrialResults) {
    let usage = &trial.usage;
    let figures = [
        Some(f64::from(search.round + 1)),
        Some(trial.began_s),
        Some(trial.took_s),
        Some(trial.rate_per_s),
        trial.median_ms,
        trial.p90_ms,
        line.percentile,
        trial.percentile_ms,
        Some(trial.errors_percent),
        usage.cpu_percent,
        usage.cpu_ms_per_request,
        usage.memory_mb,
        usage.threads,
        trial.users,
    ];
    let shown = |figure: Option<f64>| figure.map_or_else(String::new, |figure| figure.to_string());
    let end = |end: &Option<LineEnd>| shown(end.as_ref().map(LineEnd::load));
    let outcome = if search.ended_unrecovered() { "metastable" } else { search.outcome.as_str() };
    let name = cell(&line.name).into_owned();
    let found = [name, outcome.to_owned(), end(&search.lower), end(&search.upper)];
    let percentiles = [&search.lower, &search.upper].map(|end| match end {
        Some(end) => [end.percentile_ms, end.percentile_low_ms, end.percentile_high_ms],
        None => [None; 3],
    });
    let variant = cell(&line.variant).into_owned();
    let cells = std::iter::once(variant).chain(figures.map(shown)).chain(found);
    let cells = cells.chain(percentiles.into_iter().flatten().map(shown));
    writer.write_record(cells).expect(MEMORY);
}

fn levels(writer: &mut Writer<Vec<u8>>, results: &Results) {
    writer.write_record(HEAD).expect(MEMORY);
    for variant in &results.variants {
        for named in figures::of_variant(variant) {
            write(writer, &variant.name, "", &named);
        }
        for level in variant.levels.iter().flatten() {
            for named in figures::of_level(level) {
                write(writer, &variant.name, &level.label, &named);
            }
            for request in &level.requests {
                of_request(writer, &variant.name, level, request);
            }
            for (check, of) in &level.totals.checks {
                let share = of.passed as f64 / (of.passed + of.failed).max(1) as f64 * 100.0;
                of_all_rounds(writer, &variant.name, level, (&format!("passed: {check}"), "%", Some(share)));
            }
        }
    }
    for benchmark in &results.benchmarks {
        for score in &benchmark.scores {
            let named = Named { name: "score".to_owned(), unit: &benchmark.unit, figure: Some(&score.score) };
            write(writer, &score.variant, &score.label, &named);
        }
    }
}

/// Rows of one of several requests, under the name that claims use.
fn of_request(writer: &mut Writer<Vec<u8>>, variant: &str, level: &LevelResults, request: &RequestResults) {
    let name = format!("{variant}/{}", request.name);
    let errors = request.totals.errors_percent();
    of_all_rounds(writer, &name, level, ("throughput", "/s", Some(request.throughput_per_s)));
    of_all_rounds(writer, &name, level, ("errors", "%", errors));
    for (prefix, times) in [("", &request.response), ("service_", &request.service)] {
        for (statistic, ms) in times.iter().flat_map(figures::values_of) {
            of_all_rounds(writer, &name, level, (&format!("{prefix}{statistic}"), "ms", ms));
        }
    }
}

/// A row for a value of all rounds together, which has no range.
fn of_all_rounds(
    writer: &mut Writer<Vec<u8>>,
    variant: &str,
    level: &LevelResults,
    (statistic, unit, value): (&str, &str, Option<f64>),
) {
    let rounds = level.throughput_per_s.rounds.len().to_string();
    let value = value.map_or_else(String::new, |value| value.to_string());
    let row = [&*cell(variant), &cell(&level.label), &cell(statistic), unit, &value, "", "", &rounds, ""];
    writer.write_record(row).expect(MEMORY);
}

const MEMORY: &str = "writing to memory does not fail";

/// Untrusted text as a cell: spreadsheets evaluate cells that begin with certain signs, and take them as text after an
/// apostrophe.
pub(crate) fn cell(text: &str) -> Cow<'_, str> {
    let shown = plimsoll_text::printable_line(text);
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{shown}").into() } else { shown }
}

fn write(writer: &mut Writer<Vec<u8>>, variant: &str, level: &str, named: &Named<'_>) {
    let figure = named.figure.filter(|figure| !figure.rounds.is_empty());
    let rounds = figure.map_or(&[][..], |figure| &figure.rounds);
    let values = rounds.iter().map(f64::to_string).collect::<Vec<_>>().join(";");
    let shown = |of: fn(&Figure) -> f64| figure.map_or_else(String::new, |figure| of(figure).to_string());
    let row = [
        &*cell(variant),
        &cell(level),
        &cell(&named.name),
        &cell(named.unit),
        &shown(|it| it.median),
        &shown(|it| it.min),
        &shown(|it| it.max),
        &rounds.len().to_string(),
        &values,
    ];
    writer.write_record(row).expect(MEMORY);
}
