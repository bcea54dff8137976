//! Finds the process that answers a URL of this machine.

pub use plimsoll_lab::listening::{is_here, listener_at, port};
use plimsoll_observe::listener;
use url::Url;

use crate::{cli::WatchArgs, failure::Failure};

/// The process that is watched.
pub enum Target {
    /// This process and its children.
    Process(i32),
    /// Nobody, and why, if that is worth a remark.
    Nobody(Option<String>),
}

impl Target {
    /// The process, if there is one.
    pub fn pid(&self) -> Option<i32> {
        match self {
            Self::Process(pid) => Some(*pid),
            Self::Nobody(_) => None,
        }
    }
}

/// The process that is named, or else the one that answers a URL of this machine.
pub fn find(arguments: &WatchArgs, url: &Url) -> Result<Target, Failure> {
    if let Some(pid) = arguments.pid {
        return match listener::is_there(pid) {
            true => Ok(Target::Process(pid)),
            false => Err(Failure::input(format_args!("--pid {pid}: expected a process that runs, found none"))),
        };
    }
    if arguments.no_watch || !is_here(url) {
        return Ok(Target::Nobody(None));
    }
    Ok(listener_at(url).map_or_else(|why| Target::Nobody(Some(remark(url, &why))), Target::Process))
}

fn remark(url: &Url, why: &listener::Unknown) -> String {
    let port = port(url);
    format!("CPU and memory of the target are not watched, port {port}: {why} (--pid N names it, --no-watch is silent)")
}
