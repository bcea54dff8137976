//! Servers whose line is known: by Erlang's formula, or by simulations of 4·10⁷ arrivals.

use super::{
    arrivals::Arrivals,
    server::{Service, Times},
};
use crate::{
    answer::Answer,
    criterion::Criterion,
    posterior::{EXPECTED, LOOKING_OFTEN},
    theory::Theory,
};

/// A server, what it must keep, and its line.
#[derive(Clone, Debug)]
pub struct System {
    /// Short, for tables.
    pub name: &'static str,
    /// Its behaviour.
    pub service: Service,
    /// How requests come.
    pub arrivals: Arrivals,
    /// Users are looked for instead of a rate: the mean of their pauses, in seconds.
    pub think: Option<f64>,
    /// The criterion that it must keep.
    pub criterion: Criterion,
    /// Another one that it must keep as well.
    pub also: Option<Criterion>,
    /// The highest rate at which it keeps them, or the most users.
    pub line: f64,
    /// The line at its beginning, where it is not the same; between them it moves from the one to the other.
    pub line_before: Option<f64>,
    /// Requests that a test of one load needs at best to know the line to 5 %.
    pub requests: f64,
}

impl System {
    /// Its line is a rate, and requests come by chance (Poisson's process).
    pub(super) fn of_rate(
        name: &'static str,
        service: Service,
        criterion: Criterion,
        line: f64,
        requests: f64,
    ) -> Self {
        Self {
            name,
            service,
            arrivals: Arrivals::Poisson,
            think: None,
            criterion,
            also: None,
            line,
            line_before: None,
            requests,
        }
    }

    /// The dispersion of requests beyond the limit at `load`, as a search takes it to be before it has seen any.
    pub fn expected_dispersion(&self, load: f64) -> f64 {
        let theory = Theory::new(self.criterion, self.service.capacity(), self.think);
        EXPECTED * LOOKING_OFTEN * theory.dispersion(load)
    }

    /// Whether an interval tells no untruth: one that holds the line, or a line that it had before.
    pub fn is_true(&self, answer: &Answer) -> bool {
        let (low, high) = self.line_before.map_or((self.line, self.line), |it| (it.min(self.line), it.max(self.line)));
        answer.lower.is_none_or(|end| end.rate <= high) && answer.upper.is_none_or(|end| end.rate >= low)
    }

    /// The least time in which the line can be known to `resolution`, in seconds.
    pub fn least_seconds(&self, resolution: f64) -> f64 {
        let per_second = self.think.map_or(self.line, |think| (self.line / think).min(self.service.capacity()));
        self.requests / per_second * (0.05 / resolution).powi(2)
    }
}

/// Systems whose line is a rate.
pub fn systems() -> Vec<System> {
    use Times::{Constant, Exponential, LogNormal};
    let p99 = |limit| Criterion::percentile(0.99, limit);
    let system = System::of_rate;
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
        system("metastable", Service { slow_when_late: Some((0.3, 1.5)), ..eight() }, p99(0.1), 749.0, 106e3),
        // The line that it has from then on, by Erlang's formula.
        system("slower", Service { slower: Some((60.0, 1.1)), ..eight() }, p99(0.1), 675.3, 106e3),
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

/// Systems whose line is a number of users who pause: [mean of the pauses, line, dispersion, slope] by simulations of
/// 4·10⁷ requests at whole numbers of users next to it, and 2·10⁷ at 2 % more and fewer; the line between whole
/// numbers by the slope.
pub fn crowds() -> Vec<System> {
    use Times::{Constant, Exponential, LogNormal};
    let p99 = |limit| Criterion::percentile(0.99, limit);
    let crowd = |name, service, criterion: Criterion, [think, line, dispersion, slope]: [f64; 4]| System {
        name,
        service,
        arrivals: Arrivals::Poisson,
        think: Some(think),
        criterion,
        also: None,
        line,
        line_before: None,
        requests: dispersion / criterion.share * (2.0 * 1.96 / (slope * 0.05_f64)).powi(2),
    };
    let eight = || Service::new(8, 0.010, Exponential);
    let one = || Service::new(1, 0.010, Exponential);
    let twenty = || Service::new(20, 0.020, Exponential);
    vec![
        crowd("M/M/8, 10 s", eight(), p99(0.1), [10.0, 7_542.0, 550.0, 60.8]),
        crowd("M/M/8, 1 s", eight(), p99(0.1), [1.0, 799.6, 235.0, 48.7]),
        crowd("M/M/8, 100 ms", eight(), p99(0.1), [0.1, 123.3, 10.0, 16.0]),
        crowd("M/M/8, none", eight(), p99(0.1), [0.0, 48.4, 2.0, 6.5]),
        crowd("M/M/1, 10 s", one(), p99(0.2), [10.0, 782.0, 50.0, 16.3]),
        crowd("M/M/1, 1 s", one(), p99(0.2), [1.0, 88.5, 28.0, 14.9]),
        crowd("M/M/1, none", one(), p99(0.2), [0.0, 10.86, 5.0, 8.2]),
        crowd("M/M/20, 5 s", twenty(), p99(0.15), [5.0, 4_901.0, 630.0, 74.2]),
        crowd("M/M/64, 1 s", Service::new(64, 0.050, Exponential), p99(0.3), [1.0, 1_422.5, 12.0, 21.8]),
        crowd("50 workers, 1 s", Service::new(50, 0.100, Constant), p99(0.2), [1.0, 562.6, 240.0, 83.8]),
        crowd("log-normal, 1 s", Service::new(8, 0.020, LogNormal(1.5)), p99(0.2), [1.0, 393.1, 42.0, 11.7]),
        crowd("pauses, 1 s", Service { pause: 0.05, ..eight() }, p99(0.1), [1.0, 735.9, 82.0, 25.6]),
        crowd(
            "full queue, 1 s",
            Service { room: Some(45), ..twenty() },
            Criterion::errors(0.001),
            [1.0, 882.2, 11.0, 27.3],
        ),
        crowd("M/M/8 p90, 1 s", eight(), Criterion::percentile(0.9, 0.05), [1.0, 775.2, 205.0, 21.7]),
        crowd("M/M/8 p99.9, 1 s", eight(), Criterion::percentile(0.999, 0.15), [1.0, 819.6, 154.0, 73.5]),
    ]
}
