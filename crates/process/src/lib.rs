//! Resources of this process, which it shares with the service it measures: threads, processor time, file descriptors.
//!
//! This is the one crate of the load engine with `unsafe` code, in [`prefer_short_slices`].

mod slices;

use std::{num::NonZero, thread};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
pub use slices::prefer_short_slices;

/// Threads of a load generator or of a simulated upstream unless someone says otherwise: few, since one carries far
/// more than a JVM service on the same cores, which are left to it.
pub fn threads() -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    (cores / 4).clamp(1, 8)
}

/// Raises the soft limit of file descriptors to the hard one. Returns how many are allowed then; `u64::MAX` where there
/// is no limit.
pub fn raise_descriptors() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum {
        // Where it may not be raised, the number that is returned tells.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}
