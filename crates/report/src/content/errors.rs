//! Failures by kind, where there were any.

use plimsoll_analysis::{
    Results,
    results::{LevelResults, VariantResults},
};
use plimsoll_record::{ErrorCount, ErrorKind, label_for_people};
use plimsoll_text::number::{count, errors_percent};

use super::{Column, Table, levels};

/// Meaning of the columns, in one line.
pub const HOW_TO_READ: &str = "Errors: counts over all rounds; the share is that of all requests that ended; an example is the first of its kind.";

/// A row for each kind of failure of each variant at each level, the most frequent first; none if nothing failed.
pub fn table(results: &Results) -> Option<Table> {
    let rows: Vec<_> = levels::all(results).flat_map(|(variant, level)| rows(variant, level)).collect();
    (!rows.is_empty()).then(|| Table {
        title: "Errors by kind".to_owned(),
        columns: vec![
            Column::words("variant"),
            Column::words("level"),
            Column::words("kind"),
            Column::numbers("count"),
            Column::numbers("%"),
            Column::words("example"),
        ],
        rows,
    })
}

fn rows(variant: &VariantResults, level: &LevelResults) -> Vec<Vec<String>> {
    let totals = &level.totals;
    let ended = (totals.counts.succeeded + totals.counts.failed) as f64;
    let mut kinds: Vec<_> = totals.errors.iter().collect();
    kinds.sort_by_key(|(_, error)| std::cmp::Reverse(error.count));
    let row = |(kind, error): (&ErrorKind, &ErrorCount)| {
        vec![
            variant.name.clone(),
            label_for_people(&level.label),
            kind.to_string(),
            count(error.count),
            errors_percent(error.count as f64 / ended * 100.0),
            error.example.clone(),
        ]
    };
    kinds.into_iter().map(row).collect()
}
