//! An explanation under way: which load is offered next, and when the target is looked at meanwhile. Who drives the
//! loads is not known here.
//!
//! First the service is warmed up and its capacity found by a closed load. Then it is looked at three times: without
//! load, with one request at a time, and with as many users as it takes until throughput rises no more. A window of
//! figures comes first, in which no thread is asked for; then one in which dumps are taken, of which no figure is made.

mod looking;

use plimsoll_record::{ExplainPlan, Interval, LevelPlan, Load, Nanos, Phase, Window};
use plimsoll_search::Probe;

pub use self::looking::Looking;
use crate::clock;

/// The window without load, in seconds.
const REST: Nanos = Nanos::from_millis(1_200);
/// Seconds of figures under each load, and beside dumps.
const LIGHT_S: usize = 3;
const LIGHT_CENSUS_S: usize = 2;
const FULL_S: usize = 5;
const FULL_CENSUS_S: usize = 7;

/// An explanation under way.
pub struct Explaining {
    plan: ExplainPlan,
    requests: Vec<String>,
    probe: Probe,
    began: Nanos,
    /// Steps to come, the next one last.
    left: Vec<Step>,
    now: Option<(Step, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Probe,
    Measure(Window),
    Census(Window),
}

/// What is to be done next.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The load, as the record has it; none: no load for that long.
    pub load: Result<LevelPlan, Nanos>,
    /// How the target is looked at meanwhile.
    pub look: Look,
}

/// How a target is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Not at all.
    Away,
    /// From outside: it costs the target nothing.
    Glance(Window),
    /// By dumps of its threads as well.
    Dump(Window),
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Virtual users.
    pub users: u32,
    /// Requests that succeeded in the last second.
    pub succeeded_per_s: u64,
    /// Since the beginning.
    pub elapsed: Nanos,
    /// None while the capacity is looked for.
    pub window: Option<Window>,
}

impl Explaining {
    /// An explanation that begins now. `requests` are the names of what is requested; empty if it is but one.
    pub fn new(plan: &ExplainPlan, requests: Vec<String>) -> Self {
        let steps = [
            Step::Probe,
            Step::Census(Window::Rest),
            Step::Measure(Window::Light),
            Step::Census(Window::Light),
            Step::Measure(Window::Full),
            Step::Census(Window::Full),
        ];
        Self {
            probe: Probe::new(plan.users.unwrap_or(plan.users_max), plan.warm_up.as_secs_f64()),
            plan: plan.clone(),
            requests,
            began: clock::now(),
            left: steps.into_iter().rev().collect(),
            now: None,
        }
    }

    /// What to do next; none once all is seen.
    pub fn next_offer(&mut self) -> Option<Offer> {
        let step = *self.left.last()?;
        self.now = Some((step, 0));
        let level = |label: &str, phase, users| {
            let (duration, think) = (self.plan.warm_up + Nanos::from_secs(60), self.plan.think);
            let plan = LevelPlan::new(label, phase, Load::ConstantVus { vus: users, duration, think });
            LevelPlan { requests: self.requests.clone(), ..plan }
        };
        let label = |window| if window == Window::Light { "light" } else { "full" };
        let (load, look) = match step {
            Step::Probe => (Ok(level("capacity", Phase::WarmUp, self.probe.users())), Look::Away),
            Step::Measure(window) => {
                (Ok(level(label(window), Phase::Measured, self.users(window))), Look::Glance(window))
            }
            Step::Census(Window::Rest) => (Err(REST), Look::Dump(Window::Rest)),
            Step::Census(window) => (Ok(level(label(window), Phase::Census, self.users(window))), Look::Dump(window)),
        };
        Some(Offer { load, look })
    }

    /// Takes in what was measured in a second; how it stands.
    pub fn add(&mut self, interval: &Interval) -> Option<Standing> {
        let elapsed = self.elapsed();
        let (step, seconds) = self.now.as_mut()?;
        // Scripts of several requests have an interval for each.
        if interval.request == 0 {
            *seconds += 1;
        }
        let (step, succeeded) = (*step, interval.counts.succeeded);
        if step == Step::Probe && interval.request == 0 {
            let count = if self.requests.len() > 1 { interval.counts.iterations } else { succeeded };
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            self.probe.observe(&[count], elapsed.as_secs_f64());
        }
        let (users, window) = match step {
            Step::Probe => (self.probe.users(), None),
            Step::Measure(window) | Step::Census(window) => (self.users(window), Some(window)),
        };
        Some(Standing { users, succeeded_per_s: succeeded, elapsed, window })
    }

    /// Whether enough was seen of the step.
    pub fn is_enough(&self) -> bool {
        let Some((step, seconds)) = self.now else { return false };
        match step {
            // The probe has asked for other users, or is over.
            Step::Probe => seconds > 0 && (self.probe.found.is_some() || self.probe.is_fresh()),
            Step::Measure(Window::Full) => seconds >= FULL_S,
            Step::Measure(_) => seconds >= LIGHT_S,
            Step::Census(Window::Full) => seconds >= FULL_CENSUS_S,
            Step::Census(_) => seconds >= LIGHT_CENSUS_S,
        }
    }

    /// The step was made to its end.
    pub fn end(&mut self) {
        let is_over = self.now.take().is_some_and(|(step, _)| step != Step::Probe || self.probe.found.is_some());
        if is_over {
            self.left.pop();
        }
    }

    /// Since the beginning.
    pub fn elapsed(&self) -> Nanos {
        clock::now() - self.began
    }

    fn users(&self, window: Window) -> u32 {
        match window {
            Window::Full => self.plan.users.unwrap_or_else(|| self.probe.found.map_or(1, |found| found.users)),
            Window::Light | Window::Rest => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Counts, ThinkTime};

    use super::*;

    /// A service with eight workers of 10 ms each.
    fn second_of(users: u32) -> Interval {
        let succeeded = u64::from(users.min(8)) * 100;
        let counts = Counts { offered: succeeded, succeeded, ..Counts::default() };
        Interval { duration: Nanos::from_secs(1), counts, ..Interval::default() }
    }

    fn all(plan: &ExplainPlan) -> Vec<(String, u32, Look)> {
        let mut explaining = Explaining::new(plan, Vec::new());
        let mut offers = Vec::new();
        while let Some(offer) = explaining.next_offer() {
            match offer.load {
                Err(_) => offers.push((String::new(), 0, offer.look)),
                Ok(level) => {
                    let Load::ConstantVus { vus, .. } = level.load else { panic!("{level:?}") };
                    offers.push((format!("{:?} {}", level.phase, level.label), vus, offer.look));
                    while !explaining.is_enough() {
                        explaining.add(&second_of(vus)).expect("a step is under way");
                    }
                }
            }
            explaining.end();
            assert!(offers.len() < 20, "{offers:?}");
        }
        offers
    }

    #[test]
    fn the_capacity_comes_first_and_dumps_after_figures() {
        let plan = ExplainPlan { users: None, users_max: 1_024, warm_up: Nanos::from_secs(30), think: ThinkTime::None };
        let steps = all(&plan);
        let (probes, rest): (Vec<_>, Vec<_>) = steps.into_iter().partition(|step| step.0.starts_with("WarmUp"));
        assert_eq!(probes.iter().map(|it| it.1).collect::<Vec<_>>(), [4, 16, 32], "until throughput rises no more");
        let expected = [
            (String::new(), 0, Look::Dump(Window::Rest)),
            ("Measured light".to_owned(), 1, Look::Glance(Window::Light)),
            ("Census light".to_owned(), 1, Look::Dump(Window::Light)),
            ("Measured full".to_owned(), 32, Look::Glance(Window::Full)),
            ("Census full".to_owned(), 32, Look::Dump(Window::Full)),
        ];
        assert_eq!(rest, expected);
    }

    #[test]
    fn users_that_are_given_are_the_full_load() {
        let plan =
            ExplainPlan { users: Some(5), users_max: 1_024, warm_up: Nanos::from_secs(30), think: ThinkTime::None };
        assert_eq!(all(&plan).last().map(|step| step.1), Some(5));
    }
}
