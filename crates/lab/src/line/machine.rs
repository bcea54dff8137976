//! Others that used the machine during a step: the hypervisor, and processes that have no part in the search.

use std::process;

use plimsoll_observe::{ProcessTree, environment::allowed_cpus, read};
use plimsoll_record::Nanos;
use rustix::param::clock_ticks_per_second;

/// The part of all cores that others may use more than they did during the probe, when whatever belongs to the service
/// works as hard as it can.
const FOREIGN_MOST: f64 = 0.2;
/// The part of all cores that the hypervisor may keep, as a part of the resolution: a service whose limit is the CPU
/// carries so much less.
const STOLEN_MOST: f64 = 0.5;

/// CPU of the machine over a step, as a part of all cores.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Used {
    stolen: f64,
    /// Neither of this process, nor of the target, nor of what they started.
    foreign: f64,
}

/// Compares steps with the probe.
#[derive(Debug)]
pub(super) struct Machine {
    known: Vec<ProcessTree>,
    begun: Option<Reading>,
    /// Foreign CPU during the probe: databases and the like belong to the service.
    of_probe: f64,
}

/// Clock ticks since boot, all cores together.
#[derive(Clone, Copy, Debug)]
struct Reading {
    at: Nanos,
    busy: u64,
    stolen: u64,
    known: u64,
}

impl Machine {
    /// `target` has a part in the search, too, if it is a process of this machine that this one has not started.
    pub fn new(target: Option<i32>) -> Self {
        let own = i32::try_from(process::id()).ok();
        Self { known: own.into_iter().chain(target).map(ProcessTree::of).collect(), begun: None, of_probe: 0.0 }
    }

    /// A step begins.
    pub fn begin(&mut self, now: Nanos) {
        self.begun = self.read(now);
    }

    /// It is over.
    pub fn end(&mut self, now: Nanos) -> Used {
        let Some((begun, ended)) = self.begun.take().zip(self.read(now)) else { return Used::default() };
        let all = (now - begun.at).as_secs_f64() * clock_ticks_per_second() as f64 * allowed_cpus().len() as f64;
        if all <= 0.0 {
            return Used::default();
        }
        let busy = ended.busy.saturating_sub(begun.busy);
        Used {
            stolen: ended.stolen.saturating_sub(begun.stolen) as f64 / all,
            foreign: busy.saturating_sub(ended.known.saturating_sub(begun.known)) as f64 / all,
        }
    }

    /// The step was one of the probe.
    pub fn expect(&mut self, used: Used) {
        self.of_probe = self.of_probe.max(used.foreign);
    }

    /// Why a trial says more of the machine than of the service.
    pub fn disturbed(&self, used: Used, resolution: f64) -> Option<String> {
        if used.stolen > STOLEN_MOST * resolution {
            return Some(format!("the hypervisor kept {:.0} % of the CPU", used.stolen * 100.0));
        }
        let more = used.foreign - self.of_probe;
        (more > FOREIGN_MOST)
            .then(|| format!("processes that have no part in it used {:.0} % of the CPU", used.foreign * 100.0))
    }

    fn read(&self, at: Nanos) -> Option<Reading> {
        let machine = read::machine_cpu_time()?;
        let pids = self.known.iter().flat_map(|tree| tree.pids());
        let known = pids.filter_map(read::stat).map(|stat| stat.cpu_ticks).sum();
        Some(Reading { at, busy: machine.busy_ticks, stolen: machine.steal_ticks, known })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(stolen: f64, foreign: f64) -> Used {
        Used { stolen, foreign }
    }

    #[test]
    fn what_the_probe_saw_belongs_to_the_service() {
        let mut machine = Machine::new(None);
        assert!(machine.disturbed(used(0.0, 0.5), 0.1).is_some_and(|why| why.contains("50 % of the CPU")));
        machine.expect(used(0.0, 0.4));
        machine.expect(used(0.0, 0.1));
        assert_eq!(machine.disturbed(used(0.0, 0.5), 0.1), None);
        assert!(machine.disturbed(used(0.0, 0.7), 0.1).is_some());
    }

    #[test]
    fn stolen_time_counts_by_the_resolution() {
        let machine = Machine::new(None);
        assert_eq!(machine.disturbed(used(0.04, 0.0), 0.1), None);
        assert!(machine.disturbed(used(0.04, 0.0), 0.05).is_some_and(|why| why.contains("hypervisor kept 4 %")));
    }

    #[test]
    fn this_process_is_known() {
        let mut machine = Machine::new(None);
        machine.begin(Nanos::ZERO);
        let known = machine.read(Nanos::ZERO).unwrap().known;
        let mut sum = 0_u64;
        while machine.read(Nanos::ZERO).unwrap().known < known + 5 {
            sum = (0..1_000_000).fold(sum, |sum, number| sum.wrapping_add(number));
        }
        assert!(machine.end(Nanos::from_secs(1_000)).foreign < 1.0, "{sum}");
    }
}
