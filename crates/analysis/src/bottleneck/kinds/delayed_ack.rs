//! Small packets wait for the other side's delayed acknowledgement: Nagle's algorithm.

use super::{
    super::{Limit, Verdict, case::Case},
    silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit = Limit {
    id: "delayed-ack",
    means: "Nagle's algorithm and delayed acknowledgements",
    find,
    cleared: silent,
    knob: super::no_knob,
};

/// Linux delays an acknowledgement by 40 ms at least.
const DELAY_MS: std::ops::RangeInclusive<f64> = 30.0..=60.0;

fn find(case: &Case) -> Option<Verdict> {
    let (light, full) = (&case.view.light, &case.view.full);
    // Nothing else can hold a body back for so long at one request at a time.
    let of_response = DELAY_MS.contains(&light.body_ms) && light.body_ms >= 0.5 * light.response_ms;
    let still = full.body_ms >= 0.5 * light.body_ms && full.body_ms >= 0.4 * full.response_ms;
    if !(of_response && still) {
        return None;
    }
    Some(Verdict {
        says: "delayed acknowledgements of responses".to_owned(),
        evidence: vec![format!(
            "the body comes {} ms after the head, also with one request at a time",
            number(light.body_ms)
        )],
        change: "Write head and body at once (a buffer), or set TCP_NODELAY (com.sun.net.httpserver: \
                 -Dsun.net.httpserver.nodelay=true)."
            .to_owned(),
    })
}
