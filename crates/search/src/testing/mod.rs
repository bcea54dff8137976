//! Servers in virtual time, and searches on them.

mod arrivals;
mod run;
mod server;
mod systems;

pub use self::{
    arrivals::Arrivals,
    run::{Searched, search_on, search_with},
    server::{Server, Service, Times},
    systems::{System, systems},
};
