//! Targets over HTTP/1.1.

mod bodies;
mod ends;
mod heads;
mod kept;

use crate::behaviour::{Behaviour, Family, Outcome, Place, Security, Step, send};

/// The head of a chunked response.
const CHUNKED: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

pub fn behaviours() -> Vec<Behaviour> {
    [heads::behaviours(), bodies::behaviours(), ends::behaviours(), kept::behaviours()].concat()
}

/// One that begins when a request has come.
fn with(name: &'static str, steps: Vec<Step>, outcome: Outcome) -> Behaviour {
    Behaviour { family: Family::Http1, name, place: Place::Requested, security: Security::None, steps, outcome }
}

/// One that sends this answer.
fn answer(name: &'static str, bytes: impl AsRef<[u8]>, outcome: Outcome) -> Behaviour {
    with(name, vec![send(bytes)], outcome)
}

/// One whose answer has this chunked body.
fn chunks(name: &'static str, body: &str, outcome: Outcome) -> Behaviour {
    answer(name, [CHUNKED, body].concat(), outcome)
}
