//! The warm-up of a run: when it is over. None is shorter than those of earlier runs.
//!
//! Throughput alone does not tell that a JVM is warm: the interpreter's may be steady until the compilers have done
//! their work. And runs that warmed up for different times are not alike.

use std::thread::{self, JoinHandle};

use plimsoll_observe::compile_queue;
use plimsoll_record::{Interval, Nanos};
use plimsoll_text::counted;

use super::session::Session;
use crate::steady::Steadiness;

/// Shortest interval that counts as a second of a load.
const LEAST_OF_A_SECOND: Nanos = Nanos::from_millis(500);

/// A warm-up under way that ends once the target is warm.
#[derive(Debug, Default)]
pub struct WarmUp {
    steadiness: Steadiness,
    seconds: u32,
    is_over: bool,
    /// Sign by which it was not warm at the last second.
    why_not: Option<&'static str>,
    asked: Option<JoinHandle<Option<usize>>>,
}

impl Session<'_, '_> {
    /// Takes in a second of a warm-up. Whether it is over: the target is warm, and no other was warmed up for longer.
    pub fn is_warm(&self, warm_up: &mut WarmUp, second: &Interval) -> bool {
        // The last part of a second, in which a load ends, tells nothing.
        if !warm_up.is_over && second.duration >= LEAST_OF_A_SECOND {
            warm_up.add(second);
            warm_up.why_not = warm_up.why_not(self.is_warming(), || self.target.pids());
            warm_up.is_over = warm_up.why_not.is_none() && warm_up.seconds >= self.execution.warmed_up_s;
        }
        warm_up.is_over
    }

    /// Keeps how long a warm-up took that has ended, and says if it did before the target was warm.
    pub fn warmed_up(&mut self, warm_up: &WarmUp) {
        self.execution.warmed_up_s = self.execution.warmed_up_s.max(warm_up.seconds);
        // A proof has a warm-up of its own, whose length nobody can change.
        if let Some(why) = warm_up.why_not.filter(|_| self.execution.experiment.plan.proof.is_none()) {
            let (name, took) = (&self.place.name, counted(warm_up.seconds.into(), "second"));
            self.execution.say_once(&format!(
                "{name}: the warm-up ended after {took}, when {why}: give it longer by `at-most` of `warmup`, or take \
                 its figures for those of a service that still warms up"
            ));
        }
    }
}

impl WarmUp {
    /// Takes in a second of it, or several through which this process stood still.
    fn add(&mut self, second: &Interval) {
        self.seconds += (second.duration.as_secs_f64().round() as u32).max(1);
        self.steadiness.add(second);
    }

    /// None if the target is warm, else what is not. `is_compiling`: by the JVM's own counters it still compiles or
    /// loads classes; `pids` are its processes.
    fn why_not(&mut self, is_compiling: bool, pids: impl FnOnce() -> Vec<i32>) -> Option<&'static str> {
        let load = self.steadiness.why_not();
        load.or_else(|| is_compiling.then_some("its JIT compilers were still busy")).or_else(|| self.queue(pids))
    }

    /// Methods that wait for C2 would change the figures later. The JVM is asked only once all else is steady, and on a
    /// thread of its own, for it may take a moment.
    fn queue(&mut self, pids: impl FnOnce() -> Vec<i32>) -> Option<&'static str> {
        let answer = self.asked.take_if(|asked| asked.is_finished());
        match answer.map(JoinHandle::join) {
            // None: it cannot be read, or no JVM is there.
            Some(Ok(None | Some(0)) | Err(_)) => None,
            _ => {
                let pids = if self.asked.is_none() { pids() } else { Vec::new() };
                self.asked.get_or_insert_with(|| thread::spawn(move || compile_queue::of_c2(&pids)));
                Some("methods waited to be compiled by C2")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn steady() -> WarmUp {
        let mut warm_up = WarmUp::default();
        for _ in 0..6 {
            let mut second = Interval { duration: Nanos::from_secs(1), ..Interval::default() };
            second.counts.succeeded = 100;
            warm_up.add(&second);
        }
        warm_up
    }

    #[test]
    fn a_load_that_is_steady_is_not_enough_while_the_jvm_compiles() {
        assert_eq!(WarmUp::default().why_not(false, Vec::new), Some("too little time had passed to tell"));
        assert_eq!(steady().why_not(true, Vec::new), Some("its JIT compilers were still busy"));
    }

    #[test]
    fn what_is_no_jvm_has_no_queue_and_is_warm() {
        let mut warm_up = steady();
        let deadline = Instant::now() + Duration::from_secs(60);
        while warm_up.why_not(false, Vec::new).is_some() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        assert!(Instant::now() < deadline);
        assert_eq!(warm_up.seconds, 6);
    }
}
