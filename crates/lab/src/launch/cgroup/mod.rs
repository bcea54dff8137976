//! A cgroup for one target: v2 where its controllers can be had, else v1, else none, with the reason in words.

mod v1;
mod v2;

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use plimsoll_observe::{listener::is_there, parse::cgroup::oom_kills, read};
use plimsoll_record::Nanos;
use rustix::process::{Pid, geteuid, getppid};
use serde::{Deserialize, Serialize};

use crate::{
    clock,
    leftover::{YOUNG, old_folders},
};

/// Period in which the kernel accounts for CPU time: its own default.
const CPU_PERIOD_US: u64 = 100_000;
/// The beginning of the names of groups: `plimsoll-LAB-SUPERVISOR`, by the ids of both processes.
const PREFIX: &str = "plimsoll-";

/// Limits to be set by cgroup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CgroupLimits {
    /// Memory, swap included.
    pub memory_bytes: Option<u64>,
    /// CPU time per time.
    pub cpus: Option<f64>,
}

/// Limits as they were applied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Applied {
    /// `v1`, `v2`, or none if there is no cgroup.
    pub version: Option<Version>,
    /// The cgroups that were made: one in v2, one per controller in v1.
    pub groups: Vec<PathBuf>,
    /// The limits that the cgroups set.
    pub limits: CgroupLimits,
    /// File of the memory that is charged now.
    pub memory_file: Option<PathBuf>,
    /// File that counts kills for lack of memory.
    pub oom_file: Option<PathBuf>,
    /// Why a limit that was wanted is not set, and what to do.
    pub problem: Option<String>,
}

/// The two kinds of hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Version {
    /// One hierarchy per controller.
    V1,
    /// One hierarchy for all.
    V2,
}

impl Version {
    /// As in [`plimsoll_record::Environment::cgroup`].
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
        }
    }
}

/// Makes the cgroups that `limits` need, for the one target of this supervisor. Without limits there are none.
pub fn apply(limits: &CgroupLimits) -> Applied {
    if *limits == CgroupLimits::default() {
        return Applied::default();
    }
    let lab = getppid().map_or(0, Pid::as_raw_pid);
    let name = &format!("{PREFIX}{lab}-{}", std::process::id());
    let mounts = read::cgroup_mounts();
    let memberships = read::cgroup_memberships();
    v2::apply(limits, name, &mounts, &memberships)
        .or_else(|why_not_v2| {
            v1::apply(limits, name, &mounts, &memberships).map_err(|why_not_v1| format!("{why_not_v2}; {why_not_v1}"))
        })
        .unwrap_or_else(|why| Applied { problem: Some(problem(&why)), ..Applied::default() })
}

fn problem(why: &str) -> String {
    let help = if geteuid().is_root() {
        "this container may not make cgroups: give it `--privileged --cgroupns=host`, or limit the container itself"
    } else {
        "run Plimsoll as root, or where cgroups are delegated to you: `systemd-run --user --scope plimsoll …`"
    };
    format!("limits are not set by cgroup: {why}\n  help: {help}")
}

impl Applied {
    /// The files that a process writes its pid to.
    pub fn procs_files(&self) -> Vec<PathBuf> {
        self.groups.iter().map(|group| group.join("cgroup.procs")).collect()
    }

    /// How many processes of the target the kernel killed for lack of memory.
    pub fn oom_kills(&self) -> u64 {
        self.oom_file.as_ref().and_then(read::text).and_then(|text| oom_kills(&text)).unwrap_or(0)
    }

    /// The processes in the cgroups.
    pub fn pids(&self) -> Vec<i32> {
        let texts = self.procs_files().into_iter().filter_map(read::text).collect::<Vec<_>>();
        texts.iter().flat_map(|text| text.lines()).filter_map(|pid| pid.parse().ok()).collect()
    }

    /// Removes the cgroups; for a moment after its last process has gone the kernel may refuse that.
    pub fn remove(&self) {
        let deadline = clock::now() + Nanos::from_secs(2);
        for group in &self.groups {
            while matches!(fs::remove_dir(group), Err(error) if error.kind() == io::ErrorKind::ResourceBusy)
                && clock::now() < deadline
            {
                thread::sleep(Duration::from_millis(5));
            }
        }
    }
}

/// Quota of CPU time per [`CPU_PERIOD_US`]; the kernel takes no less than 1 ms.
fn quota_us(cpus: f64) -> u64 {
    ((cpus * CPU_PERIOD_US as f64).round() as u64).max(1_000)
}

fn make(group: &Path) -> Result<(), String> {
    group.parent().into_iter().for_each(|parent| sweep(parent, YOUNG));
    // One of this name is left of another process of the same number, and cannot be removed if it is in use.
    drop(fs::remove_dir(group));
    fs::create_dir(group).map_err(|error| format!("{} cannot be made: {error}", group.display()))
}

/// Removes groups whose Plimsoll was killed with all that it had started. The kernel keeps those that are in use.
fn sweep(parent: &Path, young: Duration) {
    let maker = |group: &Path| group.file_name()?.to_str()?.strip_prefix(PREFIX)?.split('-').next()?.parse().ok();
    let is_left = |group: &PathBuf| maker(group).is_some_and(|pid: u32| !i32::try_from(pid).is_ok_and(is_there));
    old_folders(parent, PREFIX, young).filter(is_left).for_each(|group| drop(fs::remove_dir(group)));
}

fn write(group: &Path, file: &str, value: &str) -> Result<(), String> {
    let file = group.join(file);
    fs::write(&file, value).map_err(|error| format!("`{value}` cannot be written to {}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const ONE_MIB: CgroupLimits = CgroupLimits { memory_bytes: Some(1 << 20), cpus: Some(0.5) };

    #[test]
    fn without_limits_there_is_no_cgroup() {
        assert_eq!(apply(&CgroupLimits::default()), Applied::default());
    }

    #[test]
    fn limits_are_set_or_it_is_said_why_not() {
        let applied = apply(&ONE_MIB);
        let memory = applied.memory_file.as_deref().and_then(read::number);
        let exist = applied.groups.iter().all(|group| group.is_dir());
        applied.remove();

        assert!(exist);
        assert!(!applied.groups.iter().any(|group| group.exists()), "{applied:?}");
        assert_eq!(applied.limits.memory_bytes.is_some(), memory.is_some(), "{applied:?}");
        assert_eq!(applied.limits != ONE_MIB, applied.problem.is_some(), "{applied:?}");
    }

    #[test]
    fn groups_of_the_dead_are_removed_once_they_are_old() {
        let parent = tempfile::tempdir().expect("a directory");
        let (alive, dead) = (format!("plimsoll-{}-1", std::process::id()), format!("plimsoll-{}-1", u32::MAX));
        for group in [&alive, &dead, "plimsoll-other", "user-1"] {
            fs::create_dir(parent.path().join(group)).expect("made");
        }
        let left = || {
            let names = fs::read_dir(parent.path()).expect("read").flatten().map(|entry| entry.file_name());
            names.map(|name| name.to_string_lossy().into_owned()).collect::<BTreeSet<_>>()
        };
        sweep(parent.path(), Duration::from_secs(600));
        assert_eq!(left().len(), 4);
        sweep(parent.path(), Duration::ZERO);
        assert_eq!(left(), [&alive, "plimsoll-other", "user-1"].map(str::to_owned).into());
        let group = parent.path().join("user-1");
        assert_eq!(make(&group), Ok(()), "an empty one of the same name is made anew");
    }

    #[test]
    fn a_quota_is_never_less_than_the_kernel_takes() {
        assert_eq!(quota_us(2.0), 200_000);
        assert_eq!(quota_us(0.5), 50_000);
        assert_eq!(quota_us(0.001), 1_000);
    }
}
