//! A proof: which changes of a variant's settings may move its limit, and the experiment that shows whether they do.
//!
//! The variant is measured as it is and with each set of changes, in interleaved rounds of fresh processes, under a
//! closed load of so many users that it is saturated: throughput is then the capacity, and known to a per cent.

mod setting;
#[cfg(test)]
mod tests;
mod trials;
pub(crate) mod wanted;

use plimsoll_analysis::{proof, results::Knob};
use plimsoll_record::{
    Change, Claim, ExplainPlan, Explained, LevelPlan, Load, Nanos, Phase, Plan, ProofPlan, Stage, ThinkTime,
    VariantPlan,
};

pub use self::{setting::may_be_secret, trials::Trials, wanted::WantedProof};
use crate::experiment::{Experiment, Order, Variant};

/// Lengths of a proof's loads: warm-up until throughput is steady, settling until all users have begun, and the
/// measured stage. Requests that end after its last second belong to no stage.
const WARM_UP: Nanos = Nanos::from_secs(20);
const SETTLING: Nanos = Nanos::from_secs(2);
const MEASURED: Nanos = Nanos::from_secs(8);

/// Sets of changes that may move the limit that a knob sizes, the most promising first: settings of the framework that
/// was seen, then those of the file that have the size that was seen. Each makes it greater, none less.
pub fn candidates(variant: &Variant, kind: &str, knob: &Knob) -> Vec<Vec<Change>> {
    let is_given = |name: &String| setting::value(variant, name).is_some();
    let known: Vec<String> = knob.settings.iter().flat_map(|name| setting::filled_in(variant, name)).collect();
    let (given, others): (Vec<String>, Vec<String>) = match known.iter().any(is_given) {
        true => (known, Vec::new()),
        false => (Vec::new(), known),
    };
    let own = match (knob.has, knob.to) {
        (Some(has), _) => setting::with_value(variant, has),
        (None, Some(_)) => setting::switched_off(variant, kind),
        (None, None) => return Vec::new(),
    };
    let of_subject = if kind == "client-pool" { setting::pool_of_subject(variant) } else { Vec::new() };
    let mut sets: Vec<Vec<Change>> = Vec::new();
    for names in [of_subject, given].into_iter().chain(own.into_iter().map(|name| vec![name])).chain([others]) {
        let raised: Vec<Change> = names.iter().filter_map(|name| raised(variant, name, knob)).collect();
        let bounds = raised.iter().filter_map(|change| bound_of(variant, change));
        let changes: Vec<Change> = raised.iter().cloned().chain(bounds).collect();
        if !changes.is_empty() && !sets.contains(&changes) {
            sets.push(changes);
        }
    }
    sets
}

/// Settings that may not be greater than another one: a service does not start otherwise.
const BOUNDS: &[(&str, &str)] = &[("spring.task.execution.pool.core-size", "spring.task.execution.pool.max-size")];

/// The change that a bound of a changed setting needs, if the file has one that is less.
fn bound_of(variant: &Variant, change: &Change) -> Option<Change> {
    let (_, bound) = BOUNDS.iter().find(|(name, _)| *name == change.name)?;
    let from = setting::value(variant, bound)?;
    let is_less = from.parse::<f64>().ok()? < change.to.parse().ok()?;
    is_less.then(|| Change { name: (*bound).to_owned(), from: Some(from), to: change.to.clone() })
}

/// Change that raises a setting to the wanted size; none if it has that already.
fn raised(variant: &Variant, name: &str, knob: &Knob) -> Option<Change> {
    let from = setting::value(variant, name);
    let to = match name {
        _ if knob.to.is_some() => knob.to?.to_owned(),
        "-Xmx" => format!("{}m", (knob.clamped()? / f64::from(1 << 20)).ceil()),
        // No more than the machine has.
        setting::CPUS => knob.target()?.min(knob.wants?).to_string(),
        // Permits of a period that is seldom a second: as many times as the rate is to rise.
        _ if name.to_lowercase().contains("ratelimiter") => {
            (from.as_ref()?.parse::<f64>().ok()? * knob.target()? / knob.has?).ceil().to_string()
        }
        _ => knob.target()?.to_string(),
    };
    let is_more = from.as_ref().is_none_or(|from| match (from.parse::<f64>(), to.parse::<f64>()) {
        // Sizes of 0 and less stand for no limit, or for another way; times of less than 0 for ever.
        (Ok(from), Ok(to)) => to > from && (from > 0.0 || from == 0.0 && knob.to.is_some()),
        _ => *from != to,
    });
    is_more.then(|| Change { name: name.to_owned(), from, to })
}

/// Sets of changes that somebody names, one for each value of a setting.
pub fn named(variant: &Variant, name: &str, values: &[String]) -> Vec<Vec<Change>> {
    let change = |to: &String| Change { name: name.to_owned(), from: setting::value(variant, name), to: to.clone() };
    values.iter().map(|to| vec![change(to)]).collect()
}

/// The variant with changes.
///
/// # Errors
///
/// A setting that cannot be changed, and why.
pub fn changed(variant: &Variant, plan: &VariantPlan, changes: &[Change]) -> Result<(Variant, VariantPlan), String> {
    let (mut variant, mut plan) = (variant.clone(), plan.clone());
    for change in changes {
        setting::set(&mut variant, &mut plan, change)?;
    }
    Ok((variant, plan))
}

/// The experiment with the variant at `index` alone.
pub fn alone(experiment: &Experiment, index: usize) -> Experiment {
    let mut alone = experiment.clone();
    alone.variants = vec![experiment.variants[index].clone()];
    alone.plan.variants = vec![experiment.plan.variants[index].clone()];
    alone
}

/// The experiment that compares the only variant of `experiment` with each set of `changes` made to it.
///
/// # Errors
///
/// A setting that cannot be changed, and why.
pub fn comparison(
    experiment: &Experiment,
    changes: &[Vec<Change>],
    users: u32,
    wanted: &WantedProof,
) -> Result<Experiment, String> {
    let (variant, plan) = (&experiment.variants[0], &experiment.plan.variants[0]);
    let (mut variants, mut plans) = (vec![variant.clone()], vec![plan.clone()]);
    for changes in changes {
        let (variant, mut plan) = changed(variant, plan, changes)?;
        plan.name = changes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        variants.push(variant);
        plans.push(plan);
    }
    let line = wanted.line();
    let label = users.to_string();
    let levels = levels(users, &label, wanted.think());
    let levels = if line.is_some() { Vec::new() } else { levels };
    let claims = plans[1..].iter().map(|after| Claim {
        says: format!("{} lifts what {} carries by 5 % or more", after.name, plan.name),
        expression: proof::claim(&plan.name, &after.name, line.is_none().then_some(label.as_str())),
        line: None,
    });
    let claims = claims.collect();
    let of = plans[1..]
        .iter()
        .map(|after| Explained { variant: after.name.clone(), level: line.is_none().then(|| label.clone()) });
    let explain = ExplainPlan { of: of.collect(), ..ExplainPlan::default() };
    let scripts = levels.len().max(1);
    let script = experiment.scripts.last().cloned();
    Ok(Experiment {
        plan: Plan {
            name: format!("{}-proof", experiment.plan.name),
            title: format!("Which change moves the limit of {}", plan.name),
            variants: plans,
            levels,
            rounds: wanted.rounds,
            seed: experiment.plan.seed,
            claims,
            line,
            explain: Some(explain),
            proof: Some(ProofPlan { variant: plan.name.clone(), changes: changes.to_vec() }),
            ..Plan::default()
        },
        variants,
        scripts: script.map_or_else(Vec::new, |script| vec![script; scripts]),
        order: Order::Random,
        warmup_until_steady: true,
        connecting: experiment.connecting.clone(),
        proof: None,
        generator: experiment.generator.clone(),
    })
}

/// Warm-up, and a plateau after a moment of the same load.
fn levels(users: u32, label: &str, think: ThinkTime) -> Vec<LevelPlan> {
    let stage = |duration| Stage { duration, target: f64::from(users) };
    let warm_up = Load::ConstantVus { vus: users, duration: WARM_UP, think };
    let plateau = Load::RampingVus { start_vus: users, stages: vec![stage(SETTLING), stage(MEASURED)], think };
    let stage_labels = vec!["settling".to_owned(), label.to_owned()];
    vec![
        LevelPlan::new("warm-up", Phase::WarmUp, warm_up),
        LevelPlan { stage_labels, ..LevelPlan::new("ramp", Phase::Measured, plateau) },
    ]
}

/// The experiment that launches its only variant once, and explains it.
pub fn explanation(experiment: &Experiment, plan: ExplainPlan) -> Experiment {
    let variant = &experiment.plan.variants[0];
    Experiment {
        plan: Plan {
            name: format!("{}-explain", experiment.plan.name),
            title: format!("First to give way in {}", variant.name),
            variants: vec![variant.clone()],
            rounds: 1,
            seed: experiment.plan.seed,
            explain: Some(plan),
            ..Plan::default()
        },
        variants: experiment.variants.clone(),
        scripts: experiment.scripts.last().cloned().into_iter().collect(),
        order: Order::Random,
        warmup_until_steady: false,
        connecting: experiment.connecting.clone(),
        proof: None,
        generator: experiment.generator.clone(),
    }
}
