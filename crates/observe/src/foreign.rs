//! CPU of processes that have no part in a load: neither this one, nor the target, nor what they started.

use std::{
    collections::BTreeMap,
    process,
    time::{Duration, Instant},
};

use plimsoll_record::metric;

use crate::{cpu_time, parse::process::Stat, processes::Processes, read, tree::ProcessTree};

/// How often all processes are looked at, at most: a machine may run thousands.
const INTERVAL: Duration = Duration::from_millis(900);
/// The pause after a look, as a multiple of its CPU time.
const LOOK_PAUSE: u32 = 50;
/// Share of the machine, in percent, from which on the busiest ones are told by name.
const NOTABLE_PERCENT: f64 = 1.0;
/// Processes that are told at most.
const BUSIEST_MOST: usize = 3;

/// Looks at all processes of the machine about once a second.
#[derive(Debug)]
pub struct Foreign {
    own: Vec<ProcessTree>,
    cores: usize,
    last: Option<Look>,
    due: Instant,
    used: Used,
}

/// CPU that others used between two looks, in percent of all cores of the machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Used {
    /// All of them.
    pub percent: f64,
    /// The busiest, the first one most of all.
    pub busiest: Vec<Busy>,
}

/// A process that has no part in a load.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Busy {
    /// Its number.
    pub pid: i32,
    /// The kernel's name of it.
    pub name: String,
    /// CPU, in percent of all cores of the machine.
    pub percent: f64,
}

#[derive(Debug)]
struct Look {
    processes: Processes,
    /// Processes that have a part in the load.
    own: BTreeMap<i32, Stat>,
    /// Busy time of the machine, since it was started.
    busy_ticks: u64,
}

impl Foreign {
    /// `targets` have a part in the load, too: processes of this machine that this one has not started, the target and
    /// what hands connections on to it.
    pub fn new(targets: impl IntoIterator<Item = i32>) -> Self {
        let own = i32::try_from(process::id()).ok().into_iter().chain(targets).map(ProcessTree::of).collect();
        Self { own, cores: read::machine_cores(), last: None, due: Instant::now(), used: Used::default() }
    }

    /// Metrics since the last look, by name; none where that is not long enough ago.
    pub fn sample(&mut self) -> Vec<(String, f64)> {
        let (begun, cpu) = (Instant::now(), read::thread_cpu_time());
        if begun < self.due {
            return Vec::new();
        }
        let Some(look) = self.look() else { return Vec::new() };
        self.due = begun + INTERVAL.max(read::thread_cpu_time().saturating_sub(cpu) * LOOK_PAUSE);
        let used = self.last.as_ref().and_then(|last| used(last, &look, self.cores));
        self.last = Some(look);
        let Some(used) = used else { return Vec::new() };
        self.used = used;
        let all = (metric::FOREIGN_CPU_PERCENT.name.to_owned(), self.used.percent);
        let busiest = self.used.busiest.first().map(|it| (metric::of_other(&it.name), it.percent));
        [all].into_iter().chain(busiest).collect()
    }

    /// The same of the last sample.
    pub const fn used(&self) -> &Used {
        &self.used
    }

    fn look(&self) -> Option<Look> {
        let processes = Processes::look();
        let own = processes.of(self.own.iter().flat_map(|tree| tree.pids()));
        // Read last: CPU used while processes are read counts for the machine in this look, for them in the next one.
        Some(Look { processes, own, busy_ticks: read::machine_cpu_time()?.busy_ticks })
    }
}

/// None between looks at one instant.
fn used(last: &Look, now: &Look, cores: usize) -> Option<Used> {
    let all_ticks = now.processes.ticks_since(&last.processes) * cores.max(1) as f64;
    if all_ticks <= 0.0 {
        return None;
    }
    let percent = |ticks: u64| ticks as f64 / all_ticks * 100.0;
    let notable = now
        .processes
        .used_since(&last.processes)
        .filter(|&(pid, _, ticks)| !now.own.contains_key(&pid) && percent(ticks) >= NOTABLE_PERCENT);
    let mut busiest: Vec<Busy> =
        notable.map(|(pid, it, ticks)| Busy { pid, name: it.name.clone(), percent: percent(ticks) }).collect();
    busiest.sort_by(|a, b| b.percent.total_cmp(&a.percent).then(a.pid.cmp(&b.pid)));
    busiest.truncate(BUSIEST_MOST);
    let busy_ticks = now.busy_ticks.saturating_sub(last.busy_ticks);
    // All processes were looked at before: those that are new have begun since.
    let own_ticks = cpu_time::used(&last.own, &now.own, 0, Some(busy_ticks));
    Some(Used { percent: percent(busy_ticks.saturating_sub(own_ticks)), busiest })
}

#[cfg(test)]
mod tests {
    use rustix::param::clock_ticks_per_second;

    use super::*;
    use crate::processes::testing::processes;

    fn look(at: Instant, busy_ticks: u64, all: &[(i32, &str, u64)], own: &[i32]) -> Look {
        let all: Vec<_> = all.iter().map(|&(pid, name, cpu_ticks)| (pid, name, 1, cpu_ticks)).collect();
        let processes = processes(at, &all);
        Look { busy_ticks, own: processes.of(own.iter().copied()), processes }
    }

    #[test]
    fn others_are_what_the_machine_did_without_its_own() {
        let (begun, ticks) = (Instant::now(), clock_ticks_per_second());
        let last = look(begun, 0, &[(1, "load", 0), (2, "busy", ticks), (3, "idle", 5)], &[1]);
        // Two cores for a second: half by the load, 90 % of a core by the loop, the rest unseen.
        let processes = [(1, "load", ticks / 2), (2, "busy", ticks + ticks * 9 / 10), (3, "idle", 5)];
        let now = look(begun + Duration::from_secs(1), ticks * 3 / 2, &processes, &[1]);
        let found = used(&last, &now, 2).expect("a second");
        let [busiest] = &found.busiest[..] else { panic!("{found:?}") };
        assert_eq!((found.percent.round(), busiest.pid, busiest.name.as_str()), (50.0, 2, "busy"));
        assert_eq!(busiest.percent.round(), 45.0);
    }

    #[test]
    fn nobody_is_named_who_did_nothing_and_a_pid_used_again_is_another_process() {
        let begun = Instant::now();
        let last = look(begun, 0, &[(2, "gone", 1_000_000)], &[]);
        let now = Look {
            processes: processes(begun + Duration::from_secs(1), &[(2, "new", 2, 0)]),
            ..look(begun, 0, &[], &[])
        };
        assert_eq!(used(&last, &now, 2), Some(Used::default()));
    }

    #[test]
    fn the_busiest_are_told_in_their_order() {
        let begun = Instant::now();
        let second = clock_ticks_per_second();
        let begin: Vec<(i32, &str, u64)> = (1..=5).map(|pid| (pid, "cc1", 0)).collect();
        let end: Vec<(i32, &str, u64)> = (1..=5).map(|pid| (pid, "cc1", second * pid as u64 / 10)).collect();
        let (last, now) = (look(begun, 0, &begin, &[4]), look(begun + Duration::from_secs(1), 0, &end, &[4]));
        let found = used(&last, &now, 1).expect("a second");
        assert_eq!(found.busiest.iter().map(|it| it.pid).collect::<Vec<_>>(), [5, 3, 2]);
    }

    #[test]
    fn the_first_look_tells_nothing_and_the_next_one_waits() {
        let mut foreign = Foreign::new(None);
        assert_eq!([foreign.sample(), foreign.sample()], [[], []]);
    }
}
