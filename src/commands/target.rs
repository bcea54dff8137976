//! Finds the process that answers a URL of this machine.

pub use plimsoll_lab::listening::{is_here, listener_at, port};
use plimsoll_observe::listener::{self, Answering};
use url::Url;

use crate::{cli::WatchArgs, failure::Failure};

/// The process that is watched.
pub enum Target {
    /// This process and its children.
    Process(Answering),
    /// Nobody, and why, if that is worth a remark.
    Nobody(Option<String>),
}

impl Target {
    /// The process, if there is one.
    pub fn process(&self) -> Option<Answering> {
        match self {
            Self::Process(process) => Some(*process),
            Self::Nobody(_) => None,
        }
    }
}

/// The process that is named, or else the one that answers a URL of this machine.
pub fn find(arguments: &WatchArgs, url: &Url) -> Result<Target, Failure> {
    if let Some(pid) = arguments.pid {
        return named(pid, url).map(Target::Process);
    }
    if arguments.no_watch || !is_here(url) {
        return Ok(Target::Nobody(None));
    }
    Ok(listener_at(url).map_or_else(|why| Target::Nobody(Some(remark(url, &why))), Target::Process))
}

/// The process of this number, which answers at the URL.
pub fn named(pid: i32, url: &Url) -> Result<Answering, Failure> {
    if !listener::is_there(pid) {
        return Err(Failure::input(format_args!("--pid {pid}: expected a process that runs, found none")));
    }
    let found = if is_here(url) { listener_at(url).ok() } else { None };
    // A process in a container may listen on another port than the URL has.
    let (port, through) = found.map_or((port(url), None), |found| (found.port, found.through));
    Ok(Answering { pid, port, through })
}

fn remark(url: &Url, why: &listener::Unknown) -> String {
    let port = port(url);
    format!("CPU and memory of the target are not watched, port {port}: {why} (--pid N names it, --no-watch is silent)")
}
