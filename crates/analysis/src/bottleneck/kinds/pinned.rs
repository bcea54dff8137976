//! Virtual threads wait without leaving their carriers (pinned).

use super::{
    super::{Knob, Limit, Verdict, activity::Activity, case::Case},
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit =
    Limit { id: "pinned", means: "carriers of virtual threads that waiting ones keep", find, cleared: silent, knob };

/// Share of the carriers that stand still.
const SHARE: f64 = 0.6;

fn find(case: &Case) -> Option<Verdict> {
    let carrying: Vec<_> = case.view.full.threads.iter().filter(|doing| doing.is_carrying).collect();
    let all: f64 = carrying.iter().map(|doing| doing.count).sum();
    let stands: f64 = carrying.iter().filter(|doing| doing.what != Activity::Runs).map(|doing| doing.count).sum();
    let is_pinned = stands >= SHARE * all && stands >= SHARE * case.view.full.cores.max(1.0) && !case.fills_its_cores();
    let most = carrying.iter().filter(|doing| doing.what != Activity::Runs).max_by(|a, b| a.count.total_cmp(&b.count));
    let site =
        most.and_then(|doing| doing.place_in_full()).map_or_else(String::new, |site| format!(", most in {site}"));
    is_pinned.then(|| Verdict {
        says: "carriers of virtual threads: pinned".to_owned(),
        evidence: vec![
            format!("{} of {} carriers wait with their virtual thread{site}", number(stands), number(all)),
            queue::growth(case),
        ],
        change: "Do not wait in native code, in class initializers, or (before JDK 24) in synchronized: use a \
                 ReentrantLock, or a newer JDK."
            .to_owned(),
    })
}

fn knob(case: &Case) -> Option<Knob> {
    let carrying = case.view.full.threads.iter().filter(|doing| doing.is_carrying);
    let carriers = carrying.map(|doing| doing.count).sum();
    Some(Knob::sized(
        vec!["-Djdk.virtualThreadScheduler.parallelism".to_owned()],
        carriers,
        case.in_flight().min(256.0),
    ))
}
