//! A target that used about a core or more.

use super::Cell;
use crate::{
    results::{Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&BUSY];

static BUSY: Kind = Kind {
    id: "target-cpu",
    title: "CPU of the target",
    weight: Weight::Info,
    means: "A claim does not hold, and the target's processes used 95 % of a core or more: CPU is a suspect.",
    remedy: "Compare with the cores it may use; if it uses all of them, profile it or give it more.",
    evidence: &[Measure { name: "cpu", unit: "%", about: "of a core used by the target" }],
};

/// CPU that makes a process a suspect, 100 = one core.
const LEAST_PERCENT: f64 = 95.0;

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let percent = cell.results.cpu_percent.as_ref().map(|it| it.median).filter(|&it| it >= LEAST_PERCENT)?;
    let says = format!("The target used {} % CPU (100 % is one core).", number(percent));
    Some(BUSY.at(cell.place(), says).with("cpu", percent))
}
