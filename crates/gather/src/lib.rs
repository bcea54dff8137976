//! Parts of a load that join, start together and report as one: the protocol, without sockets and clocks.
//!
//! A part asks, the collector answers; nothing is ever sent unasked, so that a part needs no open port. [`Joining`],
//! [`Telling`] and [`Uploading`] are the part's three stages, [`Collector`] is the other side. A part that stays and
//! offers one load after another is [`Serving`], and [`Crew`] is its other side. Time is an argument of all of them:
//! nanoseconds since some instant of the machine's own, which the two sides need not share.

mod attention;
mod clock;
mod collector;
mod crew;
mod difference;
mod join;
mod joining;
mod message;
#[cfg(test)]
mod network;
mod order;
mod patience;
mod seconds_told;
mod serving;
#[cfg(test)]
mod simulation;
mod telling;
mod totals;
mod upload;
mod uploading;

pub use clock::Clocks;
use collector::AHEAD_MOST;
pub use collector::{Collector, Effect, Rules, Standing};
pub use crew::{Crew, CrewEffect, Outcome as LoadOutcome};
pub use join::{Joiner, Source, join};
pub use joining::{Joining, Seat, Turn};
pub use message::{
    Answer, BODY_BYTES_MAX, Bytes, CHUNK_BYTES, Ended, Envelope, Join, Message, PROTOCOL, Reply, Second,
};
pub use order::{Enlist, Order, Over, Shape};
pub use serving::{Duty, Farewell, Serving};
pub use telling::{Ending, Telling};
pub use totals::Totals;
pub use upload::hexadecimal;
pub use uploading::{Outcome, Uploading};
