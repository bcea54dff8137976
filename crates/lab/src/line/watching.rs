//! A target that was not launched by the lab is watched beside the search.

use plimsoll_observe::{Ports, ProcessTree, Sampler};
use plimsoll_record::{Nanos, Sample};

use crate::{
    clock,
    placement::Placement,
    sampling::{Sampling, Watched},
};

/// A process that is sampled ten times a second, and its children.
#[derive(Debug)]
pub struct Watching(Sampling);

impl Watching {
    /// Begins to watch `pid`, which listens on `port`. Instants are counted from the beginning of the search, which was
    /// `elapsed` ago.
    pub fn start(pid: i32, port: u16, elapsed: Nanos) -> Self {
        let ports = Ports { listening: vec![port], remote: Vec::new() };
        let target = Sampler::new(ProcessTree::of(pid), None).with_sockets(ports);
        let watched = Watched { target, beside: Vec::new() };
        Self(Sampling::start(watched, clock::now() - elapsed, Placement::here().thread_in(None)))
    }

    /// The samples taken since the last call.
    pub fn take(&self) -> Vec<Sample> {
        self.0.take()
    }

    /// Ends it, and takes the last samples.
    pub fn end(mut self) -> Vec<Sample> {
        self.0.end();
        self.0.take()
    }
}
