//! A server with a queue: first come, first served, by a number of workers.

use std::{cmp::Reverse, collections::BinaryHeap};

use rand::{SeedableRng, rngs::SmallRng};
use rand_distr::{Distribution, Exp1, LogNormal};

/// Behaviour of a server.
#[derive(Clone, Debug)]
pub struct Service {
    /// Requests that are served at a time.
    pub workers: u32,
    /// Mean service time, in seconds.
    pub mean: f64,
    /// How service times are distributed.
    pub times: Times,
    /// Requests in the server at most, those in service among them; others fail at once.
    pub room: Option<usize>,
    /// Requests in each second at most, counted in fixed windows; others fail at once.
    pub per_second: Option<u32>,
    /// Each second, or as many as [`Service::pause_every`] says, begin with a pause of so many seconds, in which
    /// nothing is served.
    pub pause: f64,
    /// See [`Service::pause`].
    pub pause_every: f64,
    /// A new process is slower by this factor, which falls to 1 within about [`Service::warm_up`] seconds of work.
    pub cold: f64,
    /// See [`Service::cold`].
    pub warm_up: f64,
    /// For so many seconds it is seen to make itself ready, whatever its throughput.
    pub compiling: f64,
    /// From so many seconds on its services take so many times as long.
    pub slower: Option<(f64, f64)>,
    /// Between the first two, in seconds, its services come to take this many times as long, and keep to it: a leak,
    /// or a cache that fills.
    pub drifts: Option<(f64, f64, f64)>,
    /// From so many seconds on it has so many workers, more than before.
    pub grows: Option<(f64, u32)>,
    /// Requests per second for which tokens come, and how many tokens are kept; a request without one fails at once.
    pub bucket: Option<(f64, f64)>,
    /// A request that waited for more than the first makes its service last the second times as long.
    pub slow_when_late: Option<(f64, f64)>,
    /// Share of the requests that fail whatever the load.
    pub failing: f64,
}

/// The distribution of service times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Times {
    /// Exponential.
    Exponential,
    /// Always the same.
    Constant,
    /// Log-normal with this coefficient of variation.
    LogNormal(f64),
    /// Exponential, of two kinds: this share takes so many times as long as the others.
    TwoKinds(f64, f64),
}

impl Service {
    /// A plain queue.
    pub fn new(workers: u32, mean: f64, times: Times) -> Self {
        Self {
            workers,
            mean,
            times,
            room: None,
            per_second: None,
            pause: 0.0,
            pause_every: 1.0,
            cold: 1.0,
            warm_up: 20.0,
            compiling: 0.0,
            slower: None,
            drifts: None,
            grows: None,
            bucket: None,
            slow_when_late: None,
            failing: 0.0,
        }
    }

    /// Requests per second that it can serve once it is warm.
    pub fn capacity(&self) -> f64 {
        let served = f64::from(self.workers) / self.mean * (1.0 - self.pause / self.pause_every);
        let served = self.bucket.map_or(served, |(most, _)| served.min(most));
        self.per_second.map_or(served, |most| served.min(f64::from(most)))
    }

    /// How many times as long services take `at` so many seconds, by [`Service::drifts`].
    pub fn drift(&self, at: f64) -> f64 {
        let Some((from, until, factor)) = self.drifts else { return 1.0 };
        1.0 + (factor - 1.0) * ((at - from) / (until - from)).clamp(0.0, 1.0)
    }
}

/// The end of a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Done {
    /// When it was answered.
    pub at: f64,
    /// Whether it succeeded.
    pub is_ok: bool,
}

/// A server at work. Requests must come in the order of time.
#[derive(Clone, Debug)]
pub struct Server {
    service: Service,
    rng: SmallRng,
    /// When each worker is free.
    free: BinaryHeap<Reverse<Instant>>,
    /// When each request in the server leaves it; kept only where there is a limit.
    inside: BinaryHeap<Reverse<Instant>>,
    window: (u64, u32),
    /// Tokens, and when they were counted.
    tokens: (f64, f64),
}

/// A time that is ordered.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Instant(f64);

impl Eq for Instant {}

impl PartialOrd for Instant {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Instant {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Server {
    /// A server that has just been started.
    pub fn new(service: Service, seed: u64) -> Self {
        let free = (0..service.workers).map(|_| Reverse(Instant(0.0))).collect();
        let tokens = (service.bucket.map_or(0.0, |(_, most)| most), 0.0);
        Self { service, rng: SmallRng::seed_from_u64(seed), free, inside: BinaryHeap::new(), window: (0, 0), tokens }
    }

    /// A request that comes at `at`.
    pub fn request(&mut self, at: f64) -> Done {
        if let Some((from, workers)) = self.service.grows.take_if(|(from, _)| at >= *from) {
            self.free.extend((self.service.workers..workers).map(|_| Reverse(Instant(from))));
        }
        if self.is_refused(at) {
            return Done { at: at + 0.0005, is_ok: false };
        }
        let start = self.free.peek().map_or(at, |Reverse(Instant(free))| free.max(at));
        let mut time = self.service_time();
        if self.service.cold > 1.0 {
            time *= 1.0 + (self.service.cold - 1.0) * (-start / self.service.warm_up).exp();
        }
        if let Some((from, factor)) = self.service.slower
            && start >= from
        {
            time *= factor;
        }
        time *= self.service.drift(start);
        if let Some((late, factor)) = self.service.slow_when_late
            && start - at > late
        {
            time *= factor;
        }
        let end = self.after_pauses(start, time);
        if let Some(mut first) = self.free.peek_mut() {
            *first = Reverse(Instant(end));
        }
        if self.service.room.is_some() {
            self.inside.push(Reverse(Instant(end)));
        }
        let fails = self.service.failing > 0.0 && rand::RngExt::random::<f64>(&mut self.rng) < self.service.failing;
        Done { at: end, is_ok: !fails }
    }

    fn is_refused(&mut self, at: f64) -> bool {
        if let Some(most) = self.service.per_second {
            let second = at as u64;
            if self.window.0 != second {
                self.window = (second, 0);
            }
            if self.window.1 >= most {
                return true;
            }
            self.window.1 += 1;
        }
        if let Some((per_second, most)) = self.service.bucket {
            let (tokens, counted) = self.tokens;
            let tokens = (tokens + per_second * (at - counted)).min(most);
            let is_empty = tokens < 1.0;
            self.tokens = (if is_empty { tokens } else { tokens - 1.0 }, at);
            if is_empty {
                return true;
            }
        }
        let Some(room) = self.service.room else { return false };
        while self.inside.peek().is_some_and(|Reverse(Instant(end))| *end <= at) {
            self.inside.pop();
        }
        self.inside.len() >= room
    }

    fn service_time(&mut self) -> f64 {
        let mean = self.service.mean;
        match self.service.times {
            Times::Constant => mean,
            Times::Exponential => {
                let time: f64 = Exp1.sample(&mut self.rng);
                mean * time
            }
            Times::TwoKinds(share, factor) => {
                let is_long = rand::RngExt::random::<f64>(&mut self.rng) < share;
                let time: f64 = Exp1.sample(&mut self.rng);
                let short = mean / (1.0 - share + share * factor);
                time * short * if is_long { factor } else { 1.0 }
            }
            Times::LogNormal(variation) => {
                let variance = (1.0 + variation * variation).ln();
                let distribution = LogNormal::new(mean.ln() - variance / 2.0, variance.sqrt());
                distribution.map_or(mean, |distribution| distribution.sample(&mut self.rng))
            }
        }
    }

    /// When work of `time` that begins at `start` is done, if nothing is done in pauses.
    fn after_pauses(&self, start: f64, time: f64) -> f64 {
        let pause = self.service.pause;
        if pause == 0.0 {
            return start + time;
        }
        let every = self.service.pause_every;
        let (start, time, pause) = (start / every, time / every, pause / every);
        let second = start.floor();
        let begun = (start - second).max(pause);
        let left = 1.0 - begun;
        if time <= left {
            return every * (second + begun + time);
        }
        let rest = time - left;
        let per_second = 1.0 - pause;
        let whole = (rest / per_second).floor();
        every * (second + 1.0 + whole + pause + (rest - whole * per_second))
    }
}
