//! Virtual users who pause between their requests: those that wait send nothing, so that a queue slows its own growth.
//!
//! With N users, pauses of mean Z and a capacity C, a busy service pulls the queue towards `N - C·Z`, the users that do
//! not pause, in proportion to the distance (an Ornstein–Uhlenbeck process). Its length is about normal, with a
//! variance of `C·Z`, cut off at zero. A request is later than t if it meets more than `C·t` others; the number served
//! in t varies, too, with a variance of `C·t`. With long pauses this becomes the open load.

use std::f64::consts::{PI, SQRT_2};

/// Distances beyond which the tail of a normal distribution is exponential to a fraction of a percent, in standard
/// deviations: the load is as good as an open one.
const FAR: f64 = 20.0;
/// The part of the limit that a queue remembers by itself, though nobody pauses.
const OWN_MEMORY: f64 = 0.7;
/// Relaxation times of the queue's mean until a trial has forgotten that it began with an empty one.
const FORGOTTEN: f64 = 3.0;
const HALVINGS: u32 = 50;

/// Users, and what their requests must keep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Users {
    pub capacity: f64,
    /// The mean of their pauses, in seconds.
    pub think: f64,
    /// Limit of the response time, in seconds.
    pub limit: f64,
    /// The share of late requests that is allowed.
    pub share: f64,
}

impl Users {
    /// Users whose mean response time is the limit.
    fn most(&self) -> f64 {
        self.capacity * (self.think + self.limit)
    }

    fn deviation(&self) -> f64 {
        self.most().sqrt()
    }

    /// How far an idle service is from the middle of the queue, in standard deviations; negative where users are more
    /// than the service and their pauses take.
    fn idle_at(&self, users: f64) -> f64 {
        (self.capacity * self.think - users) / self.deviation()
    }

    /// The number of users at which the share of late requests is the share allowed.
    pub fn line(&self) -> f64 {
        let level = self.capacity * self.limit / self.deviation();
        let is_kept = |idle: f64| tail(idle + level) < self.share * tail(idle);
        let (mut busy, mut idle) = (-level, FAR);
        if !is_kept(idle) {
            return self.of_open_load();
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (busy + idle);
            if is_kept(middle) { idle = middle } else { busy = middle }
        }
        (self.capacity * self.think - idle * self.deviation()).max(1.0)
    }

    fn of_open_load(&self) -> f64 {
        let margin = (1.0 / self.share).ln() / (self.capacity * self.limit);
        (self.capacity * self.think * (1.0 - margin.min(0.9))).max(1.0)
    }

    /// How hard a queue that makes requests late is pulled back, as a share of the capacity.
    pub fn margin(&self, users: f64) -> f64 {
        (self.most() - users) / (self.capacity * self.think.hypot(OWN_MEMORY * self.limit)).max(f64::MIN_POSITIVE)
    }

    /// The slope of the share of late requests at `line`: d ln(share) / d ln(users).
    pub fn slope(&self, line: f64) -> f64 {
        let idle = self.idle_at(line);
        if idle > FAR {
            return line / self.deviation() * (1.0 / self.share).ln() / idle;
        }
        let late = distance(self.share * tail(idle));
        line / self.deviation() * (hazard(late) - hazard(idle))
    }

    /// Seconds until the queue has about its mean, from an empty start.
    pub fn settling(&self, users: f64) -> f64 {
        let idle = if self.most() > 0.0 { self.idle_at(users).max(0.0) } else { 0.0 };
        FORGOTTEN * (self.think + self.limit) / (1.0 + 0.5 * idle * idle)
    }
}

/// The probability that a normal variable is more than `x` standard deviations above its mean.
fn tail(x: f64) -> f64 {
    0.5 * libm::erfc(x / SQRT_2)
}

/// The inverse of [`tail`], above zero.
fn distance(probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 2.0 * FAR);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if tail(middle) > probability { low = middle } else { high = middle }
    }
    high
}

/// The density of the normal distribution at `x`, divided by [`tail`].
fn hazard(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * PI).sqrt() / tail(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `testing::crowds` says how they were simulated.
    #[test]
    fn lines_of_exponential_service_times_are_those_of_simulations() {
        let of = |capacity, think, limit| Users { capacity, think, limit, share: 0.01 };
        for (users, line, within) in [
            (of(800.0, 1.0, 0.1), 801.0, 0.01),
            (of(800.0, 10.0, 0.1), 7_552.0, 0.01),
            (of(800.0, 0.1, 0.1), 123.4, 0.07),
            (of(100.0, 1.0, 0.2), 88.5, 0.03),
            (of(100.0, 10.0, 0.2), 782.6, 0.01),
        ] {
            let found = users.line();
            assert!((found / line - 1.0).abs() < within, "{users:?}: {found}");
        }
    }

    #[test]
    fn long_pauses_make_an_open_load() {
        let users = Users { capacity: 100.0, think: 1_000.0, limit: 0.2, share: 0.01 };
        let open = 1_000.0 * 100.0 * (1.0 - 100f64.ln() / 20.0);
        assert!((users.line() / open - 1.0).abs() < 0.01, "{}", users.line());
        let slope = 100f64.ln() * 0.77 / 0.23;
        assert!((users.slope(77_000.0) / slope - 1.0).abs() < 0.05, "{}", users.slope(77_000.0));
        assert!((users.margin(77_000.0) - 0.23).abs() < 0.001);
    }
}
