//! Counters of a target's JVM, read from outside, without an agent.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use plimsoll_record::metric::jvm;

use crate::{
    compilers::Compilers,
    parse::{hsperf, process},
    read,
    sockets::Values,
};

/// A JVM that is not found is looked for again after this.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// A JVM takes 32 KiB unless it is told otherwise.
pub(crate) const FILE_BYTES_MAX: u64 = 1 << 20;

/// Reads the counters of a target's first JVM.
#[derive(Debug)]
pub(crate) struct JvmSampler {
    found: Option<(i32, PathBuf)>,
    compilers: Compilers,
    next_look: Instant,
}

impl JvmSampler {
    pub fn new() -> Self {
        Self { found: None, compilers: Compilers::default(), next_look: Instant::now() }
    }

    /// The values of this instant; none if no process of `pids` is a JVM that shares its counters.
    pub fn sample(&mut self, pids: &[i32]) -> Values {
        self.found.take_if(|(pid, _)| !pids.contains(pid));
        if self.found.is_none() && Instant::now() >= self.next_look {
            self.next_look = Instant::now() + LOOK_INTERVAL;
            self.found = pids.iter().find_map(|&pid| Some((pid, file_of(pid)?)));
        }
        let bytes = self.found.as_ref().and_then(|(_, path)| read::bytes_of_target(path, FILE_BYTES_MAX));
        let metrics = bytes.and_then(|bytes| hsperf::metrics_of(&bytes));
        let cpu_ms = self.found.as_ref().and_then(|&(pid, _)| self.compilers.cpu_ms(pid));
        let compilers = cpu_ms.map(|cpu_ms| (jvm::COMPILER_CPU_MS, cpu_ms));
        metrics.into_iter().flatten().chain(compilers).map(|(metric, value)| (metric.name, value)).collect()
    }
}

/// The file of counters in the process' own view of `/tmp`, under its own number: it may be in a container.
pub(crate) fn file_of(pid: i32) -> Option<PathBuf> {
    let inner_pid = process::innermost_pid(&read::text(format!("/proc/{pid}/status"))?)?;
    let own_root = PathBuf::from(format!("/proc/{pid}/root"));
    let folders = fs::read_dir(own_root.join("tmp")).ok()?.flatten();
    let of_jvms = folders.filter(|folder| folder.file_name().to_string_lossy().starts_with("hsperfdata_"));
    let mut files = of_jvms.map(|folder| folder.path().join(inner_pid.to_string())).filter(|file| file.is_file());
    // A dead JVM of another container may have left one of the same number in a folder that both have.
    let mapped = read::text(format!("/proc/{pid}/maps"))?;
    files.find(|file| has_mapped(&mapped, file))
}

/// Whether a process has a file of counters mapped, by its `/proc/PID/maps`. `/tmp` may be a link to another folder.
fn has_mapped(maps: &str, file: &Path) -> bool {
    let last = file.components().rev().take(2).map(|part| part.as_os_str().to_string_lossy());
    let end = last.fold(String::new(), |end, part| format!("/{part}{end}"));
    maps.lines().any(|line| line.ends_with(&end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_of_another_jvm_of_the_same_number_are_not_taken() {
        let maps =
            "7f10-7f18 rw-s 00000000 08:01 9 /tmp/hsperfdata_app/7\n7f20-7f28 r-xp 00000000 08:01 4 /lib/libc.so";
        assert!(has_mapped(maps, Path::new("/proc/9/cwd/tmp/hsperfdata_app/7")));
        assert!(!has_mapped(maps, Path::new("/proc/9/cwd/tmp/hsperfdata_root/7")));
        assert!(!has_mapped(&maps.replace("app/7", "app/7 (deleted)"), Path::new("/proc/9/cwd/tmp/hsperfdata_app/7")));
    }

    #[test]
    fn a_process_that_is_no_jvm_has_no_values() {
        let own = i32::try_from(std::process::id()).expect("a pid fits");
        assert_eq!(JvmSampler::new().sample(&[own]), []);
        assert_eq!(JvmSampler::new().sample(&[i32::MAX]), []);
        assert_eq!(JvmSampler::new().sample(&[]), []);
    }
}
