//! The levels that the `load` and `warmup` sections stand for.

use plimsoll_record::{Amount, Arrivals, LevelPlan, Load, LoadUnit, Nanos, Phase, Stage, ThinkTime, stage_of_scenario};
use plimsoll_text::quoted;

use super::{
    decode::{Checked, Choice, OneOrMany, Whole},
    errors::{At, Errors, Place},
    load::{ArrivalsWord, LoadSection, MOST_VUS, StageSection, ThinkTimeValue, WarmupSection},
    model::{CommonKeys, Model},
    node::Node,
    quantity::{Duration, LoadAmount},
    requests::ScenarioSection,
    values::{check_name, positive},
};

/// Keys that every model has.
const OF_ALL_MODELS: [&str; 2] = ["model", "trace"];
const DEFAULT_WARMUP_LIMIT: Nanos = Nanos::from_secs(60);

/// The levels of a load, in the order in which they are driven.
pub(super) fn resolve(section: &Checked<LoadSection>, errors: &mut Errors) -> Vec<LevelPlan> {
    let trace = section.value.trace.map_or(0, Whole::narrow);
    untraced(section, errors).into_iter().map(|level| LevelPlan { trace, ..level }).collect()
}

fn untraced(section: &Checked<LoadSection>, errors: &mut Errors) -> Vec<LevelPlan> {
    let Checked { value: load, node } = section;
    let model = load.model.value;
    check_keys(model, node, errors);
    if model.ramps() {
        return ramp(load, node, errors).into_iter().collect();
    }
    let Some(levels) = &load.levels else {
        if node.get("levels").is_none() {
            push_missing("levels", "levels: [100, 900]", model, node, errors);
        }
        return Vec::new();
    };
    if node.get("levels").is_some_and(Node::has_no_entries) {
        errors.push(&levels.place, "expected at least one level, found none, e.g. `[100, 900]`");
    }
    let duration = if model.keys().contains(&"duration") { duration(load, node, errors) } else { Nanos::ZERO };
    let max_duration = load.max_duration.as_ref().map(|max| positive(max, errors));
    let common = CommonKeys { duration, max_duration, ..common_keys(load, errors) };
    let ramp_ups = ramp_ups(load, levels.value.len(), errors);
    let mut plans: Vec<(LevelPlan, &Place)> = Vec::new();
    for (level, ramp_up) in levels.value.iter().zip(ramp_ups) {
        let Some(number) = amount(level, model, errors).filter(|number| check_level(*number, &level.place, errors))
        else {
            continue;
        };
        let load = model.level(number, ramp_up, &common);
        let label = load.label();
        if let Some((_, first)) = plans.iter().find(|(plan, _)| plan.label == label) {
            errors.push_related(
                &level.place,
                format!("level `{label}` is there twice: remove one"),
                first,
                "it is here first",
            );
            continue;
        }
        plans.push((LevelPlan::new(label, Phase::Measured, load), &level.place));
    }
    plans.into_iter().map(|(plan, _)| plan).collect()
}

/// The scenarios, as levels that are driven together; of each its name is the label.
pub(super) fn scenarios(sections: &At<Vec<ScenarioSection>>, errors: &mut Errors) -> Vec<LevelPlan> {
    let mut plans: Vec<LevelPlan> = Vec::new();
    for section in &sections.value {
        let name = &section.name;
        check_name(name, "a scenario's name", errors);
        if plans.iter().any(|plan| plan.label == name.value) {
            errors.push(&name.place, format!("two scenarios are called `{}`: rename one", name.value));
        }
        let levels = resolve(&section.load, errors);
        if levels.len() > 1 {
            let message = "a scenario has one level, which lasts as long as it: name one, or write several scenarios";
            errors.push(&section.load.node.place, message);
        }
        let is_with_previous = !plans.is_empty();
        plans.extend(levels.into_iter().take(1).map(|level| LevelPlan {
            label: name.value.clone(),
            stage_labels: level.stage_labels.iter().map(|stage| stage_of_scenario(&name.value, stage)).collect(),
            start: section.start.map_or(Nanos::ZERO, |start| start.0),
            is_with_previous,
            ..level
        }));
    }
    if sections.value.is_empty() {
        errors.push(&sections.place, "expected at least one scenario, e.g. `{name: a, load: …, request: …}`");
    }
    plans
}

fn check_keys(model: Model, node: &Node, errors: &mut Errors) {
    for entry in node.entries() {
        let key = entry.key.value.as_str();
        // Keys that no model has are unknown, which has been said already.
        let known = !OF_ALL_MODELS.contains(&key) && LoadSection::keys().contains(&entry.key.value);
        if known && !model.keys().contains(&key) {
            let keys = quoted(model.keys().iter().copied());
            errors.push(
                &entry.key.place,
                format!("the model `{}` has no `{key}`: remove it, its keys are {keys}", model.word()),
            );
        }
    }
}

fn push_missing(key: &str, example: &str, model: Model, node: &Node, errors: &mut Errors) {
    errors.push(&node.place, format!("the model `{}` needs the key `{key}`, e.g. `{example}`", model.word()));
}

/// One for each level.
fn ramp_ups(load: &LoadSection, levels: usize, errors: &mut Errors) -> Vec<Nanos> {
    let Some(At { value: OneOrMany(ramp_ups), place }) = &load.ramp_up else { return vec![Nanos::ZERO; levels] };
    match ramp_ups.as_slice() {
        [one] => vec![one.0; levels],
        each if each.len() == levels => each.iter().map(|ramp_up| ramp_up.0).collect(),
        each => {
            let found = each.len();
            errors.push(place, format!("expected one time, or as many as there are levels ({levels}), found {found}"));
            vec![Nanos::ZERO; levels]
        }
    }
}

fn ramp(load: &LoadSection, node: &Node, errors: &mut Errors) -> Option<LevelPlan> {
    let model = load.model.value;
    let Some(sections) = &load.stages else {
        if node.get("stages").is_none() {
            push_missing("stages", "stages: [{duration: 30s, target: 100}]", model, node, errors);
        }
        return None;
    };
    if sections.value.is_empty() {
        errors.push(&sections.place, "expected at least one stage, e.g. `{duration: 30s, target: 100}`");
        return None;
    }
    let start = match (&load.start_rate, load.start_vus) {
        (Some(rate), _) => amount(rate, model, errors)?,
        (None, vus) => vus.map_or(0.0, |vus| vus.0 as f64),
    };
    let mut stages = Vec::new();
    for section in &sections.value {
        let duration = positive(&section.duration, errors);
        stages.push(Stage { duration, target: amount(&section.target, model, errors)? });
    }
    if start == 0.0 && stages.iter().all(|stage| stage.target == 0.0) {
        errors.push(&sections.place, "expected a target above 0 in some stage: nothing would be requested");
    }
    let load = model.ramp(start, stages, &common_keys(load, errors));
    let stage_labels = stage_labels(&sections.value, &load, errors);
    Some(LevelPlan { stage_labels, ..LevelPlan::new("ramp", Phase::Measured, load) })
}

/// Every stage is a level of the reports, so no two may be called alike.
fn stage_labels(sections: &[StageSection], load: &Load, errors: &mut Errors) -> Vec<String> {
    let given: Vec<Option<&At<String>>> = (sections.iter())
        .map(|section| section.label.as_ref().filter(|label| check_name(label, "a label", errors)))
        .collect();
    let names: Vec<Option<&str>> = given.iter().map(|label| label.map(|label| label.value.as_str())).collect();
    let labels = load.stage_labels(&names);
    for (given, label) in given.iter().zip(&labels) {
        if let Some(given) = given.filter(|given| given.value != *label) {
            errors.push(&given.place, format!("two stages are called `{}`: rename one", given.value));
        }
    }
    labels
}

/// The warm-up as a level, and whether it ends when throughput is steady.
pub(super) fn warmup(section: &At<WarmupSection>, errors: &mut Errors) -> (LevelPlan, bool) {
    let At { value: warmup, place } = section;
    let steady = warmup.until.is_some();
    if steady && let Some(duration) = &warmup.duration {
        errors.push(&duration.place, "`duration` and `until: steady` exclude each other: remove one, or use `at-most`");
    }
    if let (false, Some(at_most)) = (steady, &warmup.at_most) {
        errors.push(&at_most.place, "`at-most` goes with `until: steady`: add that, or use `duration`");
    }
    if !steady && warmup.duration.is_none() && warmup.at_most.is_none() {
        errors.push(place, "expected `duration`, e.g. `duration: 10s`, or `until: steady`; found neither");
    }
    let length = if steady { &warmup.at_most } else { &warmup.duration };
    let duration = length.as_ref().map_or(DEFAULT_WARMUP_LIMIT, |length| positive(length, errors));
    let load = Load::ConstantVus { vus: warmup.vus.narrow(), duration, think: ThinkTime::None };
    let plan = LevelPlan::new("warm-up", Phase::WarmUp, load);
    (plan, steady)
}

/// The number, if its unit and its size are the model's.
fn amount(amount: &At<LoadAmount>, model: Model, errors: &mut Errors) -> Option<f64> {
    let Amount { number, unit } = amount.value.0;
    let problem = match (unit, model.unit()) {
        (LoadUnit::PerSecond, LoadUnit::VirtualUsers) => {
            "expected a number of virtual users, found a rate: remove `/s`".to_owned()
        }
        (_, LoadUnit::VirtualUsers) if number.fract() != 0.0 || number > MOST_VUS as f64 => {
            format!("expected a whole number of virtual users up to {MOST_VUS}, found `{number}`")
        }
        (_, LoadUnit::PerSecond) if number > 1e7 => {
            format!("expected at most 10000000 requests per second, found `{number}`")
        }
        _ => return Some(number),
    };
    errors.push(&amount.place, problem);
    None
}

fn check_level(number: f64, place: &Place, errors: &mut Errors) -> bool {
    if number == 0.0 {
        errors.push(place, "expected a level above 0, found `0`: nothing would be requested");
    }
    number > 0.0
}

fn duration(load: &LoadSection, node: &Node, errors: &mut Errors) -> Nanos {
    match &load.duration {
        Some(duration) => positive(duration, errors),
        None => {
            if node.get("duration").is_none() {
                push_missing("duration", "duration: 30s", load.model.value, node, errors);
            }
            Nanos::ZERO
        }
    }
}

/// Without times, which not all models have.
fn common_keys(load: &LoadSection, errors: &mut Errors) -> CommonKeys {
    CommonKeys {
        duration: Nanos::ZERO,
        max_duration: None,
        think: load.think_time.as_ref().map_or(ThinkTime::None, |think| pause(think, errors)),
        iterations: load.iterations_per_vu.or(load.iterations).map_or(1, |count| count.0),
        arrivals: match load.arrivals {
            Some(ArrivalsWord::Poisson) => Arrivals::Poisson,
            Some(ArrivalsWord::Even) | None => Arrivals::Even,
        },
        max_in_flight: load.max_in_flight.map_or(Load::DEFAULT_MAX_IN_FLIGHT, Whole::narrow),
        drop_late: load.drop_late.unwrap_or(false),
    }
}

/// A pause, constant or not.
pub(super) fn pause(At { value, place }: &At<ThinkTimeValue>, errors: &mut Errors) -> ThinkTime {
    let section = match value {
        ThinkTimeValue::Constant(Duration(Nanos::ZERO)) => return ThinkTime::None,
        ThinkTimeValue::Constant(pause) => return ThinkTime::Constant { pause: pause.0 },
        ThinkTimeValue::Varying(section) => section,
    };
    match (section.min, section.max, section.mean) {
        (Some(min), Some(max), None) if min.0 <= max.0 => return ThinkTime::Uniform { min: min.0, max: max.0 },
        (Some(_), Some(_), None) => errors.push(place, "`min` is greater than `max`: exchange them"),
        (None, None, Some(mean)) if mean.0 > Nanos::ZERO => return ThinkTime::Exponential { mean: mean.0 },
        (None, None, Some(_)) => errors.push(place, "expected a `mean` above zero"),
        _ => errors.push(place, "expected `{min: …, max: …}` or `{mean: …}`"),
    }
    ThinkTime::None
}
