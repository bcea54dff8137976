//! One table per level: a row for each variant.

use plimsoll_analysis::{
    Results,
    results::{Figure, LevelResults, LevelSummary, VariantResults},
};
use plimsoll_record::label_for_people;
use plimsoll_text::number::{NONE, TimeUnit, errors_percent, sig3};

use super::{Column, Table, figures, load, problems};

/// The tables of all levels, in order.
pub fn tables(results: &Results) -> Vec<Table> {
    (0..results.levels.len()).map(|index| table(results, index)).collect()
}

/// `190 [186 – 194]` with the interval over rounds; with the range if there is no interval.
pub fn with_interval(figure: &Figure, show: impl Fn(f64) -> String) -> String {
    match figure.interval {
        Some([low, high]) if figure.min != figure.max => {
            format!("{} [{} – {}]", show(figure.median), show(low), show(high))
        }
        _ => with_range_as(figure, show),
    }
}

/// The same for a figure that may not have been measured.
pub fn with_interval_if_any(figure: &Option<Figure>, show: impl Fn(f64) -> String) -> String {
    figure.as_ref().map_or(NONE.to_owned(), |figure| with_interval(figure, show))
}

/// `190 [188 – 191]` with the range of rounds, or the value alone if all agree; each value as `show` shows it.
pub fn with_range_as(figure: &Figure, show: impl Fn(f64) -> String) -> String {
    let [median, min, max] = [figure.median, figure.min, figure.max].map(show);
    if min == max { median } else { format!("{median} [{min} – {max}]") }
}

/// [`with_range_as`] for a figure that may not have been measured.
pub fn with_range_if_any(figure: &Option<Figure>, show: impl Fn(f64) -> String) -> String {
    figure.as_ref().map_or(NONE.to_owned(), |figure| with_range_as(figure, show))
}

/// Title of a level: its label and the load in words.
pub fn title(results: &Results, index: usize) -> String {
    let level = &results.levels[index];
    format!("Level {}: {}", label_for_people(&level.label), load::in_words(&level.load))
}

/// The table with levels as rows, if a single variant has several.
pub fn of_only_variant(results: &Results) -> Option<Table> {
    let [variant] = results.variants.as_slice() else { return None };
    let name = |LevelSummary { label, load }: &LevelSummary| match *label == load.label() || !load.legs().is_empty() {
        true => label_for_people(label),
        false => format!("{}: {}", label_for_people(label), load::in_words(load)),
    };
    let row = |(summary, level)| (name(summary), Option::as_ref(level));
    let rows: Vec<Row> = results.levels.iter().zip(&variant.levels).map(row).collect();
    (rows.len() > 1).then(|| rows_of(variant.name.clone(), "level", &rows))
}

/// A name, and the figures if there are any.
type Row<'a> = (String, Option<&'a LevelResults>);

fn table(results: &Results, index: usize) -> Table {
    let level = results.variants.iter().map(|variant| variant.levels.get(index).and_then(Option::as_ref));
    let rows: Vec<Row> = results.variants.iter().map(|variant| variant.name.clone()).zip(level).collect();
    rows_of(title(results, index), "variant", &rows)
}

fn rows_of(title: String, what: &str, rows: &[Row]) -> Table {
    let levels = rows.iter().filter_map(|(_, level)| *level);
    let unit = TimeUnit::fitting(levels.flat_map(times_ms).flatten());
    let time = |name: &str| Column::numbers(format!("{name} {}", unit.symbol()));
    let row = |(name, level): &Row| {
        let cells = level.map_or_else(|| vec![NONE.to_owned(); 7], |level| cells(level, unit));
        std::iter::once(problems::marked(name, *level)).chain(cells).collect()
    };
    Table {
        title,
        columns: vec![
            Column::words(what),
            Column::numbers("throughput /s"),
            time("mean"),
            time("median"),
            time("p90"),
            time("p99"),
            time("max"),
            Column::numbers("errors %"),
        ],
        rows: rows.iter().map(row).collect(),
    }
}

/// Every variant at every level that it was measured at, by variant.
pub fn all(results: &Results) -> impl Iterator<Item = (&VariantResults, &LevelResults)> {
    results.variants.iter().flat_map(|variant| variant.levels.iter().flatten().map(move |level| (variant, level)))
}

/// Every variant that was measured at the level.
pub fn of_level(results: &Results, index: usize) -> impl Iterator<Item = (usize, &LevelResults)> {
    let levels = results.variants.iter().map(move |variant| variant.levels.get(index).and_then(Option::as_ref));
    levels.enumerate().filter_map(|(variant, level)| Some((variant, level?)))
}

fn times_ms(level: &LevelResults) -> [Option<f64>; 5] {
    let times = &level.response;
    [Some(&times.mean_ms), Some(&times.median_ms), times.p90_ms.as_ref(), times.p99_ms.as_ref(), Some(&times.max_ms)]
        .map(|figure| Some(figure?.median))
}

/// Why percentiles are missing in the table of a level.
pub fn why_missing(results: &Results, index: usize) -> Option<String> {
    figures::why_missing(of_level(results, index).map(|(_, level)| &level.response), &["p90", "p99"])
}

fn cells(level: &LevelResults, unit: TimeUnit) -> Vec<String> {
    let mut cells = vec![with_interval(&level.throughput_per_s, sig3)];
    if level.totals.counts.succeeded > 0 {
        cells.extend(times_ms(level).map(|ms| ms.map_or(NONE.to_owned(), |ms| unit.show(ms))));
    } else {
        cells.extend(std::iter::repeat_n(NONE.to_owned(), 5));
    }
    cells.push(with_range_if_any(&level.errors_percent(), errors_percent));
    cells
}
