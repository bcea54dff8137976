//! Resources of a worker's thread, used and left: they tell whether the generator is the limit.

use std::fs;

use plimsoll_engine::Worker;
use plimsoll_record::{Generator, Interval, Nanos};
use rustix::{
    process::{Resource, getrlimit},
    time::{ClockId, clock_gettime},
};

use crate::sources::ports;

/// Meters one worker from interval to interval.
pub(crate) struct Meter {
    cpu_ns: u64,
    involuntary_switches: u64,
    at: Nanos,
    /// Local addresses that connections go out from; none if they need no ports.
    sources: Option<u64>,
}

impl Meter {
    /// Begins on the worker's thread.
    pub fn start(sources: Option<u64>) -> Self {
        Self { cpu_ns: thread_cpu_ns(), involuntary_switches: involuntary_switches(), at: Nanos::ZERO, sources }
    }

    /// Ends the worker's interval. `is_spread` says that connections come from as many addresses as it takes.
    pub fn cut(&mut self, worker: &mut Worker, now: Nanos, is_spread: bool) -> Vec<Interval> {
        let (cpu_ns, switches) = (thread_cpu_ns(), involuntary_switches());
        let used_ns = cpu_ns - std::mem::replace(&mut self.cpu_ns, cpu_ns);
        let length_ns = (now - std::mem::replace(&mut self.at, now)).0.max(1);
        let open = open_descriptors();
        let generator = Generator {
            busiest_worker_percent: used_ns as f64 / length_ns as f64 * 100.0,
            involuntary_switches: switches - std::mem::replace(&mut self.involuntary_switches, switches),
            descriptors_left: open
                .zip(getrlimit(Resource::Nofile).current)
                .map(|(open, limit)| limit - open.min(limit)),
            ports_left: self.sources.filter(|_| !is_spread).and_then(|sources| ports_left(open?, sources)),
        };
        worker.take_intervals(now, used_ns, &generator)
    }
}

fn thread_cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn involuntary_switches() -> u64 {
    let status = fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
    let count = status.lines().find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"));
    count.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

/// Open descriptors of this process. Since Linux 6.2 the directory's size is their number; before that, counting them
/// takes too long.
fn open_descriptors() -> Option<u64> {
    fs::metadata("/proc/self/fd").ok().map(|directory| directory.len()).filter(|&open| open > 0)
}

/// Ports left. Every descriptor is taken for a connection, as nearly all are; ports of closed ones wait for a minute.
fn ports_left(open: u64, sources: u64) -> Option<u64> {
    let sockets = fs::read_to_string("/proc/net/sockstat").ok()?;
    let waiting = sockets.lines().find(|line| line.starts_with("TCP:")).and_then(|line| {
        let mut words = line.split_whitespace().skip_while(|&word| word != "tw").skip(1);
        words.next()?.parse::<u64>().ok()
    })?;
    Some(ports().saturating_mul(sources).saturating_sub(open + waiting))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_and_ports_are_counted() {
        // Other tests open and close some at the same time: not each try need show it.
        let is_counted = || {
            let before = open_descriptors();
            let held: Vec<fs::File> = (0..100).map(|_| fs::File::open("/dev/null").unwrap()).collect();
            before.zip(open_descriptors()).is_none_or(|(before, after)| after >= before + held.len() as u64)
        };
        assert!((0..100).any(|_| is_counted()), "a hundred more files do not count");
        let [one, two] = [1, 2].map(|sources| ports_left(0, sources).unwrap());
        // Tests beside this one may have used up those of one.
        assert!(two > 0 && two >= one, "{one} and {two}");
        assert_eq!(ports_left(u64::MAX / 2, 1), Some(0));
    }
}
