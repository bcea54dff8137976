//! Executes an experiment: prepares the artifacts, then makes rounds of runs.

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use jiff::{Timestamp, Unit};
use plimsoll_analysis::claims;
use plimsoll_record::{Environment, ExecutionStatus, Nanos, Plan, Run, RunStatus, store::Store};

use super::Execution;
use crate::{
    artifact::{Around, Artifact, Beside, PrepareError, Said},
    clock,
    event::{Event, Place},
    experiment::{Experiment, Program, Variant},
    explain,
    order::orders,
    placement::Placement,
    run::{
        Context, LabError, Outcome,
        limits::LimitsText,
        single,
        training::RequestTrainer,
        upstream::{Starter, TrainingUpstream},
    },
};

/// Executes an experiment that was checked.
pub fn execute(
    experiment: &Experiment,
    store: &mut Store,
    context: &Context,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(Event),
) -> Result<Outcome, LabError> {
    let placement = match context.generator.parts() {
        Some(_) => Placement::beside_parts(),
        None => Placement::here(),
    };
    let environment = environment(context, experiment, &placement);
    let id = store.begin_execution(&experiment.plan, &environment, &timestamp())?;
    let mut execution = Execution {
        experiment,
        store,
        context,
        stop,
        placement,
        on_event,
        id,
        environment,
        levels: experiment.plan.levels.clone(),
        variants: experiment.plan.variants.clone(),
        limits: LimitsText::default(),
        said: Default::default(),
        started: clock::now(),
        runs: 0,
        took: Vec::new(),
        run_started: Nanos::ZERO,
        explained: Nanos::ZERO,
        to_explain: explanations(&experiment.plan),
        warmed_up_s: 0,
        runs_done: 0,
        runs_failed: 0,
    };
    let result = execution.all_rounds();
    let status = result.as_ref().map_or(ExecutionStatus::Failed, |status| *status);
    let noted = execution.note_parts();
    let ended = execution.store.end_execution(id, status, &timestamp());
    // The first error says more than one that follows from it.
    result?;
    noted?;
    ended?;
    execution.say(Event::Ended { status });
    let Execution { runs_done, runs_failed, .. } = execution;
    Ok(Outcome { execution: id, status, runs_done, runs_failed })
}

/// The context's facts, and those that a run of `experiment` adds.
fn environment(context: &Context, experiment: &Experiment, placement: &Placement) -> Environment {
    let has_upstream = experiment.plan.variants.iter().any(|variant| variant.upstream.is_some());
    let mut environment = Environment {
        placement: Some(placement.description(has_upstream)),
        merged: context.generator.parts(),
        ..context.environment.clone()
    };
    let is_ours = |variant: &Variant| match &variant.program {
        Program::Jvm(jvm) => jvm.subject().is_some(),
        Program::Benchmarks { .. } => true,
        Program::Command { .. } | Program::Running => false,
    };
    if experiment.variants.iter().any(is_ours) {
        environment.jdk = context.artifacts.jdk().map(|jdk| jdk.description.clone());
        environment.versions.extend(context.artifacts.versions());
    }
    if experiment.variants.iter().any(|variant| variant.program.is_native()) {
        let builder = context.artifacts.native_image();
        environment.versions.extend(builder.map(|builder| ("native images by".to_owned(), builder)));
    }
    environment
}

/// Adds the framework and the JDK of a service of the user's own; where variants differ, each of them once.
fn add_software(environment: &mut Environment, facts: &BTreeMap<String, String>) {
    let join = |known: &mut String, one: &str| {
        if !known.split(", ").any(|other| other == one) {
            known.push_str(if known.is_empty() { "" } else { ", " });
            known.push_str(one);
        }
    };
    let versioned = facts.get("framework").and_then(|framework| framework.rsplit_once(' '));
    if let Some((name, version)) = versioned.filter(|(_, version)| version.starts_with(|it: char| it.is_ascii_digit()))
    {
        join(environment.versions.entry(name.to_owned()).or_default(), version);
    }
    if let Some(jdk) = facts.get("jdk") {
        join(environment.jdk.get_or_insert_default(), jdk);
    }
}

/// How long the explanations of each variant take.
fn explanations(plan: &Plan) -> BTreeMap<usize, Nanos> {
    let of = |name: &str| plan.explain.iter().flat_map(|it| &it.of).filter(|it| it.variant == name).count();
    let counts = plan.variants.iter().map(|variant| of(&variant.name)).enumerate();
    counts.filter(|(_, count)| *count > 0).map(|(variant, count)| (variant, explain::length(count))).collect()
}

/// Now, RFC 3339 in UTC, to the millisecond.
fn timestamp() -> String {
    let now = Timestamp::now();
    now.round(Unit::Millisecond).unwrap_or(now).to_string()
}

impl Execution<'_> {
    fn all_rounds(&mut self) -> Result<ExecutionStatus, LabError> {
        let plan = &self.experiment.plan;
        let orders = orders(self.experiment.order, plan.variants.len(), plan.rounds, plan.seed);
        self.runs = plan.rounds * plan.variants.len() as u32;
        self.say(Event::Started { execution: self.id, runs: self.runs });
        let prepared = self.prepare_all(orders.first().map_or(&[], Vec::as_slice))?;
        let runnable = prepared.iter().flatten().count() as u32;
        self.runs = plan.rounds * runnable;
        let mut run = 0;
        for (round, order) in (0..).zip(&orders) {
            for (position, &variant) in (0..).zip(order) {
                let Some(artifact) = &prepared[variant] else { continue };
                if self.is_stopped() {
                    return Ok(ExecutionStatus::Interrupted);
                }
                let name = plan.variants[variant].name.clone();
                let (rounds, is_until_decided) = (plan.rounds, plan.until_decided.is_some());
                let place = Place { variant, name, round, rounds, is_until_decided, run, runs: self.runs };
                // Parts that are lost do not come back.
                if self.one_run(&place, position, artifact)? == RunStatus::PartsLost {
                    return Ok(ExecutionStatus::Failed);
                }
                run += 1;
            }
            if self.is_decided_after(round + 1)? {
                break;
            }
        }
        Ok(if self.is_stopped() { ExecutionStatus::Interrupted } else { ExecutionStatus::Done })
    }

    /// Looks at the claims, if the execution ends once they are decided and so many rounds are enough for a look.
    fn is_decided_after(&mut self, rounds: u32) -> Result<bool, LabError> {
        let is_enough = self.experiment.plan.until_decided.is_some_and(|until| rounds >= until.at_least);
        if !is_enough || self.is_stopped() {
            return Ok(false);
        }
        let undecided = claims::undecided(&self.store.read(self.id)?);
        let is_decided = undecided.is_empty();
        self.say(Event::Looked { rounds, undecided });
        Ok(is_decided)
    }

    fn one_run(&mut self, place: &Place, position: u32, artifact: &Artifact) -> Result<RunStatus, LabError> {
        (self.run_started, self.explained) = (clock::now(), Nanos::ZERO);
        let run = self.store.begin_run(self.id, place.variant, place.round, position)?;
        self.say(Event::RunStarting(place.clone()));
        let status = single::run(self, run, place, artifact)?;
        // Explanations belong to the first round, even if this run did not come to its own.
        self.to_explain.remove(&place.variant);
        match status {
            RunStatus::Done => {
                self.runs_done += 1;
                self.took.push(clock::now() - self.run_started - self.explained);
            }
            RunStatus::Interrupted => {}
            _ => self.runs_failed += 1,
        }
        Ok(status)
    }

    /// Artifacts of all variants, none for those that cannot run here: each of them is recorded as one skipped run.
    /// Whatever this machine lacks is told before anything is built.
    fn prepare_all(&mut self, first_order: &[usize]) -> Result<Vec<Option<Artifact>>, LabError> {
        let position = |variant| first_order.iter().position(|&at| at == variant).unwrap_or(variant) as u32;
        let variants = &self.experiment.variants;
        let missing = |launched: &Variant| self.context.artifacts.missing(&launched.program, &launched.limits);
        let missing: Vec<_> = variants.iter().map(missing).collect();
        for (variant, missing) in missing.iter().enumerate() {
            if let Some(text) = missing {
                self.skip(variant, position(variant), &PrepareError::Unavailable(text.clone()))?;
            }
        }
        let mut prepared = Vec::new();
        for (variant, missing) in missing.iter().enumerate() {
            if self.is_stopped() {
                return Ok(vec![None; variants.len()]);
            }
            prepared.push(match missing {
                Some(_) => None,
                None => self.prepare(variant, position(variant))?,
            });
        }
        Ok(prepared)
    }

    /// The artifact of a variant, and its cost in the environment.
    fn prepare(&mut self, variant: usize, position: u32) -> Result<Option<Artifact>, LabError> {
        self.say(Event::Preparing { variant });
        let (launched, plan) = (&self.experiment.variants[variant], &self.experiment.plan.variants[variant]);
        let starter = Starter { context: self.context, placement: &self.placement, stop: self.stop };
        let beside = plan.upstream.as_ref().map(|plan| TrainingUpstream { plan, starter });
        let beside = beside.as_ref().map(|upstream| upstream as &dyn Beside);
        let trainer = RequestTrainer { starter, experiment: self.experiment, variant };
        let around = Around { env: Some(&launched.env), beside, trainer: Some(&trainer) };
        let (artifacts, on_event) = (&self.context.artifacts, &mut *self.on_event);
        let say = &mut |said: Said<'_>| {
            on_event(match said {
                Said::Step(step) => Event::PreparationStep { variant, step: step.to_owned() },
                Said::Progress(line) => Event::PreparationProgress { variant, line: line.to_owned() },
            });
        };
        match artifacts.prepare(&launched.program, &launched.limits, around, say) {
            Ok(artifact) => {
                let mut environment = self.environment.clone();
                environment.making.extend(artifact.making().map(|making| (plan.name.clone(), making)));
                add_software(&mut environment, artifact.facts());
                self.keep(environment)?;
                self.add_facts(variant, artifact.facts())?;
                Ok(Some(artifact))
            }
            // An execution ended by Ctrl-C has not failed.
            Err(_) if self.is_stopped() => Ok(None),
            Err(error) => self.skip(variant, position, &error).map(|()| None),
        }
    }

    fn skip(&mut self, variant: usize, position: u32, error: &PrepareError) -> Result<(), LabError> {
        let detail = error.brief().to_owned();
        let run = self.store.begin_run(self.id, variant, 0, position)?;
        let status = match error {
            PrepareError::Unavailable(_) => RunStatus::Skipped,
            PrepareError::Failed { .. } => RunStatus::BuildFailed,
        };
        let run = Run { status, detail: Some(detail.clone()), ..run };
        self.store.update_run(&run)?;
        self.store.add_output(run.id, error.telling())?;
        self.runs_failed += 1;
        self.to_explain.remove(&variant);
        self.say(Event::Skipped { variant, detail, telling: error.telling().to_vec() });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn software_of_several_variants_is_told_once_each() {
        let mut environment = Environment::default();
        for (framework, jdk) in [("Spring Boot 3.5.7", "A 21"), ("Spring Boot 4.1.1", "A 25"), ("plain Java", "A 21")] {
            let facts = [("framework", framework), ("jdk", jdk)].map(|(name, text)| (name.to_owned(), text.to_owned()));
            add_software(&mut environment, &facts.into());
        }
        assert_eq!(environment.versions, [("Spring Boot".to_owned(), "3.5.7, 4.1.1".to_owned())].into());
        assert_eq!(environment.jdk.as_deref(), Some("A 21, A 25"));
    }
}
