//! Threads as the kernel has run them.

use std::{collections::BTreeMap, fs};

use plimsoll_record::{Nanos, Tasks};

use crate::{
    parse::{process, threads::group},
    read,
};

/// The threads of processes by name without its number.
pub(super) fn of(pids: &[i32]) -> Vec<Tasks> {
    let mut groups: BTreeMap<String, Tasks> = BTreeMap::new();
    let tasks = pids.iter().flat_map(|pid| fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten());
    for task in tasks {
        let Some(name) = read::text(task.path().join("comm")) else { continue };
        let schedule = read::text(task.path().join("schedstat")).and_then(|text| process::schedule(&text));
        let (cpu, delay) = schedule.unwrap_or_default();
        let group = group(name.trim_end());
        let tasks = groups.entry(group.clone()).or_insert_with(|| Tasks { group, ..Tasks::default() });
        tasks.count += 1;
        tasks.cpu = tasks.cpu + Nanos(cpu);
        tasks.delay = tasks.delay + Nanos(delay);
    }
    groups.into_values().collect()
}
