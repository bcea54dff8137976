//! cgroup v1: a hierarchy per controller, and a group in each.

use std::{fs, path::PathBuf};

use plimsoll_observe::parse::cgroup::{Membership, Mount};

use super::{Applied, CPU_PERIOD_US, CgroupLimits, Version, make, quota_us, write};

/// One group below this process' own in each hierarchy that `limits` need; a hierarchy may have both controllers. A
/// limit whose group cannot be made is named in [`Applied::problem`].
///
/// # Errors
///
/// If none can be made: why.
pub fn apply(
    limits: &CgroupLimits,
    name: &str,
    mounts: &[Mount],
    memberships: &[Membership],
) -> Result<Applied, String> {
    let mut applied = Applied { version: Some(Version::V1), ..Applied::default() };
    let mut problems = Vec::new();
    let group = |controller: &str| Some(own_directory(controller, mounts, memberships)?.join(name));
    if let Some(bytes) = limits.memory_bytes {
        match limit_memory(group("memory"), bytes) {
            Ok(group) => {
                applied.memory_file = Some(group.join("memory.usage_in_bytes"));
                applied.oom_file = Some(group.join("memory.oom_control"));
                applied.groups.push(group);
                applied.limits.memory_bytes = Some(bytes);
            }
            Err(problem) => problems.push(problem),
        }
    }
    if let Some(cpus) = limits.cpus {
        match limit_cpu(group("cpu"), cpus, &applied.groups) {
            Ok(group) => {
                if !applied.groups.contains(&group) {
                    applied.groups.push(group);
                }
                applied.limits.cpus = Some(cpus);
            }
            Err(problem) => problems.push(problem),
        }
    }
    if applied.groups.is_empty() {
        return Err(problems.join("; "));
    }
    applied.problem = (!problems.is_empty()).then(|| super::problem(&problems.join("; ")));
    Ok(applied)
}

/// Where this process is in the hierarchy of `controller`; its root where a container does not show that.
fn own_directory(controller: &str, mounts: &[Mount], memberships: &[Membership]) -> Option<PathBuf> {
    let has = |controllers: &[String]| controllers.iter().any(|name| name == controller);
    let mount = mounts.iter().find(|mount| has(&mount.controllers))?;
    let membership = memberships.iter().find(|membership| has(&membership.controllers))?;
    let directory = mount.directory_of(&membership.path);
    Some(if directory.is_dir() { directory } else { mount.mount_point.clone() })
}

fn limit_memory(group: Option<PathBuf>, bytes: u64) -> Result<PathBuf, String> {
    let group = group.ok_or("cgroup v1 has no memory controller here")?;
    make(&group)?;
    let set = write(&group, "memory.limit_in_bytes", &bytes.to_string());
    // Memory and swap together; not there unless the kernel accounts for swap.
    let _ = write(&group, "memory.memsw.limit_in_bytes", &bytes.to_string());
    removed_unless(set, group)
}

/// Sets it in a group of those that were `made`, or in one more.
fn limit_cpu(group: Option<PathBuf>, cpus: f64, made: &[PathBuf]) -> Result<PathBuf, String> {
    let group = group.ok_or("cgroup v1 has no cpu controller here")?;
    let is_made = made.contains(&group);
    if !is_made {
        make(&group)?;
    }
    let set = write(&group, "cpu.cfs_period_us", &CPU_PERIOD_US.to_string())
        .and_then(|()| write(&group, "cpu.cfs_quota_us", &quota_us(cpus).to_string()));
    // The memory limit of a group that was there stays.
    if is_made { set.map(|()| group) } else { removed_unless(set, group) }
}

fn removed_unless(set: Result<(), String>, group: PathBuf) -> Result<PathBuf, String> {
    match set {
        Ok(()) => Ok(group),
        Err(problem) => {
            // Removes the group, which is empty; an error here cannot be helped.
            let _ = fs::remove_dir(&group);
            Err(problem)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mount(controllers: &[&str], mount_point: PathBuf) -> Mount {
        let controllers = controllers.iter().map(|name| (*name).to_owned()).collect();
        Mount { v2: false, root: "/".into(), mount_point, controllers }
    }

    fn member(controller: &str, path: &str) -> Membership {
        Membership { controllers: vec![controller.to_owned()], path: path.into() }
    }

    #[test]
    fn each_limit_gets_a_group_below_ours() {
        let root = tempfile::tempdir().expect("a directory");
        let (memory, cpu) = (root.path().join("memory"), root.path().join("cpu,cpuacct"));
        fs::create_dir_all(memory.join("ours")).expect("a directory");
        fs::create_dir_all(&cpu).expect("a directory");
        let mounts = [mount(&["memory"], memory.clone()), mount(&["cpu", "cpuacct"], cpu.clone())];
        // The cpu path is one that a container does not see.
        let memberships = [member("memory", "/ours"), member("cpu", "/docker/1f")];
        let limits = CgroupLimits { memory_bytes: Some(1_073_741_824), cpus: Some(1.5) };

        let applied = apply(&limits, "plimsoll-1-0", &mounts, &memberships).expect("writable");

        assert_eq!(applied.groups, [memory.join("ours/plimsoll-1-0"), cpu.join("plimsoll-1-0")]);
        assert_eq!((applied.limits, &applied.problem), (limits, &None));
        let text = |group: usize, file: &str| fs::read_to_string(applied.groups[group].join(file)).expect("written");
        assert_eq!(text(0, "memory.limit_in_bytes"), "1073741824");
        assert_eq!(text(1, "cpu.cfs_quota_us"), "150000");
    }

    #[test]
    fn controllers_of_one_hierarchy_share_a_group() {
        let root = tempfile::tempdir().expect("a directory");
        let mounts = [mount(&["cpu", "memory"], root.path().to_owned())];
        let memberships = [Membership { controllers: ["cpu", "memory"].map(str::to_owned).to_vec(), path: "/".into() }];
        let limits = CgroupLimits { memory_bytes: Some(1 << 30), cpus: Some(1.5) };
        let applied = apply(&limits, "g", &mounts, &memberships).expect("writable");
        let group = root.path().join("g");
        assert_eq!((&applied.groups[..], applied.limits, &applied.problem), (&[group.clone()][..], limits, &None));
        let text = |file: &str| fs::read_to_string(group.join(file)).expect("written");
        assert_eq!([text("memory.limit_in_bytes"), text("cpu.cfs_quota_us")], ["1073741824", "150000"]);
    }

    #[test]
    fn a_limit_without_its_controller_is_a_problem_and_the_other_is_set() {
        let root = tempfile::tempdir().expect("a directory");
        let mounts = [mount(&["memory"], root.path().to_owned())];
        let limits = CgroupLimits { memory_bytes: Some(1 << 30), cpus: Some(1.0) };
        let applied = apply(&limits, "g", &mounts, &[member("memory", "/")]).expect("memory can be limited");
        assert_eq!(applied.limits, CgroupLimits { cpus: None, ..limits });
        assert!(applied.problem.is_some_and(|problem| problem.contains("no cpu controller")));

        let none = apply(&CgroupLimits { memory_bytes: None, ..limits }, "g", &mounts, &[]);
        assert_eq!(none, Err("cgroup v1 has no cpu controller here".to_owned()));
    }
}
