//! Messages between the lab, the supervisor and the step before exec: one JSON value a line.

use std::{collections::BTreeMap, fmt, path::PathBuf};

use plimsoll_network::Namespace;
pub use plimsoll_network::{receive, send};
use plimsoll_record::Nanos;
use serde::{Deserialize, Serialize};

use super::cgroup::{Applied, CgroupLimits};

/// The program to launch; from the lab to the supervisor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// Program, arguments, environment, directory.
    pub command: Command,
    /// CPUs it may run on; empty: those of the lab.
    pub cpus: Vec<usize>,
    /// The network namespace that it is in; none: that of the lab.
    pub namespace: Option<Namespace>,
    /// Resource limits by cgroup.
    pub limits: CgroupLimits,
    /// Files that each of its processes may have open; none: as many as the lab.
    pub files: Option<u64>,
    /// How long it has between SIGTERM and SIGKILL.
    pub grace: Nanos,
    /// Whether it is over as soon as its first process is: a command, and no service that a script leaves running.
    pub is_command: bool,
    /// Folder that the supervisor removes when the target has ended, even if the lab was killed.
    pub removes: Option<PathBuf>,
}

/// A command, ready to be executed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// Program and arguments; not empty.
    pub argv: Vec<String>,
    /// Added to the environment of the lab.
    pub env: BTreeMap<String, String>,
    /// Where it is started.
    pub workdir: PathBuf,
}

/// Orders to the step before exec; from the supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub struct Exec {
    /// Becomes this.
    pub command: Command,
    /// CPUs it may run on; empty: as they are.
    pub cpus: Vec<usize>,
    /// The network namespace to enter; none: as it is.
    pub namespace: Option<Namespace>,
    /// Files that each of its processes may have open; none: as it is.
    pub files: Option<u64>,
    /// `cgroup.procs` of each cgroup to join.
    pub cgroup_procs: Vec<PathBuf>,
    /// Pid of the supervisor. If it is no longer the parent, the step fails: nobody would end the target.
    pub supervisor: i32,
}

/// Message from the supervisor to the lab, in this order. The end of the pipe says that nothing of the target is left.
#[derive(Debug, Serialize, Deserialize)]
pub enum Report {
    /// It could not be started; why. Nothing follows.
    Failed(String),
    /// It has been started.
    Started {
        /// Its process, and its session and process group.
        pid: i32,
        /// The instant before `exec`, by [`crate::clock`].
        at: Nanos,
        /// Limits as they were applied.
        applied: Applied,
    },
    /// It exited by itself, or was ended.
    Exited {
        /// How.
        exit: Exit,
        /// How many of its processes the kernel killed for lack of memory.
        oom_kills: u64,
        /// Whether others of its processes were left behind, and had to be ended.
        left_others: bool,
    },
}

/// How the first process of a target ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    /// By itself.
    Status(i32),
    /// By a signal.
    Signal(i32),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "exited with status {status}"),
            Self::Signal(signal) => write!(f, "was killed by signal {signal}{}", signal_name(*signal)),
        }
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        1 => " (SIGHUP)",
        2 => " (SIGINT)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        15 => " (SIGTERM)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_is_received() {
        let mut pipe = Vec::new();
        let command = Command { argv: vec!["a\nb".to_owned()], ..Command::default() };
        send(&mut pipe, &command).expect("memory");
        send(&mut pipe, &Exit::Signal(9)).expect("memory");
        let mut pipe = pipe.as_slice();
        assert_eq!(receive(&mut pipe).expect("valid"), Some(command));
        assert_eq!(receive(&mut pipe).expect("valid"), Some(Exit::Signal(9)));
        assert_eq!(receive::<Exit>(&mut pipe).expect("the end"), None);
    }

    #[test]
    fn an_exit_is_told_in_words() {
        assert_eq!(Exit::Status(3).to_string(), "exited with status 3");
        assert_eq!(Exit::Signal(9).to_string(), "was killed by signal 9 (SIGKILL)");
        assert_eq!(Exit::Signal(64).to_string(), "was killed by signal 64");
    }
}
