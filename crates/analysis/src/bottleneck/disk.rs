//! Threads at files. Most files are in the kernel's memory: then such a thread runs. Whether it waits for the disk is
//! told by the kernel, or else by the cores that are in use.

use super::{
    activity::Activity,
    doing::{Doing, count},
    seen::Seen,
};

/// The part of the threads at files that the kernel has wait, or that no core accounts for, if they wait for the disk.
const WITHOUT_A_CORE: f64 = 0.5;

/// Whether threads at files wait for the disk: the kernel says so of most of them, or they would have no core even if
/// all CPU were theirs.
pub(super) fn is_awaited(seen: &Seen) -> bool {
    let at_files = count(&seen.threads, |doing| doing.what == Activity::Disk);
    let on_cores = seen.cpu_percent.unwrap_or(0.0) / 100.0 + seen.waiting_for_cores();
    at_files > 0.0 && seen.at_disk.max(at_files - on_cores) >= WITHOUT_A_CORE * at_files
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

#[cfg(test)]
mod tests {
    use plimsoll_record::{Census, Stack, Tasks, ThreadState};

    use super::*;

    #[test]
    fn a_thread_that_the_kernel_has_wait_is_at_the_disk_whatever_cpu_others_use() {
        let frames =
            vec!["java.io.FileDescriptor.sync(Native Method)".to_owned(), "app.Journal.sync(Journal.java:7)".into()];
        let stack =
            Stack { group: "http-*".to_owned(), count: 1, state: ThreadState::Runnable, frames, ..Stack::default() };
        let tasks = |at_disk| Tasks { group: "http-*".to_owned(), count: 8, at_disk, ..Tasks::default() };
        let is_awaited = |at_disk| {
            let census = Census { stacks: vec![stack.clone()], tasks: vec![tasks(at_disk)], ..Census::default() };
            is_awaited(&Seen { cpu_percent: Some(60.0), ..Seen::by(&[&census]) })
        };
        assert!(is_awaited(1) && !is_awaited(0));
    }
}
