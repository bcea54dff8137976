//! Whole loads against servers for which arithmetic gives the figures.

use plimsoll_record::{Arrivals, Histogram, Load, Nanos, Stage, ThinkTime};

use super::{Connects, Reply, Simulation, ok};

const MS: Nanos = Nanos::from_millis(1);

fn assert_close(found: Nanos, expected: Nanos, what: &str) {
    let error = found.0.abs_diff(expected.0) as f64 / expected.0 as f64;
    assert!(error < 0.002, "{what}: found {found}, arithmetic gives {expected}");
}

/// Answers 1 ms after a request came, but stands still for the first second of every ten.
fn freezing(at: Nanos) -> Vec<(Nanos, Reply)> {
    const PERIOD: u64 = 10_000_000_000;
    let into = at.0 % PERIOD;
    let thaw = Nanos(at.0 - into + 1_000_000_000);
    vec![(at.max(thaw) + MS, ok())]
}

fn constant_rate(rate: f64, seconds: u64, max_in_flight: u32) -> Load {
    Load::ConstantArrivalRate {
        rate,
        duration: Nanos::from_secs(seconds),
        arrivals: Arrivals::Even,
        max_in_flight,
        drop_late: false,
    }
}

/// One request in ten comes while the server stands still, and waits 1 s less the time since the freeze began. So the
/// share of requests that take longer than x ms is (1 − x/1000)/10: the 99th percentile is 900 ms, the 99.9th 990 ms.
fn assert_percentiles_of_the_freeze(response: &Histogram) {
    assert_close(response.quantile(0.5), MS, "median");
    assert_close(response.quantile(0.899), MS, "just below the freeze");
    assert_close(response.quantile(0.95), Nanos::from_millis(501), "p95");
    assert_close(response.quantile(0.99), Nanos::from_millis(901), "p99");
    assert_close(response.quantile(0.999), Nanos::from_millis(991), "p99.9");
    assert_close(response.max(), Nanos::from_millis(1_001), "max");
    assert_close(Nanos(response.mean_ns() as u64), Nanos::from_micros(1_000 + 50_050), "mean");
}

#[test]
fn a_server_that_freezes_shows_in_the_response_times_of_all_who_waited() {
    let simulated = Simulation::default().run(&constant_rate(1_000.0, 100, 2_000), &mut |at, _| freezing(at));
    assert_eq!(simulated.total.counts.succeeded, 100_000);
    assert_percentiles_of_the_freeze(&simulated.total.ok.response);
    assert_eq!(simulated.total.send_lag.max(), Nanos::ZERO);
}

/// With few connections the requests are held back by the generator: sent late, and their *response* times are those of
/// the freeze all the same, since they count from the intended instant. The *service* time hides the freeze:
/// coordinated omission.
#[test]
fn what_is_sent_late_counts_from_its_intended_instant() {
    // The backlog of a freeze is worked off at 100,000/s, which shifts the tail by 1 % at most.
    let few = constant_rate(1_000.0, 100, 100);
    let simulated = Simulation::default().run(&few, &mut |at, _| freezing(at));
    let total = &simulated.total;
    assert_eq!((total.counts.succeeded, total.counts.dropped), (100_000, 0));
    for (quantile, ms) in [(0.99, 901.0), (0.999, 991.0)] {
        let found = total.ok.response.quantile(quantile).as_millis_f64();
        assert!((found / ms - 1.0).abs() < 0.02, "{quantile}: {found} ms");
    }
    assert_close(total.ok.service.quantile(0.98), MS, "service time");
    assert!(total.send_lag.max() > Nanos::from_millis(890), "held back for {}", total.send_lag.max());
}

#[test]
fn what_is_dropped_is_counted() {
    let Load::ConstantArrivalRate { rate, duration, arrivals, .. } = constant_rate(1_000.0, 100, 100) else { return };
    let load = Load::ConstantArrivalRate { rate, duration, arrivals, max_in_flight: 100, drop_late: true };
    let total = Simulation::default().run(&load, &mut |at, _| freezing(at)).total;
    // In each of ten freezes the first 100 of 1,001 requests go out (the last one falls on the thaw and on the way of
    // the first answers), the rest has no slot.
    assert_eq!(total.counts.offered, 100_000);
    assert_eq!(total.counts.dropped, 10 * 901);
}

/// A closed model waits for the server, and so meets the freeze once per virtual user: that is what its response time
/// says.
#[test]
fn a_closed_model_meets_the_freeze_once_per_virtual_user() {
    let load = Load::ConstantVus { vus: 1, duration: Nanos::from_secs(100), think: ThinkTime::None };
    let total = Simulation::default().run(&load, &mut |at, _| freezing(at)).total;
    // 9,000 answers a period but for the frozen second, whose only request is the one that waits.
    assert_eq!(total.counts.succeeded, 10 * 9_000);
    assert_close(total.ok.response.quantile(0.9998), MS, "p99.98");
    assert_close(total.ok.response.max(), Nanos::from_millis(1_001), "max");
}

/// Little's law: N = X · (R + Z).
#[test]
fn think_time_follows_littles_law() {
    for think in [
        ThinkTime::Constant { pause: Nanos::from_millis(30) },
        ThinkTime::Uniform { min: Nanos::ZERO, max: Nanos::from_millis(60) },
        ThinkTime::Exponential { mean: Nanos::from_millis(30) },
    ] {
        let load = Load::ConstantVus { vus: 100, duration: Nanos::from_secs(20), think };
        let simulated = Simulation::default().run(&load, &mut |at, _| vec![(at + Nanos::from_millis(20), ok())]);
        let throughput = simulated.total.counts.succeeded as f64 / 20.0;
        assert!((throughput / 2_000.0 - 1.0).abs() < 0.02, "{think:?}: {throughput}/s, the law gives 2000/s");
    }
}

#[test]
fn iterations_are_made_neither_more_nor_less() {
    let slow_for_some = &mut |at: Nanos, _: &str| vec![(at + Nanos(1 + at.0 % 7_919), ok())];
    let shared =
        |vus, iterations| Load::SharedIterations { vus, iterations, max_duration: None, think: ThinkTime::None };
    for (vus, iterations) in [(1, 1), (10, 1_000), (100, 50)] {
        let total = Simulation::default().run(&shared(vus, iterations), slow_for_some).total;
        assert_eq!(total.counts.succeeded, iterations);
        assert_eq!(total.counts.connections_opened, u64::from(vus).min(iterations));
    }
    let ramp_up = Nanos::from_secs(10);
    let load = Load::PerVuIterations { vus: 50, iterations: 3, ramp_up, max_duration: None, think: ThinkTime::None };
    let simulated = Simulation::default().run(&load, &mut |at, _| vec![(at + MS, ok())]);
    assert_eq!(simulated.total.counts.succeeded, 150);
    assert_eq!(simulated.ended, Nanos::from_millis(9_800 + 3), "the last of 50 begins at 49/50 of the ramp-up");
    assert_eq!(simulated.intervals[0].counts.succeeded, 15, "five begin in each second");
}

#[test]
fn virtual_users_that_would_begin_after_the_end_are_not_waited_for() {
    let (ramp_up, max_duration) = (Nanos::from_secs(600), Some(Nanos::from_secs(1)));
    let load = Load::PerVuIterations { vus: 600, iterations: 1, ramp_up, max_duration, think: ThinkTime::None };
    let simulated = Simulation::default().run(&load, &mut |at, _| vec![(at + MS, ok())]);
    assert_eq!((simulated.total.counts.succeeded, simulated.ended), (1, MS));
}

#[test]
fn a_ramp_reports_each_stage_by_the_instant_intended() {
    let stage = |seconds, target| Stage { duration: Nanos::from_secs(seconds), target };
    let stages = vec![stage(10, 100.0), stage(10, 100.0), stage(10, 0.0)];
    let load = Load::RampingVus { start_vus: 0, stages, think: ThinkTime::None };
    let simulated = Simulation::default().run(&load, &mut |at, _| vec![(at + Nanos::from_millis(100), ok())]);
    let of_stage = |stage| {
        simulated.intervals.iter().filter(|interval| interval.stage == stage).map(|it| it.counts.succeeded).sum::<u64>()
    };
    // Ten requests a second and virtual user: 1,000 VU·s in the plateau, half of that in each ramp.
    assert!(of_stage(0).abs_diff(5_000) <= 100, "{}", of_stage(0));
    assert_eq!(of_stage(1), 10_000);
    assert!(of_stage(2).abs_diff(5_000) <= 100, "{}", of_stage(2));
}

#[test]
fn a_connect_counts_into_the_response_time_and_not_into_the_service_time() {
    let simulation = Simulation { connects: Connects::After(Nanos::from_millis(5)), ..Simulation::default() };
    let load = Load::SharedIterations { vus: 3, iterations: 3, max_duration: None, think: ThinkTime::None };
    let total = simulation.run(&load, &mut |at, _| vec![(at + MS, ok())]).total;
    assert_close(total.ok.response.max(), Nanos::from_millis(6), "response time");
    assert_close(total.ok.service.max(), MS, "service time");
    assert_close(total.connect.max(), Nanos::from_millis(5), "connect");
    assert_eq!((total.counts.connections_opened, total.counts.connections_reused), (3, 0));
}
