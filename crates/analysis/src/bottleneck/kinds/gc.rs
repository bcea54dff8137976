//! The JVM stands still to collect garbage, or does little but collect.

use super::super::{
    Knob, Limit, Verdict, activity::Activity, case::Case, doing::count, hot::is_of, known::RESERVES_MEMORY,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "gc",
    means: "garbage collection: 20 % of the time stood still, 30 % of its CPU where it leaves no core or stood still \
            for 10 %, or threads of which most wait until ZGC has freed memory",
    find,
    cleared,
    knob,
};

/// Share of the time that the JVM stood still.
const PAUSED: f64 = 0.2;
/// Share of the target's CPU that the collector used where no core is left, or where the JVM stood still for
/// [`PAUSED_TOO`] of the time.
const OF_CPU: f64 = 0.3;
const PAUSED_TOO: f64 = 0.1;
/// Share of its cores that the target uses if it is the one that leaves none.
const HALF: f64 = 0.5;

/// Cores that ZGC uses at least if memory is lacking.
const COLLECTS: f64 = 0.2;
/// Share of the requests in flight that wait for memory.
const STALLED: f64 = 0.3;

fn find(case: &Case) -> Option<Verdict> {
    let (paused, cores) = (case.gc_share(), case.gc_cores());
    let target = case.view.full.cpu_percent.unwrap_or(0.0) / 100.0;
    // A machine that others fill leaves no core either.
    let leaves_no_core = case.is_cpu_full() && case.target_share() >= HALF;
    let takes_cpu = (leaves_no_core || paused >= PAUSED_TOO) && target > 0.0 && cores / target >= OF_CPU;
    let (stalled, reserving, asking) = (stalled(case), reserving(case), asking(case));
    (paused >= PAUSED || takes_cpu || stalled.is_some()).then(|| {
        let pauses = format!("the JVM stood still for {} % of the time to collect garbage", number(paused * 100.0));
        // The serial collector has no threads of its own.
        let threads = (cores > 0.0).then(|| {
            format!("; its collector’s threads used {} of the target’s {} cores", number(cores), number(target))
        });
        let stalled = stalled.map(|count| {
            format!(
                "{} of {} requests in flight are in threads that could run, and neither do nor wait for a core: they \
                 allocate, and wait until ZGC has freed memory (allocation stalls)",
                number(count.round()),
                number(case.in_flight().round())
            )
        });
        let memory = reserving
            .map(|count| format!("{} threads wait for direct memory ({RESERVES_MEMORY})", number(count.round())));
        let asked = asking
            .as_ref()
            .map(|(count, place)| format!("{} threads ask for it, by System.gc(){place}", number(count.round())));
        let change = match (reserving, asking) {
            (Some(_), _) => {
                "Raise -XX:MaxDirectMemorySize (as much as the heap by default), or keep direct buffers for the next \
                 request."
            }
            (None, Some(_)) => "Leave System.gc() out: with -XX:+DisableExplicitGC the JVM does nothing for it.",
            (None, None) => {
                "Raise the heap (-Xmx, or -XX:MaxRAMPercentage in a container), or allocate less for each request."
            }
        };
        Verdict {
            says: "garbage collection".to_owned(),
            evidence: [pauses + &threads.unwrap_or_default()]
                .into_iter()
                .chain(stalled)
                .chain(memory)
                .chain(asked)
                .collect(),
            change: change.to_owned(),
        }
    })
}

/// The number of threads that ask for a collection themselves, and where; none if they are few.
fn asking(case: &Case) -> Option<(f64, String)> {
    let asking = || case.busy.iter().filter(|doing| doing.asks_to_collect);
    let most = asking().max_by(|a, b| a.count.total_cmp(&b.count))?;
    let place = most.place_in_full().map_or_else(String::new, |place| format!(" in {place}"));
    let all = count(asking(), |_| true);
    (all >= 0.5).then_some((all, place))
}

/// The number of threads that wait for memory outside the heap; none if they are few.
fn reserving(case: &Case) -> Option<f64> {
    let reserving = count(&case.busy, |doing| doing.reserves_memory);
    (reserving >= STALLED * case.in_threads() && reserving >= 1.0).then_some(reserving)
}

/// The number of threads that ZGC lets wait for memory; none if they are few, or the collector is not busy. The JVM
/// shows them as running, but the kernel tells that they are not.
fn stalled(case: &Case) -> Option<f64> {
    let full = &case.view.full;
    let is_zgc = full.tasks.iter().any(|tasks| tasks.group.starts_with("ZDriver"));
    if !is_zgc || case.gc_cores() < COLLECTS {
        return None;
    }
    let runs = case.busy.iter().filter(|doing| doing.what == Activity::Runs && !doing.is_loop);
    let on_cores = full.tasks.iter().filter(|tasks| runs.clone().any(|doing| is_of(&tasks.group, &doing.group)));
    let on_cores: f64 = on_cores.map(|tasks| tasks.cores + tasks.waiting).sum();
    let stalled = runs.map(|doing| doing.count).sum::<f64>() - on_cores;
    (stalled >= STALLED * case.in_flight() && stalled >= 2.0).then_some(stalled)
}

fn cleared(case: &Case) -> Option<String> {
    let watched = &case.view.full.watched;
    watched.growth(plimsoll_record::metric::jvm::GC_MS.name)?;
    let most = case.view.process.heap_max_bytes;
    let heap = most.map_or_else(String::new, |bytes| format!("heap of {} MB, ", number(bytes as f64 / 1e6)));
    Some(format!("{heap}GC {} %", number(case.gc_share() * 100.0)))
}

fn knob(case: &Case) -> Option<Knob> {
    if reserving(case).is_some() || asking(case).is_some() {
        return None;
    }
    let heap = case.view.process.heap_max_bytes.map(|bytes| bytes as f64);
    Some(Knob { settings: vec!["-Xmx".to_owned()], has: heap, wants: heap.map(|bytes| 2.0 * bytes), to: None })
}
