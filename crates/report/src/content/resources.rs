//! Start-up time and peak resource usage of each variant.

use plimsoll_analysis::Results;
use plimsoll_text::number::{NONE, TimeUnit, count, sig3};

use super::{
    Column, Table,
    levels::{with_interval_if_any, with_range_if_any},
};

/// One row per variant and a column for each figure that any has; none if nothing was measured, as for a load against a
/// running target.
pub fn table(results: &Results) -> Option<Table> {
    let startups = || results.variants.iter().filter_map(|variant| variant.startup_s.as_ref());
    let unit = TimeUnit::fitting(startups().map(|figure| figure.median * 1e3));
    let rows: Vec<_> = results
        .variants
        .iter()
        .map(|variant| {
            vec![
                variant.name.clone(),
                with_interval_if_any(&variant.startup_s, |s| unit.show(s * 1e3)),
                with_interval_if_any(&variant.peak_cpu_percent, sig3),
                with_interval_if_any(&variant.peak_rss_mb, sig3),
                with_range_if_any(&variant.peak_threads, |threads| count(threads.round() as u64)),
            ]
        })
        .collect();
    let mut table = Table {
        title: "Start-up and peaks".to_owned(),
        columns: vec![
            Column::words("variant"),
            Column::numbers(format!("start-up {}", unit.symbol())),
            Column::numbers("peak CPU %"),
            Column::numbers("peak memory MB"),
            Column::numbers("threads"),
        ],
        rows,
    };
    for column in (1..table.columns.len()).rev() {
        if table.rows.iter().all(|row| row[column] == NONE) {
            table.columns.remove(column);
            table.rows.iter_mut().for_each(|row| drop(row.remove(column)));
        }
    }
    (table.columns.len() > 1).then_some(table)
}
