//! An explanation under way: which load is offered next, and which censuses of the target are taken meanwhile. Does not
//! know who drives the loads.
//!
//! An explanation on its own first warms the service up and finds its capacity by a closed load. Then it looks at the
//! service without load, with one request at a time, and fully loaded. Under each load, figures come first, while no
//! thread is asked for; then dumps are taken, and no figure is made.

mod census_thread;
mod selection;
mod step;
#[cfg(test)]
mod tests;

use plimsoll_record::{Amount, ExplainPlan, Interval, LevelPlan, Load, Nanos, Phase, ThinkTime, Window};
use plimsoll_search::{Probe, Seen};

use self::step::{Offered, REST, Step};
pub use self::{
    census_thread::CensusThread,
    selection::{Named, WantedExplanations, check, select},
    step::length,
};
use crate::{
    clock,
    line::{Gone, Silence},
    second::Joined,
};

/// A step ends when enough was seen; this is only how long it may take at most, beyond the time to warm up.
const LONGEST: Nanos = Nanos::from_secs(60);

/// An explanation under way.
pub struct Explaining {
    plan: ExplainPlan,
    /// Phase of what figures are made of.
    phase: Phase,
    requests: Vec<String>,
    /// Looks for the full load, where it is not known.
    probe: Option<Probe>,
    fulls: Vec<FullLoad>,
    began: Nanos,
    /// Steps to come, the next one last.
    left: Vec<Step>,
    now: Option<CurrentStep>,
    /// Seconds of the step under way.
    seconds: Joined,
    silence: Silence,
}

#[derive(Clone, Copy)]
struct CurrentStep {
    step: Step,
    /// Seconds of load so far.
    seconds: usize,
    /// Seconds after enough was seen.
    beyond: usize,
}

/// A full load that is explained.
#[derive(Clone, Debug, PartialEq)]
pub struct FullLoad {
    /// Label of its level; none of a load that is no level of a plan.
    pub level: Option<String>,
    /// The load; its length is ignored.
    pub load: Load,
}

impl FullLoad {
    /// A load of as many users as saturated the service.
    pub fn of_users(vus: u32) -> Self {
        Self { level: None, load: users(vus, ThinkTime::None) }
    }
}

/// The next thing to do.
#[derive(Clone, Debug)]
pub struct Action {
    /// The load, as the record has it; as an error: the time for which there is no load.
    pub load: Result<LevelPlan, Nanos>,
    /// Censuses that are taken meanwhile.
    pub census: CensusOrder,
}

/// Censuses that are to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CensusOrder {
    /// Not at all.
    Away,
    /// From outside: it costs the target nothing.
    Glance(Window),
    /// By dumps of its threads as well.
    Dump(Window),
}

/// Progress of an explanation.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainProgress {
    /// Virtual users, or requests per second.
    pub offered: Amount,
    /// Requests that succeeded in the last second.
    pub succeeded_per_s: u64,
    /// Since the beginning.
    pub elapsed: Nanos,
    /// None while the capacity is looked for.
    pub window: Option<Window>,
}

impl Explaining {
    /// An explanation on its own that begins now. `requests` are the names of what is requested; empty if it is but
    /// one.
    pub fn new(plan: &ExplainPlan, requests: Vec<String>) -> Self {
        let probe = Probe::new(plan.users.unwrap_or(plan.users_max), plan.warm_up.as_secs_f64());
        let load = plan.load.clone().or_else(|| Some(users(plan.users?, plan.think)));
        let fulls = load.map(|load| FullLoad { level: None, load }).into_iter().collect();
        Self { probe: Some(probe), ..Self::of(plan.clone(), Phase::Measured, requests, fulls, 1) }
    }

    /// An explanation after a load or a search, which have made the service warm. `fulls` are the loads to explain, in
    /// the order in which they are offered.
    pub fn after_a_load(requests: Vec<String>, fulls: Vec<FullLoad>) -> Self {
        // One request at a time has the think time of the load that it is compared with.
        let think = fulls.first().and_then(|full| full.load.think_time()).unwrap_or_default();
        let plan = ExplainPlan { think, warm_up: Nanos::ZERO, ..ExplainPlan::default() };
        let count = fulls.len();
        Self::of(plan, Phase::Explanation, requests, fulls, count)
    }

    /// Moves the beginning to `elapsed` before now.
    #[must_use]
    pub fn begun_before(self, elapsed: Nanos) -> Self {
        Self { began: clock::now() - elapsed, ..self }
    }

    fn of(plan: ExplainPlan, phase: Phase, requests: Vec<String>, fulls: Vec<FullLoad>, count: usize) -> Self {
        let full = |index| [Step::Measure(Offered::Full(index)), Step::Census(Offered::Full(index))];
        let probe = (phase == Phase::Measured).then_some(Step::Probe);
        let light = [Step::Rest, Step::Measure(Offered::Light), Step::Census(Offered::Light)];
        let mut left: Vec<Step> = probe.into_iter().chain(light).chain((0..count).flat_map(full)).collect();
        left.reverse();
        let (seconds, silence) = (Joined::new(requests.len()), Silence::default());
        Self { plan, phase, requests, probe: None, fulls, began: clock::now(), left, now: None, seconds, silence }
    }

    /// The next thing to do; none once all is seen.
    pub fn next_action(&mut self) -> Option<Action> {
        let step = *self.left.last()?;
        self.now = Some(CurrentStep { step, seconds: 0, beyond: 0 });
        let (load, census) = match step {
            Step::Probe => {
                let load = users(self.probe_users(), self.plan.think);
                (Ok(self.level("capacity", Phase::WarmUp, &load)), CensusOrder::Away)
            }
            Step::Rest => (Err(REST), CensusOrder::Dump(Window::Rest)),
            Step::Measure(offered) => (Ok(self.step(offered, self.phase)), CensusOrder::Glance(offered.window())),
            Step::Census(offered) => (Ok(self.step(offered, Phase::Census)), CensusOrder::Dump(offered.window())),
        };
        Some(Action { load, census })
    }

    fn step(&self, offered: Offered, phase: Phase) -> LevelPlan {
        let FullLoad { level, load } = self.load(offered);
        let label = offered.window().label();
        LevelPlan { explains: level, ..self.level(label, phase, &load) }
    }

    fn level(&self, label: &str, phase: Phase, load: &Load) -> LevelPlan {
        let load = load.held(self.plan.warm_up + LONGEST).unwrap_or_else(|| load.clone());
        LevelPlan { requests: self.requests.clone(), ..LevelPlan::new(label, phase, load) }
    }

    fn load(&self, offered: Offered) -> FullLoad {
        match offered {
            Offered::Light => FullLoad { level: None, load: users(1, self.plan.think) },
            Offered::Full(index) => self.fulls.get(index).cloned().unwrap_or_else(|| {
                let found = self.probe.as_ref().and_then(|probe| probe.found).map_or(1, |found| found.users);
                FullLoad { level: None, load: users(found, self.plan.think) }
            }),
        }
    }

    /// Takes in an interval: a second, or that of one request in it. Returns the progress once the second is complete.
    pub fn add(&mut self, interval: Interval) -> Option<ExplainProgress> {
        let elapsed = self.elapsed();
        let CurrentStep { step, .. } = self.now?;
        let second = self.seconds.complete(interval)?;
        self.silence.add(&second);
        let succeeded = second.counts.succeeded;
        let count = if self.requests.len() > 1 { second.counts.iterations } else { succeeded };
        self.pass_second(u32::try_from(count).unwrap_or(u32::MAX), elapsed);
        let (offered, window) = match step {
            Step::Probe => (users(self.probe_users(), ThinkTime::None).peak(), None),
            Step::Rest => return None,
            Step::Measure(it) | Step::Census(it) => (self.load(it).load.peak(), Some(it.window())),
        };
        Some(ExplainProgress { offered, succeeded_per_s: succeeded, elapsed, window })
    }

    fn pass_second(&mut self, count: u32, elapsed: Nanos) {
        let Some(now) = self.now.as_mut() else { return };
        now.seconds += 1;
        if let Some(probe) = self.probe.as_mut().filter(|_| now.step == Step::Probe) {
            probe.observe(&Seen { succeeded: vec![count], ..Seen::default() }, elapsed.as_secs_f64());
        }
        let is_enough = self.is_enough();
        self.now.iter_mut().filter(|_| is_enough).for_each(|now| now.beyond += 1);
    }

    /// Whether nothing answers any more: the target has ended.
    pub fn gone(&self) -> Option<Gone> {
        self.silence.gone()
    }

    /// Whether enough was seen of the step.
    pub fn is_enough(&self) -> bool {
        self.now.is_some_and(|now| match now.step {
            // The probe wants another number of users, or is over.
            Step::Probe => {
                let is_over = |probe: &Probe| probe.found.is_some() || probe.is_fresh();
                now.seconds > 0 && self.probe.as_ref().is_none_or(is_over)
            }
            step => now.seconds >= step.seconds(),
        })
    }

    /// Whether requests in flight at the end of the step have been awaited for long enough.
    pub fn is_overdue(&self) -> bool {
        self.now.is_some_and(|now| now.beyond > now.step.awaited())
    }

    /// Ends the step under way, which was driven to its end.
    pub fn end(&mut self) {
        self.seconds.finish();
        let is_found = self.probe.as_ref().is_none_or(|probe| probe.found.is_some());
        if self.now.take().is_some_and(|now| now.step != Step::Probe || is_found) {
            self.left.pop();
        }
    }

    /// Since the beginning.
    pub fn elapsed(&self) -> Nanos {
        clock::now() - self.began
    }

    /// Time that it will still take, the probe left out.
    pub fn remaining(&self) -> Nanos {
        let left: usize = self.left.iter().map(|step| step.seconds()).sum();
        let done = self.now.map_or(0, |now| now.seconds);
        Nanos::from_secs(left.saturating_sub(done) as u64)
    }

    fn probe_users(&self) -> u32 {
        self.probe.as_ref().map_or(1, Probe::users)
    }
}

fn users(vus: u32, think: ThinkTime) -> Load {
    Load::ConstantVus { vus, duration: LONGEST, think }
}
