//! Threads as the kernel has run them.

use std::{collections::BTreeMap, fs};

use plimsoll_record::{Nanos, Tasks};

use crate::{
    parse::{process, threads::group},
    read,
};

/// The threads of a process by name without its number.
pub(super) fn of(pid: i32) -> Vec<Tasks> {
    let mut groups: BTreeMap<String, Tasks> = BTreeMap::new();
    for task in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
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
