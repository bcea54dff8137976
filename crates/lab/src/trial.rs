//! A service that is launched once, asked something, and ended: no run, and nothing of it is recorded.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use plimsoll_drive::connection::Tls;
use plimsoll_record::Nanos;
use plimsoll_text::joined;
use url::Url;

use crate::{
    artifact::Artifact,
    clock,
    launch::{CgroupLimits, Command, Launch, StartError, Target},
    listening,
    placeholders::Placeholders,
    port,
    ready::{NotReady, Probe},
};

const GRACE: Nanos = Nanos::from_secs(5);
/// Longer than a probe waits for an answer.
const TURN_LONGEST: Nanos = Nanos::from_secs(6);

/// An answer, and how long the service took to give its first one.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried<T> {
    /// Whatever it was asked for.
    pub answer: T,
    /// From spawn to its first answer.
    pub startup: Nanos,
    /// Where it answered: elsewhere than it was told, perhaps, or by TLS.
    pub at: Url,
    /// The port that it was told.
    pub told: u16,
}

impl<T> Tried<T> {
    /// Its own port, if that is not the one that it was told.
    pub fn own_port(&self) -> Option<u16> {
        self.at.port_or_known_default().filter(|port| *port != self.told)
    }
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
/// answers, there or at an address of its own, and has `ask` ask it there.
/// Whatever comes of that, it is ended.
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
        files: None,
        grace: GRACE,
        is_command: false,
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
    told: &Url,
    artifact: &Artifact,
    patience: Nanos,
    stop: &AtomicBool,
    ask: impl FnOnce(&Url) -> T,
) -> Result<Tried<T>, String> {
    let path = artifact.ready_path().unwrap_or("/");
    let any_certificate = Tls { insecure: true, ..Tls::default() };
    // Waits in turns: a service that has ended answers no more. They grow, so that slow answers come in time.
    let mut turn = Nanos::from_millis(500);
    let spawned = target.spawned();
    let (mut bases, mut said) = (vec![told.clone()], None);
    loop {
        for base in &bases {
            let ready = base.join(path).map_err(|error| error.to_string())?;
            let probe = Probe::new(&ready, &any_certificate)?.taking_any_answer();
            match probe.await_ready(clock::now() + turn, stop) {
                Ok(at) => {
                    return Ok(Tried {
                        answer: ask(base),
                        startup: at - spawned,
                        at: base.clone(),
                        told: listening::port(told),
                    });
                }
                Err(NotReady(last)) if base == told => said = Some(format!("GET {probe}: {last}")),
                Err(NotReady(_)) => {}
            }
            if target.poll_ended().is_some() {
                return Err("it ended by itself before it answered".to_owned());
            }
        }
        if clock::now() >= spawned + patience || stop.load(Ordering::Relaxed) {
            let at: Vec<String> = target.listens_at().iter().map(ToString::to_string).collect();
            let at = if at.is_empty() {
                "and listens nowhere".to_owned()
            } else {
                format!("though it listens on {}", joined(&at))
            };
            return Err(format!("it did not answer within {patience}, {at}: {}", said.unwrap_or_default()));
        }
        bases = addresses(&target.listens_at(), told);
        turn = TURN_LONGEST.min(turn + turn);
    }
}

/// Where it may answer: as it was told; at the addresses where it listens; at the same by TLS.
fn addresses(listens_at: &[SocketAddr], told: &Url) -> Vec<Url> {
    let mut plain = vec![told.clone()];
    for address in listens_at {
        let mut base = told.clone();
        // The unspecified address of IPv6 takes connections of IPv4, too.
        let host = if address.ip().is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { address.ip() };
        if base.set_ip_host(host).and_then(|()| base.set_port(Some(address.port()))).is_ok() && !plain.contains(&base) {
            plain.push(base);
        }
    }
    let heard = |base: &&Url| listens_at.iter().any(|address| Some(address.port()) == base.port());
    let secure = plain.iter().filter(heard).filter_map(|base| {
        let mut secure = base.clone();
        secure.set_scheme("https").ok().map(|()| secure)
    });
    let secure: Vec<Url> = secure.collect();
    plain.into_iter().chain(secure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_looked_for_where_it_listens_and_by_tls() {
        let told: Url = "http://127.0.0.1:4000/".parse().unwrap();
        let of = |listens_at: &[&str]| {
            let listens_at: Vec<SocketAddr> = listens_at.iter().map(|address| address.parse().unwrap()).collect();
            addresses(&listens_at, &told).iter().map(Url::to_string).collect::<Vec<_>>()
        };
        assert_eq!(of(&[]), ["http://127.0.0.1:4000/"]);
        assert_eq!(of(&["[::]:4000"]), ["http://127.0.0.1:4000/", "https://127.0.0.1:4000/"]);
        let own = ["http://127.0.0.1:4000/", "http://[::1]:8080/", "https://[::1]:8080/"];
        assert_eq!(of(&["[::1]:8080"]), own);
        assert_eq!(of(&["127.0.0.1:4000", "0.0.0.0:8081"]).len(), 4);
    }
}
