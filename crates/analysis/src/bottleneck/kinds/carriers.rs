//! Virtual threads could run and have no carrier, though a core is free.

use super::{
    super::{Knob, Limit, Verdict, activity::Activity, case::Case},
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit { id: "carriers", look, cleared: silent, knob };

fn look(case: &Case) -> Option<Verdict> {
    let full = &case.view.full;
    let runs = |is_carrying: bool| -> f64 {
        let meant = full.threads.iter().filter(|it| it.is_carrying == is_carrying && (it.is_virtual || is_carrying));
        meant.filter(|doing| doing.what == Activity::Runs).map(|doing| doing.count).sum()
    };
    let (carried, waiting) = (runs(true), runs(false));
    let has_free_core = !case.is_cpu_full();
    (carried >= 0.8 && waiting >= 1.0 && waiting >= carried && has_free_core).then(|| Verdict {
        says: "carriers of virtual threads".to_owned(),
        evidence: vec![
            format!(
                "{} virtual threads run and {} more could, but have no carrier; {} % of the cores are in use",
                number(carried),
                number(waiting),
                number(case.target_share() * 100.0)
            ),
            queue::growth(case),
        ],
        change: "Raise -Djdk.virtualThreadScheduler.parallelism (the number of cores by default), or compute on a \
                 pool of platform threads."
            .to_owned(),
    })
}

fn knob(case: &Case) -> Option<Knob> {
    let cores = case.view.full.cores;
    Some(Knob::sized(&["-Djdk.virtualThreadScheduler.parallelism"], cores, case.in_flight().min(256.0)))
}
