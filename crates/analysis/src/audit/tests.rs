mod properties;
mod tables;

use plimsoll_record::{Conditions, PrintedFigure, PublishedLevel, Statistic};

use super::Row;
use crate::results::Audit;

/// A row as it was printed: `78` is exact to 1, `77.8` to 0.1.
fn row(variant: &str, level: &str, conditions: Conditions, figures: &[(Statistic, &str)]) -> Row {
    let figures = figures.iter().map(|&(statistic, text)| {
        let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        PrintedFigure { statistic, value: text.parse().unwrap(), step: 0.1_f64.powi(decimals as i32) }
    });
    Row::published(&PublishedLevel {
        variant: variant.to_owned(),
        level: level.to_owned(),
        figures: figures.collect(),
        conditions,
        ours: None,
    })
}

fn audited(table: &[Row]) -> Vec<(&Row, Audit)> {
    table.iter().map(|row| (row, super::of(row, table))).collect()
}
