//! The step before exec: a process prepares itself, then becomes the target.

use std::{
    fs,
    io::{self, BufReader, Write},
    os::{fd::AsFd, unix::process::CommandExt},
    process::{Command, ExitCode, Stdio},
};

use plimsoll_network::Namespace;
use plimsoll_record::Nanos;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpid, getppid, getrlimit, set_parent_process_death_signal, setrlimit, setsid,
};
use serde::{Deserialize, Serialize};

use super::protocol::{Exec, receive, send};
use crate::clock;

/// Message from this step to the supervisor. The end of the pipe after `Ready` says that the target runs.
#[derive(Debug, Serialize, Deserialize)]
pub enum Step {
    /// Everything is prepared; `exec` follows at once.
    Ready(Nanos),
    /// It did not get there; why.
    Failed(String),
}

/// Standard input holds an [`Exec`], standard output takes [`Step`]s, standard error takes what the target puts out.
pub fn main() -> ExitCode {
    // Reports go to a copy that `exec` closes, because standard output becomes that of the target.
    let Ok(report) = io::stdout().as_fd().try_clone_to_owned() else { return ExitCode::FAILURE };
    let mut report = fs::File::from(report);
    let Err(message) = become_target(&mut report);
    // If nobody listens, nobody needs to know.
    let _ = send(&mut report, &Step::Failed(message));
    ExitCode::FAILURE
}

fn become_target(report: &mut impl Write) -> Result<std::convert::Infallible, String> {
    let exec: Exec = receive(&mut BufReader::new(io::stdin()))
        .map_err(|error| format!("what to execute could not be read: {error}"))?
        .ok_or("the supervisor is gone")?;
    die_with(exec.supervisor)?;
    // A session of its own: no signal of a terminal reaches it, and it can be signalled as a whole.
    setsid().map_err(|error| format!("no session of its own could be made: {error}"))?;
    join(&exec.cgroup_procs)?;
    pin(&exec.cpus)?;
    exec.namespace.as_ref().map_or(Ok(()), Namespace::enter).map_err(|error| error.to_string())?;
    exec.files.map_or(Ok(()), allow_files)?;

    let (program, arguments) = exec.command.argv.split_first().ok_or("the command is empty")?;
    let output = io::stderr().as_fd().try_clone_to_owned().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.args(arguments).envs(&exec.command.env).current_dir(&exec.command.workdir);
    command.stdin(Stdio::null()).stdout(output);
    send(report, &Step::Ready(clock::now())).map_err(|error| error.to_string())?;
    let error = command.exec();
    Err(format!("`{program}` could not be executed in {}: {error}", exec.command.workdir.display()))
}

/// Has the kernel kill this process when `supervisor` is killed, which could then no longer do it.
fn die_with(supervisor: i32) -> Result<(), String> {
    set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| format!("the target cannot be bound to its supervisor: {error}"))?;
    // The supervisor may have ended before the signal was set.
    let parent = getppid().map(Pid::as_raw_pid);
    if parent == Some(supervisor) { Ok(()) } else { Err("the supervisor is gone".to_owned()) }
}

fn join(cgroup_procs: &[std::path::PathBuf]) -> Result<(), String> {
    let pid = getpid().as_raw_pid().to_string();
    cgroup_procs.iter().try_for_each(|file| {
        fs::write(file, &pid).map_err(|error| format!("the cgroup could not be joined: {}: {error}", file.display()))
    })
}

/// Lets this process, and what it becomes, have so many files open: both limits, since a JVM takes the hard one.
fn allow_files(files: u64) -> Result<(), String> {
    let most = getrlimit(Resource::Nofile).maximum;
    let wanted = Rlimit { current: Some(files), maximum: Some(files) };
    setrlimit(Resource::Nofile, wanted).map_err(|error| {
        let most = most.map_or_else(|| "no".to_owned(), |most| most.to_string());
        format!(
            "`limits.files: {files}` could not be set: {error}; without the rights of root it may be {most} at most \
             (`ulimit -Hn`)"
        )
    })
}

fn pin(cpus: &[usize]) -> Result<(), String> {
    crate::placement::pin_this_thread(cpus)
        .map_err(|error| format!("the target could not be pinned to CPUs {cpus:?}: {error}"))
}
