//! Virtual threads could run and have no carrier, though a core is free.

use super::{
    super::{Knob, Limit, Verdict, activity::Activity, carried, case::Case},
    pinned, queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "carriers",
    means: "carriers of virtual threads, which are fewer than cores, or kept by native code",
    find,
    cleared: silent,
    knob,
};

/// Carriers are too few if they are less than this share of the cores that the target may have.
const FEW: f64 = 0.75;

fn find(case: &Case) -> Option<Verdict> {
    let full = &case.view.full;
    let runs = |is_carrying: bool| -> f64 {
        let meant = full.threads.iter().filter(|it| it.is_carrying == is_carrying && (it.is_virtual || is_carrying));
        meant.filter(|doing| doing.what == Activity::Runs).map(|doing| doing.count).sum()
    };
    // If dumps lack virtual threads, those that wait are among the requests that no carrier has.
    let waiting = if case.view.process.blind.is_some() { case.outside() } else { runs(false) };
    let carried = runs(true);
    let lacks_carriers = carried >= 0.8 && waiting >= 1.0 && waiting >= carried && could_use_more(case, carried);
    (lacks_carriers && pinned::at_a_lock(case).is_none()).then(|| Verdict {
        says: "carriers of virtual threads".to_owned(),
        evidence: vec![
            format!(
                "{} virtual threads run and {} {} have no carrier; {} % of the cores are in use",
                number(carried),
                number(waiting),
                if case.view.process.blind.is_some() { "requests" } else { "more could, but" },
                number(case.target_share() * 100.0)
            ),
            queue::growth(case),
        ],
        change: "Raise -Djdk.virtualThreadScheduler.parallelism (the number of cores by default), or compute on a \
                 pool of platform threads."
            .to_owned(),
    })
}

/// Whether more carriers would use more of the CPU: they are fewer than the cores, or stand in native code.
fn could_use_more(case: &Case, carried: f64) -> bool {
    let full = &case.view.full;
    !case.fills_its_cores() && (carried <= FEW * full.cores || carried::cores_wanted(&full.tasks) <= 0.5 * carried)
}

fn knob(case: &Case) -> Option<Knob> {
    let cores = case.view.full.cores;
    Some(Knob::sized(vec!["-Djdk.virtualThreadScheduler.parallelism".to_owned()], cores, case.in_flight().min(256.0)))
}
