//! Network namespaces without names: they are gone when the last process that holds or uses them is.

use std::{
    fs::{self, File},
    io,
    os::fd::{AsFd, AsRawFd},
    path::{Path, PathBuf},
};

use nix::sched::{CloneFlags, unshare};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use serde::{Deserialize, Serialize};

/// Namespace of the calling thread; threads and processes that it starts inherit it.
const OWN: &str = "/proc/thread-self/ns/net";

/// A network namespace that another process holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Namespace {
    path: PathBuf,
}

impl Namespace {
    /// Puts the calling thread into it, and with it what the thread starts from now on. Other threads stay where they
    /// are. Sockets stay in the namespace that they were made in.
    ///
    /// # Errors
    ///
    /// If it is gone, or this process may not enter it (it takes root).
    pub fn enter(&self) -> io::Result<()> {
        enter(&self.path).map_err(|error| {
            io::Error::new(error.kind(), format!("the network namespace {} cannot be entered: {error}", self))
        })
    }
}

impl std::fmt::Display for Namespace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path.display())
    }
}

fn enter(path: &Path) -> io::Result<()> {
    Ok(move_into_link_name_space(File::open(path)?.as_fd(), Some(LinkNameSpaceType::Network))?)
}

/// A namespace that this process keeps in being.
#[derive(Debug)]
pub struct HeldNamespace {
    file: File,
}

impl HeldNamespace {
    /// Makes one and puts the calling thread into it: nothing is in it but a loopback interface that is down.
    ///
    /// # Errors
    ///
    /// The system's, most often for want of rights.
    pub fn make() -> io::Result<Self> {
        unshare(CloneFlags::CLONE_NEWNET)?;
        Ok(Self { file: File::open(OWN)? })
    }

    /// The namespace, for other processes.
    pub fn namespace(&self) -> Namespace {
        let path = format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd());
        Namespace { path: PathBuf::from(path) }
    }
}

/// Settings of the kernel that a new namespace has at their defaults, whatever the machine's are.
#[derive(Debug)]
pub struct Sysctls(Vec<(PathBuf, String)>);

impl Sysctls {
    /// Settings of TCP in the calling thread's namespace.
    pub fn here() -> Self {
        let tcp = fs::read_dir("/proc/sys/net/ipv4").into_iter().flatten().flatten().map(|entry| entry.path());
        let tcp = tcp.filter(|path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"tcp_")));
        let others = ["/proc/sys/net/ipv4/ip_local_port_range", "/proc/sys/net/core/somaxconn"].map(PathBuf::from);
        Self(tcp.chain(others).filter_map(|path| Some((fs::read_to_string(&path).ok()?, path))).map(swap).collect())
    }

    /// Sets them in the calling thread's namespace, as far as they can be set there.
    pub fn apply(&self) {
        for (path, value) in &self.0 {
            // Some are not of a namespace but of the machine: they are not there, or are the same already.
            if fs::read_to_string(path).is_ok_and(|now| now != *value) {
                let _ = fs::write(path, value);
            }
        }
    }
}

fn swap((value, path): (String, PathBuf)) -> (PathBuf, String) {
    (path, value)
}
