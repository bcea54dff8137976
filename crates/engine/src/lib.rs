//! The load engine, pure: no clock, no sockets, no files.
//!
//! Time is an argument. A [`Schedule`] turns a load into absolute intended instants; a [`Worker`] follows it, decides
//! what each connection does next, reads responses, and records. Whoever drives it (`plimsoll-drive` with real
//! sockets, or a simulation in virtual time) tells it what happened and when, and carries out its [`Action`]s.

pub mod http1;
pub mod http2;
pub mod schedule;
pub mod script;
#[cfg(test)]
mod simulation;
pub mod worker;

pub use http1::Request;
pub use schedule::{Schedule, Segment};
pub use script::{Flow, Script, ScriptText, Step};
pub use worker::{Action, ConnectionId, Established, Reuse, SlotId, Worker, WorkerOptions};
