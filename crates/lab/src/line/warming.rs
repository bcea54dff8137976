//! Whether a JVM is still making itself ready, by the counters that it shares: steady throughput alone does not tell,
//! as the interpreter's may be steady, too, until the compiler has done its work.

use plimsoll_record::{
    Nanos, Sample,
    metric::jvm::{CLASSES_LOADED, COMPILE_MS},
};

/// Length of the window up to now.
const WINDOW: Nanos = Nanos::from_secs(4);
/// Time in the JIT compilers, as a share of the window, above which a JVM is warming up: it keeps that share of a core
/// from requests. A warm service goes on compiling a little for minutes.
const COMPILING: f64 = 0.1;
/// Classes loaded in the window, above which a JVM is warming up.
const LOADING: f64 = 40.0;

/// Counters of a JVM, as they are sampled.
#[derive(Debug, Default)]
pub struct Warming {
    /// Instant of the latest sample of any metric: a counter that does not change is not sampled again.
    now: Nanos,
    compile_ms: Counter,
    classes: Counter,
}

/// Values of a counter in the last [`WINDOW`], and the one before, with when they were seen.
#[derive(Debug, Default)]
struct Counter(Vec<(Nanos, f64)>);

impl Counter {
    fn add(&mut self, at: Nanos, value: f64) {
        // A counter that falls is that of another process.
        if self.0.last().is_some_and(|&(_, last)| value < last) {
            self.0.clear();
        }
        let before = self.0.partition_point(|&(seen, _)| seen + WINDOW <= at);
        self.0.drain(..before.saturating_sub(1));
        self.0.push((at, value));
    }

    /// How much it rose in the window that ends at `now`.
    fn rise(&self, now: Nanos) -> f64 {
        let before = self.0.partition_point(|&(seen, _)| seen + WINDOW <= now).saturating_sub(1);
        self.0.get(before).zip(self.0.last()).map_or(0.0, |(first, last)| last.1 - first.1)
    }
}

impl Warming {
    /// Takes in samples of the target.
    pub fn add(&mut self, samples: &[Sample]) {
        for sample in samples {
            self.now = self.now.max(sample.at);
            match sample.metric.as_str() {
                name if name == COMPILE_MS.name => self.compile_ms.add(sample.at, sample.value),
                name if name == CLASSES_LOADED.name => self.classes.add(sample.at, sample.value),
                _ => {}
            }
        }
    }

    /// Whether it still compiles or loads classes, more than a warm service does; false without such counters.
    pub fn is_warming(&self) -> bool {
        self.compile_ms.rise(self.now) > COMPILING * WINDOW.as_millis_f64() || self.classes.rise(self.now) > LOADING
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::metric::{Metric, RSS_BYTES};

    use super::*;

    /// Ten samples a second of a counter that rises by so much a second.
    fn risen(metric: Metric, rises_per_s: &[f64]) -> Warming {
        let mut warming = Warming::default();
        let (mut value, mut tenth) = (0.0, 0);
        for rise in rises_per_s {
            for _ in 0..10 {
                (value, tenth) = (value + rise / 10.0, tenth + 1);
                let at = Nanos::from_millis(tenth * 100);
                warming.add(&[Sample { at, metric: metric.name.to_owned(), value }]);
            }
        }
        warming
    }

    #[test]
    fn a_jvm_is_warm_once_it_hardly_compiles_and_loads_no_more() {
        assert!(risen(COMPILE_MS, &[900.0, 900.0]).is_warming());
        assert!(risen(COMPILE_MS, &[900.0, 150.0, 150.0, 150.0, 150.0]).is_warming());
        assert!(!risen(COMPILE_MS, &[900.0, 30.0, 30.0, 30.0, 30.0, 30.0]).is_warming(), "the window has passed");
        assert!(risen(CLASSES_LOADED, &[3_000.0]).is_warming());
        assert!(!risen(CLASSES_LOADED, &[3_000.0, 2.0, 2.0, 2.0, 2.0, 2.0]).is_warming());
    }

    #[test]
    fn a_counter_that_stays_is_not_sampled_again() {
        let mut warming = risen(COMPILE_MS, &[900.0, 900.0]);
        let others = |second| [Sample { at: Nanos::from_secs(second), metric: RSS_BYTES.name.to_owned(), value: 1e9 }];
        warming.add(&others(4));
        assert!(warming.is_warming(), "two seconds ago it did");
        warming.add(&others(7));
        assert!(!warming.is_warming());
    }

    #[test]
    fn what_is_no_jvm_is_never_warming() {
        assert!(!Warming::default().is_warming());
        assert!(!risen(RSS_BYTES, &[1e9, 1e9]).is_warming());
    }

    #[test]
    fn another_process_begins_anew() {
        let mut warming = risen(COMPILE_MS, &[10.0]);
        warming.add(&[Sample { at: Nanos::from_secs(2), metric: COMPILE_MS.name.to_owned(), value: 1.0 }]);
        assert_eq!(warming.compile_ms.rise(Nanos::from_secs(2)), 0.0);
    }
}
