//! Processes of a target: one process and everything it started, through as many shells as there are.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
    time::Instant,
};

use crate::read;

/// The pause after a look for new processes, as a multiple of its CPU time: a machine may run thousands.
const SCAN_PAUSE: u32 = 50;

/// A process and all its descendants, or only those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessTree {
    root: i32,
    with_root: bool,
}

impl ProcessTree {
    /// `pid` and everything below it.
    pub const fn of(pid: i32) -> Self {
        Self { root: pid, with_root: true }
    }

    /// Everything below `pid`, without itself: for a `pid` that only watches over the others.
    pub const fn below(pid: i32) -> Self {
        Self { root: pid, with_root: false }
    }

    /// The processes of the tree at this moment, parents before their children. Those that have exited but were not
    /// waited for are among them.
    pub fn pids(self) -> Vec<i32> {
        let mut pids = vec![self.root];
        if *HAS_CHILDREN_FILES {
            collect(&mut pids, children_from_files);
        } else {
            let children = children_of_all();
            collect(&mut pids, |pid| children.get(&pid).cloned().unwrap_or_default());
        }
        if !self.with_root {
            pids.remove(0);
        }
        pids
    }
}

/// The processes of a tree, looked for anew now and then.
#[derive(Debug)]
pub(crate) struct Members {
    tree: ProcessTree,
    pids: Vec<i32>,
    next_scan: Instant,
}

impl Members {
    pub fn of(tree: ProcessTree) -> Self {
        Self { tree, pids: Vec::new(), next_scan: Instant::now() }
    }

    /// The processes as they were found last.
    pub fn pids(&mut self) -> &[i32] {
        let begun = Instant::now();
        if begun >= self.next_scan {
            let cpu = read::thread_cpu_time();
            self.pids = self.tree.pids();
            self.next_scan = begun + read::thread_cpu_time().saturating_sub(cpu) * SCAN_PAUSE;
        }
        &self.pids
    }
}

fn collect(pids: &mut Vec<i32>, children: impl Fn(i32) -> Vec<i32>) {
    let mut next = 0;
    while let Some(&pid) = pids.get(next) {
        // A pid that is used again while we look could close a circle.
        let new: Vec<i32> = children(pid).into_iter().filter(|child| !pids.contains(child)).collect();
        pids.extend(new);
        next += 1;
    }
}

/// Whether the kernel lists the children of each thread (`CONFIG_PROC_CHILDREN`); most distributions' kernels do.
static HAS_CHILDREN_FILES: LazyLock<bool> = LazyLock::new(|| Path::new("/proc/thread-self/children").exists());

/// Every thread has children of its own.
fn children_from_files(pid: i32) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    threads.flatten().flat_map(|thread| pids_in(thread.path().join("children"))).collect()
}

fn pids_in(file: PathBuf) -> Vec<i32> {
    let text = read::text(file).unwrap_or_default();
    text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// The children of every process on the machine: for kernels without children files.
fn children_of_all() -> BTreeMap<i32, Vec<i32>> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    let Ok(entries) = fs::read_dir("/proc") else { return children };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    for pid in pids {
        if let Some(stat) = read::stat(pid) {
            children.entry(stat.parent).or_default().push(pid);
        }
    }
    children
}

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead, BufReader},
        process::{Command, Stdio},
    };

    use super::*;

    /// A shell that starts a shell that sleeps: both print their pid, then wait.
    const NESTED: &str = "sh -c 'echo $$; sleep 60 & echo $!; wait' & echo $$; wait";

    #[test]
    fn what_a_child_started_belongs_to_it() {
        let mut outer = Command::new("sh").args(["-c", NESTED]).stdout(Stdio::piped()).spawn().expect("a shell");
        let lines = BufReader::new(outer.stdout.take().expect("piped")).lines().take(3);
        let mut printed: Vec<i32> = lines.map(|line| line.expect("text").parse().expect("a pid")).collect();
        let pid = i32::try_from(outer.id()).expect("a pid fits");

        let mut found = ProcessTree::of(pid).pids();
        let below = ProcessTree::below(pid).pids();
        let both_ways = (children_of_all(), found.clone());
        for &pid in found.iter().rev() {
            let pid = rustix::process::Pid::from_raw(pid).expect("not zero");
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
        outer.wait().expect("it was killed");

        assert_eq!(found.first(), Some(&pid));
        assert!(!below.contains(&pid) && below.len() == 2);
        assert_eq!(both_ways.0.get(&pid).map(Vec::len), Some(1));
        found.sort_unstable();
        printed.sort_unstable();
        assert_eq!(found, printed);
    }

    #[test]
    fn a_process_that_is_gone_has_no_descendants() {
        assert_eq!(ProcessTree::below(i32::MAX).pids(), [0; 0]);
    }
}
