//! TLS by rustls, without sockets: what is to be trusted, one session per connection, and failures in words.

mod client;
mod config;
mod session;
mod tickets;
mod words;

pub use client::{Answer, Client};
pub(crate) use config::{Secure, check};
pub(crate) use session::Session;
pub(crate) use words::words;
