//! Virtual threads wait without leaving their carriers (pinned).

use super::{
    super::{
        Knob, Limit, Verdict,
        activity::Activity,
        case::Case,
        doing::{Doing, count},
    },
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit =
    Limit { id: "pinned", means: "carriers of virtual threads that waiting ones keep", find, cleared: silent, knob };

/// Share of the carriers that stand still.
const SHARE: f64 = 0.6;
/// The holder of a lock, and now and then a thread that is about to own it.
const HOLDER: f64 = 1.3;

fn find(case: &Case) -> Option<Verdict> {
    let carrying: Vec<_> = case.view.full.threads.iter().filter(|doing| doing.is_carrying).collect();
    let all: f64 = carrying.iter().map(|doing| doing.count).sum();
    // The JDK adds a carrier for one that waits for a file or a name, up to 256.
    let is_kept = |doing: &&&Doing| !matches!(doing.what, Activity::Runs | Activity::Disk | Activity::Resolves { .. });
    let stands: f64 = carrying.iter().filter(is_kept).map(|doing| doing.count).sum();
    let is_pinned = stands >= SHARE * all
        && stands >= SHARE * case.view.full.cores.max(1.0)
        && !case.fills_its_cores()
        && at_a_lock(case).is_none();
    let most = carrying.iter().filter(is_kept).max_by(|a, b| a.count.total_cmp(&b.count));
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

/// Carriers that wait for one lock, if all do but its holder, so that more of them would wait, too.
pub(super) fn at_a_lock(case: &Case) -> Option<Doing> {
    let carrying = || case.view.full.threads.iter().filter(|doing| doing.is_carrying);
    let locks = carrying().filter(|doing| matches!(doing.what, Activity::Lock { .. }));
    let most = locks.max_by(|a, b| a.count.total_cmp(&b.count))?;
    let (waiting, all) = (count(carrying(), |doing| doing.what == most.what), count(carrying(), |_| true));
    let runs = count(carrying(), |doing| doing.what == Activity::Runs);
    let are_all_there =
        all >= SHARE * case.view.full.cores.max(2.0) && waiting >= 0.5 && all - waiting - runs <= HOLDER;
    (are_all_there && case.in_flight() >= 2.0 * all).then(|| Doing { count: waiting, ..most.clone() })
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
