//! State that the connections of an upstream share.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use plimsoll_record::{KeepAlive, Nanos, UpstreamCounts, UpstreamPlan};
use tokio::time::{Instant, sleep_until};

use crate::{
    counts::Counts,
    model::{Fate, Model},
};

/// A year.
const FAR_AWAY: Nanos = Nanos::from_secs(365 * 86_400);

/// State that all connections share.
pub struct Shared {
    model: Mutex<Model>,
    pub counts: Counts,
    start: Instant,
    pub keep_alive: KeepAlive,
}

impl Shared {
    /// State of an upstream that starts now, by a plan that was checked.
    pub fn new(plan: &UpstreamPlan) -> Self {
        Self {
            model: Mutex::new(Model::new(plan)),
            counts: Counts::default(),
            start: Instant::now(),
            keep_alive: plan.keep_alive.clone(),
        }
    }

    /// Time since the start.
    pub fn now(&self) -> Nanos {
        self.start.elapsed().into()
    }

    /// An instant since the start, on the runtime's clock.
    pub fn instant(&self, at: Nanos) -> Instant {
        // A log-normal latency may be longer than the clock's range.
        self.start + Duration::from(at.min(FAR_AWAY))
    }

    /// Waits for the end of a freeze, if there is one.
    pub async fn thaw(&self) {
        let now = self.now();
        let thaws_at = self.with_model(|model| model.thaws_at(now));
        if thaws_at > now {
            sleep_until(self.instant(thaws_at)).await;
        }
    }

    /// Everything that was counted.
    pub fn snapshot(&self) -> UpstreamCounts {
        let now = self.now();
        self.counts.snapshot(now, self.with_model(|model| model.present(now)))
    }

    /// How many requests a connection may carry.
    pub fn requests_max(&self) -> Option<u64> {
        if self.keep_alive.enabled { self.keep_alive.requests_max.map(u64::from) } else { Some(1) }
    }

    /// How long a connection may be unused.
    pub fn idle_time(&self) -> Option<Nanos> {
        self.keep_alive.idle_time
    }

    /// Whether connections live as long as their clients want.
    pub fn closes_nothing(&self) -> bool {
        self.idle_time().is_none() && self.requests_max().is_none()
    }

    /// Takes in a request, and waits until the first byte of its answer is due.
    pub async fn first_byte(&self) -> Fate {
        let fate = self.with_model(|model| model.admit(self.now()));
        let first_byte = self.instant(fate.first_byte);
        if first_byte > Instant::now() {
            sleep_until(first_byte).await;
        }
        fate
    }

    fn with_model<T>(&self, act: impl FnOnce(&mut Model) -> T) -> T {
        act(&mut self.model.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use plimsoll_record::Distribution;
    use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
    use rand_distr::{Distribution as _, Exp};

    use super::*;

    /// M/M/2 with timers and tasks, in virtual time: 100 ms of work, 16 requests a second, so that 80 % are busy.
    #[test]
    fn requests_wait_as_long_as_erlang_c_says() {
        const REQUESTS: u32 = 40_000;
        let plan = UpstreamPlan {
            latency: Distribution::Exponential { mean: Nanos::from_millis(100) },
            servers: Some(2),
            ..UpstreamPlan::default()
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let mean_s = runtime.block_on(async {
            let (shared, mut random) = (Arc::new(Shared::new(&plan)), Xoshiro256PlusPlus::seed_from_u64(3));
            let (gaps_s, mut arrival) = (Exp::new(16.0).unwrap(), Instant::now());
            let mut requests = Vec::new();
            for _ in 0..REQUESTS {
                arrival += Duration::from_secs_f64(gaps_s.sample(&mut random));
                sleep_until(arrival).await;
                let shared = shared.clone();
                requests.push(tokio::spawn(async move {
                    let sent = Instant::now();
                    shared.first_byte().await;
                    sent.elapsed().as_secs_f64()
                }));
            }
            let mut sum_s = 0.0;
            for request in requests {
                sum_s += request.await.unwrap();
            }
            sum_s / f64::from(REQUESTS)
        });
        // Mean of M/M/2: service / (1 - busy²), and half a millisecond of the timer's.
        let expected_s = 0.1 / (1.0 - 0.8 * 0.8) + 0.0005;
        assert!((mean_s / expected_s - 1.0).abs() < 0.06, "{mean_s} s, not {expected_s} s");
    }
}
