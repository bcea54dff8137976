//! Takes a census of a target: its threads by the attach protocol and by the kernel, its connections, its limits.

mod calm;
mod heap;
mod others;
mod peers;
mod tasks;

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use plimsoll_record::{Census, HeapLook, Nanos, ProcessFacts, Window};
use rustix::time::ClockId;

use self::{calm::Calm, heap::Heap, others::Others, peers::Peers, tasks::Busiest};
use crate::{
    attach::{AttachError, Jvm},
    libraries,
    parse::{process, threads},
    read, server,
    tree::{Members, ProcessTree},
};

/// Looks at a process and its descendants: a server may have all its work done by processes that it has started.
#[derive(Debug)]
pub struct CensusTaker {
    members: Members,
    jvm: Result<Jvm, AttachError>,
    facts: ProcessFacts,
    peers: Peers,
    others: Others,
    busiest: Busiest,
    /// The cgroup of Plimsoll itself, where it is not the target's.
    own_group: Option<PathBuf>,
    /// Whether virtual threads were seen.
    has_virtual: bool,
    calm: Calm,
    heap: Heap,
}

/// Why virtual threads are not told, where they are not.
const NOT_CALM: &str = "virtual threads that wait were not asked for: while the CPU is busy, JDK 25 may crash on that \
                        (JDK-8364343, mended in JDK 26); repeat it with a core left over";

/// The same where the JVM's dump of them cannot be read.
const NOT_DUMPED: &str = "virtual threads that wait were not told: the JVM wrote no whole dump of them";

impl CensusTaker {
    /// A taker for a process that listens on `port`. One that cannot be asked is looked at from outside only.
    pub fn new(pid: i32, port: u16) -> Self {
        let jvm = Jvm::attach(pid);
        let facts = match &jvm {
            Ok(jvm) => ProcessFacts {
                jvm: jvm.command("VM.version").ok().map(|text| version(&text)),
                heap_max_bytes: jvm.command("VM.flags").ok().and_then(|text| heap_max(&text)),
                ..ProcessFacts::default()
            },
            Err(error) => ProcessFacts { blind: Some(error.to_string()), ..ProcessFacts::default() },
        };
        let name = server::name(pid).unwrap_or_default();
        let program = server::program(pid).unwrap_or_default();
        let facts = ProcessFacts { name, program, libraries: libraries::of(pid), ..facts };
        let (members, peers, others) = (Members::of(ProcessTree::of(pid)), Peers::new(pid, port), Others::default());
        let own_group = i32::try_from(std::process::id()).ok().and_then(read::cpu_group);
        let own_group = own_group.filter(|own| read::cpu_group(pid).as_ref() != Some(own));
        let busiest = Busiest::default();
        let (calm, heap) = (Calm::default(), Heap::default());
        Self { members, jvm, facts, peers, others, busiest, own_group, has_virtual: false, calm, heap }
    }

    /// Why the JVM cannot be asked.
    pub fn blind(&self) -> Option<&AttachError> {
        self.jvm.as_ref().err()
    }

    /// A census without asking the JVM: it costs the target nothing.
    pub fn glance(&mut self, at: Nanos) -> Census {
        let pids = self.members.pids();
        let threads = tasks::threads(pids);
        let tasks = tasks::grouped(&threads);
        let busiest = if self.jvm.is_err() { self.busiest.of(&threads) } else { Vec::new() };
        self.calm.see(&tasks);
        let own_quota = self.own_group.as_deref().and_then(read::throttling).unwrap_or_default();
        let (peers, others, process) = (self.peers.look(pids), self.others.look(pids), process(&self.facts, pids));
        Census {
            at,
            window: Window::Rest,
            dump: Nanos::ZERO,
            stacks: Vec::new(),
            tasks,
            busiest,
            peers,
            process,
            others,
            own_cpu: own_cpu(),
            own_delay: own_delay(),
            own_quota_periods: own_quota.periods,
            own_throttled_periods: own_quota.throttled,
            heap: None,
        }
    }

    /// Counts the objects that there are without load. The JVM stops for that, and collects its garbage.
    pub fn count_at_rest(&mut self) {
        self.jvm.iter().for_each(|jvm| self.heap.rest(jvm));
    }

    /// Objects that there are more of than without load; none if these were not counted, or are too many.
    pub fn count_objects(&self) -> Option<HeapLook> {
        self.heap.look(self.jvm.as_ref().ok()?)
    }

    /// A census with threads: the JVM stops for that.
    ///
    /// # Errors
    ///
    /// If the JVM does not answer.
    pub fn take(&mut self, at: Nanos) -> Result<Census, AttachError> {
        let mut census = self.glance(at);
        let begun = Instant::now();
        self.stacks(&mut census)?;
        census.dump = begun.elapsed().into();
        Ok(census)
    }

    fn stacks(&mut self, census: &mut Census) -> Result<(), AttachError> {
        let jvm = self.jvm.as_ref().map_err(Clone::clone)?;
        let mut dump = threads::threads(&jvm.command("Thread.print -l")?);
        self.has_virtual |= dump.threads.iter().any(threads::Thread::is_of_carriers);
        if self.has_virtual && !self.calm.is_calm() && is_fragile(self.facts.jvm.as_deref()) {
            census.process.blind = Some(NOT_CALM.to_owned());
        } else if self.has_virtual {
            let json = jvm.command_to_file("Thread.dump_to_file -format=json");
            if !json.is_ok_and(|json| dump.add_virtual(&json)) {
                census.process.blind = Some(NOT_DUMPED.to_owned());
            }
        }
        census.stacks = threads::fold(&dump.threads);
        census.process.left_out = dump.left_out;
        Ok(())
    }
}

fn process(known: &ProcessFacts, pids: &[i32]) -> ProcessFacts {
    let text = |pid: i32, file: &str| read::text(format!("/proc/{pid}/{file}"));
    let sum =
        |file: &str, of: fn(&str) -> Option<u64>| -> u64 { pids.iter().filter_map(|&pid| of(&text(pid, file)?)).sum() };
    let of_each = pids.iter().map(|&pid| {
        let most = text(pid, "limits").and_then(|text| process::descriptors_max(&text));
        (read::descriptors(pid), most)
    });
    // Each process has a limit of its own: the one nearest to its limit counts.
    let used = |it: &(Option<u64>, Option<u64>)| it.0.unwrap_or(0) as f64 / it.1.unwrap_or(u64::MAX).max(1) as f64;
    let (descriptors, descriptors_max) = of_each.max_by(|a, b| used(a).total_cmp(&used(b))).unwrap_or_default();
    ProcessFacts {
        processes: u32::try_from(pids.len()).unwrap_or(u32::MAX),
        descriptors,
        descriptors_max,
        major_faults: sum("stat", process::major_faults),
        swapped_bytes: sum("status", process::swapped_bytes),
        machine_cores: u32::try_from(read::machine_cores()).ok(),
        ports: read::text("/proc/sys/net/ipv4/ip_local_port_range").and_then(|text| ports(&text)),
        ..known.clone()
    }
}

fn own_delay() -> Nanos {
    let tasks = i32::try_from(std::process::id()).map(|own| tasks::of(&[own])).unwrap_or_default();
    tasks.iter().fold(Nanos::ZERO, |sum, tasks| sum + tasks.delay)
}

fn own_cpu() -> Nanos {
    let time = rustix::time::clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default().into()
}

/// The lines of `VM.version`, in one.
fn version(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).take(2).collect::<Vec<_>>().join(", ")
}

/// Whether a JVM of this version may crash as it dumps virtual threads.
fn is_fragile(version: Option<&str>) -> bool {
    version.is_some_and(|version| version.contains("JDK 25"))
}

/// `-XX:MaxHeapSize=536870912` among the flags that `VM.flags` tells.
fn heap_max(flags: &str) -> Option<u64> {
    flags.split_whitespace().find_map(|flag| flag.strip_prefix("-XX:MaxHeapSize="))?.parse().ok()
}

fn ports(range: &str) -> Option<u32> {
    let mut ends = range.split_whitespace().map(|end| end.parse::<u32>().ok());
    let (low, high) = (ends.next()??, ends.next()??);
    high.checked_sub(low).map(|count| count + 1)
}

#[cfg(test)]
mod tests {
    use std::{process::Command, thread};

    use super::*;

    #[test]
    fn only_jdk_25_is_fragile() {
        let told = |version| format!("OpenJDK 64-Bit Server VM version {version}.0.3+9-LTS, JDK {version}.0.3");
        assert!(is_fragile(Some(&told(25))));
        assert!([17, 21, 26].into_iter().all(|version| !is_fragile(Some(&told(version)))));
        assert!(!is_fragile(None));
    }

    #[test]
    fn a_process_that_is_no_jvm_is_looked_at_from_outside() {
        let own = i32::try_from(std::process::id()).expect("a pid fits");
        let mut taker = CensusTaker::new(own, 9);
        assert!(taker.take(Nanos::ZERO).is_err());
        let census = taker.glance(Nanos::from_secs(1));
        assert!(census.process.blind.expect("it is no JVM").contains("HotSpot"));
        assert!(census.tasks.iter().map(|tasks| tasks.count).sum::<u32>() >= 1);
        let busiest = &census.busiest;
        assert!(busiest.iter().all(|thread| !thread.group.is_empty()), "{busiest:?}");
        // Other tests start children of this process.
        assert!(busiest.iter().any(|thread| thread.pid == own && thread.cpu > Nanos::ZERO), "{busiest:?}");
        assert!(census.process.descriptors > Some(0) && census.process.descriptors_max > Some(0));
        assert!(census.stacks.is_empty());
    }

    /// A server that forks: the process that is named does nothing itself.
    #[test]
    fn processes_that_the_target_has_started_are_its_own() {
        let mut shell = Command::new("sh").args(["-c", "sh -c 'while :; do :; done' & wait"]).spawn().expect("a shell");
        let pid = i32::try_from(shell.id()).expect("a pid fits");
        let mut taker = CensusTaker::new(pid, 9);
        let begun = Instant::now();
        let is_seen = |census: &Census| {
            let cpu: Nanos = census.tasks.iter().fold(Nanos::ZERO, |sum, tasks| sum + tasks.cpu);
            cpu > Nanos::from_millis(100) && census.tasks.iter().map(|tasks| tasks.count).sum::<u32>() == 2
        };
        let mut census = taker.glance(Nanos::ZERO);
        while !is_seen(&census) && begun.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(20));
            census = taker.glance(begun.elapsed().into());
        }
        let pids = ProcessTree::of(pid).pids();
        for pid in pids.iter().rev().filter_map(|&pid| rustix::process::Pid::from_raw(pid)) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
        shell.wait().expect("it was killed");
        assert!(is_seen(&census), "within a minute: {census:?}");
        assert!(census.others.iter().all(|other| !pids.contains(&other.pid)), "{pids:?}: {:?}", census.others);
        assert!(census.process.descriptors > Some(0) && census.process.descriptors_max > Some(0), "{census:?}");
    }

    #[test]
    fn the_greatest_heap_is_among_the_flags() {
        let flags = "1234:\n-XX:CICompilerCount=3 -XX:MaxHeapSize=67108864 -XX:MaxNewSize=40239104 ";
        assert_eq!((heap_max(flags), heap_max("1234:\n-XX:+UseG1GC")), (Some(64 << 20), None));
    }

    #[test]
    fn a_range_of_ports_is_counted() {
        assert_eq!((ports("32768\t60999\n"), ports("9 7"), ports("")), (Some(28_232), None, None));
    }
}
