//! Targets that cannot be reached, or leave at once.

use plimsoll_record::ErrorKind;

use super::SMALL;
use crate::behaviour::{Behaviour, Connections, Family, Outcome, Place, Security, Step, fails};

pub fn behaviours() -> Vec<Behaviour> {
    let absent = |name, place, kinds, words| {
        let outcome = Outcome { kinds, words, connections: Connections::None };
        Behaviour::new(Family::Http1, name, (place, Security::None), vec![], outcome).holding(SMALL)
    };
    let leaves = |name, steps| {
        // The target may be gone before the request is sent, or after.
        let outcome = fails(&[ErrorKind::Reset, ErrorKind::ClosedBeforeResponse], &[]);
        Behaviour::new(Family::Http1, name, (Place::Connected, Security::None), steps, outcome).holding(SMALL)
    };
    vec![
        leaves("an end at once", vec![]),
        leaves("a reset at once", vec![Step::Reset]),
        absent("a port at which nobody listens", Place::Closed, &[ErrorKind::Refused], &["refused"]),
        absent(
            "a queue that is full, and nobody accepts",
            Place::Full,
            &[ErrorKind::ConnectTimeout],
            &["no connection after"],
        ),
    ]
}
