//! Threads queue for permits: a semaphore, a bulkhead.

use super::{
    super::{Knob, Limit, Verdict, activity::Activity, case::Case, known::Gives},
    queue, silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "semaphore",
    means: "permits of a semaphore, a bulkhead of Resilience4j or Spring's concurrency limit",
    look,
    cleared: silent,
    knob,
};

fn look(case: &Case) -> Option<Verdict> {
    let queued = queue::for_what(case, Gives::Permits)?;
    let (name, setting) = match &queued.what {
        Activity::Wants(library) => (library.name.to_owned(), queue::setting(case, library)),
        Activity::WantsOwn(_, class) => (class.clone(), format!("the size of {class}")),
        _ => return None,
    };
    let holding = queue::holding(case, &queued);
    let past = queue::past(case, &queued).map_or_else(String::new, |past| format!(": {past}"));
    Some(Verdict {
        says: format!("permits ({name})"),
        evidence: vec![
            queue::evidence(case, &queued, "a permit"),
            format!("{} have what they waited for{past}", number(holding.round())),
            queue::growth(case),
        ],
        change: format!("Raise {setting}."),
    })
}

fn knob(case: &Case) -> Option<Knob> {
    queue::knob(case, &queue::for_what(case, Gives::Permits)?)
}
