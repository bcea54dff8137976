//! Variants compared with the baseline.

use plimsoll_analysis::{Results, results::Ratio};
use plimsoll_record::label_for_people;
use plimsoll_text::number::{NONE, sig3};

use super::{Column, Table};

/// Meaning of the tables, in a line.
pub const HOW_TO_READ: &str = "The typical ratio within a round [95 % interval, over rounds; of load lines with fewer than three, from the ends \
     of their searches]. An interval that includes 1 shows no difference.";

/// A compared figure: its name in claims, and its title.
type Metric = (&'static str, &'static str);

/// Every compared figure.
const METRICS: &[Metric] =
    &[("line", "Load line"), ("throughput", "Throughput"), ("mean", "Mean response time"), ("startup", "Start-up")];

/// One table per metric: a row for each variant, a column for each level.
pub fn tables(results: &Results) -> Vec<Table> {
    let Some(first) = results.ratios.first() else { return Vec::new() };
    let of_metric = |metric: &str| results.ratios.iter().filter(|ratio| ratio.metric == metric).collect::<Vec<_>>();
    METRICS
        .iter()
        .map(|(metric, title)| table(format!("{title} ÷ that of {}", first.baseline), &of_metric(metric)))
        .filter(|table| !table.rows.is_empty())
        .collect()
}

fn table(title: String, ratios: &[&Ratio]) -> Table {
    let levels = distinct(ratios.iter().map(|ratio| ratio.level.as_deref()));
    let variants = distinct(ratios.iter().map(|ratio| ratio.variant.as_str()));
    let head = |level: &Option<&str>| {
        Column::numbers(level.map_or("ratio".to_owned(), |label| format!("at {}", label_for_people(label))))
    };
    let row = |&variant: &&str| {
        let cell = |level: &Option<&str>| {
            let found = ratios.iter().find(|ratio| ratio.variant == variant && ratio.level.as_deref() == *level);
            found.map_or(NONE.to_owned(), |ratio| in_words(ratio))
        };
        std::iter::once(variant.to_owned()).chain(levels.iter().map(cell)).collect()
    };
    Table {
        title,
        columns: std::iter::once(Column::words("variant")).chain(levels.iter().map(head)).collect(),
        rows: variants.iter().map(row).collect(),
    }
}

fn in_words(ratio: &Ratio) -> String {
    match ratio.interval {
        Some([low, high]) => format!("{} [{} – {}]", sig3(ratio.value), sig3(low), sig3(high)),
        None => sig3(ratio.value),
    }
}

/// Distinct values, in the order of first appearance.
fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for item in all {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}
