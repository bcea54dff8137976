//! The metrics that are sampled beside a load: one list with name, unit and meaning.

pub mod jvm;
pub mod tcp;
pub mod upstream;

/// Prefix of the names of a target's own series.
const OF_TARGET: &str = "target:";

/// The name in the record of a series that a target tells of itself.
pub fn of_target(series: &str) -> String {
    format!("{OF_TARGET}{series}")
}

/// The series, if the metric of this name is one that a target told of itself.
pub fn target_series(name: &str) -> Option<&str> {
    name.strip_prefix(OF_TARGET)
}

/// Prefix of the names of other processes that used the CPU.
const OF_OTHER: &str = "other:";

/// The name in the record of the CPU that another process used, as a share of that of the machine.
pub fn of_other(process: &str) -> String {
    format!("{OF_OTHER}{process}")
}

/// The process, if the metric of this name is the CPU of another one.
pub fn other_process(name: &str) -> Option<&str> {
    name.strip_prefix(OF_OTHER)
}

/// A metric: what it is called in the record and in outputs, and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Name in the record; ends in its unit.
    pub name: &'static str,
    /// Title in reports.
    pub title: &'static str,
    /// Its meaning and its source.
    pub meaning: &'static str,
}

/// CPU of the target.
pub const CPU_PERCENT: Metric = Metric {
    name: "cpu_percent",
    title: "CPU %",
    meaning: "CPU time that the target's processes, and their children that ended, used since the last sample, 100 = one \
              core (/proc/PID/stat)",
};
/// Resident memory of the target.
pub const RSS_BYTES: Metric = Metric {
    name: "rss_bytes",
    title: "Memory (RSS)",
    meaning: "resident memory of the target's processes (/proc/PID/status: VmRSS)",
};
/// Memory charged to the target's cgroup.
pub const CGROUP_BYTES: Metric = Metric {
    name: "cgroup_bytes",
    title: "Memory (cgroup)",
    meaning: "memory charged to the target's cgroup, page cache included (memory.current, or memory.usage_in_bytes)",
};
/// Threads of the target.
pub const THREADS: Metric =
    Metric { name: "threads", title: "Threads", meaning: "threads of the target's processes (/proc/PID/status)" };
/// Descriptors of the target.
pub const DESCRIPTORS: Metric = Metric {
    name: "descriptors",
    title: "Descriptors",
    meaning: "open file descriptors of the target's processes (/proc/PID/fd)",
};
/// CPU of the whole machine.
pub const MACHINE_CPU_PERCENT: Metric = Metric {
    name: "machine_cpu_percent",
    title: "Machine CPU %",
    meaning: "CPU time of all processes on the machine since the last sample, 100 = one core (/proc/stat)",
};
/// Time stolen by the hypervisor.
pub const STEAL_PERCENT: Metric = Metric {
    name: "steal_percent",
    title: "Steal %",
    meaning: "CPU time the hypervisor gave to others since the last sample, 100 = one core (/proc/stat)",
};
/// CPU of processes that have no part in the load.
pub const FOREIGN_CPU_PERCENT: Metric = Metric {
    name: "foreign_cpu_percent",
    title: "Other processes, CPU %",
    meaning: "CPU time since the last sample of processes that are neither the target nor the generator nor started by \
              them, 100 = all cores of the machine (/proc/stat and /proc/PID/stat)",
};

/// Periods of the quota.
pub const QUOTA_PERIODS: Metric = Metric {
    name: "quota_periods",
    title: "Quota periods",
    meaning: "periods of the CPU quota of the target's cgroup in which something could run, since the run's start \
              (cpu.stat: nr_periods)",
};
/// Periods in which the quota was used up.
pub const THROTTLED_PERIODS: Metric = Metric {
    name: "throttled_periods",
    title: "Throttled periods",
    meaning: "periods in which the target's cgroup used up its CPU quota, since the run's start (cpu.stat: nr_throttled)",
};
/// Time without CPU because the quota was used up.
pub const THROTTLED_MS: Metric = Metric {
    name: "throttled_ms",
    title: "Throttled, ms",
    meaning: "time that the cores of the target's cgroup were kept from running, since the run's start (cpu.stat)",
};
/// Cores that the target may use.
pub const CPU_CORES: Metric = Metric {
    name: "cpu_cores",
    title: "Cores",
    meaning: "cores the target may use: those of its affinity, and the quota of its cgroups if that is less",
};
/// Time in which something waited for a core.
pub const CPU_PRESSURE_MS: Metric = Metric {
    name: "cpu_pressure_ms",
    title: "CPU pressure, ms",
    meaning: "time in which some thread of the machine waited for a core, since the run's start (/proc/pressure/cpu)",
};
/// Packets through an emulated network.
pub const NETWORK_PACKETS: Metric = Metric {
    name: "network_packets",
    title: "Network packets",
    meaning: "packets that an emulated network has carried since the start of the run (by a relay: pieces of data)",
};
/// Bytes through an emulated network.
pub const NETWORK_BYTES: Metric = Metric {
    name: "network_bytes",
    title: "Network bytes",
    meaning: "their bytes, IP headers included (by a relay: those of the data alone)",
};
/// Losses of an emulated network.
pub const NETWORK_LOST: Metric = Metric {
    name: "network_lost",
    title: "Network losses",
    meaning: "packets that an emulated network has lost, as it was told to, since the start of the run",
};
/// Tail drops of an emulated network.
pub const NETWORK_QUEUE_FULL: Metric = Metric {
    name: "network_queue_full",
    title: "Network queue drops",
    meaning: "packets dropped since the start of the run because the queue before the bandwidth was full",
};
/// Inexactness of an emulated network.
pub const NETWORK_LATE: Metric = Metric {
    name: "network_late",
    title: "Network late packets",
    meaning: "packets that an emulated network delivered more than 1 ms after their time, since the start of the run",
};
/// Greatest inexactness of an emulated network.
pub const NETWORK_LATENESS_MS_MAX: Metric = Metric {
    name: "network_lateness_ms_max",
    title: "Network lateness",
    meaning: "the longest that an emulated network was late with a packet since the start of the run",
};
/// Packets that an emulated network did not take in time.
pub const NETWORK_OVERFLOWED: Metric = Metric {
    name: "network_overflowed",
    title: "Network overflows",
    meaning: "packets that the kernel dropped since the start of the run because the emulated network was too slow to \
              take them",
};

/// The metrics of this file, in the order outputs list them.
const GENERAL: &[Metric] = &[
    CPU_PERCENT,
    RSS_BYTES,
    CGROUP_BYTES,
    THREADS,
    DESCRIPTORS,
    MACHINE_CPU_PERCENT,
    STEAL_PERCENT,
    CPU_CORES,
    QUOTA_PERIODS,
    THROTTLED_PERIODS,
    THROTTLED_MS,
    CPU_PRESSURE_MS,
    NETWORK_PACKETS,
    NETWORK_BYTES,
    NETWORK_LOST,
    NETWORK_QUEUE_FULL,
    NETWORK_LATE,
    NETWORK_LATENESS_MS_MAX,
    NETWORK_OVERFLOWED,
];

/// Every metric, in the order outputs list them.
pub fn all() -> impl Iterator<Item = &'static Metric> {
    [GENERAL, tcp::INBOUND, tcp::OUTBOUND, tcp::QUEUES, tcp::COUNTERS, jvm::ALL, jvm::OF_THREADS, upstream::ALL]
        .into_iter()
        .flatten()
}
