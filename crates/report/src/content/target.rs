//! What the targets told of themselves, where it was watched.

use plimsoll_analysis::Results;

use super::{Column, Table, levels::with_range};
use crate::number::NONE;

/// What the columns are, in one line.
pub const HOW_TO_READ: &str = "The target's own metrics: mean and highest of what was read while the level was driven, and by how much it \
     grew, which is what a counter counted.";

/// A row for each series of each variant at each level; none if nothing was watched.
pub fn table(results: &Results) -> Option<Table> {
    let levels =
        results.variants.iter().flat_map(|variant| variant.levels.iter().flatten().map(move |it| (variant, it)));
    let rows: Vec<Vec<String>> = levels
        .flat_map(|(variant, level)| {
            level.target.iter().map(move |(series, figures)| {
                let [mean, peak, growth] = [&figures.mean, &figures.peak, &figures.growth]
                    .map(|figure| figure.as_ref().map_or_else(|| NONE.to_owned(), with_range));
                vec![variant.name.clone(), level.label.clone(), series.clone(), mean, peak, growth]
            })
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: "The target's own metrics".to_owned(),
        columns: vec![
            Column::words("variant"),
            Column::words("level"),
            Column::words("series"),
            Column::numbers("mean"),
            Column::numbers("peak"),
            Column::numbers("grew by"),
        ],
        rows,
    })
}
