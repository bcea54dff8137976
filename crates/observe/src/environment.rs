//! Facts about the machine for the record.

use std::path::PathBuf;

use plimsoll_record::Environment;
use rustix::{
    system::uname,
    thread::{CpuSet, sched_getaffinity},
};

use crate::{
    parse::{cpu_list::cpu_list, machine},
    read,
};

/// Fills in what can be found out about this machine: CPU, cores, memory, kernel and operating system.
pub fn describe(environment: &mut Environment) {
    environment.cpu_model = read::text("/proc/cpuinfo").and_then(|text| machine::cpu_model(&text));
    environment.cores = u32::try_from(allowed_cpus().len()).ok().filter(|&cores| cores > 0);
    environment.machine = read::text("/proc/sys/kernel/random/boot_id").map(|text| text.trim().to_owned());
    environment.memory_bytes = read::text("/proc/meminfo").and_then(|text| machine::memory_bytes(&text));
    environment.kernel = uname().release().to_str().ok().map(str::to_owned);
    environment.os = read::text("/etc/os-release").and_then(|text| machine::os_name(&text));
}

/// CPUs that this thread may run on, ascending: what affinity and cpuset leave of the machine.
pub fn allowed_cpus() -> Vec<usize> {
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect()
}

/// `cpus` by physical core: hardware threads of one core share what it can do, and stand together.
pub fn by_core(cpus: &[usize]) -> Vec<Vec<usize>> {
    let mut cores: Vec<Vec<usize>> = Vec::new();
    for &cpu in cpus {
        let siblings = siblings(cpu);
        match cores.iter_mut().find(|core| core.iter().any(|other| siblings.contains(other))) {
            Some(core) => core.push(cpu),
            None => cores.push(vec![cpu]),
        }
    }
    cores
}

fn siblings(cpu: usize) -> Vec<usize> {
    let file = PathBuf::from(format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"));
    read::text(file).map(|text| cpu_list(&text)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_described() {
        let mut environment = Environment { plimsoll: "1.2.3".to_owned(), ..Environment::default() };
        describe(&mut environment);
        assert_eq!(environment.plimsoll, "1.2.3", "what others know is kept");
        assert!(environment.cores >= Some(1));
        assert!(environment.machine.is_some_and(|id| id.len() == 36));
        assert!(environment.memory_bytes > Some(1 << 20));
        assert!(environment.kernel.is_some_and(|release| release.contains('.')));
    }

    #[test]
    fn every_allowed_cpu_is_in_one_core() {
        let cpus = allowed_cpus();
        let mut grouped: Vec<usize> = by_core(&cpus).into_iter().flatten().collect();
        grouped.sort_unstable();
        assert_eq!(grouped, cpus);
    }
}
