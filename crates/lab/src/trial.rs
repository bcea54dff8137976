//! A service that is launched once, asked something, and ended: no run, and nothing of it is recorded.

use std::{collections::BTreeMap, net::Ipv4Addr, path::Path, sync::atomic::AtomicBool};

use plimsoll_drive::connection::Tls;
use plimsoll_record::Nanos;
use url::Url;

use crate::{
    artifact::Artifact,
    launch::{CgroupLimits, Command, Launch, StartError, Target},
    placeholders::Placeholders,
    port,
    ready::{NotReady, Probe},
};

const GRACE: Nanos = Nanos::from_secs(5);

/// An answer, and how long the service took to give its first one.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried<T> {
    /// Whatever it was asked for.
    pub answer: T,
    /// From spawn to its first answer.
    pub startup: Nanos,
    /// The port at which it answered, if that is another one than it was told.
    pub own_port: Option<u16>,
}

/// Why a service could not be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}{}", output_tail.iter().map(|line| format!("\n  {line}")).collect::<String>())]
pub struct NotTried {
    /// In words.
    pub why: String,
    /// Its last lines.
    pub output_tail: Vec<String>,
}

/// Launches `artifact` on a free port under a supervisor, which is the program `exe`, waits at most `patience` until it
/// answers, there or at a port of its own, and has `ask` ask it at its address. Whatever comes of that, it is ended.
///
/// # Errors
/// It cannot be started, or does not answer in time, or ends.
pub fn try_out<T>(
    exe: &Path,
    artifact: &Artifact,
    env: &BTreeMap<String, String>,
    patience: Nanos,
    stop: &AtomicBool,
    ask: impl FnOnce(&Url) -> T,
) -> Result<Tried<T>, NotTried> {
    let told = |why: String| NotTried { why, output_tail: Vec::new() };
    let port = port::free().map_err(|error| told(format!("no free port was found: {error}")))?;
    let placeholders = Placeholders::of_target(Ipv4Addr::LOCALHOST, port);
    let base: Url = placeholders.fill("http://{host}:{port}/").parse().map_err(|error| told(format!("{error}")))?;
    let line = artifact.command_line(&placeholders);
    let own = env.iter().map(|(name, value)| (name.clone(), placeholders.fill(value)));
    let env = line.env.into_iter().chain(own).collect();
    let launch = Launch {
        command: Command { argv: line.argv, env, workdir: line.workdir },
        cpus: Vec::new(),
        namespace: None,
        limits: CgroupLimits::default(),
        cgroup_name: format!("plimsoll-{}-trial", std::process::id()),
        grace: GRACE,
        removes: None,
    };
    let started = Target::start(exe, &launch);
    let mut target = started.map_err(|StartError { message, output_tail }| NotTried { why: message, output_tail })?;
    let result = answer(&mut target, &base, artifact, patience, stop, ask);
    target.stop();
    result.map_err(|why| NotTried { why, output_tail: target.output().tail() })
}

fn answer<T>(
    target: &mut Target,
    base: &Url,
    artifact: &Artifact,
    patience: Nanos,
    stop: &AtomicBool,
    ask: impl FnOnce(&Url) -> T,
) -> Result<Tried<T>, String> {
    let ready = base.join(artifact.ready_path().unwrap_or("/")).map_err(|error| error.to_string())?;
    let probe = Probe::new(&ready, &Tls::default())?.taking_any_answer();
    // Looked at in short turns: a service that has ended answers no more.
    let turn = Nanos::from_millis(500);
    let spawned = target.spawned();
    let mut until = spawned + turn;
    loop {
        match probe.await_ready(until, stop) {
            Ok(at) => return Ok(Tried { answer: ask(base), startup: at - spawned, own_port: None }),
            Err(_) if target.poll_ended().is_some() => return Err("it ended by itself before it answered".to_owned()),
            Err(NotReady(last)) if until >= spawned + patience || stop.load(std::sync::atomic::Ordering::Relaxed) => {
                return Err(format!("it did not answer within {patience}: GET {probe}: {last}"));
            }
            Err(_) => until = until + turn,
        }
        for (own_port, base) in own_addresses(target, base) {
            let ready = base.join(artifact.ready_path().unwrap_or("/")).map_err(|error| error.to_string())?;
            if let Ok(at) = Probe::new(&ready, &Tls::default())?.taking_any_answer().await_ready(until, stop) {
                return Ok(Tried { answer: ask(&base), startup: at - spawned, own_port: Some(own_port) });
            }
            until = until + turn;
        }
    }
}

/// Ports at which it listens, whatever it was told, with their URLs.
fn own_addresses(target: &Target, told: &Url) -> Vec<(u16, Url)> {
    let mut ports: Vec<u16> = target.listens_at().iter().map(|address| address.port()).collect();
    ports.dedup();
    let at = |port: u16| {
        let mut base = told.clone();
        base.set_port(Some(port)).ok().map(|()| (port, base))
    };
    ports.into_iter().filter(|&port| Some(port) != told.port()).filter_map(at).collect()
}
