//! CPU time of all processes of the machine.

use std::{
    collections::{BTreeMap, HashMap},
    time::Instant,
};

use rustix::param::clock_ticks_per_second;

use crate::{
    listener,
    parse::process::{Stat, name, stat},
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
    pub stat: Stat,
}

impl Processes {
    /// All that there are now.
    pub fn look() -> Self {
        let at = Instant::now();
        let process = |pid: i32| {
            let text = read::text(format!("/proc/{pid}/stat"))?;
            Some((pid, Process { name: name(&text)?.to_owned(), stat: stat(&text)? }))
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
            let stat = process.stat;
            let before = last.all.get(&pid).filter(|before| before.stat.is_same(&stat));
            (pid, process, stat.cpu_ticks.saturating_sub(before.map_or(0, |before| before.stat.cpu_ticks)))
        })
    }

    /// Processes of these numbers, as far as there are any.
    pub fn of(&self, pids: impl IntoIterator<Item = i32>) -> BTreeMap<i32, Stat> {
        pids.into_iter().filter_map(|pid| Some((pid, self.all.get(&pid)?.stat))).collect()
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// Processes by number, name, the tick of their start, and CPU time.
    pub fn processes(at: Instant, all: &[(i32, &str, u64, u64)]) -> Processes {
        let process = |&(pid, name, start_ticks, cpu_ticks): &(i32, &str, u64, u64)| {
            let stat = Stat { state: 'S', parent: 1, cpu_ticks, waited_ticks: 0, start_ticks };
            (pid, Process { name: name.to_owned(), stat })
        };
        Processes { at, all: all.iter().map(process).collect() }
    }
}
