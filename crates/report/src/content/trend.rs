//! An experiment over its executions, as tables.

use plimsoll_analysis::trend::{Trend, TrendExecution, TrendSeries, TrendValue};
use plimsoll_record::label_for_people;
use plimsoll_text::number::{NONE, errors_percent, sig3, time, with_unit};

use super::{Column, Table, environment::commit, summary};
use crate::digest::Outcome;

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A row for each figure: all its values as blocks, the first and the last.
pub fn series(trend: &Trend, blocks_max: usize) -> Table {
    let row = |it: &TrendSeries| {
        let ends = |mut values: Vec<&TrendValue>| values.pop().map(|last| value(it, last.value));
        let all: Vec<&TrendValue> = it.values.iter().flatten().collect();
        let first = all.first().map(|first| value(it, first.value));
        let change = it.change().map(|times| format!("{:+.1} %", (times - 1.0) * 100.0).replace('-', "−"));
        let cells = [Some(name(it)), Some(blocks(it, blocks_max)), first, ends(all), change];
        cells.into_iter().map(|it| it.unwrap_or_else(|| NONE.to_owned())).collect()
    };
    let columns = vec![
        Column::words("figure"),
        Column::whole("oldest → newest"),
        Column::numbers("first"),
        Column::numbers("last"),
        Column::numbers("change"),
    ];
    Table { title: String::new(), columns, rows: trend.series.iter().map(row).collect() }
}

/// `web @ 2,700: p99`.
pub fn name(series: &TrendSeries) -> String {
    let level = series.level.as_deref().map(|it| format!(" @ {}", label_for_people(it))).unwrap_or_default();
    let is_of_runs = matches!(series.metric.as_str(), "startup" | "peak_memory");
    let metric = series.metric.replace("cpu", "CPU").replace('_', " ");
    format!("{}{}: {metric}", series.variant, if is_of_runs { "" } else { &level })
}

/// A block for each of the newest `most` values. The least and the greatest have the lowest and the highest block, even
/// if they are close.
fn blocks(series: &TrendSeries, most: usize) -> String {
    let newest = &series.values[series.values.len().saturating_sub(most)..];
    let values = newest.iter().flatten().map(|it| it.value);
    let (least, greatest) = values.fold((f64::INFINITY, 0.0), |(least, most), it| (it.min(least), it.max(most)));
    let block = |value: f64| {
        let share = if greatest > least { (value - least) / (greatest - least) } else { 0.5 };
        BLOCKS[(share * (BLOCKS.len() - 1) as f64).round() as usize]
    };
    newest.iter().map(|it| it.map_or(' ', |it| block(it.value))).collect()
}

/// A value in the unit that fits.
pub fn value(series: &TrendSeries, value: f64) -> String {
    match series.unit.as_str() {
        "ms" => time(value),
        "s" => time(value * 1e3),
        "%" => format!("{} %", errors_percent(value)),
        unit => with_unit(sig3(value), unit),
    }
}

/// How many verdicts are bad, or undecided where none is.
fn verdicts(of: &TrendExecution) -> String {
    let failed = of.claims_failed + of.thresholds_exceeded;
    match Outcome::of(failed, of.claims_undecided, of.claims_held + of.thresholds_kept) {
        Outcome::Unjudged => NONE.to_owned(),
        Outcome::Holds => "✓".to_owned(),
        Outcome::Undecided => format!("? {}", of.claims_undecided),
        Outcome::Fails => format!("✗ {failed}"),
    }
}

/// A row for each execution, with the verdicts.
pub fn executions(trend: &Trend) -> Table {
    let row = |it: &TrendExecution| {
        vec![
            format!("#{}", it.id),
            summary::moment(&it.started_at),
            it.commit.as_deref().map_or_else(|| NONE.to_owned(), |it| commit(it).replace("in commit ", "")),
            verdicts(it),
        ]
    };
    let columns = ["execution", "started", "commit", "verdicts"].map(Column::words).into();
    Table { title: String::new(), columns, rows: trend.executions.iter().map(row).collect() }
}
