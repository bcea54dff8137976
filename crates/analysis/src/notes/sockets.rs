//! So many sockets that they were counted less often than all else.

use plimsoll_record::metric::tcp::SOCKET_COUNT_MS;

use super::info;
use crate::{
    measured::Measured,
    results::{Note, Results},
};

/// Counting takes at most a twentieth of the time.
const SHARE: f64 = 20.0;
/// From here on a curve of states has visible steps.
const LEAST_INTERVAL_MS: f64 = 500.0;

pub(super) fn find(measured: &Measured, _: &Results) -> Vec<Note> {
    let samples = measured.data.runs.iter().flat_map(|it| &it.samples);
    let took_ms = samples.filter(|it| it.metric == SOCKET_COUNT_MS.name).map(|it| it.value).fold(0.0, f64::max);
    let interval_ms = took_ms * SHARE;
    let note = || {
        info(format!(
            "Counting the sockets took up to {took_ms:.0} ms of CPU time, so TCP states and accept queues were looked at only every \
             {:.1} s at times, not every 0.1 s: a peak in between is not seen. Overflows and retransmits are the \
             kernel's own counts and miss nothing.",
            interval_ms / 1e3
        ))
    };
    (interval_ms >= LEAST_INTERVAL_MS).then(note).into_iter().collect()
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
        assert!(find(&Measured::of(&data), &results)[0].text.contains("only every 1.2 s"));
    }
}
