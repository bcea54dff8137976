//! The outside view of a target on Linux: its processes, their CPU, memory, threads and descriptors, and their sockets,
//! and the machine they run on.
//!
//! [`parse`] turns text of the kernel into values and reads nothing; [`read`] opens the files. A process that vanishes
//! between two reads is not an error: it is no longer there.

pub mod attach;
mod census;
pub mod compile_queue;
mod compilers;
pub mod connector;
mod cores;
mod cpu_time;
pub mod environment;
mod foreign;
mod jvm;
mod libraries;
pub mod listener;
pub mod parse;
mod pressure;
mod processes;
pub mod read;
pub mod sampler;
pub mod server;
mod sockets;
mod sparse;
mod thin;
pub mod tree;

pub use census::CensusTaker;
pub use foreign::{Busy, Foreign, Used as ForeignUsed};
pub use parse::socket::Ports;
pub use sampler::Sampler;
pub use tree::ProcessTree;
