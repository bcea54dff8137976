//! A load over TLS at a rate, of a flow of three requests with checks.

use std::collections::BTreeMap;

use plimsoll_analysis::results::{MedianP99, RequestResults, Results, Times, Totals};
use plimsoll_record::{Arrivals, CheckCount, Counts, ErrorKind, Load, Nanos};

use super::{error, figure, load};

/// Everything that a single load can have.
pub fn flow() -> Results {
    let mut results = load();
    results.levels[0].load = Load::ConstantArrivalRate {
        rate: 1_800.0,
        duration: Nanos::from_millis(1_500),
        arrivals: Arrivals::Even,
        max_in_flight: 10_000,
        drop_late: false,
    };
    let level = results.variants[0].levels[0].as_mut().unwrap();
    level.offered_per_s = figure(1_800.0, 0.0, 1);
    let phase = |median, p99| Some(MedianP99 { median, p99 });
    level.connection_wait_ms = phase(3.1, 19.0);
    level.dns_ms = phase(0.2, 1.4);
    level.tls_ms = phase(2.0, 6.5);
    level.iteration_ms = phase(3_210.0, 4_020.0);
    level.requests = vec![
        request("list orders", 1_350, 0, Some(1_050.0)),
        request("add to basket", 1_338, 9, Some(1_120.0)),
        request("pay", 0, 3, None),
    ];
    let totals = &mut level.totals;
    totals.counts.iterations = 1_338;
    totals.counts.connections_opened = 300;
    totals.counts.connections_reused = 2_400;
    totals.counts.tls_handshakes = 300;
    totals.counts.tls_resumed = 212;
    totals.checks = BTreeMap::from([
        ("body has `id`".to_owned(), CheckCount { passed: 2_679, failed: 9 }),
        ("status is 200".to_owned(), CheckCount { passed: 2_688, failed: 3 }),
    ]);
    totals.errors.insert(ErrorKind::CheckFailed, error(9, "body has `id`: expected it to contain `id`, found `{}`"));
    results
}

fn request(name: &str, succeeded: u64, failed: u64, median_ms: Option<f64>) -> RequestResults {
    let times = |share: f64| {
        median_ms.map(|ms| Times {
            mean_ms: ms * share * 1.01,
            median_ms: ms * share,
            p90_ms: ms * share * 1.07,
            p95_ms: ms * share * 1.1,
            p99_ms: ms * share * 1.17,
            p999_ms: ms * share * 1.26,
            p9999_ms: ms * share * 1.33,
            min_ms: ms * share * 0.97,
            max_ms: ms * share * 1.4,
        })
    };
    RequestResults {
        name: name.to_owned(),
        throughput_per_s: succeeded as f64 / 1.5,
        response: times(1.0),
        service: times(0.98),
        totals: Totals {
            counts: Counts {
                offered: succeeded + failed,
                sent: succeeded + failed,
                succeeded,
                failed,
                ..Counts::default()
            },
            ..Totals::default()
        },
    }
}

/// Two scenarios at the same time: the load, and the flow.
pub fn scenarios() -> Results {
    let (mut results, buy) = (load(), flow());
    results.levels[0].label = "browse".to_owned();
    results.levels.extend(buy.levels);
    results.levels[1].label = "buy".to_owned();
    results.variants[0].levels.extend(buy.variants.into_iter().flat_map(|variant| variant.levels));
    results
}
