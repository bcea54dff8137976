//! The target of a run: launched by it, or found running.

use std::net::SocketAddr;

use plimsoll_observe::{
    ProcessTree, Sampler,
    listener::{self, Answering, Unknown},
    read,
};
use plimsoll_record::Nanos;
use url::Url;

use crate::{
    clock,
    launch::{Ended, Target as Launched},
    listening::{is_here, listener_at, port},
};

/// A target, whoever started it.
#[derive(Debug)]
pub enum Target {
    /// By this run, which ends it.
    Launched(Box<Launched>),
    /// By somebody else: it is watched where that can be done, and never ended.
    Running(Running),
}

/// A service that was there before.
#[derive(Debug)]
pub struct Running {
    url: Url,
    /// The process that answers, if it is known.
    process: Option<Answering>,
    /// When it was looked for first, by [`clock`].
    found: Nanos,
    ended: Option<Ended>,
}

impl Running {
    /// Looks for the process that answers a URL, which may still be starting.
    pub fn at(url: Url) -> Self {
        let mut running = Self { url, process: None, found: clock::now(), ended: None };
        // The process is looked for again once the service is ready.
        let _ = running.look();
        running
    }

    /// Looks for the process.
    ///
    /// # Errors
    ///
    /// The port, and why none is watched, if it is one of this machine.
    pub fn look(&mut self) -> Result<(), (u16, Unknown)> {
        if is_here(&self.url) {
            self.process = Some(listener_at(&self.url).map_err(|why| (port(&self.url), why))?);
        }
        Ok(())
    }

    pub const fn is_known(&self) -> bool {
        self.process.is_some()
    }

    fn poll_ended(&mut self) -> Option<&Ended> {
        if self.process.is_some_and(|it| !listener::is_there(it.pid)) && self.ended.is_none() {
            self.ended = Some(Ended::default());
        }
        self.ended.as_ref()
    }
}

impl Target {
    /// When its run began with it, by [`clock`]: the instant before its `exec`, or when it was found.
    pub fn began(&self) -> Nanos {
        match self {
            Self::Launched(target) => target.spawned(),
            Self::Running(running) => running.found,
        }
    }

    /// The instant before its `exec`; none if somebody else started it.
    pub fn spawned(&self) -> Option<Nanos> {
        match self {
            Self::Launched(target) => Some(target.spawned()),
            Self::Running(_) => None,
        }
    }

    /// A sampler of its processes, if they are known.
    pub fn sampler(&self) -> Option<Sampler> {
        match self {
            Self::Launched(target) => Some(target.sampler()),
            Self::Running(Running { process: Some(Answering { pid, .. }), .. }) => {
                Some(Sampler::new(ProcessTree::of(*pid), read::memory_file_of_container(*pid)))
            }
            Self::Running(_) => None,
        }
    }

    /// Its processes, as far as they are known, parents before their children.
    pub fn pids(&self) -> Vec<i32> {
        match self {
            Self::Launched(target) => target.pids(),
            Self::Running(running) => running.process.map(|it| ProcessTree::of(it.pid).pids()).unwrap_or_default(),
        }
    }

    /// The process, if somebody else started it and it is known.
    pub fn running(&self) -> Option<Answering> {
        match self {
            Self::Launched(_) => None,
            Self::Running(running) => running.process,
        }
    }

    /// Its output since the last call; nothing is known of one that somebody else started.
    pub fn take_output(&self) -> Vec<String> {
        match self {
            Self::Launched(target) => target.output().take_fresh(),
            Self::Running(_) => Vec::new(),
        }
    }

    /// Its last lines of output.
    pub fn output_tail(&self) -> Vec<String> {
        match self {
            Self::Launched(target) => target.output().tail(),
            Self::Running(_) => Vec::new(),
        }
    }

    /// Addresses at which it listens; nothing is known of one that somebody else started.
    pub fn listens_at(&self) -> Vec<SocketAddr> {
        match self {
            Self::Launched(target) => target.listens_at(),
            Self::Running(_) => Vec::new(),
        }
    }

    /// The limit of its memory, as it was applied.
    pub fn memory_limit_bytes(&self) -> Option<u64> {
        match self {
            Self::Launched(target) => target.applied().limits.memory_bytes,
            Self::Running(_) => None,
        }
    }

    /// How it ended, if it has.
    pub fn poll_ended(&mut self) -> Option<&Ended> {
        match self {
            Self::Launched(target) => target.poll_ended(),
            Self::Running(running) => running.poll_ended(),
        }
    }

    /// Whether it has ended by now, or does within `patience`.
    pub fn ends_within(&mut self, patience: std::time::Duration) -> bool {
        match self {
            Self::Launched(target) => target.ends_within(patience),
            Self::Running(running) => running.poll_ended().is_some(),
        }
    }

    /// Ends it, if it was launched, and waits until nothing of it is left.
    pub fn stop(&mut self) {
        if let Self::Launched(target) = self {
            target.stop();
        }
    }
}
