//! Servers of kinds for which the search was not made. Lines are known by construction, by Erlang's formulas, or by
//! simulations of 2·10⁶ to 10⁷ arrivals (`examples/truth.rs`).

use super::{
    server::{Service, Times},
    systems::System,
};
use crate::criterion::Criterion;

/// Systems on which the search was tried once it was made.
pub fn strangers() -> Vec<System> {
    use Times::{Constant, Exponential, TwoKinds};
    let p99 = |limit| Criterion::percentile(0.99, limit);
    let p95 = |limit| Criterion::percentile(0.95, limit);
    let system = System::of_rate;
    let eight = || Service::new(8, 0.010, Exponential);
    let paused = |pause, pause_every| Service { pause, pause_every, ..eight() };
    let moving = |name, service, line, before| System {
        line_before: Some(before),
        ..system(name, service, p99(0.1), line, 106e3)
    };
    // A rate is carried for ever if 99 of 100 requests have a token.
    let bucket = |name, seconds: f64| {
        let service = Service { bucket: Some((500.0, 500.0 * seconds)), ..Service::new(64, 0.005, Exponential) };
        system(name, service, Criterion::errors(0.01), 500.0 / 0.99, 11e3)
    };
    vec![
        bucket("bucket of 1 s", 1.0),
        bucket("bucket of 5 s", 5.0),
        bucket("bucket of 30 s", 30.0),
        // Erlang B.
        system(
            "20 in flight",
            Service { room: Some(20), ..Service::new(20, 0.050, Constant) },
            Criterion::errors(0.01),
            240.6,
            11e3,
        ),
        moving("leak", Service { drifts: Some((30.0, 330.0, 1.3)), ..eight() }, 560.7, 749.0),
        moving("cache fills", Service { drifts: Some((0.0, 200.0, 0.7)), ..eight() }, 1_094.0, 749.0),
        moving("scales at 60 s", Service { grows: Some((60.0, 16)), ..eight() }, 1_548.0, 749.0),
        system("0.3 s in 10 s", paused(0.3, 10.0), p95(0.1), 459.0, 36e3),
        system("2 s in 60 s", paused(2.0, 60.0), p95(0.1), 289.0, 36e3),
        // More than 1 % of the requests come in a pause and are late.
        system("0.3 s, p99", paused(0.3, 10.0), p99(0.1), 0.0, 106e3),
        system("2 s, p99", paused(2.0, 60.0), p99(0.1), 0.0, 106e3),
        system("1 % long", Service::new(8, 0.010, TwoKinds(0.01, 100.0)), p95(0.2), 595.0, 367e3),
        system(
            "0.05 % fail",
            Service { room: Some(45), failing: 0.0005, ..Service::new(20, 0.020, Exponential) },
            Criterion::errors(0.001),
            828.0,
            108e3,
        ),
        System {
            also: Some(Criterion::percentile(0.9, 0.05)),
            ..system("p99 and p90", eight(), p99(0.1), 743.0, 106e3)
        },
    ]
}
