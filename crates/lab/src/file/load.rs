//! The `load` and `warmup` sections.

use schemars::JsonSchema;

use super::{
    decode::{FromNode, OneOrMany, Whole, choice, mapping, push_unexpected},
    errors::{At, Errors},
    model::Model,
    node::{Node, Value},
    quantity::{Duration, LoadAmount},
};

/// More virtual users than this cannot be meant for one machine.
pub(super) const MOST_VUS: u64 = 1_000_000;

type Vus = Whole<1, MOST_VUS>;
type Iterations = Whole<1, 1_000_000_000>;

mapping! {
    /// How requests are offered over time: one of k6's six models. Closed models (`…-vus`, `…-iterations`) have
    /// virtual users, each of which sends its next request when its last one is done. Open models
    /// (`…-arrival-rate`) send at instants that no response can delay.
    pub struct LoadSection as "load" {
        /// The load model. Example: `model: constant-vus`.
        pub model: At<Model>,
        /// The plateaus that every run goes through, one after the other: virtual users, or requests per
        /// second. All models but the ramping ones. Reports and claims call a level by its number (`900`), an
        /// arrival rate with its unit (`5000/s`). Example: `levels: [100, 300, 900]`.
        pub levels: Option<At<Vec<At<LoadAmount>>>>,
        /// The legs of a ramp, one after the other. Ramping models only. Example:
        /// `stages: [{duration: 30s, target: 100}, {duration: 30s, target: 100}]`.
        pub stages: Option<At<Vec<StageSection>>>,
        /// How long requests are offered at each level. `constant-vus` and `constant-arrival-rate` only, which
        /// need it. Example: `duration: 30s`.
        pub duration: Option<At<Duration>>,
        /// Pause of a virtual user between a response and its next request. Closed models only. Default: none.
        /// Example: `think-time: 1s`, or `think-time: {min: 500ms, max: 2s}`, or `think-time: {mean: 1s}`.
        pub think_time: Option<At<ThinkTimeValue>>,
        /// Requests per virtual user, on average: at level n there are n times as many, taken by whichever user
        /// is free. `shared-iterations` only. Default: 1. Example: `iterations-per-vu: 10`.
        pub iterations_per_vu: Option<Iterations>,
        /// Requests of each virtual user. `per-vu-iterations` only. Default: 1. Example: `iterations: 10`.
        pub iterations: Option<Iterations>,
        /// The virtual users start evenly spread over this time, or over one for each level. `per-vu-iterations` only.
        /// Default: all at once. Example: `ramp-up: 1s`, or `ramp-up: [1s, 2s]` with two levels.
        pub ramp_up: Option<At<OneOrMany<Duration>>>,
        /// No request starts later than this after the level's start. `shared-iterations` and
        /// `per-vu-iterations` only. Default: no limit. Example: `max-duration: 5min`.
        pub max_duration: Option<At<Duration>>,
        /// Virtual users at the start of a ramp. `ramping-vus` only. Default: 0. Example: `start-vus: 10`.
        pub start_vus: Option<Whole<0, MOST_VUS>>,
        /// Requests per second at the start of a ramp. `ramping-arrival-rate` only. Default: 0. Example:
        /// `start-rate: 100/s`.
        pub start_rate: Option<At<LoadAmount>>,
        /// How arrivals are spaced. Arrival rates only. Default: `even`. Example: `arrivals: poisson`.
        pub arrivals: Option<ArrivalsWord>,
        /// At most this many requests are in flight; others wait, and their response time counts from the
        /// instant when they should have been sent. Arrival rates only. Default: 10000. Example:
        /// `max-in-flight: 2000`.
        pub max_in_flight: Option<Whole<1, MOST_VUS>>,
        /// How many of the first requests of each level are recorded one by one, at most 10000: what a start costs
        /// those who come first. Default: none. Example: `trace: 50`.
        pub trace: Option<Whole<1, 10_000>>,
        /// Drop and count what `max-in-flight` holds back, instead of sending it late. Arrival rates only.
        /// Default: false. Example: `drop-late: true`.
        pub drop_late: Option<bool>,
    }
}

choice! {
    /// How arrivals are spaced.
    pub enum ArrivalsWord as "arrivals" {
        /// At equal distances.
        Even = "even",
        /// Independent of each other, as many independent users arrive; seeded.
        Poisson = "poisson",
    }
}

mapping! {
    /// One leg of a ramp: linearly from where the last one ended to `target`.
    pub struct StageSection as "stage" {
        /// How long the leg takes. Example: `duration: 30s`.
        pub duration: At<Duration>,
        /// Virtual users, or requests per second, at its end. The same as before holds the load. Example:
        /// `target: 100`.
        pub target: At<LoadAmount>,
        /// Label in reports and claims. Default: its target (`100`) where it holds, from and target
        /// (`0-100`) where it ramps. Example: `label: peak`.
        pub label: Option<At<String>>,
    }
}

mapping! {
    /// Think times that vary: uniform between `min` and `max`, or exponential with `mean`.
    pub struct ThinkTimeSection as "think-time" {
        /// The least, for a uniform distribution. Example: `min: 500ms`.
        pub min: Option<Duration>,
        /// The most, for a uniform distribution. Example: `max: 2s`.
        pub max: Option<Duration>,
        /// The mean of an exponential distribution. Example: `mean: 1s`.
        pub mean: Option<Duration>,
    }
}

// A constant think time, or a distribution. (Not a doc comment: that would replace the description of the key.)
#[derive(Clone, Debug, JsonSchema)]
#[schemars(untagged, inline)]
pub(super) enum ThinkTimeValue {
    Constant(Duration),
    Varying(ThinkTimeSection),
}

impl FromNode for ThinkTimeValue {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        match &node.value {
            Value::Map(_) => ThinkTimeSection::from_node(node, errors).map(Self::Varying),
            Value::List(_) => {
                push_unexpected(node, "a duration, e.g. `1s`, or `{min: …, max: …}`, or `{mean: …}`", errors);
                None
            }
            _ => Duration::from_node(node, errors).map(Self::Constant),
        }
    }
}

mapping! {
    /// A load with a constant number of virtual users before the measured one. It requests the same; of several
    /// scenarios, all that they do.
    pub struct WarmupSection as "warmup" {
        /// How long it takes. Example: `duration: 10s`.
        pub duration: Option<At<Duration>>,
        /// Virtual users. Example: `vus: 10`.
        pub vus: Vus,
        /// `steady`: it ends as soon as the target is warm, instead of after `duration`, and is as long as the longest
        /// of the runs before. Example: `until: steady`.
        pub until: Option<UntilWord>,
        /// With `until: steady`, how long it may take. Default: 60s. Example: `at-most: 2min`.
        pub at_most: Option<At<Duration>>,
    }
}

choice! {
    /// When a warm-up ends.
    pub enum UntilWord as "until" {
        /// As soon as throughput and response times are steady, and a JVM of this machine is quiet: it hardly compiles
        /// and loads classes, and no method waits for C2.
        Steady = "steady",
    }
}
