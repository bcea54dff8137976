//! Emulated networks: those made by relays, and those that could not keep their times.

use std::collections::BTreeMap;

use plimsoll_record::{NetworkBy, NetworkPlan, RunData, VariantPlan, metric};

use crate::{
    measured::Measured,
    results::{Finding, Kind, Measure, Place, Results, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&FALLBACK, &RELAY, &LATE];

static FALLBACK: Kind = Kind {
    id: "network-fallback",
    title: "relay in place of the network",
    weight: Weight::Warning,
    means: "Network namespaces could not be made, so a relay that delays bytes stood in for the emulated network. A \
            connect took no round trip, nothing was lost, and no congestion window had to grow: over a real network, \
            new connections and large responses take longer.",
    remedy: "Run as root.",
    evidence: &[],
};

static RELAY: Kind = Kind {
    id: "network-relay",
    title: "network emulated by a relay",
    weight: Weight::Info,
    means: "The experiment asks for a relay that delays bytes. A connect took no round trip, nothing was lost, and no \
            congestion window had to grow: over a real network, new connections and large responses take longer.",
    remedy: "Leave out `by: relay` for an emulation of packets, which needs root.",
    evidence: &[],
};

static LATE: Kind = Kind {
    id: "network-late",
    title: "network could not keep up",
    weight: Weight::Warning,
    means: "The emulated network was slower than ordered: more than 1 % of its packets came over 1 ms late, or \
            packets were dropped that should not be.",
    remedy: "Load less, or use a machine with more cores.",
    evidence: &[Measure { name: "lateness_max", unit: "ms", about: "greatest lateness of a packet" }],
};

/// The share of a run's packets that may be late.
const LATE_SHARE_MOST: f64 = 0.01;

pub(super) fn find(measured: &Measured, _: &Results) -> Vec<Finding> {
    relays(measured).into_iter().chain(lateness(measured)).collect()
}

/// Relays in place of emulation by packets: by the user's wish, or for lack of root.
fn relays(measured: &Measured) -> Vec<Finding> {
    let fallback = measured.data.execution.environment.network_relay.as_deref();
    let networks = measured.plan().variants.iter().filter_map(|variant| Some((variant, variant.network?)));
    let relayed = networks.filter(|(_, network)| network.by == NetworkBy::Relay || fallback.is_some());
    relayed.map(|(variant, network)| relay(variant, network, fallback)).collect()
}

fn relay(variant: &VariantPlan, network: NetworkPlan, fallback: Option<&str>) -> Finding {
    let lost = if network.loss_percent > 0.0 { "none of the ordered loss happened" } else { "nothing could be lost" };
    let why = fallback.map_or(String::new(), |reason| format!(", for lack of network namespaces ({reason})"));
    let says = format!(
        "The network was a relay that delays bytes{why}: a connect took no round trip, {lost}, and no congestion \
         window had to grow. Over a real network, new connections and large responses take longer."
    );
    let kind = if fallback.is_some() { &FALLBACK } else { &RELAY };
    kind.at(Place::of_variant(&variant.name), says)
}

/// Variants with runs whose network was slower than ordered.
fn lateness(measured: &Measured) -> Vec<Finding> {
    let mut worst_ms: BTreeMap<usize, f64> = BTreeMap::new();
    for run in measured.data.runs.iter().filter(|run| is_late(run)) {
        let worst = worst_ms.entry(run.run.variant).or_default();
        *worst = worst.max(last_sample(run, metric::NETWORK_LATENESS_MS_MAX));
    }
    let found = worst_ms.into_iter().filter_map(|(variant, worst_ms)| {
        let name = &measured.plan().variants.get(variant)?.name;
        let says = format!(
            "The emulated network could not keep up: more than {} % of its packets came over 1 ms late, at most {} \
             ms, or some were dropped that should not be.",
            LATE_SHARE_MOST * 100.0,
            number(worst_ms)
        );
        Some(LATE.at(Place::of_variant(name), says).with("lateness_max", worst_ms))
    });
    found.collect()
}

fn is_late(run: &RunData) -> bool {
    let (late, packets) = (last_sample(run, metric::NETWORK_LATE), last_sample(run, metric::NETWORK_PACKETS));
    late > packets * LATE_SHARE_MOST || last_sample(run, metric::NETWORK_OVERFLOWED) > 0.0
}

/// The last value of a metric; 0 if there is none.
fn last_sample(run: &RunData, metric: metric::Metric) -> f64 {
    run.samples.iter().rev().find(|sample| sample.metric == metric.name).map_or(0.0, |sample| sample.value)
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{ExecutionData, Nanos, Sample};

    use super::*;
    use crate::{
        analyse,
        testing::{execution, plan, run, variant},
    };

    fn data(network: NetworkPlan, samples: &[(metric::Metric, f64)]) -> ExecutionData {
        let mut far = variant("far");
        far.network = Some(network);
        let mut data = run(0, 0, Nanos::ZERO, Vec::new());
        let sample = |&(metric, value): &(metric::Metric, f64)| Sample {
            at: Nanos::ZERO,
            metric: metric.name.to_owned(),
            value,
        };
        data.samples = samples.iter().map(sample).collect();
        execution(plan(vec![far, variant("near")], Vec::new(), 1), vec![data])
    }

    fn found(data: &ExecutionData) -> Vec<String> {
        find(&Measured::of(data), &analyse(data)).into_iter().map(|it| format!("{}: {}", it.place, it.says)).collect()
    }

    #[test]
    fn a_relay_says_what_it_leaves_out() {
        assert!(found(&data(NetworkPlan::default(), &[])).is_empty());
        let relay = NetworkPlan { by: NetworkBy::Relay, ..NetworkPlan::default() };
        let text = &found(&data(relay, &[]))[0];
        assert!(text.starts_with("far: The network was a relay that delays bytes: a connect took no round trip"));
        let mut fallback = data(NetworkPlan { loss_percent: 1.0, ..NetworkPlan::default() }, &[]);
        fallback.execution.environment.network_relay = Some("EPERM".to_owned());
        let text = &found(&fallback)[0];
        assert!(text.contains("(EPERM):") && text.contains("none of the ordered loss happened"), "{text}");
    }

    #[test]
    fn a_network_that_was_late_is_told() {
        let of = |late, overflowed| {
            let samples = [
                (metric::NETWORK_PACKETS, 1_000.0),
                (metric::NETWORK_LATE, late),
                (metric::NETWORK_LATENESS_MS_MAX, 12.4),
                (metric::NETWORK_OVERFLOWED, overflowed),
            ];
            found(&data(NetworkPlan::default(), &samples))
        };
        assert!(of(10.0, 0.0).is_empty());
        assert!(of(11.0, 0.0)[0].contains("at most 12.4 ms"));
        assert!(of(0.0, 1.0)[0].starts_with("far: The emulated network could not keep up"));
    }
}
