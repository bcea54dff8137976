//! A load on a simulated server.

use rand::{RngExt, SeedableRng, rngs::SmallRng};

use crate::testing::{server::Server, systems::System};

/// When the load begins, in seconds of the server's life: it has warmed up.
const WARM: f64 = 60.0;
/// Seconds for which requests in flight are awaited after a trial at most.
const DRAIN: f64 = 30.0;

/// How closely the capacity is told. Strategies with a fixed grid of rates do well on each server whose line the grid
/// happens to enclose: another grid each time is fair.
const TOLD: f64 = 0.05;

/// The requests of one trial.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    pub offered: u32,
    /// Later than the limit, or failed.
    pub beyond: u32,
    /// Whether no more of them are beyond the limit than may be: the percentile of the sample itself.
    pub is_kept: bool,
}

#[derive(Debug)]
pub(super) struct Load<'a> {
    system: &'a System,
    server: Server,
    rng: SmallRng,
    capacity: f64,
    now: f64,
    arrived: u64,
    /// When the last request is answered.
    last: f64,
}

impl<'a> Load<'a> {
    pub fn new(system: &'a System, seed: u64) -> Self {
        let mut rng = SmallRng::seed_from_u64(seed ^ 0x5eed);
        let told = 1.0 + rng.random_range(-TOLD..TOLD);
        Self {
            system,
            server: Server::new(system.service.clone(), seed),
            rng,
            capacity: told * system.service.capacity(),
            now: WARM,
            arrived: 0,
            last: WARM,
        }
    }

    /// The capacity, roughly.
    pub fn capacity(&self) -> f64 {
        self.capacity
    }

    /// The part of the requests that may be beyond the limit.
    pub fn share(&self) -> f64 {
        self.system.criterion.share
    }

    /// Seconds since the beginning.
    pub fn seconds(&self) -> f64 {
        self.now - WARM
    }

    /// Offers `rate` for `seconds`, and waits for what is in flight then.
    pub fn trial(&mut self, rate: f64, seconds: f64) -> Sample {
        let sample = self.offer(rate, seconds);
        self.now = self.now.max(self.last.min(self.now + DRAIN));
        sample
    }

    /// Offers `rate` for `seconds`, and does not wait.
    pub fn offer(&mut self, rate: f64, seconds: f64) -> Sample {
        let end = self.now + seconds;
        let mut sample = Sample::default();
        let mut next = self.now + self.gap(rate);
        while next < end {
            let done = self.server.request(next);
            let is_late = self.system.criterion.limit.is_some_and(|limit| done.at - next > limit);
            sample.offered += 1;
            sample.beyond += u32::from(is_late || !done.is_ok);
            self.last = self.last.max(done.at);
            next += self.gap(rate);
        }
        self.now = end;
        sample.is_kept = f64::from(sample.beyond) <= self.share() * f64::from(sample.offered);
        sample
    }

    fn gap(&mut self, rate: f64) -> f64 {
        self.arrived += 1;
        self.system.arrivals.gap(rate, self.arrived, &mut self.rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::systems;

    #[test]
    fn a_trial_waits_for_its_queue_but_not_for_ever() {
        let system = systems().remove(0);
        let mut load = Load::new(&system, 1);
        // 20 s of work in 10 s.
        load.trial(200.0, 10.0);
        assert!((18.0..22.0).contains(&load.seconds()), "{}", load.seconds());
        let before = load.seconds();
        let sample = load.trial(1000.0, 10.0);
        assert!(!sample.is_kept);
        assert!((load.seconds() - before - 40.0).abs() < 1e-6, "{}", load.seconds());
        // Requests that are left delay the next trial.
        assert!(!load.trial(1.0, 10.0).is_kept);
    }
}
