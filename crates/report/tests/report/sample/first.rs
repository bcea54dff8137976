//! First requests: the first ones are slow, the rest are not; one fails in every round.

use plimsoll_analysis::results::{FirstCall, FirstRequests, JvmFigures, TimingPart};

use super::figure;

/// Fifteen calls that come down to `own_ms`, of which the third fails.
pub fn of(own_ms: f64, rounds: u32) -> FirstRequests {
    let ms = |call: u32| own_ms * (1.0 + 60.0 / f64::from(call * call));
    let call = |call: u32| FirstCall {
        call,
        response_ms: (call != 3).then(|| figure(ms(call), 0.05, rounds)),
        failed_rounds: if call == 3 { rounds } else { 0 },
    };
    let part = |name: &str, share: f64| TimingPart { name: name.to_owned(), ms: figure(ms(1) * share, 0.05, rounds) };
    FirstRequests {
        calls: (1..=15).map(call).collect(),
        rest_ms: Some(figure(ms(13), 0.02, rounds)),
        server_timing: vec![part("connect", 0.6), part("tls", 0.3)],
        jvm: JvmFigures {
            classes_loaded: Some(figure(1_234.0, 0.02, rounds)),
            class_load_ms: Some(figure(86.0, 0.05, rounds)),
            ..JvmFigures::default()
        },
    }
}
