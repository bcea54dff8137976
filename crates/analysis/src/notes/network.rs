//! Emulated networks: those that had to be relays, and those that could not keep their times.

use plimsoll_record::{NetworkBy, NetworkPlan, RunData, VariantPlan, metric};

use super::{info, listed, warning};
use crate::{
    measured::Measured,
    results::{Note, Results},
};

/// Of the packets of a run.
const LATE_SHARE_MOST: f64 = 0.01;

pub(super) fn find(measured: &Measured, _: &Results) -> Vec<Note> {
    relays(measured).into_iter().chain(lateness(measured)).collect()
}

/// What a relay leaves out: a wish of the user's, or for lack of root.
fn relays(measured: &Measured) -> Option<Note> {
    let fallback = measured.data.execution.environment.network_relay.as_deref();
    let relayed: Vec<(&VariantPlan, NetworkPlan)> = measured
        .plan()
        .variants
        .iter()
        .filter_map(|variant| Some((variant, variant.network?)))
        .filter(|(_, network)| network.by == NetworkBy::Relay || fallback.is_some())
        .collect();
    let names: Vec<String> = relayed.iter().map(|(variant, _)| variant.name.clone()).collect();
    let ordered_loss = relayed.iter().any(|(_, network)| network.loss_percent > 0.0);
    let text = format!(
        "{}: the network was a relay that delays bytes{}. A connect took no round trip there, {}, and no congestion \
         window had to grow: over a real network, new connections and large responses take longer.",
        listed(&names),
        fallback.map_or(String::new(), |reason| format!(", for lack of network namespaces ({reason}): run as root")),
        if ordered_loss { "none of the ordered loss happened" } else { "nothing could be lost" }
    );
    (!relayed.is_empty()).then(|| if fallback.is_some() { warning(text) } else { info(text) })
}

/// Runs whose network was slower than ordered.
fn lateness(measured: &Measured) -> Option<Note> {
    let (mut names, mut worst_ms) = (Vec::new(), 0.0_f64);
    for run in &measured.data.runs {
        let last = |metric: metric::Metric| last_sample(run, metric.name);
        let (late, packets) = (last(metric::NETWORK_LATE), last(metric::NETWORK_PACKETS));
        if late > packets * LATE_SHARE_MOST || last(metric::NETWORK_OVERFLOWED) > 0.0 {
            worst_ms = worst_ms.max(last(metric::NETWORK_LATENESS_MS_MAX));
            names.extend(measured.plan().variants.get(run.run.variant).map(|variant| variant.name.clone()));
        }
    }
    names.sort();
    names.dedup();
    let text = || {
        format!(
            "{}: the emulated network could not keep up: more than {:.0} % of its packets came over 1 ms late, at most \
             {worst_ms:.0} ms, or some were dropped that should not be. Load less, or use a machine with more cores.",
            listed(&names),
            LATE_SHARE_MOST * 100.0
        )
    };
    (!names.is_empty()).then(|| warning(text()))
}

/// 0 if there is none.
fn last_sample(run: &RunData, metric: &str) -> f64 {
    run.samples.iter().rev().find(|sample| sample.metric == metric).map_or(0.0, |sample| sample.value)
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
        find(&Measured::of(data), &analyse(data)).into_iter().map(|note| note.text).collect()
    }

    #[test]
    fn a_relay_says_what_it_leaves_out() {
        assert!(found(&data(NetworkPlan::default(), &[])).is_empty());
        let relay = NetworkPlan { by: NetworkBy::Relay, ..NetworkPlan::default() };
        let text = &found(&data(relay, &[]))[0];
        assert!(text.starts_with("far: the network was a relay that delays bytes. A connect took no round trip"));
        let mut fallback = data(NetworkPlan { loss_percent: 1.0, ..NetworkPlan::default() }, &[]);
        fallback.execution.environment.network_relay = Some("EPERM".to_owned());
        let text = &found(&fallback)[0];
        assert!(text.contains("(EPERM): run as root") && text.contains("none of the ordered loss happened"), "{text}");
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
        assert!(of(11.0, 0.0)[0].contains("at most 12 ms"));
        assert!(of(0.0, 1.0)[0].starts_with("far: the emulated network could not keep up"));
    }
}
