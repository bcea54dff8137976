//! The supervisor: starts one target, reports what becomes of it, and ends all of it when the lab says so or is gone.

use std::{
    fs,
    io::{self, BufReader, Stdin, Stdout},
    os::fd::{AsFd, OwnedFd},
    process::{self, ExitCode, Stdio},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, PidfdFlags, Signal, WaitStatus, getpid, pidfd_open, set_child_subreaper},
};

use super::{
    EXEC,
    cgroup::{self, Applied},
    exec::Step,
    family,
    protocol::{Exec, Exit, Launch, Report, receive, send},
};

/// Standard input holds a [`Launch`] and stays open as long as the target shall live, standard output takes
/// [`Report`]s, standard error takes what the target puts out.
pub fn main() -> ExitCode {
    match supervise() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If nobody listens, nobody needs to know.
            let _ = send(&mut io::stdout(), &Report::Failed(error.to_string()));
            ExitCode::FAILURE
        }
    }
}

fn supervise() -> io::Result<()> {
    set_child_subreaper(Some(getpid()))?;
    let (mut control, mut reports) = (BufReader::new(io::stdin()), io::stdout());
    let Some(launch) = receive::<Launch>(&mut control)? else { return Ok(()) };
    let applied = cgroup::apply(&launch.limits);
    let result = watch(&launch, &applied, &control.into_inner(), &mut reports);
    // Ends them after an error, too: a lab that is gone shows as one.
    family::end(launch.grace.into(), &mut |_, _| {});
    applied.remove();
    // The lab may have removed it.
    launch.removes.iter().for_each(|folder| drop(fs::remove_dir_all(folder)));
    result
}

/// Starts the target and stays until it has exited, or the lab wants it to end.
fn watch(launch: &Launch, applied: &Applied, control: &Stdin, reports: &mut Stdout) -> io::Result<()> {
    let (pid, at) = match start(launch, applied) {
        Ok(started) => started,
        Err(message) => return send(reports, &Report::Failed(message)),
    };
    send(reports, &Report::Started { pid: pid.as_raw_pid(), at, applied: applied.clone() })?;

    let mut first = FirstProcess { pid, exit: None };
    // A kernel without pidfds (Linux before 5.3) has exits seen by the time-out of `await_change`.
    let mut pidfd = pidfd_open(pid, PidfdFlags::empty()).ok();
    let left_others = loop {
        await_change(control, pidfd.as_ref())?;
        let reaped = family::reap();
        reaped.exited.into_iter().for_each(|(pid, status)| first.note(pid, status));
        // A first process that ended well may have been a script that leaves the service running behind it.
        let is_over = |exit| launch.is_command || exit != Exit::Status(0) || reaped.none_left;
        if first.exit.is_some_and(is_over) || has_ended(control)? {
            break first.exit.is_some() && !reaped.none_left;
        }
        if first.exit.is_some() {
            pidfd = None;
        }
    };
    if first.exit.is_none() {
        family::end(launch.grace.into(), &mut |pid, status| first.note(pid, status));
    }
    // A process that SIGKILL did not end within the patience of `family` hangs in the kernel: the signal is pending.
    let exit = first.exit.unwrap_or(Exit::Signal(Signal::KILL.as_raw()));
    send(reports, &Report::Exited { exit, oom_kills: applied.oom_kills(), left_others })
}

/// The process that was launched, whose exit is the target's.
struct FirstProcess {
    pid: Pid,
    exit: Option<Exit>,
}

impl FirstProcess {
    fn note(&mut self, pid: Pid, status: WaitStatus) {
        if pid == self.pid {
            let by_signal = || status.terminating_signal().map(Exit::Signal);
            self.exit = status.exit_status().map(Exit::Status).or_else(by_signal);
        }
    }
}

/// Starts the step before exec and waits until it is the target.
fn start(launch: &Launch, applied: &Applied) -> Result<(Pid, plimsoll_record::Nanos), String> {
    let words = |error: io::Error| format!("the target could not be started: {error}");
    let output: OwnedFd = io::stderr().as_fd().try_clone_to_owned().map_err(words)?;
    // The kernel's name of the program that runs: right even if the file has been replaced by a new build.
    let mut child = process::Command::new("/proc/self/exe")
        .arg(EXEC)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(output)
        .spawn()
        .map_err(words)?;
    let exec = Exec {
        command: launch.command.clone(),
        cpus: launch.cpus.clone(),
        namespace: launch.namespace.clone(),
        files: launch.files,
        cgroup_procs: applied.procs_files(),
        supervisor: getpid().as_raw_pid(),
    };
    if let Some(mut stdin) = child.stdin.take() {
        send(&mut stdin, &exec).map_err(words)?;
    }
    let mut steps = BufReader::new(child.stdout.take().ok_or("no pipe")?);
    let mut spawned = None;
    while let Some(step) = receive(&mut steps).map_err(words)? {
        match step {
            Step::Ready(at) => spawned = Some(at),
            Step::Failed(message) => return Err(message),
        }
    }
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    pid.zip(spawned).ok_or_else(|| "the target could not be started: the step before exec was killed".to_owned())
}

/// Returns when the lab may have closed the pipe or the first process may have exited, and ten times a second, for
/// there is no event when an adopted orphan exits.
fn await_change(control: &Stdin, pidfd: Option<&OwnedFd>) -> io::Result<()> {
    let mut fds = vec![PollFd::new(control, PollFlags::IN)];
    fds.extend(pidfd.map(|pidfd| PollFd::new(pidfd, PollFlags::IN)));
    poll_for(&mut fds, 100_000_000)
}

fn poll_for(fds: &mut [PollFd<'_>], timeout_ns: i64) -> io::Result<()> {
    match poll(fds, Some(&Timespec { tv_sec: 0, tv_nsec: timeout_ns })) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether the pipe's other end is closed. The lab writes nothing after the launch.
fn has_ended(control: &Stdin) -> io::Result<bool> {
    let mut fds = [PollFd::new(control, PollFlags::IN)];
    poll_for(&mut fds, 0)?;
    Ok(!fds[0].revents().is_empty())
}
