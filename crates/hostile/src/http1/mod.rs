//! Targets over HTTP/1.1.

mod absent;
mod bodies;
mod ends;
mod heads;
mod kept;

pub(crate) use ends::large_part;

use crate::behaviour::{Behaviour, Family, KIB, Outcome, Place, Security, Step, send};

/// The head of a chunked response.
const CHUNKED: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Bytes that are kept of a small head, whatever body comes after it.
const SMALL: usize = KIB;

pub fn behaviours() -> Vec<Behaviour> {
    [absent::behaviours(), heads::behaviours(), bodies::behaviours(), ends::behaviours(), kept::behaviours()].concat()
}

fn holding(bytes: usize, behaviours: Vec<Behaviour>) -> Vec<Behaviour> {
    behaviours.into_iter().map(|behaviour| behaviour.holding(bytes)).collect()
}

/// One that begins when a request has come.
fn with(name: &'static str, steps: Vec<Step>, outcome: Outcome) -> Behaviour {
    Behaviour::new(Family::Http1, name, (Place::Requested, Security::None), steps, outcome)
}

/// One that sends this answer.
fn answer(name: &'static str, bytes: impl AsRef<[u8]>, outcome: Outcome) -> Behaviour {
    with(name, vec![send(bytes)], outcome)
}

/// One whose answer has this chunked body.
fn chunks(name: &'static str, body: &str, outcome: Outcome) -> Behaviour {
    answer(name, [CHUNKED, body].concat(), outcome)
}
