//! Nothing gives way: all users get their responses as fast as one alone, or the rate is carried.

use super::{
    super::{Limit, Verdict, case::Case},
    queue, silent,
};

pub(super) static LIMIT: Limit =
    Limit { id: "offered-load", means: "nothing: the load", find, cleared: silent, knob: super::no_knob };

fn find(case: &Case) -> Option<Verdict> {
    case.fills_nothing().then(|| Verdict {
        says: "nothing: the load".to_owned(),
        evidence: vec![queue::growth(case)],
        change: case.more.to_owned(),
    })
}
