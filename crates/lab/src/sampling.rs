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
use plimsoll_record::{
    Nanos, Sample,
    metric::{self, Metric},
};

use crate::{clock, placement::ThreadPlacement};

const INTERVAL: Nanos = Nanos::from_millis(100);

/// Source of metrics: their present values by name.
pub type Source = Box<dyn FnMut() -> Vec<(String, f64)> + Send>;

/// Everything that is sampled.
pub struct Watched {
    /// The target, if its process is known.
    pub target: Option<Sampler>,
    /// Its network, and other processes.
    pub beside: Vec<Source>,
    /// The programs that it needs, by name.
    pub dependencies: Vec<(String, Sampler)>,
}

/// The metrics of a program beside the target that are kept, and the series that they become.
const OF_DEPENDENCIES: [(Metric, &str); 2] = [(metric::CPU_PERCENT, "CPU %"), (metric::RSS_BYTES, "memory bytes")];

impl Watched {
    fn sample(&mut self, at: Nanos) -> Vec<Sample> {
        let beside = self.beside.iter_mut().flat_map(|source| source());
        let beside = beside.map(|(metric, value)| Sample { at, metric, value });
        let beside: Vec<Sample> = beside.collect();
        let dependencies = self.dependencies.iter_mut().flat_map(|(name, sampler)| of_dependency(name, sampler, at));
        let target = self.target.iter_mut().flat_map(|target| target.sample(at));
        target.chain(beside).chain(dependencies).collect()
    }
}

/// Samples of a dependency as series beside the target's own, drawn and tabulated as these are.
fn of_dependency(name: &str, sampler: &mut Sampler, at: Nanos) -> Vec<Sample> {
    let kept = |sample: Sample| {
        let (_, series) = OF_DEPENDENCIES.into_iter().find(|(metric, _)| metric.name == sample.metric)?;
        Some(Sample { metric: metric::of_target(&format!("{name} {series}")), ..sample })
    };
    sampler.sample(at).into_iter().filter_map(kept).collect()
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
            into.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .extend(watched.target.into_iter().flat_map(|mut target| target.finish()));
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
