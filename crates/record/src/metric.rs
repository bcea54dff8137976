//! The metrics that are sampled beside a load: one list with name, unit and meaning.

/// A metric: what it is called in the record and in outputs, and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Name in the record; ends in its unit.
    pub name: &'static str,
    /// Title in reports.
    pub title: &'static str,
    /// What it is and where it comes from.
    pub meaning: &'static str,
}

/// CPU of the target.
pub const CPU_PERCENT: Metric = Metric {
    name: "cpu_percent",
    title: "CPU %",
    meaning: "CPU time the target's processes used since the last sample, 100 = one core (/proc/PID/stat)",
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

/// Every metric, in the order outputs list them.
pub const ALL: &[Metric] =
    &[CPU_PERCENT, RSS_BYTES, CGROUP_BYTES, THREADS, DESCRIPTORS, MACHINE_CPU_PERCENT, STEAL_PERCENT];
