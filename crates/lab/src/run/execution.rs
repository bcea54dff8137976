//! An execution under way: what is recorded and told of it beside its runs.

pub mod rounds;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Add,
    sync::atomic::{AtomicBool, Ordering},
};

use plimsoll_record::{
    Environment, LevelPlan, LinePlan, Nanos, Phase, Plan, ServerSeen, VariantPlan,
    store::{Store, StoreError},
};

use rustix::process::geteuid;

use super::{Context, LabError, limits::LimitsText, remaining::remaining};
use crate::{
    clock,
    event::{Event, Place},
    experiment::Experiment,
    launch::Applied,
    placement::Placement,
};

/// An execution under way.
pub struct Execution<'a> {
    pub experiment: &'a Experiment,
    pub store: &'a mut Store,
    pub context: &'a Context,
    pub stop: &'a AtomicBool,
    pub placement: Placement,
    on_event: &'a mut dyn FnMut(Event),
    id: i64,
    environment: Environment,
    /// Levels of the record's plan: those of the experiment, then steps of searches and of explanations.
    levels: Vec<LevelPlan>,
    /// Variants of the record's plan: those of the experiment, with what their programs turned out to be.
    variants: Vec<VariantPlan>,
    limits: LimitsText,
    said: BTreeSet<String>,
    started: Nanos,
    runs: u32,
    /// How long each run took that was driven to its end.
    took: Vec<Nanos>,
    run_started: Nanos,
    /// How long the explanation after the run under way took.
    explained: Nanos,
    /// How long explanations to come take, by variant.
    to_explain: BTreeMap<usize, Nanos>,
    /// Longest warm-up so far that ended once its target was warm, in seconds: no later one is shorter.
    pub warmed_up_s: u32,
    runs_done: u32,
    runs_failed: u32,
}

impl Execution<'_> {
    /// Notes that so much is `left` of the explanation of `variant`.
    pub fn explaining(&mut self, variant: usize, left: Nanos) {
        self.to_explain.insert(variant, left);
    }

    /// Notes that the explanation of `variant` is over, and how long it took.
    pub fn explained(&mut self, variant: usize, took: Nanos) {
        self.to_explain.remove(&variant);
        self.explained = took;
    }

    /// Appends a level to the record's plan: a step of a search, or of an explanation. Its index.
    pub fn add_level(&mut self, level: LevelPlan) -> Result<usize, StoreError> {
        self.levels.push(level);
        self.keep_plan()?;
        Ok(self.levels.len() - 1)
    }

    /// Leaves levels, by index, out of all figures.
    pub fn discard(&mut self, levels: &[usize]) -> Result<(), StoreError> {
        if levels.is_empty() {
            return Ok(());
        }
        levels.iter().for_each(|&level| self.levels[level].phase = Phase::Discarded);
        self.keep_plan()
    }

    /// Keeps with the settings of a variant what its program turned out to be.
    fn add_facts(&mut self, variant: usize, facts: &BTreeMap<String, String>) -> Result<(), StoreError> {
        if facts.is_empty() {
            return Ok(());
        }
        self.variants[variant].settings.extend(facts.clone());
        self.keep_plan()
    }

    /// Keeps with a variant which program serves its requests, as it was seen first.
    pub fn note_server(&mut self, variant: usize, seen: impl FnOnce() -> Option<ServerSeen>) -> Result<(), StoreError> {
        if self.variants[variant].server.is_some() {
            return Ok(());
        }
        self.variants[variant].server = seen();
        self.keep_plan()
    }

    fn keep_plan(&mut self) -> Result<(), StoreError> {
        let (levels, variants) = (self.levels.clone(), self.variants.clone());
        let plan = Plan { levels, variants, ..self.experiment.plan.clone() };
        self.store.update_plan(self.id, &plan)
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub fn say(&mut self, event: Event) {
        (self.on_event)(event);
    }

    /// Says `note`, unless it has been said.
    pub fn say_once(&mut self, note: &str) {
        if self.said.insert(note.to_owned()) {
            self.say(Event::Note(note.to_owned()));
        }
    }

    /// Time since the execution began.
    pub fn elapsed(&self) -> Nanos {
        clock::now() - self.started
    }

    /// Time until the execution ends, as far as that can be told while the run at `place` is under way.
    pub fn remaining(&self, place: &Place) -> Option<Nanos> {
        let plan = &self.experiment.plan;
        let of_levels = || plan.load_duration().filter(|_| !plan.levels.is_empty());
        let planned = plan.line.as_ref().map(LinePlan::longest).or_else(of_levels);
        let of_loads = remaining(&self.took, planned, place.runs - place.run, clock::now() - self.run_started);
        Some(of_loads? + self.to_explain.values().copied().fold(Nanos::ZERO, Add::add))
    }

    /// Keeps in the environment why networks are relays, and says so.
    pub fn note_relay(&mut self, reason: &str) -> Result<(), LabError> {
        self.say_once(&format!(
            "no network namespaces can be made here ({reason}), so the network is a relay that delays bytes: a connect \
             takes no round trip, nothing is lost, and congestion windows do not matter. {}",
            if geteuid().is_root() {
                "It is a network with CAP_SYS_ADMIN, CAP_NET_ADMIN and /dev/net/tun, which this container lacks"
            } else {
                "As root it is a network"
            }
        ));
        let environment = Environment { network_relay: Some(reason.to_owned()), ..self.environment.clone() };
        self.keep(environment)
    }

    /// Keeps in the environment which parts offered the loads, and how their clocks went.
    fn note_parts(&mut self) -> Result<(), LabError> {
        let merged = self.context.generator.parts();
        self.keep(Environment { merged, ..self.environment.clone() })
    }

    fn keep(&mut self, environment: Environment) -> Result<(), LabError> {
        if environment != self.environment {
            self.environment = environment;
            self.store.update_environment(self.id, &self.environment)?;
        }
        Ok(())
    }

    /// Keeps in the environment what was done about the limits of `variant`.
    pub fn note_limits(&mut self, variant: usize, applied: &Applied) -> Result<(), LabError> {
        if let Some(problem) = &applied.problem {
            self.say_once(problem);
        }
        let (launched, name) = (&self.experiment.variants[variant], &self.experiment.plan.variants[variant].name);
        let there = self.placement.target_cpu_count();
        if let Some(cpus) = launched.limits.cpus.filter(|&cpus| cpus > there as f64) {
            self.say_once(&format!("{name}: `limits.cpus` is {cpus}, and a target has {there} here: it gets no more"));
        }
        self.limits.add(name, launched, applied);
        let cgroup = applied.version.map(|version| version.as_str().to_owned()).or(self.environment.cgroup.clone());
        let environment = Environment { limits: self.limits.text(), cgroup, ..self.environment.clone() };
        self.keep(environment)
    }
}
