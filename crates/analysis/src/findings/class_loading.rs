//! Classes that the first call had to load.

use plimsoll_record::Nanos;

use super::Cell;
use crate::{
    results::{Figure, Finding, Kind, Measure, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&FIRST_CALL];

static FIRST_CALL: Kind = Kind {
    id: "first-call-class-loading",
    title: "classes loaded by the first call",
    weight: Weight::Info,
    means: "A claim about the first call does not hold, and the JVM loaded classes during that call.",
    remedy: "Call the path once before the service takes requests, or start from an AOT cache or a CDS archive.",
    evidence: &[
        Measure { name: "load_time", unit: "ms", about: "of class loading during call 1" },
        Measure { name: "classes", unit: "", about: "classes loaded during call 1" },
    ],
};

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let jvm = &cell.results.first_requests.as_ref()?.jvm;
    let median = |figure: &Option<Figure>| figure.as_ref().map(|it| it.median);
    let (classes, ms) = (median(&jvm.classes_loaded)?, median(&jvm.class_load_ms)?);
    let says = format!("Call 1 loaded {} classes in {}.", number(classes), Nanos::from_secs_f64(ms / 1e3));
    Some(FIRST_CALL.at(cell.place(), says).with("load_time", ms).with("classes", classes))
}
