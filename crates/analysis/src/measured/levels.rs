//! The levels of reports: measured levels of the plan, ramps split into their stages.

use plimsoll_record::{Execution, ExplainPlan, Leg, LevelPlan, Nanos, Part, Phase, Plan};

use crate::results::LevelSummary;

/// A level of reports.
#[derive(Clone, Debug)]
pub(crate) struct Level<'a> {
    pub label: String,
    /// The level of the plan that it is, or is a stage of.
    pub plan: &'a LevelPlan,
    /// The stage, if the load ramps.
    pub stage: Option<u32>,
    /// The parts of its load that were offered; empty if it is the whole.
    pub parts: Vec<Part>,
    /// Whether it was to end once enough was seen: the duration of its load is only how long that may take.
    pub is_open_ended: bool,
}

/// Every measured level of the execution's plan, in order. Trials of a search are not levels: each run has its own.
pub(crate) fn of(execution: &Execution) -> Vec<Level<'_>> {
    let parts = parts(execution);
    of_plan(&execution.plan).map(|level| Level { parts: parts.clone(), ..level }).collect()
}

/// The same for a plan, without parts.
pub(crate) fn of_plan(plan: &Plan) -> impl Iterator<Item = Level<'_>> {
    let is_known = plan.line.is_none();
    let is_open_ended = plan.explain.as_ref().is_some_and(ExplainPlan::is_alone);
    let measured = plan.levels.iter().filter(move |level| is_known && level.phase == Phase::Measured).flat_map(split);
    measured.map(move |level| Level { is_open_ended, ..level })
}

fn parts(execution: &Execution) -> Vec<Part> {
    match &execution.environment.merged {
        Some(merged) => merged.parts.iter().map(|it| Part { number: it.number, count: merged.count }).collect(),
        None => execution.plan.segment.into_iter().collect(),
    }
}

/// The level itself, or the stages of its ramp.
pub(crate) fn split(plan: &LevelPlan) -> Vec<Level<'_>> {
    let legs = plan.load.legs();
    if legs.is_empty() {
        return vec![Level { label: plan.label.clone(), plan, stage: None, parts: Vec::new(), is_open_ended: false }];
    }
    let by_load = plan.load.stage_labels(&[]);
    let label = |stage: usize| plan.stage_labels.get(stage).unwrap_or(&by_load[stage]).clone();
    let stage =
        |stage| Level { label: label(stage), plan, stage: Some(stage as u32), parts: Vec::new(), is_open_ended: false };
    (0..legs.len()).map(stage).collect()
}

impl Level<'_> {
    pub(crate) fn summary(&self) -> LevelSummary {
        LevelSummary { label: self.label.clone(), load: self.plan.load.clone() }
    }

    /// When a stage begins and ends by plan, counted from the start of the load; none unless it is a stage.
    pub(crate) fn stage_window(&self) -> Option<(Nanos, Nanos)> {
        self.leg().map(|leg| (leg.begin, leg.end()))
    }

    fn leg(&self) -> Option<Leg> {
        self.plan.load.legs().get(self.stage? as usize).copied()
    }

    /// True if no stage follows it.
    pub(crate) fn is_last_stage(&self) -> bool {
        self.stage.is_some_and(|stage| stage as usize + 1 == self.plan.load.legs().len())
    }

    /// Virtual users, or requests per second, that the load plans at most at any time of this level.
    pub(crate) fn peak_target(&self) -> f64 {
        self.leg().map_or_else(|| self.plan.load.peak_target(), Leg::peak)
    }

    /// The most requests that can be in flight in this level.
    pub(crate) fn max_in_flight(&self) -> f64 {
        let most = match self.plan.load.is_closed() {
            true => self.peak_target(),
            false => f64::from(self.plan.load.max_in_flight()),
        };
        let of_part = |part: &Part| part.share(most as u64);
        if self.parts.is_empty() { most } else { self.parts.iter().map(of_part).sum::<u64>() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Load, Stage, ThinkTime};

    use super::*;
    use crate::testing::{self, execution, level_plan, plan};

    #[test]
    fn a_ramp_is_as_many_levels_as_it_has_stages_and_a_warm_up_none() {
        let stage = |s, target| Stage { duration: Nanos::from_secs(s), target };
        let load = Load::RampingVus {
            start_vus: 5,
            stages: vec![stage(10, 50.0), stage(20, 50.0), stage(5, 0.0)],
            think: ThinkTime::None,
        };
        let mut ramp = level_plan("ramp", load);
        ramp.stage_labels = vec!["up".to_owned(), "hold".to_owned()];
        let warm_up = LevelPlan { phase: Phase::WarmUp, ..ramp.clone() };
        let execution = execution(plan(Vec::new(), vec![warm_up, ramp], 1), Vec::new()).execution;
        let levels = of(&execution);
        let labels: Vec<&str> = levels.iter().map(|level| level.label.as_str()).collect();
        assert_eq!(labels, ["up", "hold", "50-0"]);
        assert_eq!(levels[1].stage_window(), Some((Nanos::from_secs(10), Nanos::from_secs(30))));
        assert_eq!(levels.iter().map(Level::max_in_flight).collect::<Vec<_>>(), [50.0, 50.0, 50.0]);
    }
    #[test]
    fn of_some_parts_as_many_are_in_flight_as_they_were_dealt() {
        let load = Load::ConstantVus { vus: 10, duration: Nanos::from_secs(1), think: ThinkTime::None };
        let mut execution = execution(plan(Vec::new(), vec![level_plan("10", load)], 1), Vec::new()).execution;
        let allowed = |execution: &Execution| of(execution)[0].max_in_flight();
        assert_eq!(allowed(&execution), 10.0);
        let of_part = |number| Execution {
            plan: plimsoll_record::Plan { segment: Some(Part { number, count: 4 }), ..execution.plan.clone() },
            ..execution.clone()
        };
        assert_eq!([1, 2, 3, 4].map(|number| allowed(&of_part(number))), [3.0, 3.0, 2.0, 2.0]);
        execution.environment.merged = Some(testing::merged(4, &[(1, Nanos::ZERO), (2, Nanos::ZERO)]));
        assert_eq!(allowed(&execution), 6.0);
    }
}
