//! `/proc/PID/cgroup`, the cgroup lines of `/proc/PID/mountinfo`, and the keyed files inside a cgroup.

use std::path::{Path, PathBuf};

use super::keyed_number;

/// One line of `/proc/PID/cgroup`: where the process is in one hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// Controllers of a v1 hierarchy, e.g. `cpu` and `cpuacct`, or its name, e.g. `name=systemd`; empty for v2.
    pub controllers: Vec<String>,
    /// Path below the root of the hierarchy, as the process' cgroup namespace shows it.
    pub path: PathBuf,
}

/// Reads `/proc/PID/cgroup`.
pub fn memberships(text: &str) -> Vec<Membership> {
    text.lines().filter_map(membership).collect()
}

fn membership(line: &str) -> Option<Membership> {
    let mut fields = line.splitn(3, ':');
    let (number, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
    number.parse::<u32>().ok()?;
    let controllers = controllers.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    path.starts_with('/').then(|| Membership { controllers, path: PathBuf::from(path) })
}

/// A mounted cgroup hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// Whether it is the one hierarchy of v2.
    pub v2: bool,
    /// The cgroup that is mounted: `/`, or a path where a container shows only a part of the hierarchy.
    pub root: PathBuf,
    /// Where it is mounted.
    pub mount_point: PathBuf,
    /// Controllers, for v1.
    pub controllers: Vec<String>,
}

impl Mount {
    /// Where files of the cgroup `path` of this hierarchy are.
    pub fn directory_of(&self, path: &Path) -> PathBuf {
        let below = path.strip_prefix(&self.root).or_else(|_| path.strip_prefix("/")).unwrap_or(path);
        self.mount_point.join(below)
    }
}

/// The cgroup mounts of `/proc/PID/mountinfo`.
pub fn mounts(text: &str) -> Vec<Mount> {
    text.lines().filter_map(mount).collect()
}

/// A line is `31 23 0:28 ROOT MOUNT_POINT OPTIONS [TAG…] - TYPE SOURCE SUPER_OPTIONS` (proc_pid_mountinfo(5)).
fn mount(line: &str) -> Option<Mount> {
    let (place, kind) = line.split_once(" - ")?;
    let mut kind = kind.split(' ');
    let v2 = match kind.next()? {
        "cgroup2" => true,
        "cgroup" => false,
        _ => return None,
    };
    let mut place = place.split(' ').skip(3);
    let (root, mount_point) = (unescaped(place.next()?), unescaped(place.next()?));
    let options = kind.nth(1).unwrap_or("");
    let is_controller = |option: &&str| !matches!(*option, "rw" | "ro" | "xattr" | "clone_children" | "noprefix");
    let controllers = if v2 { "" } else { options }.split(',').filter(|option| !option.is_empty());
    Some(Mount {
        v2,
        root: root.into(),
        mount_point: mount_point.into(),
        controllers: controllers.filter(is_controller).map(str::to_owned).collect(),
    })
}

/// The kernel writes a space in a path as `\040`.
fn unescaped(path: &str) -> String {
    path.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
}

/// How many processes of the cgroup the kernel has killed for lack of memory: `oom_kill` of `memory.events` (v2) or of
/// `memory.oom_control` (v1).
pub fn oom_kills(text: &str) -> Option<u64> {
    keyed_number(text, "oom_kill ")
}

/// Cores that `cpu.max` (v2) grants, a quota and a period in microseconds; none where the quota is `max`.
pub fn quota(text: &str) -> Option<f64> {
    let (quota, period) = text.trim().split_once(' ')?;
    cores(quota.parse().ok()?, period.parse().ok()?)
}

/// Cores that a quota in each period grants; a quota of -1 (v1) grants all.
pub fn cores(quota_us: f64, period_us: f64) -> Option<f64> {
    (quota_us > 0.0 && period_us > 0.0).then(|| quota_us / period_us)
}

/// How a group's CPU quota has held it back, since the group was made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Throttling {
    /// Periods of the quota in which something could run.
    pub periods: u64,
    /// Periods among them in which the quota was used up.
    pub throttled: u64,
    /// Time without CPU in them, of all cores together.
    pub ms: f64,
}

/// Reads `cpu.stat`: `throttled_usec` (v2) or `throttled_time` in nanoseconds (v1); none where no quota is accounted.
pub fn throttling(text: &str) -> Option<Throttling> {
    let us = keyed_number(text, "throttled_usec ").map(|us| us as f64 / 1e3);
    let ns = || keyed_number(text, "throttled_time ").map(|ns| ns as f64 / 1e6);
    let (periods, throttled) = (keyed_number(text, "nr_periods ")?, keyed_number(text, "nr_throttled ")?);
    Some(Throttling { periods, throttled, ms: us.or_else(ns)? })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn v1(controllers: &[&str], path: &str) -> Membership {
        Membership { controllers: controllers.iter().map(|name| (*name).to_owned()).collect(), path: path.into() }
    }

    #[test]
    fn a_quota_is_a_number_of_cores() {
        assert_eq!(quota("150000 100000\n"), Some(1.5));
        assert_eq!((quota("max 100000\n"), quota(""), quota("5 0")), (None, None, None));
        assert_eq!((cores(50_000.0, 100_000.0), cores(-1.0, 100_000.0)), (Some(0.5), None));
    }

    #[test]
    fn memberships_of_both_versions_are_read() {
        let hybrid = "4:memory:/process_api/7c4d\n2:cpu,cpuacct:/\n1:name=systemd:/\n0::/user.slice/a:b.scope\n";
        let expected = [
            v1(&["memory"], "/process_api/7c4d"),
            v1(&["cpu", "cpuacct"], "/"),
            v1(&["name=systemd"], "/"),
            v1(&[], "/user.slice/a:b.scope"),
        ];
        assert_eq!(memberships(hybrid), expected);
    }

    #[test]
    fn cgroup_mounts_of_both_versions_are_read_and_others_left_out() {
        let text = "22 27 0:21 / /proc rw,relatime - proc proc rw\n\
                    32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n\
                    41 31 0:38 /docker/1f /sys/fs/my\\040cgroup ro,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
        let expected = [
            Mount {
                v2: false,
                root: "/".into(),
                mount_point: "/sys/fs/cgroup/cpu,cpuacct".into(),
                controllers: vec!["cpu".to_owned(), "cpuacct".to_owned()],
            },
            Mount {
                v2: true,
                root: "/docker/1f".into(),
                mount_point: "/sys/fs/my cgroup".into(),
                controllers: Vec::new(),
            },
        ];
        assert_eq!(mounts(text), expected);
    }

    #[test]
    fn a_directory_is_below_the_mounted_part() {
        let mount = |root: &str| Mount { v2: true, root: root.into(), mount_point: "/cg".into(), controllers: vec![] };
        assert_eq!(mount("/").directory_of(Path::new("/a/b")), Path::new("/cg/a/b"));
        assert_eq!(mount("/a").directory_of(Path::new("/a/b")), Path::new("/cg/b"));
        assert_eq!(mount("/x").directory_of(Path::new("/")), Path::new("/cg"));
    }

    #[test]
    fn out_of_memory_kills_are_counted() {
        assert_eq!(oom_kills("low 0\nhigh 0\nmax 31\noom 2\noom_kill 1\noom_group_kill 0\n"), Some(1));
        assert_eq!(oom_kills("oom_kill_disable 0\nunder_oom 0\noom_kill 3\n"), Some(3));
        assert_eq!(oom_kills("oom_kill_disable 0\n"), None);
    }

    #[test]
    fn throttling_of_both_versions_is_read() {
        let v2 = "usage_usec 9\nuser_usec 5\nsystem_usec 4\nnr_periods 40\nnr_throttled 12\nthrottled_usec 345000\n";
        assert_eq!(throttling(v2), Some(Throttling { periods: 40, throttled: 12, ms: 345.0 }));
        let v1 = "nr_periods 40\nnr_throttled 12\nthrottled_time 345000000\n";
        assert_eq!(throttling(v1), throttling(v2));
        assert_eq!(throttling("usage_usec 9\n"), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".{0,200}", line in "[0-9:,/ a-]{0,80}") {
            let _ = (memberships(&text), mounts(&text), oom_kills(&text), throttling(&text), memberships(&line));
            let _ = mounts(&format!("{line} - cgroup {line}"));
        }
    }
}
