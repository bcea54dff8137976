//! Servers whose line is known: by Erlang's formula, or by simulations of 4·10⁷ arrivals.

use super::{
    arrivals::Arrivals,
    server::{Service, Times},
};
use crate::criterion::Criterion;

/// A server, what it must keep, and its line.
#[derive(Clone, Debug)]
pub struct System {
    /// Short, for tables.
    pub name: &'static str,
    /// Its behaviour.
    pub service: Service,
    /// How requests come.
    pub arrivals: Arrivals,
    /// What it must keep.
    pub criterion: Criterion,
    /// The highest rate at which it does.
    pub line: f64,
    /// Requests that a test of one rate needs at best to know the line to 5 %.
    pub requests: f64,
}

impl System {
    /// The least time in which the line can be known to `resolution`, in seconds.
    pub fn least_seconds(&self, resolution: f64) -> f64 {
        self.requests / self.line * (0.05 / resolution).powi(2)
    }
}

/// All of them.
pub fn systems() -> Vec<System> {
    use Times::{Constant, Exponential, LogNormal};
    let p99 = |limit| Criterion::percentile(0.99, limit);
    let system = |name, service, criterion, line, requests| System {
        name,
        service,
        arrivals: Arrivals::Poisson,
        criterion,
        line,
        requests,
    };
    let eight = || Service::new(8, 0.010, Exponential);
    vec![
        system("M/M/1", Service::new(1, 0.010, Exponential), p99(0.2), 77.0, 143e3),
        system("M/M/4", Service::new(4, 0.020, Exponential), p99(0.2), 175.0, 128e3),
        system("M/M/8", eight(), p99(0.1), 749.0, 106e3),
        system("M/M/20", Service::new(20, 0.020, Exponential), p99(0.15), 962.0, 94e3),
        system("M/M/64", Service::new(64, 0.050, Exponential), p99(0.3), 1256.0, 92e3),
        system("M/D/1", Service::new(1, 0.010, Constant), p99(0.1), 77.4, 69e3),
        system("log-normal", Service::new(8, 0.020, LogNormal(1.5)), p99(0.2), 351.0, 367e3),
        system("50 workers", Service::new(50, 0.100, Constant), p99(0.2), 479.0, 65e3),
        system("pauses", Service { pause: 0.05, ..eight() }, p99(0.1), 694.0, 120e3),
        system("warm-up", Service { cold: 3.0, ..eight() }, p99(0.1), 749.0, 106e3),
        system("metastable", Service { slow_when_late: Some((1.0, 1.5)), ..eight() }, p99(0.1), 749.0, 106e3),
        system(
            "full queue",
            Service { room: Some(45), ..Service::new(20, 0.020, Exponential) },
            Criterion::errors(0.001),
            850.0,
            108e3,
        ),
        system(
            "rate limit",
            Service { per_second: Some(500), ..Service::new(64, 0.005, Exponential) },
            Criterion::errors(0.01),
            491.0,
            11e3,
        ),
        system("M/M/8 p90", eight(), Criterion::percentile(0.9, 0.05), 743.0, 36e3),
        system("M/M/8 p99.9", eight(), Criterion::percentile(0.999, 0.15), 751.0, 413e3),
        System { arrivals: Arrivals::Even, ..system("M/M/8 evenly", eight(), p99(0.1), 774.0, 59e3) },
        System { arrivals: Arrivals::Batches(10), ..system("M/M/8 batches", eight(), p99(0.1), 551.0, 721e3) },
        system("M/M/1 slow", Service::new(1, 0.200, Exponential), p99(2.0), 2.7, 240e3),
    ]
}
