//! Targets over HTTP/2.

mod connections;
mod ends;
mod floods;
mod streams;

use plimsoll_record::ErrorKind;

use crate::{
    behaviour::{Behaviour, Connections, Family, Outcome, Place, Security, Step, not_http},
    frames::Frames,
};

pub fn behaviours() -> Vec<Behaviour> {
    [connections::behaviours(), streams::behaviours(), floods::behaviours(), ends::behaviours()].concat()
}

fn with(name: &'static str, place: Place, steps: Vec<Step>, outcome: Outcome) -> Behaviour {
    Behaviour::new(Family::Http2, name, (place, Security::None), steps, outcome)
}

/// One that sends these frames when a request has come, and waits for the end of the connection.
fn answer(name: &'static str, frames: fn(u32) -> Frames, outcome: Outcome) -> Behaviour {
    with(name, Place::Requested, vec![Step::Frames(frames)], outcome)
}

/// One that breaks a rule of the connection, which ends for it.
fn breaks(name: &'static str, frames: fn(u32) -> Frames, words: &'static [&'static str]) -> Behaviour {
    answer(name, frames, not_http(words))
}

/// One that breaks a rule of its stream: the connection goes on.
fn malformed(name: &'static str, frames: fn(u32) -> Frames, words: &'static [&'static str]) -> Behaviour {
    answer(name, frames, Outcome { kinds: &[ErrorKind::Protocol], words, connections: Connections::Kept })
}
