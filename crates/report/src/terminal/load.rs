//! The summary of a single load.

use plimsoll_analysis::results::LevelResults;
use plimsoll_text::number::TimeUnit;

use super::layout::Page;
use crate::content::{
    Column, Table, bars,
    load::{self, LevelOfLoad},
};

const BARS: usize = 12;

/// Facts, both ladders of times and tables of each level; a histogram where there is but one.
pub fn lay_out(page: &mut Page, levels: &[LevelOfLoad<'_>]) {
    for LevelOfLoad { heading, offered, level } in levels {
        page.facts(heading, &load::facts(offered, level));
        if level.totals.counts.succeeded > 0 {
            page.table(&load::ladder(level));
            page.note(load::RESPONSE_OR_SERVICE);
            if levels.len() == 1 {
                page.table(&histogram(level, page.width()));
            }
        }
        load::tables(level).iter().for_each(|table| page.table(table));
    }
}

/// One row per step of response time, with a bar as long as its share.
fn histogram(level: &LevelResults, page_width: usize) -> Table {
    let bars = load::histogram(&level.response_curve, BARS);
    let unit = TimeUnit::fitting(bars.first().map(|bar| bar.to_ms));
    let tallest = bars.iter().map(|bar| bar.share).fold(f64::MIN_POSITIVE, f64::max);
    let widest = page_width.saturating_sub(30).min(50);
    Table {
        title: "Response times of successful requests".to_owned(),
        columns: vec![
            Column::numbers(format!("up to {}", unit.symbol())),
            Column::numbers("share %"),
            Column::words(""),
        ],
        rows: (bars.iter())
            .map(|bar| {
                vec![unit.show(bar.to_ms), format!("{:.1}", bar.share * 100.0), bars::bar(bar.share / tallest, widest)]
            })
            .collect(),
    }
}
