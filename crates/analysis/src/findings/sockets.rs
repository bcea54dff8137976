//! Sockets that were too many to be counted at each sample.

use plimsoll_record::metric::tcp::SOCKET_COUNT_MS;

use crate::{
    measured::Measured,
    results::{Finding, Kind, Measure, Results, Weight},
    text::number,
};

pub(super) const KINDS: &[&Kind] = &[&SELDOM];

static SELDOM: Kind = Kind {
    id: "sockets-counted-seldom",
    title: "sockets counted seldom",
    weight: Weight::Info,
    means: "Counting the sockets took so long that TCP states and accept queues were sampled less often than every \
            0.1 s: a peak in between is not seen. Overflows and retransmits are the kernel's own counts and miss \
            nothing.",
    remedy: "",
    evidence: &[
        Measure { name: "interval", unit: "ms", about: "longest interval between two counts" },
        Measure { name: "count_time", unit: "ms", about: "CPU time of the longest count" },
    ],
};

/// Counting takes at most 1 / this of the time.
const SHARE: f64 = 20.0;
/// At longer intervals a curve of socket states has visible steps.
const LEAST_INTERVAL_MS: f64 = 500.0;

pub(super) fn find(measured: &Measured, _: &Results) -> Vec<Finding> {
    let samples = measured.data.runs.iter().flat_map(|it| &it.samples);
    let took_ms = samples.filter(|it| it.metric == SOCKET_COUNT_MS.name).map(|it| it.value).fold(0.0, f64::max);
    let interval_ms = took_ms * SHARE;
    let says = || {
        format!(
            "Counting the sockets took up to {} ms of CPU time, so TCP states and accept queues were sampled every \
             {} s at times, not every 0.1 s: a peak in between is not seen. Overflows and retransmits are the \
             kernel's own counts and miss nothing.",
            number(took_ms),
            number(interval_ms / 1e3)
        )
    };
    let found = || SELDOM.everywhere(says()).with("interval", interval_ms).with("count_time", took_ms);
    (interval_ms >= LEAST_INTERVAL_MS).then(found).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Nanos, Sample};

    use super::*;
    use crate::{analyse, testing::greetings};

    #[test]
    fn only_what_leaves_gaps_is_told() {
        let mut data = greetings();
        let results = analyse(&data);
        let sample = |value| Sample { at: Nanos::ZERO, metric: SOCKET_COUNT_MS.name.to_owned(), value };
        data.runs[0].samples.push(sample(6.0));
        assert!(find(&Measured::of(&data), &results).is_empty());
        data.runs[0].samples.push(sample(60.0));
        assert!(find(&Measured::of(&data), &results)[0].says.contains("every 1.2 s"));
    }
}
