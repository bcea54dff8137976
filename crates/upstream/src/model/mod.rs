//! Model of an upstream: how long each request waits, when it is answered, with what. Time is an argument.

mod freezes;
mod queue;
mod sampler;

use plimsoll_record::{Nanos, UpstreamPlan, seed_for};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use rand_distr::{Distribution, weighted::WeightedIndex};

use self::{freezes::Freezes, queue::Queue, sampler::Sampler};

/// Fate of a request. Instants count from the upstream's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// When the first byte of the answer is sent.
    pub first_byte: Nanos,
    /// When its last byte is sent.
    pub done: Nanos,
    /// Status of the answer.
    pub status: u16,
    /// Length of its body.
    pub bytes: u64,
}

/// Requests at this instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Present {
    /// In the queue.
    pub waiting: u64,
    /// At a server.
    pub in_service: u64,
}

/// An upstream without its sockets. The same plan gives the n-th request the same latency, status and length.
pub struct Model {
    freezes: Freezes,
    /// In thawed time: see [`Freezes`].
    queue: Queue,
    random: Xoshiro256PlusPlus,
    latency_ns: Sampler,
    body_time_ns: Sampler,
    bytes: Sampler,
    statuses: Statuses,
}

impl Model {
    /// Model of a plan that was checked.
    pub fn new(plan: &UpstreamPlan) -> Self {
        Self {
            freezes: Freezes::new(plan.freeze),
            queue: Queue::new(plan.servers),
            random: Xoshiro256PlusPlus::seed_from_u64(seed_for("upstream", plan.seed)),
            latency_ns: Sampler::new(&plan.latency, |time| time.0),
            body_time_ns: Sampler::new(&plan.body_time, |time| time.0),
            bytes: Sampler::new(&plan.answer_bytes, |bytes| bytes),
            statuses: Statuses::new(plan),
        }
    }

    /// Takes in a request that came at `now`, not before any other one.
    ///
    /// The request will be served even if its client goes away meanwhile, as by a thread that does not look.
    pub fn admit(&mut self, now: Nanos) -> Fate {
        let latency = Nanos(self.latency_ns.sample(&mut self.random));
        let body_time = Nanos(self.body_time_ns.sample(&mut self.random));
        let bytes = self.bytes.sample(&mut self.random);
        let status = self.statuses.sample(&mut self.random);
        let start = self.queue.admit(self.freezes.thawed(now), latency + body_time);
        let first_byte = self.freezes.instant(start + latency);
        Fate { first_byte, done: self.freezes.instant(start + latency + body_time), status, bytes }
    }

    /// Requests that are there at `now`.
    pub fn present(&mut self, now: Nanos) -> Present {
        self.queue.present(self.freezes.thawed(now))
    }

    /// When what is frozen at `now` goes on; `now` if nothing is.
    pub fn thaws_at(&self, now: Nanos) -> Nanos {
        self.freezes.instant(self.freezes.thawed(now)).max(now)
    }
}

/// A mix of statuses.
enum Statuses {
    One(u16),
    Mix(Vec<u16>, WeightedIndex<f64>),
}

impl Statuses {
    fn new(plan: &UpstreamPlan) -> Self {
        match plan.statuses.as_slice() {
            [] => Self::One(200),
            [only] => Self::One(only.status),
            several => {
                let weights = WeightedIndex::new(several.iter().map(|share| share.weight));
                let weights = weights.expect("weights of a plan that was checked");
                Self::Mix(several.iter().map(|share| share.status).collect(), weights)
            }
        }
    }

    fn sample(&self, random: &mut Xoshiro256PlusPlus) -> u16 {
        match self {
            Self::One(status) => *status,
            Self::Mix(statuses, weights) => statuses[weights.sample(random)],
        }
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Distribution, Freeze, StatusShare};

    use super::*;

    const fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    fn constant(latency_ms: u64) -> UpstreamPlan {
        UpstreamPlan { latency: Distribution::Constant(ms(latency_ms)), ..UpstreamPlan::default() }
    }

    #[test]
    fn one_server_answers_one_after_the_other() {
        let mut model =
            Model::new(&UpstreamPlan { servers: Some(1), body_time: Distribution::Constant(ms(50)), ..constant(100) });
        let fates = [0, 10, 20, 500].map(|at| model.admit(ms(at)));
        assert_eq!(fates.map(|fate| fate.first_byte), [ms(100), ms(250), ms(400), ms(600)]);
        assert_eq!(fates.map(|fate| fate.done), [ms(150), ms(300), ms(450), ms(650)]);
    }

    #[test]
    fn nothing_goes_on_in_a_freeze() {
        let freeze = Some(Freeze { length: ms(1_000), every: ms(10_000) });
        let mut model = Model::new(&UpstreamPlan { freeze, servers: Some(1), ..constant(200) });
        assert_eq!(model.admit(ms(9_900)).done, ms(11_100), "half done when it began");
        assert_eq!(model.admit(ms(10_500)).done, ms(11_300), "came in it");
        assert_eq!(model.present(ms(10_999)), Present { waiting: 1, in_service: 1 });
        assert_eq!(model.present(ms(11_200)), Present { waiting: 0, in_service: 1 });
        assert_eq!((model.thaws_at(ms(10_500)), model.thaws_at(ms(11_500))), (ms(11_000), ms(11_500)));
    }

    #[test]
    fn statuses_come_by_weight_and_the_same_again_by_the_seed() {
        let statuses = vec![StatusShare { status: 200, weight: 99.0 }, StatusShare { status: 503, weight: 1.0 }];
        let plan = UpstreamPlan { statuses, ..constant(1) };
        let drawn = |plan: &UpstreamPlan| -> Vec<u16> {
            let mut model = Model::new(plan);
            (0..100_000).map(|at| model.admit(ms(at)).status).collect()
        };
        let failed = drawn(&plan).iter().filter(|&&status| status == 503).count();
        assert!((900..1_100).contains(&failed), "1 % of 100,000: {failed}");
        assert_eq!(drawn(&plan), drawn(&plan));
        assert_ne!(drawn(&plan), drawn(&UpstreamPlan { seed: 2, ..plan.clone() }));
    }
}
