//! Whether threads of the target run whenever they can. Where they do not, JDK 25 is not asked for virtual threads.
//! It may crash as it dumps one that is being mounted or unmounted (JDK-8364343, mended in 26), and a carrier that has
//! lost its core in between stays there for long.

use std::time::{Duration, Instant};

use plimsoll_record::{Nanos, Tasks};
use rustix::param::clock_ticks_per_second;

use crate::read;

/// Largest share of the machine in use that counts as calm.
const BUSY: f64 = 0.8;
/// Most runnable threads of the target without a core, on average, that count as calm.
const WAITING: f64 = 0.5;
/// Shortest time between two readings.
const LEAST: Duration = Duration::from_millis(200);

/// Looks at the machine and the target now and then.
#[derive(Debug, Default)]
pub(super) struct Calm {
    last: Option<Reading>,
    is_calm: bool,
}

/// Sums since the machine, and the target, began.
#[derive(Clone, Copy, Debug)]
struct Reading {
    at: Instant,
    /// In seconds of a core.
    busy: f64,
    waited: Nanos,
}

impl Calm {
    /// Takes in the threads of the target as they are now.
    pub fn see(&mut self, tasks: &[Tasks]) {
        let waited = tasks.iter().fold(Nanos::ZERO, |sum, tasks| sum + tasks.delay);
        let Some(cpu) = read::machine_cpu_time() else { return };
        // Time that the hypervisor keeps is as unavailable as time that others use.
        let busy = (cpu.busy_ticks + cpu.steal_ticks) as f64 / clock_ticks_per_second() as f64;
        let now = Reading { at: Instant::now(), busy, waited };
        if self.last.is_none_or(|last| now.at - last.at >= LEAST) {
            self.is_calm = self.last.is_some_and(|last| is_calm(last, now, read::machine_cores() as f64));
            self.last = Some(now);
        }
    }

    /// Whether nothing waited for a core between the last two looks.
    pub fn is_calm(&self) -> bool {
        self.is_calm
    }
}

fn is_calm(last: Reading, now: Reading, cores: f64) -> bool {
    let seconds = (now.at - last.at).as_secs_f64();
    let busy = (now.busy - last.busy) / seconds;
    let waiting = now.waited.as_secs_f64() - last.waited.as_secs_f64();
    busy < BUSY * cores && waiting / seconds < WAITING
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_or_threads_that_wait_are_not_calm() {
        let at = Instant::now();
        let last = Reading { at, busy: 70.0, waited: Nanos::from_millis(300) };
        let after = |busy, waited| Reading {
            at: at + Duration::from_secs(1),
            busy: last.busy + busy,
            waited: last.waited + Nanos::from_millis(waited),
        };
        assert!(is_calm(last, after(1.5, 200), 2.0));
        assert!(!is_calm(last, after(1.7, 200), 2.0), "of two cores");
        assert!(!is_calm(last, after(0.6, 700), 2.0), "a quota");
    }

    #[test]
    fn one_look_tells_nothing() {
        let mut calm = Calm::default();
        calm.see(&[]);
        assert!(!calm.is_calm());
    }
}
