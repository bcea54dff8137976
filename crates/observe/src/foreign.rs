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
/// Share of the machine, in percent, from which on the busiest one is told by name.
const NOTABLE_PERCENT: f64 = 1.0;

/// Looks at all processes of the machine about once a second.
#[derive(Debug)]
pub struct Foreign {
    own: Vec<ProcessTree>,
    cores: usize,
    last: Option<Look>,
    due: Instant,
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
        Self { own, cores: read::machine_cores(), last: None, due: Instant::now() }
    }

    /// Metrics since the last look, by name; none where that is not long enough ago.
    pub fn sample(&mut self) -> Vec<(String, f64)> {
        let begun = Instant::now();
        if begun < self.due {
            return Vec::new();
        }
        let Some(look) = self.look(begun) else { return Vec::new() };
        self.due = begun + INTERVAL.max(begun.elapsed() * LOOK_SHARE);
        let used = self.last.as_ref().map(|last| used(last, &look, self.cores)).unwrap_or_default();
        self.last = Some(look);
        used
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
        // Last: what is used meanwhile is then in the next look's share, and not foreign in this one's.
        Some(Look { at, busy_ticks: read::machine_cpu_time()?.busy_ticks, processes, own })
    }
}

/// CPU that others used between two looks: all of them together, and the busiest one by its name.
fn used(last: &Look, now: &Look, cores: usize) -> Vec<(String, f64)> {
    let all_ticks = (now.at - last.at).as_secs_f64() * clock_ticks_per_second() as f64 * cores.max(1) as f64;
    if all_ticks <= 0.0 {
        return Vec::new();
    }
    // One that was not there before has begun since.
    let grown = |pid: &i32, process: &Process| match last.processes.get(pid) {
        Some(before) if before.start_ticks == process.start_ticks => process.cpu_ticks.saturating_sub(before.cpu_ticks),
        _ => process.cpu_ticks,
    };
    let (mut own_ticks, mut busiest) = (0, None);
    for (pid, process) in &now.processes {
        let ticks = grown(pid, process);
        if now.own.contains(pid) {
            own_ticks += ticks;
        } else {
            busiest = busiest.max(Some((ticks, process.name.as_str())));
        }
    }
    let percent = |ticks: u64| ticks as f64 / all_ticks * 100.0;
    let busy_ticks = now.busy_ticks.saturating_sub(last.busy_ticks);
    let all = (metric::FOREIGN_CPU_PERCENT.name.to_owned(), percent(busy_ticks.saturating_sub(own_ticks)));
    let busiest = busiest.map(|(ticks, name)| (metric::of_other(name), percent(ticks)));
    [all].into_iter().chain(busiest.filter(|(_, percent)| *percent >= NOTABLE_PERCENT)).collect()
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
        let [all, busiest] = &used(&last, &now, 2)[..] else { panic!("two metrics") };
        assert_eq!((all.0.as_str(), all.1.round()), ("foreign_cpu_percent", 50.0));
        assert_eq!((busiest.0.as_str(), busiest.1.round()), ("other:busy", 45.0));
    }

    #[test]
    fn nobody_is_named_who_did_nothing_and_a_pid_used_again_is_another_process() {
        let begun = Instant::now();
        let last = look(begun, 0, &[(2, "gone", 1_000_000)], &[]);
        let mut now = look(begun + Duration::from_secs(1), 0, &[(2, "new", 0)], &[]);
        now.processes.get_mut(&2).unwrap().start_ticks = 2;
        assert_eq!(used(&last, &now, 2), [("foreign_cpu_percent".to_owned(), 0.0)]);
    }

    #[test]
    fn the_first_look_tells_nothing_and_the_next_one_waits() {
        let mut foreign = Foreign::new(None);
        assert_eq!([foreign.sample(), foreign.sample()], [[], []]);
    }
}
