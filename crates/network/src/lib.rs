//! A network for measurements on one machine: two network namespaces, joined by a router that treats packets as a long
//! line would. Where it may not make namespaces, a relay of connections stands in, and says so.
//!
//! Everything is done by one process of its own ([`helper_main`]), which the lab starts with a run ([`Network`]). The
//! namespaces have no names, so there is nothing to remove: they are gone with the processes in them, and the process
//! that made them ends as soon as its standard input does, also when the lab is killed.

mod control;
mod counts;
mod end;
mod helper;
mod link;
mod namespace;
mod network;
mod protocol;
mod relay;
mod router;

pub use counts::Counts;
pub use helper::helper_main;
pub use namespace::Namespace;
pub use network::Network;
pub use protocol::{Config, Opened, receive, send};
