//! The loads of an experiment that are explained.

use plimsoll_analysis::claims::matches;
use plimsoll_record::{ExplainPlan, Explained, LevelPlan, Load, Phase, Plan};

/// The explanations that are wanted, in the user's words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedExplanations {
    /// Names or patterns; empty: all variants.
    pub variants: Vec<String>,
    /// Labels; empty: those that claims name, or else the one with the greatest load.
    pub levels: Vec<String>,
}

/// A load that a claim names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The variant's name.
    pub variant: String,
    /// The level's label; none: whichever is explained.
    pub level: Option<String>,
}

/// Checks that the loads of an experiment can be offered once more, one at a time.
///
/// # Errors
///
/// Why they cannot, and what to do.
pub fn check(plan: &Plan) -> Result<(), &'static str> {
    if plan.line.is_some() {
        return Ok(());
    }
    if plan.levels.iter().any(|level| level.is_with_previous) {
        return Err("scenarios that are driven together cannot be explained one by one: use `load`, or remove this");
    }
    if !plan.levels.is_empty() && measured(plan).next().is_none() {
        return Err("a ramp without a level stage has no load that lasts: give it one, or remove this");
    }
    Ok(())
}

/// The plan for the loads that are wanted, if any are, and those that claims name. `loaded` are the variants to which
/// loads are offered. None where nothing is to be explained.
pub fn select(
    plan: &Plan,
    loaded: &[&str],
    wanted: Option<&WantedExplanations>,
    named: &[Named],
) -> Option<ExplainPlan> {
    let is_there = |label: &String| measured(plan).any(|(known, _)| known == label);
    let named: Vec<&Named> = named.iter().filter(|it| it.level.as_ref().is_none_or(is_there)).collect();
    let mut of: Vec<Explained> = Vec::new();
    for &variant in loaded {
        let of_claims: Vec<&Named> = named.iter().copied().filter(|it| it.variant == variant).collect();
        let is_wanted =
            wanted.is_some_and(|it| it.variants.is_empty() || it.variants.iter().any(|name| matches(name, variant)));
        if is_wanted || !of_claims.is_empty() {
            let levels = levels(plan, wanted.filter(|_| is_wanted), &named, &of_claims);
            of.extend(levels.into_iter().map(|level| Explained { variant: variant.to_owned(), level }));
        }
    }
    (!of.is_empty()).then(|| ExplainPlan { of, ..ExplainPlan::default() })
}

/// Labels of the levels of one variant, the lightest first; none for a search.
fn levels(
    plan: &Plan,
    wanted: Option<&WantedExplanations>,
    named: &[&Named],
    of_claims: &[&Named],
) -> Vec<Option<String>> {
    if plan.line.is_some() {
        return vec![None];
    }
    let mut labels: Vec<&String> = of_claims.iter().filter_map(|it| it.level.as_ref()).collect();
    if let Some(wanted) = wanted {
        let of_any = named.iter().filter_map(|it| it.level.as_ref());
        labels.extend(&wanted.levels);
        labels.extend(of_any.filter(|_| wanted.levels.is_empty()));
    }
    let mut levels: Vec<(&str, f64)> = measured(plan).map(|(label, load)| (label, load.peak_target())).collect();
    levels.sort_by(|a, b| a.1.total_cmp(&b.1));
    let greatest = levels.last().map(|(label, _)| *label);
    levels.retain(|(label, _)| labels.iter().any(|wanted| wanted == label));
    let labels = if levels.is_empty() {
        greatest.into_iter().collect()
    } else {
        levels.iter().map(|it| it.0).collect::<Vec<_>>()
    };
    labels.into_iter().map(|label| Some(label.to_owned())).collect()
}

/// Loads that last and are measured, with their labels.
fn measured(plan: &Plan) -> impl Iterator<Item = (&str, Load)> {
    plan.levels.iter().filter(|level| level.phase == Phase::Measured).flat_map(LevelPlan::lasting)
}
