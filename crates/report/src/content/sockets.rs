//! TCP's view of the targets, where it shows something.

use plimsoll_analysis::{
    Results,
    results::{Figure, SocketFigures},
};
use plimsoll_record::label_for_people;
use plimsoll_text::number::count;

use super::{
    Column, Table,
    levels::{self, with_range_if_any},
};

/// Meaning of the columns, in one line.
pub const HOW_TO_READ: &str = "Sockets: TIME_WAIT and accept queue at their peaks; overflows are those of the target's own \
     queue; the other columns count in its network namespace, with the load's own connections where both share it.";

/// A row for each variant at each level where the accept queue filled by half or overflowed, segments were sent again,
/// connects failed, or many connections are in `TIME_WAIT`; none if there is no such row.
pub fn table(results: &Results) -> Option<Table> {
    let rows: Vec<_> = levels::all(results)
        .filter(|(_, level)| level.sockets.tell_something())
        .map(|(variant, level)| row(&variant.name, &label_for_people(&level.label), &level.sockets))
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: "Sockets".to_owned(),
        columns: vec![
            Column::words("variant"),
            Column::words("level"),
            Column::numbers("TIME_WAIT"),
            Column::numbers("accept queue / limit"),
            Column::numbers("overflows"),
            Column::numbers("retransmits"),
            Column::numbers("opened"),
            Column::numbers("failed"),
            Column::numbers("reset"),
        ],
        rows,
    })
}

fn row(variant: &str, level: &str, sockets: &SocketFigures) -> Vec<String> {
    let cell = |figure: &Option<Figure>| with_range_if_any(figure, whole);
    let queue = match &sockets.accept_queue_max {
        Some(limit) => format!("{} / {}", cell(&sockets.peak_accept_queue), whole(limit.median)),
        None => cell(&sockets.peak_accept_queue),
    };
    vec![
        variant.to_owned(),
        level.to_owned(),
        cell(&sockets.peak_time_wait),
        queue,
        cell(&sockets.listen_overflows),
        cell(&sockets.retransmits),
        cell(&sockets.connections_opened),
        cell(&sockets.connect_failures),
        cell(&sockets.connections_reset),
    ]
}

fn whole(value: f64) -> String {
    count(value.round() as u64)
}
