//! Memory of the target is read back from a disk (swap).

use super::{
    super::{Limit, Verdict, case::Case},
    silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit =
    Limit { id: "swap", means: "memory that is read back from a disk", find, cleared: silent, knob: super::no_knob };

/// Major page faults a second that stop threads noticeably: each takes about a millisecond or less.
const FAULTS_PER_S: f64 = 100.0;

fn find(case: &Case) -> Option<Verdict> {
    let full = &case.view.full;
    (full.major_faults_per_s >= FAULTS_PER_S).then(|| Verdict {
        says: "memory: pages are read from a disk".to_owned(),
        evidence: vec![format!(
            "{} pages a second had to be read back; {} MB of the process are swapped out",
            number(full.major_faults_per_s),
            number(full.swapped_bytes as f64 / 1e6)
        )],
        change: "Give it more memory, or less heap (-Xmx), so that all fits into the limit.".to_owned(),
    })
}
