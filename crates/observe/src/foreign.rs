//! CPU of processes that have no part in a load: neither this one, nor the target, nor what they started.

use std::{
    collections::{BTreeSet, HashMap},
    process,
    time::{Duration, Instant},
};

use plimsoll_record::metric;
use rustix::param::clock_ticks_per_second;

use crate::{
    listener,
    parse::process::{name, stat},
    read,
    tree::ProcessTree,
};

/// How often all processes are looked at, at most: a machine may run thousands.
const INTERVAL: Duration = Duration::from_millis(900);
/// Looking may take this share of the time, at most.
const LOOK_SHARE: u32 = 50;
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

/// All processes at an instant, with their CPU time since they began, in clock ticks.
#[derive(Debug)]
struct Look {
    at: Instant,
    /// Busy time of the machine, since it was started.
    busy_ticks: u64,
    processes: HashMap<i32, Process>,
    /// Processes that have a part in the load.
    own: BTreeSet<i32>,
}

#[derive(Debug)]
struct Process {
    name: String,
    start_ticks: u64,
    cpu_ticks: u64,
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
        let Some(look) = self.look(begun) else { return Vec::new() };
        self.due = begun + INTERVAL.max(read::thread_cpu_time().saturating_sub(cpu) * LOOK_SHARE);
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

    fn look(&self, at: Instant) -> Option<Look> {
        let process = |pid: i32| {
            let text = read::text(format!("/proc/{pid}/stat"))?;
            let stat = stat(&text)?;
            let (start_ticks, cpu_ticks) = (stat.start_ticks, stat.cpu_ticks);
            Some((pid, Process { name: name(&text)?.to_owned(), start_ticks, cpu_ticks }))
        };
        let processes = listener::pids().into_iter().filter_map(process).collect();
        let own = self.own.iter().flat_map(|tree| tree.pids()).collect();
        // Read last: CPU used while processes are read counts for the machine in this look, for them in the next one.
        Some(Look { at, busy_ticks: read::machine_cpu_time()?.busy_ticks, processes, own })
    }
}

/// None between looks at one instant.
fn used(last: &Look, now: &Look, cores: usize) -> Option<Used> {
    let all_ticks = (now.at - last.at).as_secs_f64() * clock_ticks_per_second() as f64 * cores.max(1) as f64;
    if all_ticks <= 0.0 {
        return None;
    }
    // One that was not there before has begun since.
    let grown = |pid: &i32, process: &Process| match last.processes.get(pid) {
        Some(before) if before.start_ticks == process.start_ticks => process.cpu_ticks.saturating_sub(before.cpu_ticks),
        _ => process.cpu_ticks,
    };
    let percent = |ticks: u64| ticks as f64 / all_ticks * 100.0;
    let (mut own_ticks, mut busiest) = (0, Vec::new());
    for (pid, process) in &now.processes {
        let ticks = grown(pid, process);
        if now.own.contains(pid) {
            own_ticks += ticks;
        } else if percent(ticks) >= NOTABLE_PERCENT {
            busiest.push(Busy { pid: *pid, name: process.name.clone(), percent: percent(ticks) });
        }
    }
    busiest.sort_by(|a, b| b.percent.total_cmp(&a.percent).then(a.pid.cmp(&b.pid)));
    busiest.truncate(BUSIEST_MOST);
    let busy_ticks = now.busy_ticks.saturating_sub(last.busy_ticks);
    Some(Used { percent: percent(busy_ticks.saturating_sub(own_ticks)), busiest })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(at: Instant, busy_ticks: u64, processes: &[(i32, &str, u64)], own: &[i32]) -> Look {
        let process = |&(pid, name, cpu_ticks): &(i32, &str, u64)| {
            (pid, Process { name: name.to_owned(), start_ticks: 1, cpu_ticks })
        };
        Look { at, busy_ticks, processes: processes.iter().map(process).collect(), own: own.iter().copied().collect() }
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
        let mut now = look(begun + Duration::from_secs(1), 0, &[(2, "new", 0)], &[]);
        now.processes.get_mut(&2).unwrap().start_ticks = 2;
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
