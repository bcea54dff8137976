//! A target, seen from the lab.

use std::{
    fs::File,
    io::{self, BufReader},
    net::SocketAddr,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use plimsoll_observe::{ProcessTree, Sampler, listener};
use plimsoll_record::Nanos;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::{
    SUPERVISE,
    cgroup::Applied,
    files_at_start,
    output::Output,
    protocol::{Exit, Launch, Report, receive, send},
};

/// How long the supervisor may take to start a target: making cgroups and an `exec`.
const START_PATIENCE: Duration = Duration::from_secs(30);
/// How long it may take beyond the target's grace to end everything.
const END_PATIENCE: Duration = Duration::from_secs(15);

/// From one look whether it has ended to the next.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A running target. Dropped, it is ended.
#[derive(Debug)]
pub struct Target {
    supervisor: Child,
    /// Closed, it tells the supervisor to end the target.
    control: Option<ChildStdin>,
    reports: Receiver<Report>,
    output: Output,
    pid: i32,
    spawned: Nanos,
    applied: Applied,
    grace: Duration,
    ended: Option<Ended>,
}

/// How a target ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// How its first process did; none if its supervisor was killed and nobody could see it.
    pub exit: Option<Exit>,
    /// How many of its processes the kernel killed for lack of memory.
    pub oom_kills: u64,
    /// Whether its first process had exited and left others behind, which were ended.
    pub left_others: bool,
}

/// Why a target could not be started, with what it put out.
#[derive(Debug)]
pub struct StartError {
    /// In words.
    pub message: String,
    /// Its last lines.
    pub output_tail: Vec<String>,
}

impl Target {
    /// Starts `launch` under a supervisor, which is the program `exe`.
    ///
    /// # Errors
    ///
    /// If the supervisor or the target cannot be started.
    pub fn start(exe: &Path, launch: &Launch) -> Result<Self, StartError> {
        let piped = io::pipe().and_then(|(output, into_output)| Ok((supervise(exe, launch, into_output)?, output)));
        let (supervised, output) = piped.map_err(|error| unsupervised(exe, &error))?;
        Self::started(supervised, Output::read(output), launch)
    }

    /// The same, with all output in a file and none of it kept here.
    ///
    /// # Errors
    ///
    /// As [`Target::start`].
    pub fn start_into(exe: &Path, launch: &Launch, file: File) -> Result<Self, StartError> {
        let supervised = supervise(exe, launch, file).map_err(|error| unsupervised(exe, &error))?;
        Self::started(supervised, Output::read(io::empty()), launch)
    }

    fn started(
        (mut supervisor, control): (Child, ChildStdin),
        output: Output,
        launch: &Launch,
    ) -> Result<Self, StartError> {
        let reports = reports(supervisor.stdout.take());
        let message = match reports.recv_timeout(START_PATIENCE) {
            Ok(Report::Started { pid, at, applied }) => {
                let (control, grace) = (Some(control), launch.grace.into());
                return Ok(Self {
                    supervisor,
                    control,
                    reports,
                    output,
                    pid,
                    spawned: at,
                    applied,
                    grace,
                    ended: None,
                });
            }
            Ok(Report::Failed(message)) => message,
            Ok(Report::Exited { .. }) | Err(_) => "its supervisor did not start it".to_owned(),
        };
        drop(control);
        ends_well_within(&mut supervisor, END_PATIENCE);
        output.await_end(Duration::from_secs(1));
        Err(StartError { message, output_tail: output.tail() })
    }

    /// The instant before its `exec`, by [`crate::clock`].
    pub fn spawned(&self) -> Nanos {
        self.spawned
    }

    /// Limits as they were applied.
    pub fn applied(&self) -> &Applied {
        &self.applied
    }

    /// Its output.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// A sampler of all its processes: those below the supervisor, for it adopts what runs away from its parents.
    pub fn sampler(&self) -> Sampler {
        let supervisor = i32::try_from(self.supervisor.id()).unwrap_or(i32::MAX);
        Sampler::new(ProcessTree::below(supervisor), self.applied.memory_file.clone())
    }

    /// All its processes, parents before their children.
    pub fn pids(&self) -> Vec<i32> {
        i32::try_from(self.supervisor.id()).map(|pid| ProcessTree::below(pid).pids()).unwrap_or_default()
    }

    /// Addresses at which its processes listen, if they are in this network namespace.
    pub fn listens_at(&self) -> Vec<SocketAddr> {
        i32::try_from(self.supervisor.id()).map(listener::listened_to_below).unwrap_or_default()
    }

    /// How it ended, if it has.
    pub fn poll_ended(&mut self) -> Option<&Ended> {
        self.await_report(Duration::ZERO)
    }

    /// Has `ask` ask on a thread of its own, and sets its flag to give up once the target has ended, or `is_stopped`.
    /// The answer, and how the target ended meanwhile, if it did.
    pub fn while_it_runs<T: Send>(
        &mut self,
        is_stopped: impl Fn() -> bool,
        ask: impl FnOnce(&Arc<AtomicBool>) -> T + Send,
    ) -> (T, Option<Ended>) {
        let give_up = Arc::<AtomicBool>::default();
        thread::scope(|scope| {
            let asking = scope.spawn(|| ask(&give_up));
            let mut ended = None;
            while !asking.is_finished() {
                ended = self.poll_ended().cloned();
                give_up.store(ended.is_some() || is_stopped(), Ordering::Relaxed);
                thread::sleep(LOOK_EVERY);
            }
            (asking.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), ended)
        })
    }

    /// Whether it has ended by now, or does within `patience`.
    pub fn ends_within(&mut self, patience: Duration) -> bool {
        self.await_report(patience).is_some()
    }

    /// Ends it in order, if it has not ended, and waits until nothing of it is left.
    pub fn stop(&mut self) -> Ended {
        drop(self.control.take());
        let ended = self.await_report(self.grace + END_PATIENCE).cloned();
        if !ends_well_within(&mut self.supervisor, self.grace + END_PATIENCE) {
            self.sweep();
        }
        self.output.await_end(Duration::from_secs(1));
        ended.unwrap_or_default()
    }

    fn await_report(&mut self, patience: Duration) -> Option<&Ended> {
        if self.ended.is_none() {
            self.ended = match self.reports.recv_timeout(patience) {
                Ok(Report::Exited { exit, oom_kills, left_others }) => {
                    Some(Ended { exit: Some(exit), oom_kills, left_others })
                }
                Err(RecvTimeoutError::Timeout) => None,
                // The pipe's end without an exit: the supervisor was killed.
                Ok(_) | Err(RecvTimeoutError::Disconnected) => Some(Ended::default()),
            };
        }
        self.ended.as_ref()
    }

    /// Does the supervisor's work, as far as that can be done from outside: its children died with it, others
    /// are found by their process group and cgroup.
    fn sweep(&self) {
        let _ = Pid::from_raw(self.pid).map(|group| kill_process_group(group, Signal::KILL));
        for pid in self.applied.pids().into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(pid, Signal::KILL);
        }
        self.applied.remove();
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if self.control.is_some() {
            self.stop();
        }
    }
}

fn unsupervised(exe: &Path, error: &io::Error) -> StartError {
    let message = format!("the supervisor {} could not be started: {error}", exe.display());
    StartError { message, output_tail: Vec::new() }
}

fn supervise(exe: &Path, launch: &Launch, into_output: impl Into<Stdio>) -> io::Result<(Child, ChildStdin)> {
    let mut supervisor = Command::new(exe)
        .arg(SUPERVISE)
        .args(files_at_start())
        // A group of its own: the terminal's Ctrl-C is for the lab, which then ends things in order.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(into_output)
        .spawn()?;
    let mut control = supervisor.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
    // A supervisor that is gone already shows by the end of its reports.
    let _ = send(&mut control, launch);
    Ok((supervisor, control))
}

/// Waits for the supervisor, which is killed if it does not end within `patience`. Whether it did all it had to.
fn ends_well_within(supervisor: &mut Child, patience: Duration) -> bool {
    let deadline = Instant::now() + patience;
    loop {
        match supervisor.try_wait() {
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
            Ok(Some(status)) => return status.success(),
            Ok(None) | Err(_) => break,
        }
    }
    let _ = supervisor.kill();
    let _ = supervisor.wait();
    false
}

/// Reads reports on a thread of its own until their end.
fn reports(pipe: Option<impl io::Read + Send + 'static>) -> Receiver<Report> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let Some(pipe) = pipe else { return };
        let mut pipe = BufReader::new(pipe);
        while let Ok(Some(report)) = receive(&mut pipe) {
            if sender.send(report).is_err() {
                return;
            }
        }
    });
    receiver
}
