//! Samples the metrics of a target: cheap enough to be called ten times a second beside a load.

use std::{collections::BTreeMap, path::PathBuf};

use plimsoll_record::{Nanos, Sample, metric};
use rustix::{param::clock_ticks_per_second, time::ClockId};

use crate::{
    cpu_time,
    parse::{machine::CpuTime, process::Stat, socket::Ports},
    read,
    sparse::SparseSampler,
    tree::{Members, ProcessTree},
};

/// Samples one target.
#[derive(Debug)]
pub struct Sampler {
    members: Members,
    /// `memory.current` or `memory.usage_in_bytes` of the target's cgroup.
    cgroup_memory: Option<PathBuf>,
    sparse: SparseSampler,
    last: Option<Baseline>,
}

/// Values of the last sample: rates are differences to it.
#[derive(Debug)]
struct Baseline {
    at: Nanos,
    /// Clock ticks since boot.
    boot_ticks: u64,
    machine: Option<CpuTime>,
    processes: BTreeMap<i32, Stat>,
}

/// Sums over the processes of a target.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sums {
    rss_bytes: u64,
    threads: u64,
    descriptors: u64,
}

impl Sampler {
    /// A sampler of `tree`, and of the cgroup whose file of current memory is `cgroup_memory`, if it has its own.
    pub fn new(tree: ProcessTree, cgroup_memory: Option<PathBuf>) -> Self {
        Self { members: Members::of(tree), cgroup_memory, sparse: SparseSampler::new(), last: None }
    }

    /// Samples its sockets, too: those it accepts on, those to the remote ports of `ports`, and others that are found
    /// to be its own.
    #[must_use]
    pub fn with_sockets(self, ports: Ports) -> Self {
        Self { sparse: self.sparse.with_sockets(ports), ..self }
    }

    /// Takes a sample: one value of each metric that can be read now. Rates are over the time since the last call: the
    /// first has none. Only the first and the last of equal values of sockets, the JVM and throttling are there: the
    /// last when another follows, or with [`Sampler::finish`]. `at` is counted from the target's spawn, and ascends.
    pub fn sample(&mut self, at: Nanos) -> Vec<Sample> {
        let pids = self.members.pids();
        let processes: BTreeMap<i32, Stat> = pids.iter().filter_map(|&pid| Some((pid, read::stat(pid)?))).collect();
        let alive: Vec<i32> = pids.iter().copied().filter(|pid| processes.contains_key(pid)).collect();
        let baseline = Baseline { at, boot_ticks: boot_ticks(), machine: read::machine_cpu_time(), processes };

        let mut values = levels(&baseline.processes);
        values.extend(
            self.cgroup_memory.as_deref().and_then(read::number).map(|bytes| (metric::CGROUP_BYTES, bytes as f64)),
        );
        if let Some(last) = &self.last {
            values.extend(rates(last, &baseline));
        }
        self.last = Some(baseline);
        let sample = |(metric, value): (metric::Metric, f64)| Sample { at, metric: metric.name.to_owned(), value };
        let mut samples = values.into_iter().map(sample).collect();
        self.sparse.sample(at, &alive, &mut samples);
        samples
    }

    /// Values left to tell after the last sample.
    pub fn finish(&mut self) -> Vec<Sample> {
        self.sparse.finish()
    }
}

/// Values that need no earlier sample; none if no process is left.
fn levels(processes: &BTreeMap<i32, Stat>) -> Vec<(metric::Metric, f64)> {
    let Some(sums) = processes.keys().filter_map(|&pid| sums_of(pid)).reduce(Sums::plus) else { return Vec::new() };
    vec![
        (metric::RSS_BYTES, sums.rss_bytes as f64),
        (metric::THREADS, sums.threads as f64),
        (metric::DESCRIPTORS, sums.descriptors as f64),
    ]
}

/// None for a zombie, or for a process about to be one: its memory goes first, and would be told as 0 bytes.
fn sums_of(pid: i32) -> Option<Sums> {
    let status = read::status(pid).filter(|status| status.rss_bytes > 0)?;
    // Another user's descriptors must not be counted by us; its memory and threads still may.
    Some(Sums {
        rss_bytes: status.rss_bytes,
        threads: status.threads,
        descriptors: read::descriptors(pid).unwrap_or(0),
    })
}

impl Sums {
    fn plus(self, other: Self) -> Self {
        Self {
            rss_bytes: self.rss_bytes + other.rss_bytes,
            threads: self.threads + other.threads,
            descriptors: self.descriptors + other.descriptors,
        }
    }
}

fn rates(last: &Baseline, now: &Baseline) -> Vec<(metric::Metric, f64)> {
    let elapsed_ticks = (now.at - last.at).as_secs_f64() * clock_ticks_per_second() as f64;
    if elapsed_ticks <= 0.0 {
        return Vec::new();
    }
    let percent = |ticks: u64| 100.0 * ticks as f64 / elapsed_ticks;
    let machine = last.machine.zip(now.machine);
    let busy = machine.map(|(before, after)| after.busy_ticks.saturating_sub(before.busy_ticks));
    let used = cpu_time::used(&last.processes, &now.processes, last.boot_ticks, busy);
    let mut values = vec![(metric::CPU_PERCENT, percent(used))];
    values.extend(busy.map(|ticks| (metric::MACHINE_CPU_PERCENT, percent(ticks))));
    values.extend(
        machine.map(|(before, after)| {
            (metric::STEAL_PERCENT, percent(after.steal_ticks.saturating_sub(before.steal_ticks)))
        }),
    );
    values
}

/// Now, in the clock and unit of [`Stat::start_ticks`].
fn boot_ticks() -> u64 {
    let now = rustix::time::clock_gettime(ClockId::Boottime);
    let seconds = now.tv_sec as f64 + now.tv_nsec as f64 / 1e9;
    (seconds * clock_ticks_per_second() as f64) as u64
}

#[cfg(test)]
mod tests {
    use std::{
        process::Command,
        thread,
        time::{Duration, Instant},
    };

    use super::*;

    fn value(samples: &[Sample], metric: metric::Metric) -> Option<f64> {
        samples.iter().find(|sample| sample.metric == metric.name).map(|sample| sample.value)
    }

    fn stat(cpu_ticks: u64, start_ticks: u64) -> Stat {
        Stat { state: 'S', parent: 1, cpu_ticks, waited_ticks: 0, start_ticks }
    }

    fn baseline(at: Nanos, processes: &[(i32, Stat)]) -> Baseline {
        Baseline { at, boot_ticks: 1_000, machine: None, processes: processes.iter().copied().collect() }
    }

    #[test]
    fn a_hundred_percent_is_one_core() {
        let second_of_ticks = clock_ticks_per_second();
        let last = baseline(Nanos::from_secs(5), &[(1, stat(0, 500))]);
        let now = baseline(Nanos::from_millis(5_500), &[(1, stat(second_of_ticks, 500))]);
        assert_eq!(rates(&last, &now), [(metric::CPU_PERCENT, 200.0)]);
        assert_eq!(rates(&last, &baseline(last.at, &[])), []);
    }

    #[test]
    fn a_busy_process_behind_a_shell_is_seen() {
        let mut shell = Command::new("sh").args(["-c", "sh -c 'while :; do :; done' & wait"]).spawn().expect("a shell");
        let tree = ProcessTree::of(i32::try_from(shell.id()).expect("a pid fits"));
        let mut sampler = Sampler::new(tree, None);
        let begun = Instant::now();
        let mut samples = vec![sampler.sample(Nanos::ZERO)];
        let is_seen = |sample: &Vec<Sample>| {
            value(sample, metric::THREADS) == Some(2.0) && value(sample, metric::CPU_PERCENT) > Some(0.0)
        };
        while !samples.last().is_some_and(is_seen) && begun.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(100));
            samples.push(sampler.sample(begun.elapsed().into()));
        }
        for pid in tree.pids().into_iter().rev().filter_map(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
        shell.wait().expect("it was killed");

        assert_eq!(value(&samples[0], metric::CPU_PERCENT), None, "a rate needs two samples");
        let last = samples.last().expect("two at least");
        assert_eq!(value(last, metric::THREADS), Some(2.0));
        assert!(value(last, metric::RSS_BYTES) > Some(100_000.0));
        assert!(value(last, metric::DESCRIPTORS) >= Some(6.0));
        assert!(is_seen(last), "within a minute: {samples:?}");
        assert!(value(last, metric::MACHINE_CPU_PERCENT) > Some(0.0));
        assert!(value(last, metric::STEAL_PERCENT).is_some());
    }

    /// A kernel thread has no memory, as a process that is ending.
    #[test]
    fn what_has_no_memory_tells_nothing() {
        let mut pids = std::fs::read_dir("/proc").unwrap().filter_map(|it| it.ok()?.file_name().to_str()?.parse().ok());
        let Some(thread) = pids.find(|&pid| read::status(pid).is_some_and(|it| it.rss_bytes == 0)) else { return };
        assert_eq!(sums_of(thread), None);
        assert!(sums_of(std::process::id().cast_signed()).is_some_and(|it| it.rss_bytes > 0));
    }

    #[test]
    fn a_target_that_is_gone_leaves_only_values_of_the_machine() {
        let mut sampler = Sampler::new(ProcessTree::of(i32::MAX), Some("/nowhere/memory.current".into()));
        assert_eq!(sampler.sample(Nanos::ZERO), []);
        let later = sampler.sample(Nanos::from_secs(1));
        assert_eq!(value(&later, metric::RSS_BYTES), None);
        assert_eq!(value(&later, metric::CGROUP_BYTES), None);
        assert!(value(&later, metric::MACHINE_CPU_PERCENT).is_some());
    }
}
