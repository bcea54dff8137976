//! The capacity, by a closed load: users are added until throughput grows no more, then throughput is watched until it
//! is steady.

use serde::{Deserialize, Serialize};

/// Users at the start, and their growth from step to step.
const FIRST_USERS: u32 = 4;
const GROWTH: u32 = 4;
/// More users must bring this much more throughput to be worth it.
const WORTH_IT: f64 = 1.1;
/// A step lasts until each user has had that many answers, and at most so many seconds.
const ANSWERS_PER_USER: u32 = 5;
const STEP_MAX: usize = 4;
/// Seconds over which throughput must not have risen, those that must do when patience is at its end, and how much it
/// may rise by chance.
const STEADY_SECONDS: usize = 8;
const HASTY_SECONDS: usize = 4;
const STEADY_RISE: f64 = 0.01;

/// What a service can do at most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capacity {
    /// Requests that succeeded per second.
    pub rate: f64,
    /// Users that it took.
    pub users: u32,
    /// Whether throughput had stopped rising.
    pub is_steady: bool,
}

/// The probe, under way.
#[derive(Clone, Debug)]
pub(crate) struct Probe {
    users: u32,
    users_max: u32,
    /// Seconds after which an unsteady service is taken as it is.
    patience: f64,
    /// Throughput and users of the best step before.
    before: f64,
    is_saturated: bool,
    /// Throughput of each second with the users now.
    seconds: Vec<u32>,
    pub found: Option<Capacity>,
}

impl Probe {
    pub fn new(users_max: u32, patience: f64) -> Self {
        let users = FIRST_USERS.min(users_max);
        Self { users, users_max, patience, before: 0.0, is_saturated: false, seconds: Vec::new(), found: None }
    }

    pub fn users(&self) -> u32 {
        self.users
    }

    /// Begins again with the users that saturated the service, to see what it can do by now, until `patience`.
    pub fn again(&mut self, patience: f64) {
        (self.seconds, self.before, self.patience, self.found) = (Vec::new(), 0.0, patience, None);
    }

    /// Takes in the throughput of further seconds; whether the step is over.
    pub fn observe(&mut self, succeeded: &[u32], elapsed: f64) -> bool {
        self.seconds.extend(succeeded);
        let Some(&last) = self.seconds.last() else { return false };
        if self.is_saturated {
            return self.watch(elapsed);
        }
        let answers: u32 = self.seconds.iter().sum();
        let is_enough = answers >= ANSWERS_PER_USER * self.users || self.seconds.len() >= STEP_MAX;
        if !is_enough {
            return false;
        }
        let throughput = f64::from(last);
        if (throughput < WORTH_IT * self.before && self.before > 0.0) || self.users == self.users_max {
            // The users now saturate it: they stay.
            self.is_saturated = true;
            return self.watch(elapsed);
        }
        self.before = throughput;
        self.users = self.users.saturating_mul(GROWTH).min(self.users_max);
        self.seconds.clear();
        true
    }

    fn watch(&mut self, elapsed: f64) -> bool {
        let is_impatient = elapsed >= self.patience;
        let window = if is_impatient { self.seconds.len().min(STEADY_SECONDS) } else { STEADY_SECONDS };
        if self.seconds.len() < window.max(HASTY_SECONDS) {
            return false;
        }
        let (early, late) = self.seconds[self.seconds.len() - window..].split_at(window / 2);
        let sum = |seconds: &[u32]| seconds.iter().map(|&n| f64::from(n)).sum::<f64>();
        let (early, late) = (sum(early), sum(late));
        let by_chance = (early + late).sqrt();
        let is_steady = late - early <= STEADY_RISE * early + by_chance;
        if !is_steady && !is_impatient {
            return false;
        }
        let now = (early + late) / window as f64;
        // What it did with fewer users it can do; a single second knows that only roughly.
        let rate = if self.before > WORTH_IT * now { self.before } else { now };
        self.found = Some(Capacity { rate, users: self.users, is_steady });
        true
    }
}
