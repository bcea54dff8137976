//! The `network` section of a variant: what is emulated between two parts of its runs.

use plimsoll_record::{Between, Nanos, NetworkBy, NetworkPlan, VariantPlan};

use super::{
    connection::ConnectionSection,
    decode::{choice, mapping},
    errors::{At, Errors, Place},
    quantity::{BitRate, Duration, Percent},
};

const RTT_MOST: Nanos = Nanos::from_secs(10);
const LOSS_PERCENT_MOST: f64 = 100.0;
const BANDWIDTH_LEAST_BITS_PER_S: u64 = 1_000;

mapping! {
    /// A network that is emulated between two parts of a run, as if they were far apart. It is made of two network
    /// namespaces and a router between them, which needs root; without, a relay delays bytes, and the run and its
    /// reports say what that leaves out. In namespaces, a target reaches nothing but what belongs to its run.
    pub struct NetworkSection as "network" {
        /// Round trip time, at most 10s: each way takes half of it; the variant must have one, here or in what it
        /// starts from. Example: `rtt: 70ms`.
        pub rtt: Option<At<Duration>>,
        /// How far a round trip may be off, either way, evenly distributed; at most `rtt`. No packet overtakes another.
        /// Default: 0s. Example: `jitter: 3ms`.
        pub jitter: Option<At<Duration>>,
        /// Packets that are lost each way, drawn by the experiment's seed. Default: 0 %. Example: `loss: 0.1 %`.
        pub loss: Option<At<Percent>>,
        /// Bandwidth of each direction. A packet that queues longer than a round trip (and 20 ms, and ten packets) is
        /// dropped. Default: as much as the machine does. Example: `bandwidth: 100 Mbit/s`.
        pub bandwidth: Option<At<BitRate>>,
        /// The two ends that it joins. Default: `target-upstream` where the variant has an `upstream`, else
        /// `generator-target`. Example: `between: generator-target`.
        pub between: Option<At<BetweenWord>>,
        /// How it is made. Default: `namespaces`, and a relay where they cannot be made. Example: `by: relay`.
        pub by: Option<ByWord>,
    }
}

choice! {
    /// The two ends that a network joins.
    pub enum BetweenWord as "between" {
        /// The load comes over it. The target is at `{host}`, and beside its upstream, if it has one.
        GeneratorTarget = "generator-target",
        /// The target's own calls go over it, to `{upstream}`; generator and target are beside each other.
        TargetUpstream = "target-upstream",
    }
}

choice! {
    /// How a network is made.
    pub enum ByWord as "network-by" {
        /// By network namespaces and a router of packets.
        Namespaces = "namespaces",
        /// By a relay of connections, which needs no root: connects take no round trip, and nothing can be lost.
        Relay = "relay",
    }
}

/// Resolves the section; `has_upstream` decides which ends it joins, unless it says so.
pub(super) fn resolve(
    At { value: section, place }: &At<NetworkSection>,
    has_upstream: bool,
    errors: &mut Errors,
) -> NetworkPlan {
    let rtt = rtt(section, place, errors);
    NetworkPlan {
        between: between(section, has_upstream, errors),
        rtt,
        jitter: jitter(section, rtt, errors),
        loss_percent: loss_percent(section, errors),
        bandwidth_bits_per_s: bandwidth(section, errors),
        by: match section.by {
            Some(ByWord::Relay) => NetworkBy::Relay,
            Some(ByWord::Namespaces) | None => NetworkBy::Namespaces,
        },
    }
}

/// Pushes an error if connections do not take the way over the network of a variant.
pub(super) fn check_way(connection: Option<&At<ConnectionSection>>, variants: &[VariantPlan], errors: &mut Errors) {
    let Some(At { value: ConnectionSection { unix_socket: Some(_), .. }, place }) = connection else { return };
    let is_far = |plan: &&VariantPlan| plan.network.is_some_and(|it| it.between == Between::GeneratorTarget);
    if let Some(VariantPlan { name, .. }) = variants.iter().find(is_far) {
        let message = "a Unix socket is on this machine, and the load of variant";
        errors.push(place, format!("{message} `{name}` is to come over its `network`: remove one of the two"));
    }
}

fn rtt(section: &NetworkSection, place: &Place, errors: &mut Errors) -> Nanos {
    let Some(At { value: Duration(rtt), place }) = &section.rtt else {
        errors.push(place, "the key `rtt` is missing, e.g. `rtt: 70ms`");
        return Nanos::ZERO;
    };
    if *rtt > RTT_MOST {
        errors.push(place, format!("expected a round trip time of at most {} s", RTT_MOST.as_secs_f64()));
    }
    *rtt
}

fn jitter(section: &NetworkSection, rtt: Nanos, errors: &mut Errors) -> Nanos {
    let Some(At { value: Duration(jitter), place }) = &section.jitter else { return Nanos::ZERO };
    if *jitter > rtt {
        errors.push(place, "expected a jitter of at most `rtt`: no packet can arrive before it was sent");
    }
    *jitter
}

fn loss_percent(section: &NetworkSection, errors: &mut Errors) -> f64 {
    let Some(At { value: Percent(percent), place }) = &section.loss else { return 0.0 };
    if *percent > LOSS_PERCENT_MOST {
        errors.push(place, format!("expected a loss from 0 % to {LOSS_PERCENT_MOST} %"));
    }
    if *percent > 0.0 && section.by == Some(ByWord::Relay) {
        errors.push(place, "a relay cannot lose packets: remove `loss`, or `by: relay`");
    }
    *percent
}

fn bandwidth(section: &NetworkSection, errors: &mut Errors) -> Option<u64> {
    let At { value: BitRate(bits_per_s), place } = section.bandwidth.as_ref()?;
    if *bits_per_s < BANDWIDTH_LEAST_BITS_PER_S {
        errors.push(place, "expected a bandwidth of at least 1 kbit/s: a packet would take minutes");
    }
    Some(*bits_per_s)
}

fn between(section: &NetworkSection, has_upstream: bool, errors: &mut Errors) -> Between {
    match &section.between {
        Some(At { value: BetweenWord::TargetUpstream, place }) if !has_upstream => {
            errors.push(place, "this variant has no upstream to be far from: add `upstream`, or remove `between`");
            Between::TargetUpstream
        }
        Some(At { value: BetweenWord::TargetUpstream, .. }) => Between::TargetUpstream,
        Some(At { value: BetweenWord::GeneratorTarget, .. }) => Between::GeneratorTarget,
        None if has_upstream => Between::TargetUpstream,
        None => Between::GeneratorTarget,
    }
}
