//! Threads at files. Most files are in the kernel's memory: then such a thread runs. Only the cores that are in use
//! tell whether it waits for the disk.

use super::{
    activity::Activity,
    doing::{Doing, count},
    seen::Seen,
};

/// The part of the threads at files that no core accounts for, if they wait for the disk.
const WITHOUT_A_CORE: f64 = 0.5;

/// Whether threads at files wait for the disk: even if all CPU were theirs, most of them would have none.
pub(super) fn is_awaited(seen: &Seen) -> bool {
    let at_files = count(&seen.threads, |doing| doing.what == Activity::Disk);
    let on_cores = seen.cpu_percent.unwrap_or(0.0) / 100.0 + seen.waiting_for_cores();
    at_files > 0.0 && at_files - on_cores >= WITHOUT_A_CORE * at_files
}

/// Says of threads at files that they run.
pub(super) fn run<'a>(threads: impl IntoIterator<Item = &'a mut Doing>) {
    for doing in threads {
        let holder = doing.holder.as_mut().map(|(what, _)| what);
        for what in holder.into_iter().chain([&mut doing.what]).filter(|what| **what == Activity::Disk) {
            *what = Activity::Runs;
        }
    }
}
