//! The first limit: the resource in front of which a queue grows with the load, and which is itself always busy:
//! the deepest of a chain of queues. One file per kind of limit, and the list that names them.
//!
//! Resources come before queues: where a core, the heap or a descriptor is lacking, everything else queues, too.

mod account;
mod activity;
mod calls;
mod carried;
mod case;
mod chain;
mod deadlock;
mod disk;
mod doing;
mod frames;
mod framework;
mod hot;
mod kinds;
mod known;
mod left_out;
mod objects;
mod one_core;
mod open;
mod outlook;
mod own;
mod peers;
mod pool;
mod readers;
mod refused;
mod scope;
mod seen;
pub(crate) mod server;
mod settings;
mod steady;
mod tasks;
#[cfg(test)]
mod tests;
mod view;
mod waits;

use plimsoll_record::{Census, ExecutionData, ExplainPlan, Explained, RunData, Window};

use self::{case::Case, scope::Scope, view::View};
use crate::results::{Explanation, Knob};

pub(crate) use self::left_out::without_explanations;

/// A kind of limit.
#[derive(Debug)]
pub(crate) struct Limit {
    /// Unique and never renamed: programs match it.
    pub id: &'static str,
    /// The resource, for the document of kinds.
    pub means: &'static str,
    /// The verdict if this is the first limit.
    pub find: fn(&Case) -> Option<Verdict>,
    /// A few words on why this is not the limit; none where there is nothing to say.
    pub cleared: fn(&Case) -> Option<String>,
    /// The setting that moves this limit; none where no setting does.
    pub knob: fn(&Case) -> Option<Knob>,
}

/// The limit of a case.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub says: String,
    pub evidence: Vec<String>,
    pub change: String,
}

/// Ids of all kinds of limits.
pub(crate) fn kinds() -> impl Iterator<Item = &'static str> {
    kinds::ids()
}

/// Kinds of limits as a table in Markdown: that of `docs/explain.md`.
pub fn table() -> String {
    kinds::table()
}

/// Explanations of every run that was looked at, in the order of the plan.
pub(crate) fn explanations(data: &ExecutionData) -> Vec<Explanation> {
    let Some(plan) = &data.execution.plan.explain else { return Vec::new() };
    if plan.of.is_empty() {
        return data.runs.iter().filter_map(|run| explanation(data, plan, run, &Scope::Alone)).collect();
    }
    let variants = &data.execution.plan.variants;
    let runs_of = |name: &str| {
        let variant = variants.iter().position(|variant| variant.name == name);
        data.runs.iter().filter(move |run| Some(run.run.variant) == variant)
    };
    let of = |Explained { variant, level }: &Explained| {
        let scope = Scope::AfterALoad(level.as_deref());
        runs_of(variant).filter_map(|run| explanation(data, plan, run, &scope)).collect::<Vec<_>>()
    };
    plan.of.iter().flat_map(of).collect()
}

fn explanation(data: &ExecutionData, plan: &ExplainPlan, run: &RunData, scope: &Scope) -> Option<Explanation> {
    let view = View::of(run, scope)?;
    // Plimsoll itself may be kept from some cores.
    let cores = view.process.machine_cores.max(data.execution.environment.cores).map_or(1.0, f64::from);
    let case = Case::new(&view, cores, plan);
    let (limit, verdict) = kinds::decide(&case);
    let (light, full) = (&view.light, &view.full);
    let dumped = (full.dumps > 0 && full.throughput_per_s > 0.0 && full.dumped_per_s > 0.0)
        .then(|| full.dumped_per_s / full.throughput_per_s * 100.0);
    let censuses = [Window::Light, Window::Full].into_iter().flat_map(|window| scope.censuses(run, window));
    let censuses: Vec<&Census> = censuses.collect();
    let (knob, chain) = (kinds::knob(&case, limit), chain::of(&case, limit));
    let outlook = knob.as_ref().and_then(|knob| outlook::of(&case, limit, knob, &chain));
    let sentence = outlook.as_ref().map_or_else(String::new, |outlook| format!(" {}", outlook.sentence()));
    Some(Explanation {
        variant: data.execution.plan.variants.get(run.run.variant)?.name.clone(),
        level: scope.level().map(str::to_owned),
        limit,
        says: verdict.says,
        evidence: verdict.evidence,
        not_the_limit: kinds::cleared(&case, limit),
        change: verdict.change + &sentence,
        knob,
        outlook,
        time: account::of(&case),
        requests: account::requests(&case, &censuses),
        chain,
        users: full.users,
        rate_per_s: full.open.map(|open| open.rate_per_s),
        throughput_per_s: full.throughput_per_s,
        response_ms: full.response_ms,
        light_ms: light.response_ms,
        light_per_s: light.throughput_per_s,
        cpu_percent: full.cpu_percent,
        dumps: full.dumps,
        dump_ms: full.dump_ms,
        counted_ms: full.objects.took_ms,
        dumped_percent: dumped,
        jvm: view.process.jvm.clone(),
        blind: view.process.blind.clone(),
    })
}
