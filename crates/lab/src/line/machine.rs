//! Others that used the machine during a step: the hypervisor, and processes that have no part in the search.

use std::process;

use plimsoll_observe::{ProcessTree, read};
use plimsoll_record::Nanos;
use rustix::param::clock_ticks_per_second;

/// Share of all cores that others may use beyond their share during the probe, in which everything that belongs to the
/// service works as hard as it can.
const FOREIGN_MOST: f64 = 0.2;
/// Time that the service's threads wait for a core, relative to their CPU time, below which foreign CPU does no harm:
/// others ran on cores that were idle otherwise, or at a priority that gives way.
const WAITED_LEAST: f64 = 0.1;
/// Share of all cores that the hypervisor may keep, relative to the resolution: a service whose limit is the CPU
/// carries less by that share.
const STOLEN_MOST: f64 = 0.5;

/// CPU of the machine over a step, as a part of all cores.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Used {
    stolen: f64,
    /// Used by processes other than this one, the target, and those that they started.
    foreign: f64,
    /// Time in which runnable threads of these known processes had no core, relative to their CPU time.
    waited: f64,
}

/// Compares steps with the probe.
#[derive(Debug)]
pub(super) struct Machine {
    known: Vec<ProcessTree>,
    begun: Option<Reading>,
    /// Foreign CPU during the probe: databases and the like belong to the service.
    of_probe: f64,
}

/// CPU since boot, all cores together.
#[derive(Clone, Copy, Debug)]
struct Reading {
    at: Nanos,
    busy_ticks: u64,
    stolen_ticks: u64,
    known: Known,
}

/// CPU of the processes that have a part in the search.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    ticks: u64,
    cpu: Nanos,
    delay: Nanos,
}

impl Machine {
    /// `targets` have a part in the search, too: processes of this machine that this one has not started.
    pub fn new(targets: &[i32]) -> Self {
        let own = i32::try_from(process::id()).ok();
        Self {
            known: own.into_iter().chain(targets.iter().copied()).map(ProcessTree::of).collect(),
            begun: None,
            of_probe: 0.0,
        }
    }

    /// Begins a step.
    pub fn begin(&mut self, now: Nanos) {
        self.begun = self.read(now);
    }

    /// Ends the step. Returns the CPU used in it.
    pub fn end(&mut self, now: Nanos) -> Used {
        let Some((begun, ended)) = self.begun.take().zip(self.read(now)) else { return Used::default() };
        let all = (now - begun.at).as_secs_f64() * clock_ticks_per_second() as f64 * read::machine_cores() as f64;
        if all <= 0.0 {
            return Used::default();
        }
        let (before, after) = (begun.known, ended.known);
        let busy = ended.busy_ticks.saturating_sub(begun.busy_ticks);
        let cpu = (after.cpu - before.cpu).as_secs_f64();
        Used {
            stolen: ended.stolen_ticks.saturating_sub(begun.stolen_ticks) as f64 / all,
            foreign: busy.saturating_sub(after.ticks.saturating_sub(before.ticks)) as f64 / all,
            waited: if cpu > 0.0 { (after.delay - before.delay).as_secs_f64() / cpu } else { 0.0 },
        }
    }

    /// Notes what was used in a step of the probe.
    pub fn expect(&mut self, used: Used) {
        self.of_probe = self.of_probe.max(used.foreign);
    }

    /// Why a trial says more of the machine than of the service.
    pub fn disturbed(&self, used: Used, resolution: f64) -> Option<String> {
        if used.stolen > STOLEN_MOST * resolution {
            return Some(format!("the hypervisor kept {:.0} % of the CPU", used.stolen * 100.0));
        }
        let more = used.foreign - self.of_probe;
        (more > FOREIGN_MOST && used.waited > WAITED_LEAST)
            .then(|| format!("processes that have no part in it used {:.0} % of the CPU", used.foreign * 100.0))
    }

    fn read(&self, at: Nanos) -> Option<Reading> {
        let machine = read::machine_cpu_time()?;
        let mut known = Known::default();
        for pid in self.known.iter().flat_map(|tree| tree.pids()) {
            known.ticks += read::stat(pid).map_or(0, |stat| stat.cpu_ticks + stat.waited_ticks);
            let (cpu, delay) = read::scheduled(pid).unwrap_or_default();
            known.cpu = known.cpu + cpu;
            known.delay = known.delay + delay;
        }
        Some(Reading { at, busy_ticks: machine.busy_ticks, stolen_ticks: machine.steal_ticks, known })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreign(part: f64, waited: f64) -> Used {
        Used { foreign: part, waited, ..Used::default() }
    }

    fn stolen(part: f64) -> Used {
        Used { stolen: part, ..Used::default() }
    }

    #[test]
    fn what_the_probe_saw_belongs_to_the_service() {
        let mut machine = Machine::new(&[]);
        assert!(machine.disturbed(foreign(0.5, 0.5), 0.1).is_some_and(|why| why.contains("50 % of the CPU")));
        machine.expect(foreign(0.4, 0.5));
        machine.expect(foreign(0.1, 0.5));
        assert_eq!(machine.disturbed(foreign(0.5, 0.5), 0.1), None);
        assert!(machine.disturbed(foreign(0.7, 0.5), 0.1).is_some());
    }

    #[test]
    fn others_that_keep_nobody_waiting_disturb_nothing() {
        assert_eq!(Machine::new(&[]).disturbed(foreign(0.5, 0.05), 0.1), None);
    }

    #[test]
    fn stolen_time_counts_by_the_resolution() {
        let machine = Machine::new(&[]);
        assert_eq!(machine.disturbed(stolen(0.04), 0.1), None);
        assert!(machine.disturbed(stolen(0.04), 0.05).is_some_and(|why| why.contains("hypervisor kept 4 %")));
    }

    #[test]
    fn this_process_is_known() {
        let mut machine = Machine::new(&[]);
        machine.begin(Nanos::ZERO);
        let known = machine.read(Nanos::ZERO).unwrap().known;
        let mut sum = 0_u64;
        // A child of a test beside this one is known, too, and takes its time with it when it ends.
        let has_grown = |now: Known| now.ticks >= known.ticks + 5 && now.cpu > known.cpu;
        while !has_grown(machine.read(Nanos::ZERO).unwrap().known) {
            sum = (0..1_000_000).fold(sum, |sum, number| sum.wrapping_add(number));
        }
        let used = machine.end(Nanos::from_secs(1_000));
        assert!(used.foreign < 1.0, "{sum}");
    }
}
