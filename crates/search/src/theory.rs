//! Facts from queueing theory in heavy traffic, within a factor of two of every server that was simulated: how bursty
//! responses beyond a limit are, how long a queue remembers, how steep the share of late responses is at the line.

use crate::criterion::Criterion;

/// Even where theory says more, a server is not taken to be nearer to its capacity than this part of [`Theory::margin`]
/// at the line.
const LEAST_MARGIN: f64 = 0.4;
/// Failures come from full queues and rate limits, whose memory is short.
const ERRORS_MEMORY: f64 = 0.5;
const ERRORS_SLOPE: f64 = 28.0;
const ERRORS_DISPERSION: f64 = 28.0;

/// Expectations about a criterion on a server of a known capacity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theory {
    criterion: Criterion,
    capacity: f64,
    /// Margin between line and capacity, as a share of the capacity.
    at_line: f64,
}

impl Theory {
    pub fn new(criterion: Criterion, capacity: f64) -> Self {
        let at_line = criterion.limit.map_or(0.0, |limit| (1.0 / criterion.share).ln() / (capacity * limit)).min(0.9);
        Self { criterion, capacity, at_line }
    }

    /// The line, by theory alone.
    pub fn line(&self) -> f64 {
        self.capacity * (1.0 - self.at_line)
    }

    /// The capacity that a server has at least, if it carries `rate`: half of the margin that is expected stays free.
    pub fn least_capacity(&self, rate: f64) -> f64 {
        rate / (1.0 - 0.5 * self.at_line)
    }

    /// How far `rate` is below the capacity, as a share of it.
    fn margin(&self, rate: f64) -> f64 {
        (1.0 - rate / self.capacity).max(LEAST_MARGIN * self.at_line).clamp(1e-3, 1.0)
    }

    /// Whether bursts are surely shorter than the windows in which their dispersion is measured: those of failures are.
    pub fn is_memory_short(&self) -> bool {
        self.criterion.limit.is_none()
    }

    /// The time in which a queue forgets, in seconds.
    pub fn relaxation(&self, rate: f64) -> f64 {
        match self.criterion.limit {
            Some(_) => (2.0 / (self.capacity * self.margin(rate).powi(2))).clamp(0.02, 20.0),
            None => ERRORS_MEMORY,
        }
    }

    /// The variance of the number of requests beyond the limit, divided by its mean, for a service of exponential
    /// times; others have a multiple of it.
    pub fn dispersion(&self, rate: f64) -> f64 {
        match self.criterion.limit {
            Some(_) => 4.0 / self.margin(rate).powi(2),
            None => ERRORS_DISPERSION,
        }
    }

    /// The slope of the share at `line`: d ln(share) / d ln(rate).
    pub fn slope(&self, line: f64) -> f64 {
        match self.criterion.limit {
            Some(_) => {
                let load = (line / self.capacity).min(1.0);
                0.75 * (1.0 / self.criterion.share).ln() * load / self.margin(line)
            }
            None => ERRORS_SLOPE,
        }
    }
}

/// How many requests it takes to know a line to `resolution` (0.05: 5 %), at best, on a server of exponential service
/// times. Constant times take half of it, heavy tails up to seven times as many.
pub fn requests_needed(criterion: Criterion, resolution: f64) -> f64 {
    let p = criterion.share;
    match criterion.limit {
        Some(_) => 61.0 / (resolution.powi(2) * (1.0 / p).ln().powi(2) * p),
        // Twice 1.96 standard deviations of ln(share), divided by the slope.
        None => ERRORS_DISPERSION / p * (2.0 * 1.96 / (ERRORS_SLOPE * resolution)).powi(2),
    }
}
