//! A target that was not launched by the lab is watched beside the search.

use std::{
    cell::RefCell,
    sync::{Arc, Mutex, PoisonError},
};

use plimsoll_observe::{Foreign, ForeignUsed, Ports, ProcessTree, Sampler, read};
use plimsoll_record::{Nanos, Sample};

use super::{others::Others, warming::Warming};
use crate::{
    clock,
    placement::Placement,
    sampling::{Sampling, Source, Watched},
};

/// A process that is sampled ten times a second, and its children.
#[derive(Debug)]
pub struct Watching {
    sampling: Sampling,
    warming: RefCell<Warming>,
    /// Looks at other processes since the last call of [`Watching::note`]; none if they are not watched.
    looks: Arc<Mutex<Vec<ForeignUsed>>>,
    others: RefCell<Others>,
}

impl Watching {
    /// Begins to watch `pid`, which listens on `port`. Instants are counted from the beginning of the search, which was
    /// `elapsed` ago.
    pub fn start(pid: i32, port: u16, elapsed: Nanos) -> Self {
        Self::with(pid, port, elapsed, |_| Vec::new())
    }

    /// Watches also what all others use: processes that are neither this one nor one of `own`.
    pub fn start_beside_others(pid: i32, port: u16, elapsed: Nanos, own: impl IntoIterator<Item = i32>) -> Self {
        let mut foreign = Foreign::new(own);
        Self::with(pid, port, elapsed, |looks| {
            vec![Box::new(move || {
                let samples = foreign.sample();
                if !samples.is_empty() {
                    looks.lock().unwrap_or_else(PoisonError::into_inner).push(foreign.used().clone());
                }
                samples
            })]
        })
    }

    fn with(
        pid: i32,
        port: u16,
        elapsed: Nanos,
        beside: impl FnOnce(Arc<Mutex<Vec<ForeignUsed>>>) -> Vec<Source>,
    ) -> Self {
        let ports = Ports { listening: vec![port], remote: Vec::new() };
        let target = Sampler::new(ProcessTree::of(pid), read::memory_file_of_container(pid)).with_sockets(ports);
        let looks = Arc::<Mutex<Vec<ForeignUsed>>>::default();
        let watched = Watched { target: Some(target), beside: beside(Arc::clone(&looks)), dependencies: Vec::new() };
        let sampling = Sampling::start(watched, clock::now() - elapsed, Placement::here().thread_in(None));
        Self { sampling, warming: RefCell::default(), looks, others: RefCell::default() }
    }

    /// The samples taken since the last call.
    pub fn take(&self) -> Vec<Sample> {
        let samples = self.sampling.take();
        self.warming.borrow_mut().add(&samples);
        samples
    }

    /// A remark on what other processes use, for the person who waits: once.
    pub fn note(&self) -> Option<String> {
        let looks = std::mem::take(&mut *self.looks.lock().unwrap_or_else(PoisonError::into_inner));
        let mut others = self.others.borrow_mut();
        looks.iter().filter_map(|used| others.add(used)).next()
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
