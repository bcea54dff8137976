//! All descendants of this process, which is the subreaper of them: an orphan becomes its child, so as long as it has
//! no child, it has no descendant.

use std::{
    thread,
    time::{Duration, Instant},
};

use plimsoll_observe::ProcessTree;
use rustix::{
    io::Errno,
    process::{Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process, wait},
};

/// How long SIGKILL may take: a process that dumps gigabytes of memory, or waits for a disk, is not gone at once.
const KILL_PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(2);

/// The result of [`reap`].
#[derive(Debug, Default)]
pub struct Reaped {
    /// Children that have exited, with how.
    pub exited: Vec<(Pid, WaitStatus)>,
    /// Whether no child is left.
    pub none_left: bool,
}

/// Waits for all children that have exited, without blocking.
pub fn reap() -> Reaped {
    let mut reaped = Reaped::default();
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(exited)) => reaped.exited.push(exited),
            Ok(None) => return reaped,
            Err(Errno::INTR) => {}
            // ECHILD, the only other one (wait(2)).
            Err(_) => return Reaped { none_left: true, ..reaped },
        }
    }
}

/// Ends all descendants: SIGTERM, then SIGKILL for those that are left after `grace`. Tells of every child that exited.
pub fn end(grace: Duration, on_exit: &mut dyn FnMut(Pid, WaitStatus)) {
    signal_all(Signal::TERM);
    if gone_within(grace, on_exit) {
        return;
    }
    let deadline = Instant::now() + KILL_PATIENCE;
    // Kill again and again: a process may have been forked since the last look.
    while Instant::now() < deadline {
        signal_all(Signal::KILL);
        if gone_within(Duration::from_millis(50), on_exit) {
            return;
        }
    }
}

fn gone_within(patience: Duration, on_exit: &mut dyn FnMut(Pid, WaitStatus)) -> bool {
    let deadline = Instant::now() + patience;
    loop {
        let reaped = reap();
        reaped.exited.into_iter().for_each(|(pid, status)| on_exit(pid, status));
        if reaped.none_left || Instant::now() >= deadline {
            return reaped.none_left;
        }
        thread::sleep(PAUSE);
    }
}

fn signal_all(signal: Signal) {
    let descendants = ProcessTree::below(getpid().as_raw_pid()).pids();
    for pid in descendants.into_iter().filter_map(Pid::from_raw) {
        // It may have gone by itself meanwhile. It cannot be another process by now: it is reaped by its parent,
        // and a pid is not used again before the whole range was.
        let _ = kill_process(pid, signal);
    }
}
