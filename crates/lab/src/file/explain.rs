//! The `explain` key: which loads are explained after a run.

use std::borrow::Cow;

use plimsoll_analysis::claims::{limit_of, matches};
use plimsoll_record::{ExplainPlan, Plan};
use plimsoll_text::{did_you_mean, quoted};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    decode::{FromNode, Scalar, mapping, push_unexpected},
    errors::{At, Errors, Place},
    node::{Node, Value},
};
use crate::explain::{self, Named, WantedExplanations};

/// Whether to explain, or which loads.
#[derive(Clone, Debug)]
pub(super) enum ExplainSection {
    Whether(bool),
    Selected(SelectionSection),
}

mapping! {
    /// The first limit, by name and with evidence: after the load (or the search) of each run of the first round
    /// the target is looked at in the same process, without load, with one request at a time, and fully loaded once
    /// more. It takes about 21 s a variant, and 15 s for each further level. No figure comes from that time.
    /// `docs/explain.md` says how.
    pub struct SelectionSection as "explain" {
        /// The levels whose load is the full one; of a `line` there are none, there the capacity is explained. Default:
        /// those that claims name (`limit(a @ 500)`), or else the one with the greatest load. Example: `levels: [500,
        /// 2700]`.
        pub levels: Option<At<Vec<At<Scalar>>>>,
        /// The variants that are looked at, by name or by pattern. Default: all. Example: `variants: [tuned]`.
        pub variants: Option<At<Vec<At<String>>>>,
    }
}

impl FromNode for ExplainSection {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        match &node.value {
            Value::Map(_) => SelectionSection::from_node(node, errors).map(Self::Selected),
            Value::Bool(_) => bool::from_node(node, errors).map(Self::Whether),
            _ => {
                push_unexpected(node, "`true`, `false`, or a mapping, e.g. `{levels: [500]}`", errors);
                None
            }
        }
    }
}

impl JsonSchema for ExplainSection {
    fn schema_name() -> Cow<'static, str> {
        "explain-or-whether".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let whether = generator.subschema_for::<bool>();
        json_schema!({"anyOf": [whether, generator.subschema_for::<SelectionSection>()]})
    }
}

impl ExplainSection {
    /// The explanations that the user wants; none: nothing.
    fn wanted(&self) -> Option<WantedExplanations> {
        let selection = match self {
            Self::Whether(false) => return None,
            Self::Whether(true) => return Some(WantedExplanations::default()),
            Self::Selected(selection) => selection,
        };
        let levels = selection.levels.iter().flat_map(|it| &it.value).map(|it| it.value.0.clone());
        let variants = selection.variants.iter().flat_map(|it| &it.value).map(|it| it.value.clone());
        Some(WantedExplanations { levels: levels.collect(), variants: variants.collect() })
    }
}

/// The explanations of `plan`, those that claims need among them; `loaded` are the variants to which loads are offered.
pub(super) fn resolve(
    explain: Option<&At<ExplainSection>>,
    claims: &[&At<String>],
    plan: &Plan,
    loaded: &[&str],
    errors: &mut Errors,
) -> Option<ExplainPlan> {
    let section = explain.map(|at| &at.value);
    if let Some(ExplainSection::Whether(false)) = section {
        return None;
    }
    if let Some(ExplainSection::Selected(selection)) = section {
        check_lists(selection, plan, errors);
    }
    let of_limits = claims.iter().filter_map(|claim| Some((limit_of(&claim.value)?, &claim.place)));
    let (named, places): (Vec<_>, Vec<&Place>) = of_limits.unzip();
    let named: Vec<Named> = named.into_iter().map(|(variant, level)| Named { variant, level }).collect();
    if let Some(place) = explain.map(|at| &at.place).or(places.first().copied()) {
        if let Err(why) = explain::check(plan) {
            errors.push(place, why);
        } else if loaded.is_empty() && !plan.variants.is_empty() {
            errors.push(place, "benchmarks have no load that could be explained: remove this");
        }
    }
    explain::select(plan, loaded, section.and_then(ExplainSection::wanted).as_ref(), &named)
}

fn check_lists(selection: &SelectionSection, plan: &Plan, errors: &mut Errors) {
    let empty = "expected at least one name, found none: remove this for the default";
    let (levels, variants) = (selection.levels.as_ref(), selection.variants.as_ref());
    levels.filter(|it| it.value.is_empty()).iter().for_each(|it| errors.push(&it.place, empty));
    variants.filter(|it| it.value.is_empty()).iter().for_each(|it| errors.push(&it.place, empty));
    if let Some(levels) = levels.filter(|_| plan.line.is_some()) {
        errors.push(&levels.place, "a search has no levels, and its capacity is explained: remove `levels`");
    }
}

/// Checks names that stand for variants and levels, of whatever pace.
pub(super) fn check_names(section: &ExplainSection, variants: &[String], levels: &[String], errors: &mut Errors) {
    let ExplainSection::Selected(selection) = section else { return };
    let mut check = |at: &Place, kind: &str, name: &str, known: &[String]| {
        if !known.iter().any(|known| matches(name, known)) {
            let names = known.iter().map(String::as_str);
            let meant = did_you_mean(names.clone(), name);
            let meant = if meant.is_empty() { format!(": there are {}", quoted(names)) } else { meant };
            errors.push(at, format!("there is no {kind} `{name}`{meant}"));
        }
    };
    for name in selection.variants.iter().flat_map(|it| &it.value) {
        check(&name.place, "variant", &name.value, variants);
    }
    for label in selection.levels.iter().flat_map(|it| &it.value).filter(|_| !levels.is_empty()) {
        check(&label.place, "level", &label.value.0, levels);
    }
}

/// Explains every variant to which loads are offered, where the file does not say what is to be explained.
///
/// # Errors
///
/// Why its loads cannot be explained.
pub fn explain_all(plan: &mut Plan, loaded: &[&str]) -> Result<(), String> {
    if plan.explain.is_some() {
        return Ok(());
    }
    explain::check(plan)?;
    plan.explain = explain::select(plan, loaded, Some(&WantedExplanations::default()), &[]);
    if plan.explain.is_some() { Ok(()) } else { Err("no variant has a load that could be explained".to_owned()) }
}
