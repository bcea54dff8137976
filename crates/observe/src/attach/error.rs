//! Why a JVM cannot be asked.

use std::{fmt, time::Duration};

/// Why a JVM cannot be asked, and what is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttachError {
    /// There is no such process.
    Gone {
        /// The process.
        pid: i32,
    },
    /// It is another user's.
    OtherUser {
        /// The process.
        pid: i32,
        /// Its user.
        owner: u32,
        /// This user.
        own: u32,
    },
    /// Its memory map may not be read.
    Hidden {
        /// The process.
        pid: i32,
    },
    /// It runs no HotSpot JVM.
    NotHotSpot {
        /// The process.
        pid: i32,
        /// Whether it runs OpenJ9.
        is_open_j9: bool,
    },
    /// It does not catch SIGQUIT, and would end.
    Deaf {
        /// The process.
        pid: i32,
    },
    /// It was told to listen to nobody.
    Disabled {
        /// The process.
        pid: i32,
    },
    /// It is stopped.
    Stopped {
        /// The process.
        pid: i32,
    },
    /// The file that asks for the listener cannot be written.
    NoTrigger {
        /// The process.
        pid: i32,
    },
    /// It did not start its listener, or did not answer.
    Silent {
        /// The process.
        pid: i32,
        /// How long was waited.
        after: Duration,
    },
    /// It said no.
    Refused {
        /// The process.
        pid: i32,
        /// The first line of what it said.
        answer: String,
    },
}

impl fmt::Display for AttachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone { pid } => write!(f, "process {pid} is no longer there"),
            Self::OtherUser { pid, owner, own } => {
                write!(f, "process {pid} is of user {owner} and this is user {own}: run it as that user, or as root")
            }
            Self::Hidden { pid } => write!(f, "process {pid} may not be looked into: CAP_SYS_PTRACE is needed"),
            Self::NotHotSpot { pid, is_open_j9: true } => {
                write!(f, "process {pid} runs OpenJ9, expected a HotSpot JVM")
            }
            Self::NotHotSpot { pid, .. } => {
                write!(f, "process {pid} is no HotSpot JVM (a native image, or another program)")
            }
            Self::Deaf { pid } => {
                write!(f, "the JVM of process {pid} takes no signals (-Xrs): start it without, or run jcmd {pid} once")
            }
            Self::Disabled { pid } => {
                write!(f, "the JVM of process {pid} listens to nobody (-XX:+DisableAttachMechanism): start it without")
            }
            Self::Stopped { pid } => write!(f, "process {pid} is stopped: let it go on (kill -CONT {pid})"),
            Self::NoTrigger { pid } => {
                write!(f, "neither the working directory of process {pid} nor its /tmp can be written to")
            }
            Self::Silent { pid, after } => write!(
                f,
                "the JVM of process {pid} did not answer within {} s: is it started with -XX:+DisableAttachMechanism?",
                after.as_secs()
            ),
            Self::Refused { pid, answer } => write!(f, "the JVM of process {pid} refused: {answer}"),
        }
    }
}

impl std::error::Error for AttachError {}
