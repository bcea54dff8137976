//! The search for the load line: the highest rate at which a service keeps its objectives, as an interval.
//!
//! Pure: no clock, no sockets. A [`Search`] says which [`Step`] to take next, is shown each second what came of it, and
//! says when it is over. The same code serves a process, a run of the lab, and thousands of simulated servers.
//!
//! All times are in seconds, all rates in requests per second. `docs/line.md` says why it goes as it does.

mod answer;
mod cold;
mod criterion;
mod drift;
mod elementary;
mod ends;
mod goal;
mod grid;
mod hurry;
mod likelihood;
mod posterior;
mod probe;
pub mod recovery;
mod reserve;
mod search;
mod stall;
mod theory;
mod trial;

#[cfg(feature = "testing")]
pub mod testing;

pub use self::{
    answer::{Answer, End, Outcome, is_near},
    criterion::Criterion,
    probe::{Capacity, Probe},
    search::{Search, Settings, Step},
    theory::{requests_needed, requests_needed_of_users},
    trial::{SLOT, Seen, Slot, Trial},
};
