//! A target that was not launched by the lab is watched beside the search.

use std::cell::RefCell;

use plimsoll_observe::{Ports, ProcessTree, Sampler, read};
use plimsoll_record::{Nanos, Sample};

use super::warming::Warming;
use crate::{
    clock,
    placement::Placement,
    sampling::{Sampling, Watched},
};

/// A process that is sampled ten times a second, and its children.
#[derive(Debug)]
pub struct Watching {
    sampling: Sampling,
    warming: RefCell<Warming>,
}

impl Watching {
    /// Begins to watch `pid`, which listens on `port`. Instants are counted from the beginning of the search, which was
    /// `elapsed` ago.
    pub fn start(pid: i32, port: u16, elapsed: Nanos) -> Self {
        let ports = Ports { listening: vec![port], remote: Vec::new() };
        let target = Sampler::new(ProcessTree::of(pid), read::memory_file_of_container(pid)).with_sockets(ports);
        let watched = Watched { target: Some(target), beside: Vec::new(), dependencies: Vec::new() };
        let sampling = Sampling::start(watched, clock::now() - elapsed, Placement::here().thread_in(None));
        Self { sampling, warming: RefCell::default() }
    }

    /// The samples taken since the last call.
    pub fn take(&self) -> Vec<Sample> {
        let samples = self.sampling.take();
        self.warming.borrow_mut().add(&samples);
        samples
    }

    /// Whether it still compiles or loads classes, by the samples that were taken.
    pub fn is_warming(&self) -> bool {
        self.warming.borrow().is_warming()
    }

    /// Ends it, and takes the last samples.
    pub fn end(mut self) -> Vec<Sample> {
        self.sampling.end();
        self.sampling.take()
    }
}
