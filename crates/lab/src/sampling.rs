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

use crate::{clock, placement::Placement};

const INTERVAL: Nanos = Nanos::from_millis(100);

/// A sampler at work, until [`Sampling::end`].
#[derive(Debug)]
pub struct Sampling {
    samples: Arc<Mutex<Vec<Sample>>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Sampling {
    /// Samples from now on; instants are counted from `spawned`.
    pub fn start(mut sampler: Sampler, spawned: Nanos, placement: &Placement) -> Self {
        let (samples, over) = (Arc::<Mutex<Vec<Sample>>>::default(), Arc::<AtomicBool>::default());
        let (into, until, placement) = (Arc::clone(&samples), Arc::clone(&over), placement.clone());
        let thread = thread::spawn(move || {
            placement.pin_generator();
            let mut due = clock::now();
            while !until.load(Ordering::Relaxed) {
                let taken = sampler.sample(clock::now() - spawned);
                into.lock().unwrap_or_else(PoisonError::into_inner).extend(taken);
                due = (due + INTERVAL).max(clock::now());
                thread::sleep(Duration::from(due - clock::now()));
            }
            into.lock().unwrap_or_else(PoisonError::into_inner).extend(sampler.finish());
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
