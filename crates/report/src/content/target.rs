//! Metrics that the targets expose, where they were watched.

use plimsoll_analysis::{
    Results,
    results::{LevelResults, TargetFigures, VariantResults},
};
use plimsoll_record::label_for_people;
use plimsoll_text::number::sig3;

use super::{
    Column, Table,
    levels::{self, with_range_if_any},
};

/// Meaning of the columns, in one line.
pub const HOW_TO_READ: &str = "The target's own metrics: mean and peak of the values read during the level; growth: increase during the \
     level, the count of a counter.";

/// A row for each series of each variant at each level; none if nothing was watched.
pub fn table(results: &Results) -> Option<Table> {
    let row = |(variant, level): (&VariantResults, &LevelResults)| {
        let of_series = |(series, figures): (&String, &TargetFigures)| {
            let [mean, peak, growth] =
                [&figures.mean, &figures.peak, &figures.growth].map(|figure| with_range_if_any(figure, sig3));
            vec![variant.name.clone(), label_for_people(&level.label), series.clone(), mean, peak, growth]
        };
        level.target.iter().map(of_series).collect::<Vec<_>>()
    };
    let rows: Vec<_> = levels::all(results).flat_map(row).collect();
    (!rows.is_empty()).then(|| Table {
        title: "The target's own metrics".to_owned(),
        columns: vec![
            Column::words("variant"),
            Column::words("level"),
            Column::words("series"),
            Column::numbers("mean"),
            Column::numbers("peak"),
            Column::numbers("growth"),
        ],
        rows,
    })
}
