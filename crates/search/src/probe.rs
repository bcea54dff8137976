//! The capacity, by a closed load: users are added until throughput grows no more, then throughput is watched until it
//! is steady, and the service no longer compiles itself.

use serde::{Deserialize, Serialize};

use crate::trial::Seen;

/// Users at the start, and the factors by which they grow from step to step: as long as throughput grows in proportion,
/// and after that.
const FIRST_USERS: u32 = 4;
const GROWTH: u32 = 4;
const CAREFUL_GROWTH: u32 = 2;
/// More users must bring this much more throughput to be worth it.
const WORTH_IT: f64 = 1.1;
/// Throughput that grows by less than this part of the users' growth is not in proportion to them.
const IN_PROPORTION: f64 = 0.75;
/// Users wait for each other if their mean response time is more than so many times the least one seen.
const QUEUED: f64 = 2.0;
/// Users do not wait for each other if it is less than so many times that.
const UNDELAYED: f64 = 1.25;
/// Seconds for which the first answer of all is awaited with a few users.
const FIRST_ANSWER: f64 = 30.0;
/// A step lasts until each user has had that many answers, and at most so many seconds.
const ANSWERS_PER_USER: u32 = 2;
const STEP_MAX: usize = 4;
/// Seconds over which throughput must not have risen, at least; and as a part of the time so far, since a service that
/// was slow to warm up changes slowly.
const STEADY_SECONDS: usize = 8;
const STEADY_PART: f64 = 0.3;
/// Seconds that suffice once patience is over.
const HASTY_SECONDS: usize = 4;
/// The relative rise that counts as none. Chance hides a rise in some looks and feigns one in others: steady throughput
/// passes every other look.
const STEADY_RISE: f64 = 0.01;

/// The most that a service can do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capacity {
    /// Requests that succeeded per second.
    pub rate: f64,
    /// Users that it took.
    pub users: u32,
    /// Whether throughput had stopped rising, and the service was no longer making itself ready.
    pub is_steady: bool,
}

/// The probe, under way.
#[derive(Clone, Debug)]
pub struct Probe {
    users: u32,
    users_max: u32,
    /// Seconds since the beginning of the search after which an unsteady service is taken as it is.
    patience: f64,
    /// Throughput of the step before, and the factor by which users have grown since.
    before: f64,
    growth: u32,
    /// The least mean response time of the steps, in seconds.
    least: f64,
    is_saturated: bool,
    /// Requests that succeeded in each second of the step under way.
    seconds: Vec<u32>,
    /// Whether the service was making itself ready when it was last seen.
    is_warming: bool,
    /// The capacity, once the probe is over.
    pub found: Option<Capacity>,
}

impl Probe {
    /// A probe of a service that has until `patience`, in seconds since the beginning, to become steady.
    pub fn new(users_max: u32, patience: f64) -> Self {
        Self {
            users: FIRST_USERS.min(users_max),
            users_max,
            patience,
            before: 0.0,
            growth: 1,
            least: f64::INFINITY,
            is_saturated: false,
            seconds: Vec::new(),
            is_warming: false,
            found: None,
        }
    }

    /// Users of the step under way.
    pub fn users(&self) -> u32 {
        self.users
    }

    /// Whether nothing was seen of the step as yet.
    pub fn is_fresh(&self) -> bool {
        self.seconds.is_empty()
    }

    /// Begins again with the users that saturated the service, to see what it can do by now, until `patience`.
    pub fn again(&mut self, patience: f64) {
        (self.seconds, self.before, self.patience, self.found) = (Vec::new(), 0.0, patience, None);
    }

    /// Takes in further seconds; whether the step is over.
    pub fn observe(&mut self, seen: &Seen, elapsed: f64) -> bool {
        self.seconds.extend(&seen.succeeded);
        self.is_warming = seen.is_warming;
        let Some(&last) = self.seconds.last() else { return false };
        if self.is_saturated {
            return self.is_freed(elapsed) || self.watch(elapsed);
        }
        let answers: u32 = self.seconds.iter().sum();
        let is_enough = answers >= ANSWERS_PER_USER * self.users || self.seconds.len() >= STEP_MAX;
        // A slow service has not answered anybody yet.
        let waits = answers == 0 && self.before == 0.0 && elapsed < self.patience.min(FIRST_ANSWER);
        if !is_enough || waits {
            return false;
        }
        // Answers of users who began at once come at once, maybe none in this second.
        let mean = f64::from(answers) / self.seconds.len() as f64;
        let throughput = if last == 0 { mean } else { f64::from(last) };
        self.least = self.least.min(f64::from(self.users) / throughput.max(1.0));
        if self.saturates(throughput) {
            // The users stay.
            self.is_saturated = true;
            return self.watch(elapsed);
        }
        let growth = if self.is_in_proportion(throughput) { GROWTH } else { CAREFUL_GROWTH };
        self.before = throughput;
        self.add_users(growth);
        true
    }

    /// Whether more users would tell nothing: they bring no more throughput, or less than in proportion and wait for
    /// each other already. A service whose memory they would fill may not survive them.
    fn saturates(&self, throughput: f64) -> bool {
        let is_queued = self.delay(throughput) > QUEUED;
        self.users == self.users_max
            || throughput == 0.0
            || (self.before > 0.0 && throughput < WORTH_IT * self.before)
            || (is_queued && !self.is_in_proportion(throughput))
    }

    /// Adds users if those that seemed to saturate the service no longer wait for each other: its code is compiled by
    /// now, or it has its CPU back. Whether it did.
    fn is_freed(&mut self, elapsed: f64) -> bool {
        let has_time = elapsed + HASTY_SECONDS as f64 <= self.patience;
        if self.seconds.len() <= STEP_MAX || self.users == self.users_max || !has_time {
            return false;
        }
        let last = &self.seconds[self.seconds.len() - STEP_MAX..];
        let throughput = f64::from(last.iter().sum::<u32>()) / STEP_MAX as f64;
        let is_undelayed = self.delay(throughput) < UNDELAYED;
        if is_undelayed {
            (self.is_saturated, self.before) = (false, throughput);
            self.add_users(CAREFUL_GROWTH);
        }
        is_undelayed
    }

    /// The mean response time, by Little's law, as a multiple of the least one seen.
    fn delay(&self, throughput: f64) -> f64 {
        f64::from(self.users) / (self.least * throughput)
    }

    fn add_users(&mut self, growth: u32) {
        self.growth = growth;
        self.users = self.users.saturating_mul(growth).min(self.users_max);
        self.seconds.clear();
    }

    fn is_in_proportion(&self, throughput: f64) -> bool {
        throughput >= IN_PROPORTION * f64::from(self.growth) * self.before
    }

    fn watch(&mut self, elapsed: f64) -> bool {
        let is_impatient = elapsed >= self.patience;
        let wanted = STEADY_SECONDS.max((STEADY_PART * elapsed) as usize);
        let window = if is_impatient { self.seconds.len().min(wanted) } else { wanted };
        if self.seconds.len() < window.max(HASTY_SECONDS) {
            return false;
        }
        // Halves of equal length: the second in the middle of an odd window is in both.
        let (all, half) = (&self.seconds[self.seconds.len() - window..], window.div_ceil(2));
        let sum = |seconds: &[u32]| seconds.iter().map(|&n| f64::from(n)).sum::<f64>();
        let (early, late) = (sum(&all[..half]), sum(&all[window - half..]));
        let is_steady = late - early <= STEADY_RISE * early && !self.is_warming;
        if !is_steady && !is_impatient {
            return false;
        }
        let last = &self.seconds[self.seconds.len() - window.min(STEADY_SECONDS)..];
        let now = sum(last) / last.len() as f64;
        // It can do what it did with fewer users. That was a single second, so that only a clear difference counts.
        let rate = if self.before > WORTH_IT * now { self.before } else { now };
        self.found = Some(Capacity { rate, users: self.users, is_steady });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(succeeded: f64) -> Seen {
        Seen { succeeded: vec![succeeded as u32], ..Seen::default() }
    }

    /// Probes a service whose throughput depends on its users; what was found.
    fn probed(throughput: impl Fn(f64) -> f64) -> Capacity {
        let mut probe = Probe::new(10_000, 60.0);
        for number in 1..60 {
            probe.observe(&second(throughput(f64::from(probe.users()))), f64::from(number));
            if let Some(found) = probe.found {
                return found;
            }
        }
        panic!("no capacity within 60 s");
    }

    #[test]
    fn users_grow_no_further_once_they_wait_for_each_other() {
        let smooth = probed(|users| 6_000.0 * users / (users + 500.0));
        assert_eq!((smooth.users, smooth.rate as u32), (1_024, 4_031));
        let sharp = probed(|users| f64::min(users / 0.01, 800.0));
        assert_eq!((sharp.users, sharp.rate as u32), (32, 800));
    }

    #[test]
    fn users_grow_with_throughput_however_long_their_requests_take() {
        assert_eq!(probed(|users| users.min(900.0) / 2.0).rate, 450.0);
    }

    /// Each request takes two and a half seconds, of 200 at a time; those that begin together end together.
    #[test]
    fn a_service_that_answers_nobody_for_seconds_is_awaited() {
        let mut probe = Probe::new(10_000, 50.0);
        for elapsed in (1..60).map(f64::from) {
            let has_answers = (elapsed / 2.5).floor() > ((elapsed - 1.0) / 2.5).floor();
            let answers = if has_answers { f64::from(probe.users().min(200)) } else { 0.0 };
            probe.observe(&second(answers), elapsed);
        }
        let found = probe.found.unwrap();
        // Their bursts hide what more users would bring, which the search finds out.
        assert!(found.users <= 1_024 && (20.0..=200.0).contains(&found.rate), "{found:?}");
    }

    #[test]
    fn a_slow_rise_is_awaited_and_chance_is_not() {
        let mut probe = Probe::new(8, 90.0);
        let mut elapsed = 0.0;
        while probe.found.is_none() {
            elapsed += 1.0;
            probe.observe(&second(800.0 * (1.0 - 0.5 * f64::exp(-elapsed / 15.0))), elapsed);
        }
        let found = probe.found.unwrap();
        assert!(found.rate > 760.0 && found.is_steady, "{found:?} after {elapsed} s");
    }

    /// Requests take half a second, and the service can do 240 of them in a second as long as it is cold.
    #[test]
    fn users_are_added_once_those_that_seemed_too_many_no_longer_wait() {
        let mut probe = Probe::new(4_000, 25.0);
        for elapsed in (1..40).map(f64::from) {
            let at_most = if elapsed < 10.0 { 240.0 } else { 1_500.0 };
            probe.observe(&second((f64::from(probe.users()) / 0.5).min(at_most)), elapsed);
        }
        let found = probe.found.unwrap();
        assert!(found.rate > 1_490.0 && found.users >= 1_024, "{found:?}");
    }

    /// Throughput of the interpreter may be as steady as that of compiled code.
    #[test]
    fn a_service_that_still_compiles_is_awaited_as_long_as_there_is_patience() {
        let found_after = |warm_after: f64| {
            let mut probe = Probe::new(8, 60.0);
            let seconds = (1..90).map(f64::from);
            for elapsed in seconds {
                probe.observe(&Seen { is_warming: elapsed < warm_after, ..second(800.0) }, elapsed);
                if let Some(found) = probe.found {
                    return (elapsed, found.is_steady);
                }
            }
            panic!("no capacity within 90 s");
        };
        let (at_once, _) = found_after(0.0);
        assert!(at_once < 15.0, "{at_once}");
        // With an odd number of seconds as well.
        assert_eq!(found_after(31.0), (31.0, true));
        assert_eq!(found_after(40.0), (40.0, true));
        assert_eq!(found_after(1e9), (60.0, false));
    }
}
