//! The `line` section: what a search for a load line is told, in place of a load.

use std::borrow::Cow;

use plimsoll_analysis::line::critical;
use plimsoll_record::{Amount, Arrivals, LinePlan, LoadUnit, Nanos, ObjectivePlan, ThinkTime};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    decode::{Entries, FromNode, OneOrMany, Whole, mapping},
    errors::{At, Errors},
    load::{ArrivalsWord, MOST_VUS},
    node::{Node, Value},
    quantity::{Duration, LoadAmount, Percent},
    values::{check_name, positive},
};
use crate::{
    experiment::{Program, Variant},
    line::check_objective,
};

/// In place of objectives.
const CRITICAL: &str = "critical";
/// Narrower intervals take hours, wider ones say nothing; in percent.
const RESOLUTIONS: std::ops::RangeInclusive<f64> = 0.5..=100.0;

mapping! {
    /// A search for the load line, in place of `load`: the highest rate at which objectives hold. Each run makes one,
    /// from a fresh process, and finds an interval in which the line lies with a probability of 95 %. `docs/line.md`
    /// says how. Figures for claims are `line` (of users `line_users`), `line_cpu`, `line_memory` and
    /// `cpu_per_request`.
    pub struct LineSection as "line" {
        /// The objectives, all of which must hold: percentiles of response times, `errors` or `checks`. Or lists of
        /// them by name, each of which has a line of its own. Example: `slo: ["p(99) < 200ms", "errors < 0.1%"]`, or
        /// `slo: {strict: ["p(99) < 50ms"], loose: ["p(99) < 500ms"]}`. Or `critical`: p(99) below 10, 25, 50, 75 and
        /// 100 ms, each a line, and their geometric mean, the critical rate of SPECjbb2015.
        pub slo: At<Objectives>,
        /// Width of the interval, from 0.5 % to 100 %. Default: 10%. Example: `resolution: 15%`.
        pub resolution: Option<At<Percent>>,
        /// How long the search of a run takes at most, once the service is warm; then it says what it knows. Trials
        /// that others disturb are made up for, up to half of it. Default: 5min. Example: `at-most: 1min`.
        pub at_most: Option<At<Duration>>,
        /// The service is given that long until its throughput no longer rises. Default: 1min. Example: `warm-up: 10s`.
        pub warm_up: Option<At<Duration>>,
        /// The lowest rate to offer, or the fewest users. Default: a hundredth of the capacity. Example: `from: 10/s`.
        pub from: Option<At<LoadAmount>>,
        /// The highest rate to offer, or the most users. Default: a little more than the capacity. Example: `to:
        /// 5000/s`.
        pub to: Option<At<LoadAmount>>,
        /// How arrivals are spaced; the line is another one for each. Default: `poisson`. Example: `arrivals: even`.
        pub arrivals: Option<At<ArrivalsWord>>,
        /// Look for the most virtual users instead of the highest rate: each sends its next request when it has its
        /// answer and has paused. Default: false. Example: `users: true`.
        pub users: Option<bool>,
        /// With `users: true`: how long a user pauses between a response and its next request, on average; each pause
        /// is another (exponential). Default: none. Example: `think-time: 1s`.
        pub think_time: Option<At<Duration>>,
        /// Requests in flight at most, and virtual users while the capacity is looked for; with `users: true` the most
        /// users. Default: 10000. Example:
        /// `max-in-flight: 2000`.
        pub max_in_flight: Option<Whole<1, MOST_VUS>>,
        /// Whether 1.3 times the line is offered for 5 s once it is known, and what comes after, until the objectives
        /// hold again, for 30 s at most; it counts towards no other figure. Default: false. Example: `overload: true`.
        pub overload: Option<At<bool>>,
        /// Look for the line of cold processes: each trial has a process of its own, and lasts for so long after it is
        /// ready. The line is the rate that half of all processes carry from their first request on. A trial tells one
        /// thing only, whether it was carried, so that it takes 20 to 30 of them. Default: the line of one warm
        /// process. Example: `cold: 20s`, with `at-most: 10min`.
        pub cold: Option<At<Duration>>,
    }
}

/// The lines that are searched for.
#[derive(Clone, Debug)]
pub(super) struct Objectives(Vec<Line>);

/// A line; the only one has no name.
#[derive(Clone, Debug)]
struct Line {
    name: Option<At<String>>,
    texts: Vec<At<String>>,
}

impl FromNode for Objectives {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        Some(Self(match &node.value {
            Value::Map(_) => {
                let named = Entries::<OneOrMany<At<String>>>::from_node(node, errors)?.0;
                named.into_iter().map(|(name, OneOrMany(texts))| Line { name: Some(name), texts }).collect()
            }
            _ => vec![Line { name: None, texts: OneOrMany::from_node(node, errors)?.0 }],
        }))
    }
}

impl JsonSchema for Objectives {
    fn schema_name() -> Cow<'static, str> {
        "objectives".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let list = generator.subschema_for::<OneOrMany<String>>();
        json_schema!({"anyOf": [list, generator.subschema_for::<Entries<OneOrMany<String>>>()]})
    }
}

/// The plan of the searches.
pub(super) fn resolve(section: &LineSection, errors: &mut Errors) -> LinePlan {
    let defaults = LinePlan::default();
    let time = |given: &Option<At<Duration>>, default, errors: &mut Errors| {
        given.as_ref().map_or(default, |given| positive(given, errors))
    };
    let users = users(section, errors);
    let unit = if users.is_some() { LoadUnit::VirtualUsers } else { LoadUnit::PerSecond };
    let plan = LinePlan {
        objectives: objectives(&section.slo, errors),
        resolution: section.resolution.as_ref().map_or(defaults.resolution, |given| resolution(given, errors)),
        at_most: time(&section.at_most, defaults.at_most, errors),
        warm_up: time(&section.warm_up, defaults.warm_up, errors),
        from: section.from.as_ref().and_then(|given| offered(given, unit, errors)),
        to: section.to.as_ref().and_then(|given| offered(given, unit, errors)),
        at_least: None,
        arrivals: match section.arrivals.as_ref().map(|it| it.value) {
            Some(ArrivalsWord::Even) => Arrivals::Even,
            Some(ArrivalsWord::Poisson) | None => Arrivals::Poisson,
        },
        max_in_flight: section.max_in_flight.map_or(defaults.max_in_flight, Whole::narrow),
        overload: section.overload.as_ref().map_or(defaults.overload, |it| it.value),
        users,
        cold: section.cold.as_ref().map(|given| positive(given, errors)),
    };
    check_cold(section, &plan, errors);
    if plan.users.is_some() && plan.objectives == critical::objectives() {
        errors.push(&section.slo.place, "the critical rate is one: remove `users: true`, or name objectives");
    }
    if let (Some(from), Some(to), Some(given)) = (plan.from, plan.to, &section.to)
        && to <= from
    {
        let [from, to] = [from, to].map(|number| Amount { number, unit });
        errors.push(&given.place, format!("expected more than `from`, {from}, found {to}"));
    }
    plan
}

/// A line of cold processes is that of a rate, and of nothing else.
fn check_cold(section: &LineSection, plan: &LinePlan, errors: &mut Errors) {
    let (Some(given), Some(cold)) = (&section.cold, plan.cold) else { return };
    if plan.users.is_some() {
        errors.push(&given.place, "the line of cold processes is a rate: remove `cold`, or `users: true`");
    }
    if let Some(overload) = section.overload.as_ref().filter(|it| it.value) {
        errors.push(&overload.place, "a cold process is ended after its trial: remove `overload`, or `cold`");
    }
    if cold > plan.at_most {
        let at_most = plan.at_most;
        errors.push(
            &given.place,
            format!("expected less than `at-most`, {at_most}, in which all trials must fit, found {cold}"),
        );
    }
}

/// A cold process is one that was started for its trial.
pub(super) fn check_launched<'a>(
    section: &LineSection,
    mut variants: impl Iterator<Item = (&'a str, &'a Variant)>,
    errors: &mut Errors,
) {
    let Some(cold) = &section.cold else { return };
    if let Some((name, _)) = variants.find(|(_, variant)| matches!(variant.program, Program::Running)) {
        errors.push(
            &cold.place,
            format!("`{name}` runs by itself and cannot be started anew for each trial: launch it (`command`, `jar`, `subject`), or remove `cold`"),
        );
    }
}

fn objectives(At { value: Objectives(lines), place }: &At<Objectives>, errors: &mut Errors) -> Vec<ObjectivePlan> {
    if let [Line { name: None, texts }] = lines.as_slice()
        && let [only] = texts.as_slice()
        && only.value == CRITICAL
    {
        return critical::objectives();
    }
    if lines.is_empty() || lines.iter().any(|line| line.texts.is_empty()) {
        errors.push(place, "expected at least one objective, e.g. `p(99) < 200ms`");
    }
    for Line { name, texts } in lines {
        if let Some(name) = name {
            check_name(name, "a line's name", errors);
        }
        for text in texts {
            if let Err(why) = check_objective(&text.value) {
                errors.push(&text.place, format!("`{}`: {why}", text.value));
            }
        }
    }
    let plan = |Line { name, texts }: &Line| ObjectivePlan {
        name: name.as_ref().map(|name| name.value.clone()).unwrap_or_default(),
        thresholds: texts.iter().map(|text| text.value.clone()).collect(),
    };
    lines.iter().map(plan).collect()
}

fn resolution(At { value: Percent(percent), place }: &At<Percent>, errors: &mut Errors) -> f64 {
    if !RESOLUTIONS.contains(percent) {
        errors.push(place, format!("expected a percentage from 0.5 % to 100 %, e.g. `10%`, found {percent} %"));
    }
    percent / 100.0
}

/// How users pause, where they are looked for.
fn users(section: &LineSection, errors: &mut Errors) -> Option<ThinkTime> {
    let is_in_users = section.users == Some(true);
    if let Some(overload) = section.overload.as_ref().filter(|it| it.value && is_in_users) {
        errors.push(&overload.place, "users make no overload that lasts: remove `overload`, or `users: true`");
    }
    match (&section.arrivals, &section.think_time) {
        (Some(arrivals), _) if is_in_users => {
            errors.push(&arrivals.place, "users send when they have paused: remove `arrivals`, or `users: true`");
        }
        (_, Some(think)) if !is_in_users => {
            errors.push(&think.place, "requests at a rate are nobody's: add `users: true`, or remove `think-time`");
        }
        _ => {}
    }
    is_in_users.then(|| LinePlan::think(section.think_time.as_ref().map_or(Nanos::ZERO, |think| think.value.0)))
}

fn offered(
    At { value: LoadAmount(given), place }: &At<LoadAmount>,
    unit: LoadUnit,
    errors: &mut Errors,
) -> Option<f64> {
    let is_whole = unit == LoadUnit::PerSecond || given.number.fract() == 0.0;
    let is_right = given.unit == unit && given.number > 0.0 && is_whole;
    if !is_right {
        let expected = match unit {
            LoadUnit::PerSecond => "a rate above zero, e.g. `100/s`",
            LoadUnit::VirtualUsers => "a whole number of users above zero, e.g. `100`",
        };
        errors.push(place, format!("expected {expected}, found {given}"));
    }
    is_right.then_some(given.number)
}
