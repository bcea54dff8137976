//! Facts from queueing theory in heavy traffic, within a factor of two of every server that was simulated: how bursty
//! responses beyond a limit are, how long a queue remembers, how steep the share of late responses is at the line.

mod users;

use self::users::Users;
use crate::criterion::Criterion;

/// The least margin that is assumed at any load, as a part of [`Theory::margin`] at the line.
const LEAST_MARGIN: f64 = 0.4;
/// The relaxation time of failures, in seconds: they come from full queues and rate limits, whose memory is short.
const ERRORS_MEMORY: f64 = 0.2;
const ERRORS_SLOPE: f64 = 28.0;
const ERRORS_DISPERSION: f64 = 28.0;
/// The slope at the line as a part of what theory says: for rates, and for users.
const SLOPE: f64 = 0.75;
const SLOPE_OF_USERS: f64 = 0.65;
/// Variance of the number of late requests, divided by its mean, times the square of the margin.
const BURSTS: f64 = 4.0;
/// Dispersions of arrivals that are taken for 1, that of a Poisson process.
const RANDOM: std::ops::Range<f64> = 0.8..1.25;
/// Bursts that must have been expected, if their absence shall be no chance.
const CLEAR_BURSTS: f64 = 4.0;
/// Relaxation times at the beginning of a trial that are left out, since its queue is still filling.
const SETTLING: f64 = 6.0;
/// The same in seconds, at least and at most; and at most with users who pause for long.
const SETTLING_RANGE: (f64, f64) = (0.5, 8.0);
const SETTLING_OF_USERS: f64 = 30.0;
/// A margin from which on a load is far from the capacity.
const FAR: f64 = 0.25;
/// The part of the expected dispersion that is seen, on average.
const SEEN: f64 = 0.8;

/// Expectations about a criterion on a server of a known capacity. A load is requests per second, or users.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theory {
    criterion: Criterion,
    capacity: f64,
    users: Option<Users>,
    /// The line, by theory alone.
    line: f64,
    /// The margin there, as a share of the capacity.
    at_line: f64,
    /// How far the queue varies, as a multiple of the same with Poisson arrivals and exponential service times.
    variability: f64,
}

impl Theory {
    /// `think`: of users, the mean of their pauses, in seconds.
    pub fn new(criterion: Criterion, capacity: f64, think: Option<f64>) -> Self {
        let users =
            think.map(|think| Users { capacity, think, limit: criterion.limit.unwrap_or(0.0), share: criterion.share });
        let (line, at_line) = match (users, criterion.limit) {
            (Some(users), Some(_)) => (users.line(), users.margin(users.line())),
            (Some(users), None) => (users.capacity * users.think.max(0.1), 0.0),
            (None, limit) => {
                let margin = limit.map_or(0.0, |limit| (1.0 / criterion.share).ln() / (capacity * limit)).min(0.9);
                (capacity * (1.0 - margin), margin)
            }
        };
        Self { criterion, capacity, users, line, at_line, variability: 1.0 }
    }

    /// The same where the number of requests per time has a variance of `dispersion` times its mean: half of the
    /// randomness is that of arrivals (Kingman 1961).
    pub fn with_arrivals(self, dispersion: f64) -> Self {
        let is_random = RANDOM.contains(&dispersion) || self.users.is_some();
        Self { variability: if is_random { 1.0 } else { 0.5 * (1.0 + dispersion) }, ..self }
    }

    /// The line, by theory alone.
    pub fn line(&self) -> f64 {
        self.line
    }

    /// Requests per second at that line.
    pub fn per_second(&self) -> f64 {
        self.users.map_or(self.line, |users| (self.line / users.think).min(self.capacity))
    }

    /// The capacity that a server has at least, if it carries `rate`: half of the margin that is expected stays free,
    /// which is less where requests are evenly spaced.
    pub fn least_capacity(&self, rate: f64) -> f64 {
        rate / (1.0 - 0.5 * self.at_line * self.variability.min(1.0))
    }

    /// How far `load` is below the capacity, as a share of it.
    fn margin(&self, load: f64) -> f64 {
        let margin = self.users.map_or(1.0 - load / self.capacity, |users| users.margin(load));
        margin.max(LEAST_MARGIN * self.at_line).clamp(1e-3, 1.0)
    }

    /// Whether a load is users.
    pub fn is_of_users(&self) -> bool {
        self.users.is_some()
    }

    /// Whether a queue at `load` comes to a steady state: that of users always does.
    pub fn is_steady_at(&self, load: f64) -> bool {
        self.is_of_users() || load < self.capacity
    }

    /// Whether the criterion is a response time; otherwise it is a share of failures.
    pub fn has_limit(&self) -> bool {
        self.criterion.limit.is_some()
    }

    /// Whether bursts are surely shorter than the windows in which their dispersion is measured: those of failures are.
    pub fn is_memory_short(&self) -> bool {
        self.criterion.limit.is_none()
    }

    /// Whether a load is far from the capacity.
    pub fn is_far(&self, load: f64) -> bool {
        self.margin(load) >= FAR
    }

    /// The time in which a queue forgets, in seconds.
    pub fn relaxation(&self, rate: f64) -> f64 {
        match self.criterion.limit {
            Some(_) => (2.0 * self.variability / (self.capacity * self.margin(rate).powi(2))).clamp(0.02, 20.0),
            None => ERRORS_MEMORY,
        }
    }

    /// The variance of the number of requests beyond the limit, divided by its mean, for a service of exponential
    /// times; others have a multiple of it.
    pub fn dispersion(&self, rate: f64) -> f64 {
        match self.criterion.limit {
            Some(_) => self.variability * BURSTS / self.margin(rate).powi(2),
            None => ERRORS_DISPERSION,
        }
    }

    /// The slope of the share at `line`: d ln(share) / d ln(rate).
    pub fn slope(&self, line: f64) -> f64 {
        match (self.criterion.limit, self.users) {
            (Some(_), Some(users)) => SLOPE_OF_USERS * users.slope(line),
            (Some(_), None) => {
                let load = (line / self.capacity).min(1.0);
                SLOPE * (1.0 / self.criterion.share).ln() * load / self.margin(line)
            }
            (None, _) => ERRORS_SLOPE,
        }
    }

    /// Seconds at the beginning of a trial at `rate` that do not count.
    pub fn settling(&self, rate: f64) -> f64 {
        let filling = SETTLING * self.relaxation(rate);
        match self.users {
            Some(users) => {
                let most = SETTLING_RANGE.1.max(users.settling(rate).min(SETTLING_OF_USERS));
                filling.max(users.settling(rate)).clamp(SETTLING_RANGE.0, most)
            }
            None => filling.clamp(SETTLING_RANGE.0, SETTLING_RANGE.1),
        }
    }

    /// Seconds after which `load` is surely below the line, if no request is beyond the criterion by then: as many
    /// bursts would have been expected.
    pub fn seconds_to_clear(&self, load: f64) -> f64 {
        let per_second = self.users.map_or(load, |users| (load / users.think.max(0.1)).min(users.capacity));
        CLEAR_BURSTS * self.dispersion(load) / (self.criterion.share * per_second)
    }

    /// How many requests it takes to know the line to `resolution`, at best.
    pub fn requests_needed(&self, resolution: f64) -> f64 {
        if self.users.is_none() {
            return requests_needed(self.criterion, resolution);
        }
        of_variance(SEEN * self.dispersion(self.line), self.slope(self.line), self.criterion.share, resolution)
    }
}

/// [`requests_needed`] with users on a server of this capacity, the mean of whose pauses is `think`, in seconds.
pub fn requests_needed_of_users(criterion: Criterion, resolution: f64, capacity: f64, think: f64) -> f64 {
    Theory::new(criterion, capacity, Some(think)).requests_needed(resolution)
}

/// How many requests it takes to know a line to `resolution` (0.05: 5 %), at best, on a server of exponential service
/// times. Constant times take half of it, heavy tails up to seven times as many.
pub fn requests_needed(criterion: Criterion, resolution: f64) -> f64 {
    let p = criterion.share;
    match criterion.limit {
        Some(_) => 61.0 / (resolution.powi(2) * (1.0 / p).ln().powi(2) * p),
        None => of_variance(ERRORS_DISPERSION, ERRORS_SLOPE, p, resolution),
    }
}

/// Requests after which twice 1.96 standard deviations of ln(share) are the resolution.
fn of_variance(dispersion: f64, slope: f64, share: f64, resolution: f64) -> f64 {
    dispersion / share * (2.0 * 1.96 / (slope * resolution)).powi(2)
}
