//! Threads wait for a rate limiter.

use super::{
    super::{Knob, Limit, Verdict, activity::Activity, case::Case, known::Gives},
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "rate-limiter",
    means: "the permits a second of Resilience4j, Guava or Bucket4j",
    look,
    cleared: silent,
    knob,
};

fn look(case: &Case) -> Option<Verdict> {
    let queued = queue::for_what(case, Gives::Rate)?;
    let (name, setting) = match &queued.what {
        Activity::Wants(library) => (library.name.to_owned(), queue::setting(case, library)),
        Activity::WantsOwn(_, class) => (class.clone(), format!("the size of {class}")),
        _ => return None,
    };
    let holding = queue::holding(case, &queued);
    let past = queue::past(case, &queued).map_or_else(String::new, |past| format!(": {past}"));
    Some(Verdict {
        says: format!("a rate limiter ({name})"),
        evidence: vec![
            queue::evidence(case, &queued, "the next permit"),
            format!("{} have what they waited for{past}", number(holding.round())),
            queue::growth(case),
        ],
        change: format!("Raise {setting}."),
    })
}

/// It hands out so much in a second.
fn knob(case: &Case) -> Option<Knob> {
    let rate = case.view.full.throughput_per_s;
    Some(Knob::sized(&[], rate, 4.0 * rate))
}
