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

use std::{ffi::OsString, path::Path, process::ExitCode, sync::OnceLock};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

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

/// Soft limit of open files with which this program was started. Loads raise their own limit; targets get this one, so
/// that it is the same in every run.
static FILES: OnceLock<Option<u64>> = OnceLock::new();

/// This program, if it is one that supervises: its `main` has called [`supervisor_main`].
pub(crate) fn own_supervisor() -> Option<&'static Path> {
    // The kernel's name of the program that runs: right even if the file has been replaced by a new build.
    FILES.get().map(|_| Path::new("/proc/self/exe"))
}

/// The soft limit of open files at the start as an argument of a supervisor; none where there is no limit.
fn files_at_start() -> Option<String> {
    FILES.get().copied().flatten().map(|files| files.to_string())
}

/// Lowers the soft limit of open files to `files`; the hard limit stays.
fn allow_no_more_files(files: u64) {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_none_or(|current| current > files) {
        // Lowering it needs no privilege, and a target with a higher limit is no harm.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(files), maximum });
    }
}

/// To be called first by every program that launches targets, with its arguments: if they are those of a supervisor or
/// of an emulated network, it is one, and returns what the program shall exit with. Otherwise there is nothing to do.
pub fn supervisor_main(args: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    FILES.get_or_init(|| getrlimit(Resource::Nofile).current);
    let mut args = args.into_iter().skip(1);
    match args.next()?.to_str()? {
        SUPERVISE => {
            if let Some(files) = args.next().and_then(|files| files.to_str()?.parse().ok()) {
                allow_no_more_files(files);
            }
            Some(supervisor::main())
        }
        EXEC => Some(exec::main()),
        NETWORK => Some(plimsoll_network::helper_main()),
        _ => None,
    }
}
