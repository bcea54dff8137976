//! The JVM stands still to collect garbage, or does little else.

use super::super::{Knob, Limit, Verdict, case::Case};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "gc",
    means: "garbage collection: 20 % of the time stood still, or 40 % of the CPU where no core is left",
    find,
    cleared,
    knob,
};

/// Share of the time that the JVM stood still.
const PAUSED: f64 = 0.2;
/// Share of the target's CPU that the collector used where no core is left.
const OF_CPU: f64 = 0.4;

fn find(case: &Case) -> Option<Verdict> {
    let (paused, cores) = (case.gc_share(), case.gc_cores());
    let target = case.view.full.cpu_percent.unwrap_or(0.0) / 100.0;
    let takes_cpu = case.is_cpu_full() && target > 0.0 && cores / target >= OF_CPU;
    (paused >= PAUSED || takes_cpu).then(|| Verdict {
        says: "garbage collection".to_owned(),
        evidence: vec![format!(
            "the JVM stood still for {} % of the time to collect garbage; its collector’s threads used {} of the \
             target’s {} cores",
            number(paused * 100.0),
            number(cores),
            number(target)
        )],
        change: "Raise the heap (-Xmx, or -XX:MaxRAMPercentage in a container), or allocate less for each request."
            .to_owned(),
    })
}

fn cleared(case: &Case) -> Option<String> {
    let watched = &case.view.full.watched;
    watched.growth(plimsoll_record::metric::jvm::GC_MS.name)?;
    let most = case.view.process.heap_max_bytes;
    let heap = most.map_or_else(String::new, |bytes| format!("heap of {} MB, ", number(bytes as f64 / 1e6)));
    Some(format!("{heap}GC {} %", number(case.gc_share() * 100.0)))
}

fn knob(case: &Case) -> Option<Knob> {
    let heap = case.view.process.heap_max_bytes.map(|bytes| bytes as f64);
    Some(Knob { settings: vec!["-Xmx".to_owned()], has: heap, wants: heap.map(|bytes| 2.0 * bytes) })
}
