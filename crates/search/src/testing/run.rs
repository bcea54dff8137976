//! A search on a simulated server.

use std::{cmp::Reverse, collections::BinaryHeap};

use rand::{SeedableRng, rngs::SmallRng};

use super::{
    arrivals::Arrivals,
    server::{Done, Server, Service},
    systems::System,
};
use crate::{Answer, Capacity, Criterion, SLOT, Search, Seen, Settings, Slot, Step, Trial};

/// How long a process takes until it is ready, in seconds.
const START_UP: f64 = 3.0;

/// The outcome of a search.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The answer about its only line.
    pub answer: Answer,
    /// The finding of the probe.
    pub capacity: Option<Capacity>,
    /// How long it took, drains among it, in seconds.
    pub seconds: f64,
    /// The trials that counted.
    pub trials: Vec<Trial>,
}

/// Searches the line of `system` to `resolution` in at most `at_most` seconds after the probe.
pub fn search_on(system: &System, resolution: f64, at_most: f64, seed: u64) -> Searched {
    search_with(system, seed, |settings| (settings.resolution, settings.at_most) = (resolution, at_most))
}

/// Searches the line of `system`. `set` changes the settings, which are 10 % in at most 5 minutes.
pub fn search_with(system: &System, seed: u64, set: impl FnOnce(&mut Settings)) -> Searched {
    let mut settings = Settings {
        criteria: [system.criterion].into_iter().chain(system.also).collect(),
        lines: vec![(0..1 + system.also.iter().len()).collect()],
        resolution: 0.1,
        at_most: 300.0,
        warm_up: 60.0,
        from: None,
        to: None,
        at_least: None,
        users_max: 10_000,
        think: system.think,
        requests_per_arrival: 1.0,
        cold: None,
    };
    set(&mut settings);
    let mut bench = Bench {
        criteria: settings.criteria.clone(),
        compiling: system.service.compiling,
        service: system.service.clone(),
        server: Server::new(system.service.clone(), seed),
        started: 0.0,
        rng: SmallRng::seed_from_u64(seed ^ 0x5eed),
        now: 0.0,
    };
    let mut search = Search::new(settings);
    for process in 1.. {
        if search.needs_fresh_process(bench.now) {
            bench.start_anew(seed.wrapping_add(process << 32));
        }
        match search.next(bench.now) {
            Step::Closed { users } => bench.closed(&mut search, users),
            Step::Open { rate } => {
                let offering = Rate::from(bench.now, rate, system.arrivals, &mut bench.rng);
                bench.trial(&mut search, offering);
            }
            Step::Users { users } => {
                let think = system.think.unwrap_or(0.0);
                let offering = Crowd::from(bench.now, users, think, &mut bench.rng);
                bench.trial(&mut search, offering);
            }
            Step::Done => break,
        }
    }
    let answer = search.answers().remove(0);
    Searched { answer, capacity: search.capacity(), seconds: bench.now, trials: search.trials().to_vec() }
}

struct Bench {
    criteria: Vec<Criterion>,
    /// Until when the service is seen to make itself ready.
    compiling: f64,
    service: Service,
    server: Server,
    /// When the process of the server was started.
    started: f64,
    rng: SmallRng,
    now: f64,
}

impl Bench {
    /// Another process of the server, which takes a while to be ready.
    fn start_anew(&mut self, seed: u64) {
        self.now += START_UP;
        (self.server, self.started) = (Server::new(self.service.clone(), seed), self.now);
    }

    /// A request that comes at `at`.
    fn request(&mut self, at: f64) -> Done {
        let done = self.server.request(at - self.started);
        Done { at: done.at + self.started, ..done }
    }

    /// A step of users without pauses.
    fn closed(&mut self, search: &mut Search, users: u32) {
        let began = self.now;
        // Microseconds, since floats are not ordered.
        let mut next: BinaryHeap<Reverse<(u64, bool)>> = (0..users).map(|_| Reverse((micros(began), false))).collect();
        let mut last = began;
        for second in 1.. {
            let end = began + f64::from(second);
            let mut succeeded = 0;
            while let Some(&Reverse((at, is_answer))) = next.peek().filter(|Reverse((at, _))| *at < micros(end)) {
                next.pop();
                succeeded += u32::from(is_answer);
                let done = self.request(at as f64 / 1e6);
                last = last.max(done.at);
                next.push(Reverse((micros(done.at).max(at + 1), done.is_ok)));
            }
            let is_warming = end < self.compiling;
            let seen = Seen { succeeded: vec![succeeded], is_warming, ..Seen::default() };
            if search.observe(end, seen) {
                self.now = end.max(last);
                search.ended(self.now, Seen::default());
                return;
            }
        }
    }

    /// A trial: requests that do not wait for each other, or users who pause.
    fn trial(&mut self, search: &mut Search, mut offering: impl Offering) {
        let began = self.now;
        let known_after = self.criteria.iter().map(Criterion::known_after).fold(0.0, f64::max);
        let mut slots: Vec<Slot> = Vec::new();
        let mut shown = 0;
        let mut ends = Ends::new(began);
        let mut last = began;
        for second in 1.. {
            let end = began + f64::from(second);
            while let Some(at) = offering.next(end) {
                let done = self.request(at);
                count(&mut slots, at - began, at, done, &self.criteria);
                last = last.max(done.at);
                ends.add(done);
                offering.answered(done.at, &mut self.rng);
            }
            let succeeded = ends.next_second();
            slots.resize((f64::from(second) / SLOT).round() as usize, empty(&self.criteria));
            let known = ((f64::from(second) - known_after) / SLOT).floor().max(0.0) as usize;
            let seen = Seen {
                slots: slots[shown..known.max(shown)].to_vec(),
                in_flight: vec![ends.in_flight],
                succeeded: vec![succeeded],
                is_warming: false,
            };
            shown = known.max(shown);
            if search.observe(end, seen) {
                self.now = end.max(last);
                let rest = slots.split_off(shown);
                search.ended(self.now, Seen { slots: rest, ..Seen::default() });
                return;
            }
        }
    }
}

/// When the requests of a trial come.
trait Offering {
    /// The next one before `end`.
    fn next(&mut self, end: f64) -> Option<f64>;

    /// Takes in that the last one is answered at `at`.
    fn answered(&mut self, at: f64, rng: &mut SmallRng);
}

/// Arrivals that wait for nothing.
struct Rate {
    per_s: f64,
    arrivals: Arrivals,
    arrived: u64,
    next: f64,
}

impl Rate {
    fn from(began: f64, per_s: f64, arrivals: Arrivals, rng: &mut SmallRng) -> Self {
        let mut rate = Self { per_s, arrivals, arrived: 0, next: began };
        rate.answered(began, rng);
        rate
    }
}

impl Offering for Rate {
    fn next(&mut self, end: f64) -> Option<f64> {
        (self.next < end).then_some(self.next)
    }

    fn answered(&mut self, _: f64, rng: &mut SmallRng) {
        self.arrived += 1;
        self.next += self.arrivals.gap(self.per_s, self.arrived, rng);
    }
}

/// Users, by the instants at which they send, in microseconds, since floats are not ordered.
struct Crowd {
    think: f64,
    sends: BinaryHeap<Reverse<u64>>,
}

impl Crowd {
    fn from(began: f64, users: u32, think: f64, rng: &mut SmallRng) -> Self {
        let mut crowd = Self { think, sends: BinaryHeap::new() };
        (0..users).for_each(|_| crowd.answered(began, rng));
        crowd
    }
}

impl Offering for Crowd {
    fn next(&mut self, end: f64) -> Option<f64> {
        let is_before = self.sends.peek().is_some_and(|Reverse(at)| *at < micros(end));
        let Reverse(at) = is_before.then(|| self.sends.pop()).flatten()?;
        Some(at as f64 / 1e6)
    }

    fn answered(&mut self, at: f64, rng: &mut SmallRng) {
        let pause = if self.think > 0.0 { Arrivals::Poisson.gap(1.0 / self.think, 0, rng) } else { 0.0 };
        self.sends.push(Reverse(micros(at + pause) + 1));
    }
}

/// How many requests of a trial end in each second, and how many have not yet.
struct Ends {
    began: f64,
    /// All that end in each second, and those that succeed.
    seconds: Vec<(u32, u32)>,
    passed: usize,
    in_flight: u32,
}

impl Ends {
    fn new(began: f64) -> Self {
        Self { began, seconds: Vec::new(), passed: 0, in_flight: 0 }
    }

    fn add(&mut self, done: Done) {
        let second = ((done.at - self.began).max(0.0) as usize).max(self.passed);
        if self.seconds.len() <= second {
            self.seconds.resize(second + 1, (0, 0));
        }
        let ended = &mut self.seconds[second];
        *ended = (ended.0 + 1, ended.1 + u32::from(done.is_ok));
        self.in_flight += 1;
    }

    /// How many succeeded in the second that has passed.
    fn next_second(&mut self) -> u32 {
        let (ended, succeeded) = self.seconds.get(self.passed).copied().unwrap_or_default();
        self.passed += 1;
        self.in_flight -= ended;
        succeeded
    }
}

fn count(slots: &mut Vec<Slot>, after: f64, at: f64, done: Done, criteria: &[Criterion]) {
    let index = (after / SLOT) as usize;
    if slots.len() <= index {
        slots.resize(index + 1, empty(criteria));
    }
    slots[index].offered += 1;
    for (beyond, criterion) in slots[index].beyond.iter_mut().zip(criteria) {
        let is_late = criterion.limit.is_some_and(|limit| done.at - at > limit);
        *beyond += u32::from(!done.is_ok || is_late);
    }
}

fn empty(criteria: &[Criterion]) -> Slot {
    Slot { offered: 0, beyond: vec![0; criteria.len()] }
}

fn micros(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}
