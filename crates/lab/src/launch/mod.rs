//! Launching a target so that nothing of it outlives its run.
//!
//! Three processes are in play, all of them this program:
//!
//! - The **lab** starts a supervisor, hands it a [`Launch`] on its standard input and keeps that pipe open.
//! - The **supervisor** (`__supervise`) adopts every orphan among its descendants. It reports on its standard
//!   output what becomes of the target. When its standard input ends, because the lab wants so or because the lab is
//!   gone, by `kill -9` even, it ends all its descendants and removes their cgroup.
//! - The **step before exec** (`__exec`) prepares what only a process itself can prepare: session, cgroup, CPUs,
//!   network namespace, and that it dies with the supervisor. Then it becomes the target.

mod cgroup;
mod exec;
mod family;
mod output;
mod protocol;
mod supervisor;
mod target;

use std::{ffi::OsString, process::ExitCode};

#[cfg(test)]
pub(crate) use cgroup::Version;
pub(crate) use cgroup::{Applied, CgroupLimits};
pub(crate) use output::tail;
pub(crate) use protocol::{Command, Exit, Launch};
pub(crate) use target::{Ended, StartError, Target};

const SUPERVISE: &str = "__supervise";
const EXEC: &str = "__exec";
/// The process that is an emulated network.
pub(crate) const NETWORK: &str = "__network";

/// To be called first by every program that launches targets, with its arguments: if they are those of a supervisor or
/// of an emulated network, it is one, and returns what the program shall exit with. Otherwise there is nothing to do.
pub fn supervisor_main(args: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    match args.into_iter().nth(1)?.to_str()? {
        SUPERVISE => Some(supervisor::main()),
        EXEC => Some(exec::main()),
        NETWORK => Some(plimsoll_network::helper_main()),
        _ => None,
    }
}
