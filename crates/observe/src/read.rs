//! Opens the files that [`crate::parse`] understands. A file that is gone, or must not be read, is `None`.

pub mod sock_diag;

use std::{
    fs::{self, File, OpenOptions},
    io::Read,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

use plimsoll_record::Nanos;
use rustix::{
    fs::OFlags,
    param::clock_ticks_per_second,
    time::{ClockId, clock_gettime},
};

use crate::parse::{
    cgroup::{self, Membership, Mount},
    machine::{self, CpuTime},
    process::{self, Stat, Status},
};

/// `/proc/PID/stat`.
pub fn stat(pid: i32) -> Option<Stat> {
    process::stat(&text(format!("/proc/{pid}/stat"))?)
}

/// CPU time of this process' children that ended, and of theirs; to the clock tick.
pub fn waited_cpu() -> Option<Nanos> {
    let ticks = process::stat(&text("/proc/self/stat")?)?.waited_ticks;
    Some(Nanos::from_secs_f64(ticks as f64 / clock_ticks_per_second() as f64))
}

/// `/proc/PID/status`.
pub fn status(pid: i32) -> Option<Status> {
    process::status(&text(format!("/proc/{pid}/status"))?)
}

/// CPU time of the process's threads that live, and the time in which they had no core though they could run.
pub fn scheduled(pid: i32) -> Option<(Nanos, Nanos)> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten();
    let times = threads.filter_map(|thread| process::schedule(&text(thread.path().join("schedstat"))?));
    Some(times.fold((Nanos::ZERO, Nanos::ZERO), |(cpu, delay), (more_cpu, more_delay)| {
        (cpu + Nanos(more_cpu), delay + Nanos(more_delay))
    }))
}

/// How many file descriptors the process has open.
pub fn descriptors(pid: i32) -> Option<u64> {
    let folder = format!("/proc/{pid}/fd");
    // Since Linux 6.2 the size of the folder is their number, which saves listing thousands of connections.
    match fs::metadata(&folder).ok()?.len() {
        0 => u64::try_from(fs::read_dir(&folder).ok()?.count()).ok(),
        count => Some(count),
    }
}

/// The inodes of the sockets that the process has open.
pub fn socket_inodes(pid: i32) -> impl Iterator<Item = u32> {
    let entries = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    entries.filter_map(|entry| process::socket_inode(fs::read_link(entry.path()).ok()?.to_str()?))
}

/// Identifier of the process's network namespace: the same text for the same one.
pub fn network_namespace(pid: i32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{pid}/ns/net")).ok()
}

/// Identifier of this thread's network namespace.
pub fn own_network_namespace() -> Option<PathBuf> {
    fs::read_link("/proc/thread-self/ns/net").ok()
}

/// The first line of `/proc/stat`.
pub fn machine_cpu_time() -> Option<CpuTime> {
    machine::cpu_time(&text("/proc/stat")?)
}

/// CPU time of this thread: how long something took, whatever others did meanwhile.
pub fn thread_cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Cores of the machine that are online.
pub fn machine_cores() -> usize {
    text("/proc/stat").map_or(1, |text| machine::cores(&text).max(1))
}

/// Where this process is in each cgroup hierarchy; empty if the kernel has no cgroups.
pub fn cgroup_memberships() -> Vec<Membership> {
    text("/proc/self/cgroup").map(|text| cgroup::memberships(&text)).unwrap_or_default()
}

/// The cgroup hierarchies that are mounted.
pub fn cgroup_mounts() -> Vec<Mount> {
    text("/proc/self/mountinfo").map(|text| cgroup::mounts(&text)).unwrap_or_default()
}

/// The cgroup and those around it, innermost first.
pub fn groups_from(group: &Path) -> impl Iterator<Item = &Path> {
    group.ancestors().take_while(|it| it.join("cgroup.procs").exists())
}

/// How quotas have held a group back, its own and those of the groups around it, whose periods pass at the same time;
/// none where none is accounted.
pub fn throttling(group: &Path) -> Option<cgroup::Throttling> {
    let each = groups_from(group).filter_map(|group| cgroup::throttling(&text(group.join("cpu.stat"))?));
    each.reduce(|a, b| cgroup::Throttling {
        periods: a.periods.max(b.periods),
        throttled: a.throttled + b.throttled,
        ms: a.ms + b.ms,
    })
}

/// The group that the CPU controller has for the process: in v1 where that has one, else in v2.
pub fn cpu_group(pid: i32) -> Option<PathBuf> {
    let memberships = cgroup::memberships(&text(format!("/proc/{pid}/cgroup"))?);
    let mounts = cgroup_mounts();
    let is_cpu = |controllers: &[String]| controllers.iter().any(|name| name == "cpu");
    let v1 =
        memberships.iter().find(|it| is_cpu(&it.controllers)).zip(mounts.iter().find(|it| is_cpu(&it.controllers)));
    let v2 = memberships.iter().find(|it| it.controllers.is_empty()).zip(mounts.iter().find(|it| it.v2));
    let groups = [v1, v2].into_iter().flatten().map(|(membership, mount)| mount.directory_of(&membership.path));
    groups.into_iter().find(|group| group.join("cpu.stat").is_file())
}

/// The file that tells the memory of the group that the process is in: in v1 where that has one, else in v2. None in
/// the root, which is the whole machine.
pub fn memory_file(pid: i32) -> Option<PathBuf> {
    let mut memberships = cgroup::memberships(&text(format!("/proc/{pid}/cgroup"))?);
    memberships.retain(|membership| membership.path != Path::new("/"));
    let mounts = cgroup_mounts();
    let has = |controllers: &[String]| controllers.iter().any(|name| name == "memory");
    let v1 = memberships.iter().find(|it| has(&it.controllers)).zip(mounts.iter().find(|it| has(&it.controllers)));
    let v2 = memberships.iter().find(|it| it.controllers.is_empty()).zip(mounts.iter().find(|it| it.v2));
    let files = [(v1, "memory.usage_in_bytes"), (v2, "memory.current")].into_iter().filter_map(|(found, file)| {
        let (membership, mount) = found?;
        Some(mount.directory_of(&membership.path).join(file))
    });
    files.into_iter().find(|file| file.is_file())
}

/// The file with the memory of the container that a process is in, by the container's cgroup. None if the process sees
/// the files that this process sees: its cgroup may then be that of others, too.
pub fn memory_file_of_container(pid: i32) -> Option<PathBuf> {
    let mounts_of = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/mnt")).ok();
    if mounts_of(&pid.to_string())? == mounts_of("self")? { None } else { memory_file(pid) }
}

/// A file that holds one number and nothing else.
pub fn number(path: &Path) -> Option<u64> {
    text(path)?.trim().parse().ok()
}

/// The text of a file; names of processes may be of any bytes.
pub fn text(path: impl AsRef<Path>) -> Option<String> {
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Opens a file that a target has made: it may have put a pipe there, or a file without an end.
pub fn open_of_target(path: &Path) -> Option<File> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).ok()?;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    file.metadata().is_ok_and(|metadata| metadata.is_file()).then_some(file)
}

/// The bytes of such a file; none if there are more than so many.
pub fn bytes_of_target(path: &Path, bytes_max: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    open_of_target(path)?.take(bytes_max + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= bytes_max).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use std::{fs::File, process};

    use super::*;

    fn own_pid() -> i32 {
        i32::try_from(process::id()).expect("a pid fits")
    }

    #[test]
    fn descriptors_are_counted_as_they_are_opened() {
        let before = descriptors(own_pid()).expect("procfs");
        let files: Vec<File> = (0..100).map(|_| File::open("/dev/null").expect("there is a null device")).collect();
        let after = descriptors(own_pid()).expect("procfs");
        drop(files);
        // Tests beside this one open and close files, too.
        assert!((before + 60..before + 140).contains(&after), "{before} before, {after} after");
    }

    #[test]
    fn files_of_targets_are_neither_awaited_nor_read_without_end() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = |name: &str| folder.path().join(name);
        assert!(process::Command::new("mkfifo").arg(path("pipe")).status().expect("mkfifo").success());
        fs::write(path("file"), "four").expect("a file");
        assert_eq!(bytes_of_target(&path("pipe"), 9), None);
        assert_eq!(bytes_of_target(Path::new("/dev/zero"), 9), None);
        assert_eq!([3, 4].map(|most| bytes_of_target(&path("file"), most)), [None, Some(b"four".to_vec())]);
    }

    #[test]
    fn a_process_that_is_not_there_has_nothing() {
        let beyond_any_pid = i32::MAX;
        assert_eq!(stat(beyond_any_pid), None);
        assert_eq!(status(beyond_any_pid), None);
        assert_eq!(descriptors(beyond_any_pid), None);
    }
}
