//! What the simulated upstreams counted, where there were any.

use plimsoll_analysis::{
    Results,
    results::{Figure, UpstreamFigures},
};

use super::{
    Column, Table,
    levels::{with_range, with_range_as},
};
use crate::number::{NONE, count};

/// What the columns count, in one line.
pub const HOW_TO_READ: &str = "Upstream: connections that the target opened to it, and TLS handshakes, for 1,000 requests that it \
     received; 1,000 is no re-use at all. Its queue is the longest.";

/// A row for each variant with an upstream at each level; none if there is no such row.
pub fn table(results: &Results) -> Option<Table> {
    let levels = results.variants.iter().flat_map(|variant| {
        let levels = variant.levels.iter().flatten();
        levels.filter_map(|level| Some((variant.name.as_str(), level.label.as_str(), level.upstream.as_ref()?)))
    });
    let rows: Vec<_> = levels.map(|(variant, level, upstream)| row(variant, level, upstream)).collect();
    (!rows.is_empty()).then(|| Table {
        title: "Upstream".to_owned(),
        columns: vec![
            Column::words("variant"),
            Column::words("level"),
            Column::numbers("requests"),
            Column::numbers("connects /1k"),
            Column::numbers("handshakes /1k"),
            Column::numbers("resumed %"),
            Column::numbers("resets"),
            Column::numbers("queue"),
        ],
        rows,
    })
}

fn row(variant: &str, level: &str, upstream: &UpstreamFigures) -> Vec<String> {
    let whole = |figure: &Figure| with_range_as(figure, |value| count(value.round() as u64));
    let share = |figure: &Option<Figure>| figure.as_ref().map_or(NONE.to_owned(), with_range);
    vec![
        variant.to_owned(),
        level.to_owned(),
        whole(&upstream.requests),
        share(&upstream.connections_per_1000),
        share(&upstream.handshakes_per_1000),
        share(&upstream.resumed_percent),
        whole(&upstream.resets),
        whole(&upstream.peak_waiting),
    ]
}
