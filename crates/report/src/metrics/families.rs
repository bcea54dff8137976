//! All metrics.

use plimsoll_record::{Counts, Histogram, Interval};

use super::{Family, Labels, Measured, Points, Unit};

/// A counter: name, unit, help, and how it is read.
type Counter = (&'static str, Unit, &'static str, fn(&Counts) -> u64);
/// Times: name, help, and how they are read.
type Times = (&'static str, &'static str, fn(&Interval) -> &Histogram);

const COUNTERS: &[Counter] = &[
    ("k6_iterations", Unit::One, "Iterations that ended.", |it| it.iterations),
    ("k6_dropped_iterations", Unit::One, "Requests given up before they were sent.", |it| it.dropped),
    ("k6_data_sent", Unit::Bytes, "Bytes sent, headers included.", |it| it.bytes_sent),
    ("k6_data_received", Unit::Bytes, "Bytes received, headers included.", |it| it.bytes_received),
    ("plimsoll_requests_offered", Unit::One, "Requests whose intended instant came.", |it| it.offered),
    ("plimsoll_requests_sent", Unit::One, "Requests written to a connection.", |it| it.sent),
    ("plimsoll_requests_abandoned", Unit::One, "Requests whose response was not awaited.", |it| it.abandoned),
    ("plimsoll_connections_opened", Unit::One, "Connections established.", |it| it.connections_opened),
    ("plimsoll_connections_reused", Unit::One, "Requests on a connection that had carried one.", |it| {
        it.connections_reused
    }),
    ("plimsoll_tls_handshakes", Unit::One, "TLS handshakes completed.", |it| it.tls_handshakes),
    ("plimsoll_tls_resumed", Unit::One, "TLS handshakes that resumed a session.", |it| it.tls_resumed),
];

const TIMES: &[Times] = &[
    ("k6_http_req_blocked", "Waiting for a connection, of requests that had to.", |it| &it.connection_wait),
    ("k6_http_req_connecting", "TCP connects.", |it| &it.connect),
    ("k6_http_req_tls_handshaking", "TLS handshakes.", |it| &it.tls),
    ("k6_http_req_waiting", "From sent to the first byte of the response.", |it| &it.first_byte),
    ("k6_http_req_receiving", "From the first byte of the response to its last.", |it| &it.body),
    ("k6_iteration_duration", "Iterations of several requests, pauses included.", |it| &it.iteration),
    ("plimsoll_dns", "Name resolution, where it is made for each connection.", |it| &it.dns),
    ("plimsoll_send_lag", "From intended until the generator acted: how late it was.", |it| &it.send_lag),
];

/// Every metric that has a value. `vus` are virtual users now, by scenario.
pub fn families(all: &[Measured], vus: &[(String, f64)]) -> Vec<Family> {
    let mut families = vec![requests(all), failed_rate(all)];
    let vus = vus.iter().map(|(scenario, vus)| (vec![("scenario", scenario.clone())], *vus)).collect();
    families.push(Family { name: "k6_vus", help: "Virtual users.", points: Points::Gauge(vus) });
    families.push(by_outcome(
        all,
        "k6_http_req_duration",
        "Service time: done - sent. k6's name for it; see plimsoll_response_time for what a user waits.",
        |timings| &timings.service,
    ));
    families.push(by_outcome(
        all,
        "plimsoll_response_time",
        "Response time: done - intended, what a user waits.",
        |timings| &timings.response,
    ));
    families.extend(TIMES.iter().map(|&(name, help, of)| times(all, name, help, of)));
    families.extend(COUNTERS.iter().map(|&(name, unit, help, of)| counter(all, name, unit, help, of)));
    families.extend([errors(all), checks(all), generator(all)]);
    families.retain(|family| match &family.points {
        Points::Counter(_, points) | Points::Gauge(points) => !points.is_empty(),
        Points::Times(points) => !points.is_empty(),
    });
    families
}

fn labels(measured: &Measured, more: &[(&'static str, String)]) -> Labels {
    let own = [("scenario", measured.scenario.clone()), ("name", measured.name.clone())];
    own.into_iter().chain(more.iter().cloned()).collect()
}

/// Requests by status, as in k6: 0 stands for no response.
fn requests(all: &[Measured]) -> Family {
    let of = |measured: &Measured| {
        let interval = &measured.interval;
        let answered: u64 = interval.statuses.values().sum();
        let unanswered = interval.ended().saturating_sub(answered);
        let statuses = interval.statuses.iter().map(|(&status, &count)| (status, count));
        let statuses = statuses.chain((unanswered > 0).then_some((0, unanswered)));
        statuses.map(|(status, count)| (labels(measured, &[("status", status.to_string())]), count as f64)).collect()
    };
    let points = all.iter().flat_map(|measured| -> Vec<_> { of(measured) }).collect();
    Family { name: "k6_http_reqs", help: "Requests that ended.", points: Points::Counter(Unit::One, points) }
}

fn failed_rate(all: &[Measured]) -> Family {
    let share = |it: &Interval| it.counts.failed as f64 / it.ended() as f64;
    let ended = all.iter().filter(|it| it.interval.ended() > 0);
    let points = ended.map(|it| (labels(it, &[]), share(&it.interval))).collect();
    Family { name: "k6_http_req_failed_rate", help: "Share of requests that failed.", points: Points::Gauge(points) }
}

fn by_outcome(
    all: &[Measured],
    name: &'static str,
    help: &'static str,
    of: fn(&plimsoll_record::Timings) -> &Histogram,
) -> Family {
    let both = |it: &Measured| {
        [("true", of(&it.interval.ok).clone()), ("false", of(&it.interval.failed).clone())]
            .map(|(expected, times)| (labels(it, &[("expected_response", expected.to_owned())]), times))
    };
    let points = all.iter().flat_map(both).filter(|(_, times)| !times.is_empty()).collect();
    Family { name, help, points: Points::Times(points) }
}

fn times(all: &[Measured], name: &'static str, help: &'static str, of: fn(&Interval) -> &Histogram) -> Family {
    let there = all.iter().filter(|it| !of(&it.interval).is_empty());
    let points = there.map(|it| (labels(it, &[]), of(&it.interval).clone())).collect();
    Family { name, help, points: Points::Times(points) }
}

fn counter(all: &[Measured], name: &'static str, unit: Unit, help: &'static str, of: fn(&Counts) -> u64) -> Family {
    let points = all.iter().map(|it| (labels(it, &[]), of(&it.interval.counts) as f64)).collect();
    Family { name, help, points: Points::Counter(unit, points) }
}

fn errors(all: &[Measured]) -> Family {
    let of = |it: &Measured| -> Vec<_> {
        let errors = it.interval.errors.iter();
        errors.map(|(kind, error)| (labels(it, &[("kind", kind.to_string())]), error.count as f64)).collect()
    };
    let points = Points::Counter(Unit::One, all.iter().flat_map(of).collect());
    Family { name: "plimsoll_errors", help: "Failed requests by kind.", points }
}

fn checks(all: &[Measured]) -> Family {
    let of = |it: &Measured| -> Vec<_> {
        let checks = it.interval.checks.iter().filter(|(_, check)| check.passed + check.failed > 0);
        let share = checks.map(|(name, check)| {
            let share = check.passed as f64 / (check.passed + check.failed) as f64;
            (labels(it, &[("check", name.clone())]), share)
        });
        share.collect()
    };
    let points = Points::Gauge(all.iter().flat_map(of).collect());
    Family { name: "k6_checks_rate", help: "Share of responses for which a check held.", points }
}

fn generator(all: &[Measured]) -> Family {
    let busiest = all.iter().map(|it| it.interval.generator.busiest_worker_percent).reduce(f64::max);
    let points = Points::Gauge(busiest.into_iter().map(|percent| (Labels::new(), percent)).collect());
    let help = "CPU of the busiest worker of the generator, its highest second; 100 is one core.";
    Family { name: "plimsoll_generator_busiest_worker_percent", help, points }
}
