//! Threads as the kernel has run them.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
};

use plimsoll_record::{Nanos, Tasks, Thread};

use crate::{
    parse::{process, threads::group},
    read,
};

/// The state of a thread that no signal wakes (`D`, proc_pid_stat(5)): it waits for a disk.
const UNINTERRUPTIBLE: char = 'D';
/// Threads that are told one by one, at most.
const BUSIEST_MOST: usize = 64;

/// The threads of processes by name without its number.
pub(super) fn of(pids: &[i32]) -> Vec<Tasks> {
    grouped(&threads(pids))
}

/// Each thread of processes.
pub(super) fn threads(pids: &[i32]) -> Vec<Thread> {
    let of_process = |&pid: &i32| {
        let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        tasks.filter_map(move |task| {
            let stat = read::text(task.path().join("stat"))?;
            let group = group(process::name(&stat)?);
            let is_at_disk = process::stat(&stat)?.state == UNINTERRUPTIBLE;
            let tid = task.file_name().to_str()?.parse().ok()?;
            let schedule = read::text(task.path().join("schedstat")).and_then(|text| process::schedule(&text));
            let (cpu, delay) = schedule.unwrap_or_default();
            Some(Thread { pid, tid, group, cpu: Nanos(cpu), delay: Nanos(delay), is_at_disk })
        })
    };
    pids.iter().flat_map(of_process).collect()
}

/// The same by name.
pub(super) fn grouped(threads: &[Thread]) -> Vec<Tasks> {
    let mut groups: BTreeMap<&str, Tasks> = BTreeMap::new();
    for Thread { group, cpu, delay, is_at_disk, .. } in threads {
        let tasks = groups.entry(group).or_insert_with(|| Tasks { group: group.clone(), ..Tasks::default() });
        tasks.count += 1;
        tasks.cpu = tasks.cpu + *cpu;
        tasks.delay = tasks.delay + *delay;
        tasks.at_disk += u32::from(*is_at_disk);
    }
    groups.into_values().collect()
}

/// Threads that used the most CPU since the first look: services have hundreds, and few of them compute.
#[derive(Debug, Default)]
pub(super) struct Busiest(Option<HashMap<i32, Nanos>>);

impl Busiest {
    pub fn of(&mut self, threads: &[Thread]) -> Vec<Thread> {
        let first = self.0.get_or_insert_with(|| threads.iter().map(|it| (it.tid, it.cpu)).collect());
        let used = |it: &Thread| it.cpu.0.saturating_sub(first.get(&it.tid).copied().unwrap_or_default().0);
        let mut busiest = threads.to_vec();
        busiest.sort_by_key(|it| (std::cmp::Reverse(used(it)), it.tid));
        busiest.truncate(BUSIEST_MOST);
        busiest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_used_little_since_the_first_look_are_left_out() {
        let thread = |tid, cpu_s| Thread { tid, cpu: Nanos::from_secs(cpu_s), ..Thread::default() };
        let mut busiest = Busiest::default();
        let first: Vec<Thread> = (0..100).map(|tid| thread(tid, 100 - tid as u64)).collect();
        assert_eq!(busiest.of(&first).len(), BUSIEST_MOST);
        let later: Vec<Thread> = first.iter().map(|it| thread(it.tid, if it.tid == 99 { 9 } else { 101 })).collect();
        let found = busiest.of(&later);
        assert_eq!((found.len(), found[0].tid, found[1].tid), (BUSIEST_MOST, 98, 97));
        assert!(found.iter().all(|it| it.tid != 99), "the others used 36 s at least");
    }

    #[test]
    fn threads_of_one_name_are_counted_together() {
        let thread = |tid, group: &str| Thread {
            tid,
            group: group.to_owned(),
            cpu: Nanos::from_secs(1),
            delay: Nanos::from_secs(2),
            is_at_disk: tid == 3,
            ..Thread::default()
        };
        let found = grouped(&[thread(1, "worker-*"), thread(2, "main"), thread(3, "worker-*")]);
        let told: Vec<_> = found.iter().map(|it| (it.group.as_str(), it.count, it.cpu, it.delay, it.at_disk)).collect();
        let s = Nanos::from_secs;
        assert_eq!(told, [("main", 1, s(1), s(2), 0), ("worker-*", 2, s(2), s(4), 1)]);
    }
}
