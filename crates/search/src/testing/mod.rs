//! Servers in virtual time, and searches on them.

mod arrivals;
mod peers;
mod run;
mod server;
mod strangers;
mod systems;

pub use self::{
    arrivals::Arrivals,
    peers::{Interval, Peer, peers},
    run::{Searched, search_on, search_with},
    server::{Server, Service, Times},
    strangers::strangers,
    systems::{System, crowds, systems},
};
