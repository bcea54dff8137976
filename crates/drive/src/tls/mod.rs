//! TLS by rustls, without sockets: what is to be trusted, one session per connection, and messages of failures.

mod client;
mod config;
mod failure;
mod holder;
mod session;
mod tickets;

pub use client::{Answer, Client};
pub(crate) use config::{Secure, check};
pub(crate) use failure::explain;
pub use holder::Holder;
pub(crate) use session::Session;
