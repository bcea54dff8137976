//! Where the parts of a run are, and how they reach each other: beside each other on this machine, or at the two ends
//! of an emulated network.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
};

use plimsoll_network::{Config, Counts, Namespace, Network, Opened};
use plimsoll_observe::Ports;
use plimsoll_record::{Between, NetworkPlan, UpstreamReady};
use url::Url;

use super::{LabError, execution::Execution};
use crate::{
    check::check_port,
    event::Place,
    experiment::{Program, Variant},
    launch, listening,
    placeholders::Placeholders,
    port,
};

/// The places of one run. Dropped, its network is gone.
#[derive(Debug)]
pub struct Topology {
    network: Option<(Between, Network)>,
    port: u16,
    /// The upstream's port by its plan; 0: the kernel's choice.
    upstream_port: u16,
    /// The upstream as the target reaches it.
    upstream: Option<UpstreamReady>,
    /// Ports of what runs beside the target, by the names that texts have for them.
    ports_beside: BTreeMap<String, u16>,
}

impl Topology {
    /// Makes the network of the variant at `place`, if it has one, and finds its target a port.
    ///
    /// # Errors
    ///
    /// The inner one is a message explaining why this run cannot be made.
    pub fn open(execution: &mut Execution<'_>, place: &Place) -> Result<Result<Self, String>, LabError> {
        let experiment = execution.experiment;
        let network = match experiment.plan.variants[place.variant].network {
            None => None,
            Some(plan) => match network(execution, &plan, place)? {
                Ok(network) => Some((plan.between, network)),
                Err(problem) => return Ok(Err(problem)),
            },
        };
        // The upstream listens later on, at the port that its plan may name.
        let upstream_port = experiment.plan.variants[place.variant].upstream.as_ref().map_or(0, |plan| plan.port);
        let mut topology = Self { network, port: 0, upstream_port, upstream: None, ports_beside: BTreeMap::new() };
        let port = topology.port_for(&experiment.variants[place.variant])?;
        Ok(port.and_then(|port| {
            topology.port = port;
            topology.lead_relay_to_target()?;
            Ok(topology)
        }))
    }

    /// The namespace of the generator; none: this process's own, as for the others.
    pub fn generator(&self) -> Option<&Namespace> {
        self.ends().map(|(near, _)| near)
    }

    /// The namespace of the target. Readiness is probed from there too, so start-up does not depend on the
    /// network.
    pub fn target(&self) -> Option<&Namespace> {
        self.ends().map(|(near, far)| if self.is_between(Between::GeneratorTarget) { far } else { near })
    }

    /// The namespace of the upstream: beside the target, unless the network is between the two.
    pub fn upstream(&self) -> Option<&Namespace> {
        self.ends().map(|(_, far)| far)
    }

    /// Where the upstream listens.
    pub fn upstream_host(&self) -> Ipv4Addr {
        match &self.network {
            Some((Between::TargetUpstream, network)) => network.opened().far_address(),
            _ => Ipv4Addr::LOCALHOST,
        }
    }

    /// Tells the target of an upstream that is ready, by way of a relay if there is one between the two.
    ///
    /// # Errors
    ///
    /// If the relay is gone.
    pub fn lead_to_upstream(&mut self, ready: &UpstreamReady) -> Result<(), String> {
        let mut ready = ready.clone();
        let relay = self.relay().filter(|_| self.is_between(Between::TargetUpstream));
        if let (Some(listen), Some((_, network))) = (relay, &mut self.network) {
            let upstream = (Ipv4Addr::LOCALHOST, ready.port).into();
            network.lead_to(upstream).map_err(|error| format!("the relay before the upstream is gone: {error}"))?;
            ready.url = ready.url.replace(&format!("{}:{}", ready.host, ready.port), &listen.to_string());
            (ready.host, ready.port) = (listen.ip().to_string(), listen.port());
        }
        self.upstream = Some(ready);
        Ok(())
    }

    /// Gives a port of something beside the target the placeholder `{name}` in texts.
    pub fn know_port(&mut self, name: String, port: u16) {
        self.ports_beside.insert(name, port);
    }

    /// Values for what reaches the target from beside it.
    pub fn beside_target(&self) -> Placeholders {
        self.with_others(Placeholders::of_target(self.target_host(), self.port))
    }

    /// Values for the load, as it reaches the target.
    pub fn at_generator(&self) -> Placeholders {
        match self.relay() {
            Some(listen) if self.is_between(Between::GeneratorTarget) => {
                self.with_others(Placeholders::of_target(listen.ip(), listen.port()))
            }
            _ => self.beside_target(),
        }
    }

    /// Port on which the target listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Ports by which the target's sockets are recognised; its other peers are found out by the sampler.
    pub fn ports(&self) -> Ports {
        Ports { listening: vec![self.port], remote: self.upstream.iter().map(|ready| ready.port).collect() }
    }

    /// A reader of the network's counts so far, if there is a network.
    pub fn counter(&self) -> Option<impl Fn() -> Counts + Send + 'static> {
        self.network.as_ref().map(|(_, network)| network.counter())
    }

    /// Whether the network has ended, though nobody told it to.
    pub fn is_broken(&self) -> bool {
        self.network.as_ref().is_some_and(|(_, network)| network.has_ended())
    }

    fn with_others(&self, placeholders: Placeholders) -> Placeholders {
        let ports = self.ports_beside.iter();
        let placeholders = ports.fold(placeholders, |all, (name, port)| all.with(name.clone(), port));
        match &self.upstream {
            Some(ready) => placeholders.with_upstream(ready),
            None => placeholders,
        }
    }

    fn ends(&self) -> Option<(&Namespace, &Namespace)> {
        match self.network.as_ref()?.1.opened() {
            Opened::Namespaces { near, far } => Some((near, far)),
            Opened::Relay { .. } => None,
        }
    }

    fn relay(&self) -> Option<SocketAddr> {
        match self.network.as_ref()?.1.opened() {
            Opened::Relay { listen, .. } => Some(*listen),
            Opened::Namespaces { .. } => None,
        }
    }

    fn is_between(&self, wanted: Between) -> bool {
        self.network.as_ref().is_some_and(|(between, _)| *between == wanted)
    }

    fn target_host(&self) -> Ipv4Addr {
        match &self.network {
            Some((Between::GeneratorTarget, network)) => network.opened().far_address(),
            _ => Ipv4Addr::LOCALHOST,
        }
    }

    fn port_for(&self, variant: &Variant) -> Result<Result<u16, String>, LabError> {
        match variant.program.fixed_port() {
            None if matches!(variant.program, Program::Running) => Ok(Ok(url_port(&variant.url))),
            // The target's namespace is its own: nobody else has taken the port.
            Some(port) if self.target().is_some() => Ok(Ok(port)),
            Some(port) => Ok(check_port(port).map(|()| port)),
            None => self.free_port().map(Ok),
        }
    }

    /// A port for one more program of the run: those that were given to others are free until these listen.
    pub fn free_port(&self) -> Result<u16, LabError> {
        let given = self.ports_beside.values().copied().chain([self.port, self.upstream_port]);
        let given = given.chain(self.upstream.iter().map(|ready| ready.port));
        port::free_but(&given.collect::<Vec<_>>()).map_err(LabError::Port)
    }

    fn lead_relay_to_target(&mut self) -> Result<(), String> {
        match &mut self.network {
            Some((Between::GeneratorTarget, network)) if matches!(network.opened(), Opened::Relay { .. }) => {
                let target = (Ipv4Addr::LOCALHOST, self.port).into();
                network.lead_to(target).map_err(|error| format!("the relay before the target is gone: {error}"))
            }
            _ => Ok(()),
        }
    }
}

/// The port of a service that runs already.
fn url_port(url: &str) -> u16 {
    Url::parse(url).map_or(0, |url| listening::port(&url))
}

/// Starts the network, and says so if it had to be a relay.
fn network(
    execution: &mut Execution<'_>,
    plan: &NetworkPlan,
    place: &Place,
) -> Result<Result<Network, String>, LabError> {
    // All variants of a round meet the same losses, another round meets others.
    let seed = execution.experiment.plan.seed.wrapping_add(u64::from(place.round));
    let network = match Network::start(&execution.context.exe, launch::NETWORK, &Config { plan: *plan, seed }) {
        Ok(network) => network,
        Err(problem) => return Ok(Err(problem)),
    };
    if let Opened::Relay { because: Some(reason), .. } = network.opened() {
        execution.note_relay(reason)?;
    }
    Ok(Ok(network))
}
