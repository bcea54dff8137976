//! Counts of the simulated upstreams, where there were any.

use plimsoll_analysis::{
    Results,
    results::{Figure, UpstreamFigures},
};
use plimsoll_record::label_for_people;
use plimsoll_text::number::{count, sig3};

use super::{
    Column, Table,
    levels::{self, with_range_as, with_range_if_any},
};

/// Meaning of the columns, in one line.
pub const HOW_TO_READ: &str = "Upstream: connections that the target opened and TLS handshakes, per 1,000 requests received; 1,000 means no \
     re-use. Most on one: requests on the busiest connection since the start. Queue: its peak.";

/// A row for each variant with an upstream at each level; none if there is no such row.
pub fn table(results: &Results) -> Option<Table> {
    let rows: Vec<_> = levels::all(results)
        .filter_map(|(variant, level)| {
            Some(row(&variant.name, &label_for_people(&level.label), level.upstream.as_ref()?))
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: "Upstream".to_owned(),
        columns: vec![
            Column::words("variant"),
            Column::words("level"),
            Column::numbers("requests"),
            Column::numbers("connects /1k"),
            Column::numbers("most on one"),
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
    let share = |figure: &Option<Figure>| with_range_if_any(figure, sig3);
    vec![
        variant.to_owned(),
        level.to_owned(),
        whole(&upstream.requests),
        share(&upstream.connections_per_1000),
        with_range_if_any(&upstream.requests_per_connection_max, |value| count(value.round() as u64)),
        share(&upstream.handshakes_per_1000),
        share(&upstream.resumed_percent),
        whole(&upstream.resets),
        whole(&upstream.peak_waiting),
    ]
}
