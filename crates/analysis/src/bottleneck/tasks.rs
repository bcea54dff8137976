//! CPU that groups of threads of a target used, and that other processes used beside it.

use std::collections::BTreeMap;

use plimsoll_record::{Census, Nanos, OtherProcess, Tasks, Thread};

/// Threads of one name in the kernel's view.
#[derive(Clone, Debug, Default)]
pub(crate) struct TasksSeen {
    pub group: String,
    pub cores: f64,
    pub waiting: f64,
}

/// One thread in the kernel's view.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThreadSeen {
    pub pid: i32,
    pub group: String,
    pub cores: f64,
    pub waiting: f64,
}

/// A process beside the target.
#[derive(Clone, Debug, Default)]
pub(crate) struct OtherSeen {
    pub pid: i32,
    pub name: String,
    pub percent: f64,
}

/// Groups of threads by what they used from the first census to the last.
pub(super) fn tasks(first: &Census, last: &Census, seconds: f64) -> Vec<TasksSeen> {
    let of = |tasks: &Tasks| {
        let before = first.tasks.iter().find(|it| it.group == tasks.group);
        let grown = |now: Nanos, before: Option<Nanos>| (now - before.unwrap_or_default()).as_secs_f64() / seconds;
        TasksSeen {
            group: tasks.group.clone(),
            cores: grown(tasks.cpu, before.map(|it| it.cpu)),
            waiting: grown(tasks.delay, before.map(|it| it.delay)),
        }
    };
    last.tasks.iter().map(of).collect()
}

/// Threads that both censuses tell, by what they used in between.
pub(super) fn busiest(first: &Census, last: &Census, seconds: f64) -> Vec<ThreadSeen> {
    let of = |thread: &Thread| {
        let before = first.busiest.iter().find(|it| (it.pid, it.tid) == (thread.pid, thread.tid))?;
        let grown = |now: Nanos, before: Nanos| (now - before).as_secs_f64() / seconds;
        let (cores, waiting) = (grown(thread.cpu, before.cpu), grown(thread.delay, before.delay));
        Some(ThreadSeen { pid: thread.pid, group: thread.group.clone(), cores, waiting })
    };
    last.busiest.iter().filter_map(of).collect()
}

/// Processes that were seen at two looks, by what they used in between.
pub(super) fn others(censuses: &[&Census]) -> Vec<OtherSeen> {
    let mut found: BTreeMap<i32, (OtherSeen, Nanos, Nanos)> = BTreeMap::new();
    for (at, process) in censuses.iter().flat_map(|census| census.others.iter().map(|it| (census.at, it))) {
        let OtherProcess { pid, name, cpu } = process.clone();
        let (other, from, before) =
            found.entry(pid).or_insert_with(|| (OtherSeen { pid, name, percent: 0.0 }, at, cpu));
        let (time, used) = ((at - *from).as_secs_f64(), (cpu - *before).as_secs_f64());
        other.percent = if time > 0.0 { used / time * 100.0 } else { 0.0 };
    }
    let mut others: Vec<OtherSeen> = found.into_values().map(|(other, ..)| other).collect();
    others.sort_by(|a, b| b.percent.total_cmp(&a.percent));
    others
}
