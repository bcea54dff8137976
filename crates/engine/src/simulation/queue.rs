//! An M/M/c queue, for which Erlang's formula gives the truth: Poisson arrivals, c servers with exponential service
//! times, first come, first served.
//!
//! The intervals are of independent replications: runs with seeds of their own, each of which begins in the steady
//! state, so that nothing need be cut off. A percentile is that of all replications together, its interval the
//! jackknife's over them: that of one short run would be biased, since queues are long seldom, and then for long.

use std::collections::BinaryHeap;

use plimsoll_record::{Arrivals, Histogram, Load, Nanos};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{Reply, Simulated, Simulation, ok};
use crate::schedule::exponential;

const SERVERS: u32 = 4;
const SERVICE_MEAN_S: f64 = 0.02;
const REPLICATIONS: u64 = 25;
/// Student's t for 25 replications and 99 % confidence: of the comparisons here, one in twenty would miss at 95 %.
const T_99: f64 = 2.797;

/// Predictions of queueing theory.
struct Erlang {
    /// Requests a second that one server carries.
    service_rate: f64,
    /// Requests a second that servers and arrivals leave over: the rate at which a queue clears.
    spare_rate: f64,
    /// Erlang C: the probability that a request must wait.
    waits: f64,
}

impl Erlang {
    fn of(servers: u32, load: f64) -> Self {
        let offered = load * f64::from(servers);
        let mut term = 1.0;
        let mut sum = 0.0;
        for k in 0..servers {
            sum += term;
            term *= offered / f64::from(k + 1);
        }
        let waits = term / (term + (1.0 - load) * sum);
        let service_rate = 1.0 / SERVICE_MEAN_S;
        Self { service_rate, spare_rate: f64::from(servers) * service_rate * (1.0 - load), waits }
    }

    fn mean_wait_s(&self) -> f64 {
        self.waits / self.spare_rate
    }

    /// The probability that a response takes longer than `t` seconds: its wait is 0, or with probability `waits`
    /// exponential with the spare rate; its service is exponential; the two are independent.
    fn longer_than(&self, t: f64) -> f64 {
        let (spare, service) = (self.spare_rate, self.service_rate);
        let both = (spare * (-service * t).exp() - service * (-spare * t).exp()) / (spare - service);
        (1.0 - self.waits) * (-service * t).exp() + self.waits * both
    }

    /// The inverse, by bisection: it has no closed form.
    fn response_quantile_s(&self, quantile: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1_000.0);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if self.longer_than(middle) > 1.0 - quantile { low = middle } else { high = middle }
        }
        low
    }
}

/// The servers: the instants at which each will be free, negative so that the earliest is on top.
struct Servers {
    rng: Xoshiro256PlusPlus,
    free_at: BinaryHeap<std::cmp::Reverse<Nanos>>,
    service_s_sum: f64,
}

impl Servers {
    /// In the steady state: as many requests are there already as the stationary distribution says, each with a whole
    /// service before it, since an exponential time does not age.
    fn in_steady_state(load: f64, seed: u64) -> Self {
        let free_at = (0..SERVERS).map(|_| std::cmp::Reverse(Nanos::ZERO)).collect();
        let mut servers = Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed), free_at, service_s_sum: 0.0 };
        for _ in 0..servers.draw_number_there(load) {
            servers.serve(Nanos::ZERO);
        }
        servers.service_s_sum = 0.0;
        servers
    }

    fn draw_number_there(&mut self, load: f64) -> u32 {
        let offered = load * f64::from(SERVERS);
        let weight = |n: u32| (0..n).map(|k| offered / f64::from((k + 1).min(SERVERS))).product::<f64>();
        let weights: Vec<f64> = (0..1_000).map(weight).collect();
        let mut left = self.rng.random::<f64>() * weights.iter().sum::<f64>();
        let position = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        position.unwrap_or(0) as u32
    }

    /// When a request that comes at `at` is done.
    fn serve(&mut self, at: Nanos) -> Nanos {
        let std::cmp::Reverse(free) = self.free_at.pop().expect("there are servers");
        let service_s = SERVICE_MEAN_S * exponential(&mut self.rng);
        self.service_s_sum += service_s;
        let done = at.max(free) + Nanos::from_secs_f64(service_s);
        self.free_at.push(std::cmp::Reverse(done));
        done
    }
}

/// A figure of all replications, with the variance that its differences between them give it.
struct Figure {
    name: String,
    truth: f64,
    found: f64,
    variance: f64,
}

impl Figure {
    /// The mean of one value per replication.
    fn mean(name: &str, truth: f64, values: &[f64]) -> Self {
        let n = values.len() as f64;
        let found = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|x| (x - found).powi(2)).sum::<f64>() / (n - 1.0) / n;
        Self { name: name.to_owned(), truth, found, variance }
    }

    /// A quantile of all histograms together; its variance by leaving out one at a time (the jackknife).
    fn quantile(name: &str, truth: f64, quantile: f64, histograms: &[&Histogram]) -> Self {
        let n = histograms.len() as f64;
        let without = |left_out: Option<usize>| {
            let mut merged = Histogram::new();
            let kept = histograms.iter().enumerate().filter(|&(index, _)| Some(index) != left_out);
            kept.for_each(|(_, histogram)| merged.merge(histogram));
            merged.quantile(quantile).as_secs_f64()
        };
        let parts: Vec<f64> = (0..histograms.len()).map(|index| without(Some(index))).collect();
        let mean = parts.iter().sum::<f64>() / n;
        let variance = parts.iter().map(|x| (x - mean).powi(2)).sum::<f64>() * (n - 1.0) / n;
        Self { name: format!("p{} of {name}", quantile * 100.0), truth, found: without(None), variance }
    }

    /// The interval has the truth in it, and is narrow enough to say something.
    fn assert_agrees(&self, relative_width_max: f64) {
        let Self { name, truth, found, variance } = self;
        let half = T_99 * variance.sqrt();
        let text = format!("{name}: {found:.6} s ± {half:.6}, Erlang C gives {truth:.6}");
        println!("{text}");
        assert!((found - truth).abs() <= half, "{text}");
        assert!(half < relative_width_max * truth, "too wide to say anything: {text}");
    }
}

/// One replication: arrivals at `load` (a share of the capacity) for as long as `requests` take on average.
fn replicate(load: f64, requests: f64, max_in_flight: u32, seed: u64) -> (Simulated, Servers) {
    let rate = load * f64::from(SERVERS) / SERVICE_MEAN_S;
    let duration = Nanos::from_secs_f64(requests / rate);
    let arrivals = Arrivals::Poisson;
    let load_model = Load::ConstantArrivalRate { rate, duration, arrivals, max_in_flight, drop_late: false };
    let mut simulation = Simulation { interval: Nanos::from_secs(10), ..Simulation::default() };
    simulation.options.seed = seed;
    let mut servers = Servers::in_steady_state(load, seed ^ 0x5eed);
    let mut answer = |at: Nanos, _: &str| -> Vec<(Nanos, Reply)> { vec![(servers.serve(at), ok())] };
    (simulation.run(&load_model, &mut answer), servers)
}

/// Mean wait and response times of `REPLICATIONS` runs against Erlang C.
fn assert_agrees_with_erlang_c(load: f64, requests: f64, relative_width_max: f64) {
    let erlang = Erlang::of(SERVERS, load);
    let runs: Vec<_> = (0..REPLICATIONS).map(|seed| replicate(load, requests, 1_000, seed)).collect();
    let wait = |(simulated, servers): &(Simulated, Servers)| {
        let total = &simulated.total;
        assert_eq!(total.counts.offered, total.counts.succeeded);
        total.ok.response.mean_ns() / 1e9 - servers.service_s_sum / total.counts.succeeded as f64
    };
    let waits: Vec<f64> = runs.iter().map(wait).collect();
    Figure::mean("mean wait", erlang.mean_wait_s(), &waits).assert_agrees(relative_width_max);
    let responses: Vec<_> = runs.iter().map(|(simulated, _)| &simulated.total.ok.response).collect();
    for quantile in [0.5, 0.9, 0.99] {
        let truth = erlang.response_quantile_s(quantile);
        Figure::quantile("the response time", truth, quantile, &responses).assert_agrees(relative_width_max);
    }
}

#[test]
fn at_half_of_capacity_it_waits_as_erlang_says() {
    assert_agrees_with_erlang_c(0.5, 8_000.0, 0.1);
}

#[test]
fn at_80_percent_of_capacity_it_waits_as_erlang_says() {
    assert_agrees_with_erlang_c(0.8, 8_000.0, 0.15);
}

#[test]
fn at_95_percent_of_capacity_it_waits_as_erlang_says() {
    assert_agrees_with_erlang_c(0.95, 30_000.0, 0.25);
}

/// With as many requests in flight as there are servers, the queue is in the generator: nobody waits at the server, and
/// the send lag is the wait. Response times are the same, since they count from the intended instant; service times are
/// those of an empty shop.
#[test]
fn a_queue_in_the_generator_is_the_same_queue() {
    let load = 0.8;
    let erlang = Erlang::of(SERVERS, load);
    let runs: Vec<_> = (0..REPLICATIONS).map(|seed| replicate(load, 8_000.0, SERVERS, seed).0.total).collect();
    let waits: Vec<f64> = runs.iter().map(|total| total.send_lag.mean_ns() / 1e9).collect();
    let response: Vec<_> = runs.iter().map(|total| &total.ok.response).collect();
    let service: Vec<_> = runs.iter().map(|total| &total.ok.service).collect();
    for figure in [
        Figure::mean("mean send lag", erlang.mean_wait_s(), &waits),
        Figure::quantile("the response time", erlang.response_quantile_s(0.9), 0.9, &response),
        Figure::quantile("the service time", SERVICE_MEAN_S * 10_f64.ln(), 0.9, &service),
    ] {
        figure.assert_agrees(0.1);
    }
}

#[test]
fn erlangs_formula_gives_the_figures_of_the_textbooks() {
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-4, "{found}, expected {expected}");
    // One server: an M/M/1 queue, whose response time is exponential with the spare rate.
    let single = Erlang::of(1, 0.8);
    near(single.waits, 0.8);
    near(single.mean_wait_s(), 0.8 * SERVICE_MEAN_S / 0.2);
    near(single.response_quantile_s(0.99), -0.01_f64.ln() * SERVICE_MEAN_S / 0.2);
    // Two at 3/4, by hand: 2ρ²/(1 + ρ).
    near(Erlang::of(2, 0.75).waits, 2.0 * 0.75 * 0.75 / 1.75);
    near(Erlang::of(4, 0.5).waits, 0.173_913);
}
