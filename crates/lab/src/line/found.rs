//! The answer of a search, as the record has it.

use plimsoll_record::{CapacityFound, LineEndFound, LineFound, LineRun};
use plimsoll_search::{Answer, Capacity, End, Search};

pub(super) fn line_run(search: &Search, offered_most: Option<f64>) -> LineRun {
    let capacity = |it: Capacity| CapacityFound { rate: it.rate, users: it.users, is_steady: it.is_steady };
    let found = search.answers().iter().map(found).collect();
    LineRun { capacity: search.capacity().map(capacity), found, offered_most, unrecovered: None }
}

fn found(answer: &Answer) -> LineFound {
    let end = |End { rate, seconds, pressure, dispersion }| LineEndFound {
        rate,
        seconds,
        share_of_allowed: pressure,
        dispersion,
    };
    LineFound {
        outcome: answer.outcome.as_str().to_owned(),
        lower: answer.lower.map(end),
        upper: answer.upper.map(end),
    }
}
