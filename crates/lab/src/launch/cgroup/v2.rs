//! cgroup v2: one group for all controllers.
//!
//! A group that has processes cannot hand controllers to groups below it ("no internal processes", cgroups(7)), and
//! ours has at least this one. It can hand on `cpu`, but becomes a threaded domain by that, and groups below one take
//! no processes. So the new group goes below the nearest ancestor that hands on, or can be made to hand
//! on, the controllers that are needed, and that we may move processes out of.

use std::{
    fs,
    path::{Path, PathBuf},
};

use plimsoll_observe::{
    parse::cgroup::{Membership, Mount},
    read,
};
use rustix::fs::{Access, access};

use super::{Applied, CPU_PERIOD_US, CgroupLimits, Version, make, quota_us, write};

/// One group with all `limits`; if that cannot be had, with one of them.
///
/// # Errors
///
/// If no group can be made: why.
pub fn apply(
    limits: &CgroupLimits,
    name: &str,
    mounts: &[Mount],
    memberships: &[Membership],
) -> Result<Applied, String> {
    let mount = mounts.iter().find(|mount| mount.v2).ok_or("cgroup v2 is not mounted")?;
    let ours = memberships.iter().find(|membership| membership.controllers.is_empty());
    let ours = ours.map_or_else(|| mount.mount_point.clone(), |membership| mount.directory_of(&membership.path));

    let mut why = None;
    for part in parts(limits) {
        match below_an_ancestor(&part, name, &ours, &mount.mount_point) {
            Ok(mut applied) => {
                applied.problem = why.as_deref().map(super::problem);
                return Ok(applied);
            }
            Err(reason) => why = why.or(Some(reason)),
        }
    }
    Err(why.unwrap_or_else(|| "there is nothing to limit".to_owned()))
}

/// All limits together, then, if there are two, each by itself: memory first, for it protects the machine.
fn parts(limits: &CgroupLimits) -> Vec<CgroupLimits> {
    let memory = CgroupLimits { cpus: None, ..*limits };
    let cpu = CgroupLimits { memory_bytes: None, ..*limits };
    if limits.memory_bytes.is_some() && limits.cpus.is_some() { vec![*limits, memory, cpu] } else { vec![*limits] }
}

/// Why a group cannot be made below one ancestor, and how far it got: the ancestor where it got furthest is the one
/// that a user can do something about.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Obstacle {
    steps_done: usize,
    reason: String,
}

fn below_an_ancestor(limits: &CgroupLimits, name: &str, ours: &Path, root: &Path) -> Result<Applied, String> {
    let mut obstacles = Vec::new();
    for ancestor in ours.ancestors().take_while(|ancestor| ancestor.starts_with(root)) {
        match below(limits, name, ancestor) {
            Ok(applied) => return Ok(applied),
            Err(obstacle) => obstacles.push(obstacle),
        }
    }
    let furthest = obstacles.into_iter().max_by_key(|obstacle| obstacle.steps_done);
    Err(furthest.map_or_else(|| format!("{} is not below {}", ours.display(), root.display()), |most| most.reason))
}

fn below(limits: &CgroupLimits, name: &str, parent: &Path) -> Result<Applied, Obstacle> {
    let after = |steps_done| move |reason| Obstacle { steps_done, reason };
    hand_on(limits, parent)?;
    may_move_out_of(parent).map_err(after(2))?;
    let group = parent.join(name);
    make(&group).map_err(after(3))?;
    let is_joinable = read::text(group.join("cgroup.type")).is_none_or(|kind| kind.trim() == "domain");
    let limited = match is_joinable {
        true => set(limits, &group),
        false => Err(format!("groups below {} take no processes", parent.display())),
    };
    if let Err(reason) = limited {
        // Removes the group, which is empty; an error here cannot be helped.
        let _ = fs::remove_dir(&group);
        return Err(after(4)(reason));
    }
    let memory_is_accounted = limits.memory_bytes.is_some();
    let file = |name: &str| -> Option<PathBuf> { memory_is_accounted.then(|| group.join(name)) };
    Ok(Applied {
        version: Some(Version::V2),
        limits: *limits,
        memory_file: file("memory.current"),
        oom_file: file("memory.events"),
        groups: vec![group],
        problem: None,
    })
}

/// Has `parent` hand on the controllers that `limits` need: up to two steps.
fn hand_on(limits: &CgroupLimits, parent: &Path) -> Result<(), Obstacle> {
    let needed = [("memory", limits.memory_bytes.is_some()), ("cpu", limits.cpus.is_some())];
    let needed = needed.into_iter().filter_map(|(controller, is_needed)| is_needed.then_some(controller));
    let handed_on = controllers(parent, "cgroup.subtree_control");
    let available = controllers(parent, "cgroup.controllers");
    let has = |controllers: &[String], controller: &str| controllers.iter().any(|name| name == controller);
    for (steps_done, controller) in needed.enumerate().filter(|(_, controller)| !has(&handed_on, controller)) {
        if !has(&available, controller) {
            let reason = format!("cgroup v2 has no {controller} controller in {}", parent.display());
            return Err(Obstacle { steps_done, reason });
        }
        if has_processes(parent) {
            let reason = format!("{} has processes of its own", parent.display());
            return Err(Obstacle { steps_done: steps_done + 1, reason });
        }
        write(parent, "cgroup.subtree_control", &format!("+{controller}"))
            .map_err(|reason| Obstacle { steps_done, reason })?;
    }
    Ok(())
}

/// Whether a group has processes that keep it from handing on controllers. The root of the hierarchy may have some: it
/// alone has no type.
fn has_processes(group: &Path) -> bool {
    let is_root = !group.join("cgroup.type").exists();
    !is_root && read::text(group.join("cgroup.procs")).is_some_and(|processes| !processes.trim().is_empty())
}

/// To move a process needs the right to write to the common ancestor of both groups, which is `parent`.
fn may_move_out_of(parent: &Path) -> Result<(), String> {
    let procs = parent.join("cgroup.procs");
    access(&procs, Access::WRITE_OK)
        .map_err(|error| format!("processes cannot be moved out of {}: {error}", procs.display()))
}

fn controllers(group: &Path, file: &str) -> Vec<String> {
    read::text(group.join(file)).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

fn set(limits: &CgroupLimits, group: &Path) -> Result<(), String> {
    if let Some(bytes) = limits.memory_bytes {
        write(group, "memory.max", &bytes.to_string())?;
        // Not there unless the kernel accounts for swap.
        let _ = write(group, "memory.swap.max", "0");
    }
    if let Some(cpus) = limits.cpus {
        write(group, "cpu.max", &format!("{} {CPU_PERIOD_US}", quota_us(cpus)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: CgroupLimits = CgroupLimits { memory_bytes: Some(64 << 20), cpus: Some(2.0) };

    /// A hierarchy `/user/app/ours` in plain files: `user` has `controllers` and hands on `handed_on`.
    fn hierarchy(controllers: &str, handed_on: &str) -> (tempfile::TempDir, [Mount; 1], [Membership; 1]) {
        let root = tempfile::tempdir().expect("a directory");
        fs::create_dir_all(root.path().join("user/app/ours")).expect("a directory");
        for group in ["", "user", "user/app", "user/app/ours"] {
            let file = |name: &str| root.path().join(group).join(name);
            fs::write(file("cgroup.controllers"), if group == "user" { controllers } else { "" }).expect("written");
            fs::write(file("cgroup.subtree_control"), if group == "user" { handed_on } else { "" }).expect("written");
            fs::write(file("cgroup.procs"), "").expect("written");
        }
        let mount = Mount { v2: true, root: "/".into(), mount_point: root.path().to_owned(), controllers: Vec::new() };
        (root, [mount], [Membership { controllers: Vec::new(), path: "/user/app/ours".into() }])
    }

    #[test]
    fn the_group_goes_below_the_nearest_ancestor_that_hands_on_what_is_needed() {
        let (root, mounts, memberships) = hierarchy("cpu memory pids", "memory cpu");
        let applied = apply(&BOTH, "g", &mounts, &memberships).expect("user can");
        let group = root.path().join("user/g");
        assert_eq!(applied.groups, std::slice::from_ref(&group));
        assert_eq!((applied.limits, &applied.problem), (BOTH, &None));
        assert_eq!(fs::read_to_string(group.join("memory.max")).expect("written"), "67108864");
        assert_eq!(fs::read_to_string(group.join("cpu.max")).expect("written"), "200000 100000");
    }

    #[test]
    fn a_controller_that_is_there_is_handed_on() {
        let (root, mounts, memberships) = hierarchy("cpu memory", "memory");
        apply(&BOTH, "g", &mounts, &memberships).expect("user can");
        let file = root.path().join("user/cgroup.subtree_control");
        assert_eq!(fs::read_to_string(file).expect("written"), "+cpu");
    }

    /// A process in it makes `user` a threaded domain if it hands on `cpu`; the mount's own root may have processes.
    #[test]
    fn a_group_with_processes_hands_nothing_on() {
        let cpu = CgroupLimits { memory_bytes: None, ..BOTH };
        let (root, mounts, memberships) = hierarchy("cpu memory", "");
        fs::write(root.path().join("cgroup.controllers"), "cpu memory").expect("written");
        fs::write(root.path().join("cgroup.procs"), "1\n").expect("written");
        fs::write(root.path().join("user/cgroup.type"), "domain\n").expect("written");
        fs::write(root.path().join("user/cgroup.procs"), "7\n").expect("written");
        let applied = apply(&cpu, "g", &mounts, &memberships).expect("the root can");
        assert_eq!(applied.groups, [root.path().join("g")]);
        assert_eq!(fs::read_to_string(root.path().join("user/cgroup.subtree_control")).expect("there"), "");
        fs::write(root.path().join("cgroup.controllers"), "").expect("written");
        fs::write(root.path().join("cgroup.subtree_control"), "").expect("written");
        let error = apply(&cpu, "h", &mounts, &memberships).expect_err("nobody can");
        assert!(error.ends_with("has processes of its own"), "{error}");
    }

    #[test]
    fn one_limit_is_better_than_none() {
        let (_root, mounts, memberships) = hierarchy("memory", "memory");
        let applied = apply(&BOTH, "g", &mounts, &memberships).expect("memory can be limited");
        assert_eq!(applied.limits, CgroupLimits { cpus: None, ..BOTH });
        assert!(applied.problem.is_some_and(|problem| problem.contains("no cpu controller")));
    }

    #[test]
    fn without_controllers_it_is_said_which() {
        let (_root, mounts, memberships) = hierarchy("", "");
        let error = apply(&BOTH, "g", &mounts, &memberships).expect_err("no controllers");
        assert!(error.contains("no memory controller"), "{error}");
        assert!(apply(&BOTH, "g", &[], &memberships).is_err());
    }
}
