//! Cores that a target may use.

use std::{path::Path, path::PathBuf};

use plimsoll_record::metric;
use rustix::{
    process::Pid,
    thread::{CpuSet, sched_getaffinity},
};

use crate::{parse::cgroup, read, sockets::Values};

/// Samples the cores. Limits are read each time, since they change while a container runs; the group is looked up once.
#[derive(Debug, Default)]
pub(crate) struct CoresSampler {
    group: Option<(i32, Option<PathBuf>)>,
}

impl CoresSampler {
    /// The value of this instant for a target of these processes.
    pub fn sample(&mut self, pids: &[i32]) -> Values {
        // The last is rather the service than a shell in front of it.
        let Some(&pid) = pids.last() else { return Vec::new() };
        if self.group.as_ref().is_none_or(|known| known.0 != pid) {
            self.group = Some((pid, read::cpu_group(pid)));
        }
        let group = self.group.as_ref().and_then(|known| known.1.as_deref());
        let quota = group.and_then(least_quota);
        let cores = affinity(pid).map(|cpus| quota.map_or(cpus, |quota| quota.min(cpus)));
        cores.into_iter().map(|cores| (metric::CPU_CORES.name, cores)).collect()
    }
}

fn affinity(pid: i32) -> Option<f64> {
    let set: CpuSet = sched_getaffinity(Some(Pid::from_raw(pid)?)).ok()?;
    Some(f64::from(set.count()))
}

/// The least that the group and those around it grant.
fn least_quota(group: &Path) -> Option<f64> {
    read::groups_from(group).filter_map(quota_of).reduce(f64::min)
}

fn quota_of(group: &Path) -> Option<f64> {
    if let Some(text) = read::text(group.join("cpu.max")) {
        return cgroup::quota(&text);
    }
    let number = |file: &str| read::text(group.join(file))?.trim().parse().ok();
    cgroup::cores(number("cpu.cfs_quota_us")?, number("cpu.cfs_period_us")?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::environment::allowed_cpus;

    #[test]
    fn a_target_has_the_cores_of_its_affinity_at_most() {
        let own = i32::try_from(std::process::id()).expect("a pid fits");
        let values = CoresSampler::default().sample(&[own]);
        let [(name, cores)] = values[..] else { panic!("one value: {values:?}") };
        assert!(name == "cpu_cores" && cores > 0.0 && cores <= allowed_cpus().len() as f64, "{cores}");
        assert_eq!(CoresSampler::default().sample(&[]), []);
        assert_eq!(CoresSampler::default().sample(&[i32::MAX]), []);
    }

    #[test]
    fn the_tightest_group_counts() {
        let root = tempfile::tempdir().expect("a directory");
        let inner = root.path().join("slice/container");
        fs::create_dir_all(&inner).expect("written");
        for (group, limit) in
            [("", None), ("slice", Some("150000 100000\n")), ("slice/container", Some("max 100000\n"))]
        {
            let group = root.path().join(group);
            fs::write(group.join("cgroup.procs"), "").expect("written");
            if let Some(limit) = limit {
                fs::write(group.join("cpu.max"), limit).expect("written");
            }
        }
        assert_eq!(least_quota(&inner), Some(1.5));
        fs::remove_file(inner.join("cpu.max")).expect("removed");
        fs::write(inner.join("cpu.cfs_quota_us"), "50000\n").expect("written");
        fs::write(inner.join("cpu.cfs_period_us"), "100000\n").expect("written");
        assert_eq!(least_quota(&inner), Some(0.5));
        assert_eq!(least_quota(Path::new("/nowhere")), None);
    }
}
