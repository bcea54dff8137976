//! The strategies of others, on a server without chance.

use plimsoll_search::{
    Criterion,
    testing::{Arrivals, Service, System, Times, peers},
};

/// One worker of 10 ms, requests evenly spaced: below 100 per second none waits, above it all do after a while.
fn without_chance() -> System {
    System {
        name: "without chance",
        service: Service::new(1, 0.010, Times::Constant),
        arrivals: Arrivals::Even,
        think: None,
        criterion: Criterion::percentile(0.99, 0.0105),
        also: None,
        line: 100.0,
        line_before: None,
        requests: 1.0,
    }
}

#[test]
fn each_finds_a_line_that_no_chance_hides() {
    let system = without_chance();
    for peer in peers() {
        for seed in 0..10 {
            let (interval, seconds) = peer.search(&system, 0.05, seed);
            assert!(interval.holds(system.line), "{}: {interval:?}", peer.name);
            assert!(interval.width() < 0.0501, "{}: {interval:?}", peer.name);
            assert!(seconds <= 600.0, "{}: {seconds}", peer.name);
        }
    }
}

#[test]
fn none_finds_a_rate_that_a_failing_server_carries() {
    let mut system = without_chance();
    system.service.failing = 1.0;
    for peer in peers() {
        let (interval, _) = peer.search(&system, 0.05, 1);
        assert!(interval.lower < 11.0, "{}: {interval:?}", peer.name);
        assert!(interval.upper < 53.0, "{}: {interval:?}", peer.name);
    }
}
