//! Samples a target ten times a second, on a thread of its own, from its start to its end.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use plimsoll_observe::Sampler;
use plimsoll_record::{Nanos, Sample};

use crate::{clock, placement::ThreadPlacement};

const INTERVAL: Nanos = Nanos::from_millis(100);

/// Tells metrics as they are now, by name.
pub type Source = Box<dyn FnMut() -> Vec<(String, f64)> + Send>;

/// The process that is sampled.
pub struct Watched {
    /// The target.
    pub target: Sampler,
    /// Its network, and other processes.
    pub beside: Vec<Source>,
}

impl Watched {
    fn sample(&mut self, at: Nanos) -> Vec<Sample> {
        let beside = self.beside.iter_mut().flat_map(|source| source());
        let beside = beside.map(|(metric, value)| Sample { at, metric, value });
        let beside: Vec<Sample> = beside.collect();
        self.target.sample(at).into_iter().chain(beside).collect()
    }
}

/// A sampler at work, until [`Sampling::end`].
#[derive(Debug)]
pub struct Sampling {
    samples: Arc<Mutex<Vec<Sample>>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Sampling {
    /// Samples from now on, at `placement`; instants are counted from `spawned`.
    pub fn start(mut watched: Watched, spawned: Nanos, placement: ThreadPlacement) -> Self {
        let (samples, over) = (Arc::<Mutex<Vec<Sample>>>::default(), Arc::<AtomicBool>::default());
        let (into, until) = (Arc::clone(&samples), Arc::clone(&over));
        let thread = thread::spawn(move || {
            let _ = placement.apply();
            let mut due = clock::now();
            while !until.load(Ordering::Relaxed) {
                let taken = watched.sample(clock::now() - spawned);
                into.lock().unwrap_or_else(PoisonError::into_inner).extend(taken);
                due = (due + INTERVAL).max(clock::now());
                thread::sleep(Duration::from(due - clock::now()));
            }
            into.lock().unwrap_or_else(PoisonError::into_inner).extend(watched.target.finish());
        });
        Self { samples, over, thread: Some(thread) }
    }

    /// The samples taken since the last call.
    pub fn take(&self) -> Vec<Sample> {
        std::mem::take(&mut *self.samples.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends it: no more samples come, but for those that [`Sampling::take`] has not taken.
    pub fn end(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl Drop for Sampling {
    fn drop(&mut self) {
        self.end();
    }
}
