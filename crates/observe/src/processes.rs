//! CPU time of all processes of the machine.

use std::{collections::HashMap, time::Instant};

use rustix::param::clock_ticks_per_second;

use crate::{
    listener,
    parse::process::{name, stat},
    read,
};

/// All processes at an instant, by number.
#[derive(Debug)]
pub(crate) struct Processes {
    at: Instant,
    all: HashMap<i32, Process>,
}

/// A process, with its CPU time since it began.
#[derive(Debug)]
pub(crate) struct Process {
    /// The kernel's name of it.
    pub name: String,
    start_ticks: u64,
    /// In clock ticks.
    pub cpu_ticks: u64,
}

impl Processes {
    /// All that there are now.
    pub fn look() -> Self {
        let at = Instant::now();
        let process = |pid: i32| {
            let text = read::text(format!("/proc/{pid}/stat"))?;
            let stat = stat(&text)?;
            let (start_ticks, cpu_ticks) = (stat.start_ticks, stat.cpu_ticks);
            Some((pid, Process { name: name(&text)?.to_owned(), start_ticks, cpu_ticks }))
        };
        Self { at, all: listener::pids().into_iter().filter_map(process).collect() }
    }

    /// Clock ticks since the `last` look.
    pub fn ticks_since(&self, last: &Self) -> f64 {
        (self.at - last.at).as_secs_f64() * clock_ticks_per_second() as f64
    }

    /// Each with the clock ticks of CPU that it has used since the `last` look. One that was not there has begun since,
    /// also if it has the number of another.
    pub fn used_since<'a>(&'a self, last: &'a Self) -> impl Iterator<Item = (i32, &'a Process, u64)> {
        self.all.iter().map(|(&pid, process)| {
            let before = last.all.get(&pid).filter(|before| before.start_ticks == process.start_ticks);
            (pid, process, process.cpu_ticks.saturating_sub(before.map_or(0, |before| before.cpu_ticks)))
        })
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// Processes by number, name, the tick of their start, and CPU time.
    pub fn processes(at: Instant, all: &[(i32, &str, u64, u64)]) -> Processes {
        let process = |&(pid, name, start_ticks, cpu_ticks): &(i32, &str, u64, u64)| {
            (pid, Process { name: name.to_owned(), start_ticks, cpu_ticks })
        };
        Processes { at, all: all.iter().map(process).collect() }
    }
}
