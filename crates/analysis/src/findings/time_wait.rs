//! Connections that were closed and not yet forgotten.

use super::Cell;
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&TIME_WAIT];

static TIME_WAIT: Kind = Kind {
    id: "time-wait",
    title: "connections in TIME_WAIT",
    weight: Weight::Info,
    means: "A claim about errors does not hold, and the target had 100 connections or more in `TIME_WAIT`: \
            connections are opened and closed for each request, and each closed one holds its port for 60 s.",
    remedy: "Keep connections open: a pool in the client, keep-alive in the server.",
    evidence: &[Measure { name: "peak", unit: "", about: "connections in TIME_WAIT" }],
};

/// Fewer connections are not worth a finding.
const LEAST: f64 = 100.0;

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let peak = cell.results.sockets.peak_time_wait.as_ref().map(|it| it.median).filter(|&it| it >= LEAST)?;
    let says = format!("At most {} connections were in `TIME_WAIT`.", number(peak));
    Some(TIME_WAIT.at(cell.place(), says).with("peak", peak))
}
