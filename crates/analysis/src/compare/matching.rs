//! Variants and levels of one execution beside those of the other, and whether both had the same load.

use plimsoll_record::{Arrivals, LinePlan, Nanos, Plan, ThinkTime};

use super::{
    Executed,
    changed::{fields, in_words, of_fields},
};
use crate::{
    measured::levels::{self, Level},
    results::{About, Changed, LevelResults, LevelSummary, Results, VariantResults},
};

/// Variants and levels that belong together, by their indices before and after.
pub(super) struct Matching {
    pub variants: Vec<[usize; 2]>,
    pub levels: Vec<[usize; 2]>,
    /// Loads that differ, in words; empty if they are alike.
    pub loads: Vec<Changed>,
    /// Names of those that only one execution has.
    pub left_out: Vec<String>,
}

impl Matching {
    pub fn of([before, after]: [&Executed<'_>; 2]) -> Self {
        let names = |results: &Results| results.variants.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
        let labels = |results: &Results| results.levels.iter().map(|it| it.label.clone()).collect::<Vec<_>>();
        let (variants, apart) = pairs("variant", &names(before.results), &names(after.results));
        let (levels, levels_apart) = pairs("level", &labels(before.results), &labels(after.results));
        let loads = different_loads([before.plan, after.plan]);
        Self { variants, levels, loads, left_out: apart.into_iter().chain(levels_apart).collect() }
    }

    /// Variants that belong together.
    pub fn variants<'a>(
        &self,
        [before, after]: [&'a Results; 2],
    ) -> impl Iterator<Item = [&'a VariantResults; 2]> + use<'a, '_> {
        self.variants.iter().map(|&[a, b]| [&before.variants[a], &after.variants[b]])
    }

    /// Levels of a variant that belong together, as far as each was measured.
    pub fn levels_of<'a>(
        &self,
        [before, after]: [&'a VariantResults; 2],
    ) -> impl Iterator<Item = [Option<&'a LevelResults>; 2]> + use<'a, '_> {
        let of = |variant: &'a VariantResults, index: usize| variant.levels.get(index).and_then(Option::as_ref);
        self.levels.iter().map(move |&[a, b]| [of(before, a), of(after, b)])
    }
}

/// Loads that differ between two plans, in words; empty if figures of both can be held against each other.
pub fn different_loads([before, after]: [&Plan; 2]) -> Vec<Changed> {
    let [old, new] = [before, after].map(|plan| levels::of_plan(plan).map(offered).collect::<Vec<_>>());
    let labels = |levels: &[LevelSummary]| levels.iter().map(|it| it.label.clone()).collect::<Vec<_>>();
    let (pairs, _) = pairs("level", &labels(&old), &labels(&new));
    let mut loads: Vec<Changed> = pairs.iter().flat_map(|&[a, b]| of_level(&old[a], &new[b])).collect();
    if pairs.is_empty() && !(old.is_empty() && new.is_empty()) {
        let shown = |levels: &[LevelSummary]| (!levels.is_empty()).then(|| labels(levels).join(", "));
        loads.push(load("levels", shown(&old), shown(&new)));
    }
    loads.extend(of_requests([before, after]));
    loads.extend(of_line([before, after]));
    loads
}

/// A level with its load. If it was to end once enough was seen, nobody chose its duration, which is left out.
fn offered(level: Level<'_>) -> LevelSummary {
    let LevelSummary { label, load } = level.summary();
    let held = if level.is_open_ended { load.held(Nanos::ZERO) } else { None };
    LevelSummary { label, load: held.unwrap_or(load) }
}

fn load(name: &str, before: Option<String>, after: Option<String>) -> Changed {
    Changed { about: About::Load, name: name.to_owned(), before, after }
}

/// Pairs by name, and names without a partner. If each has only one, these are a pair whatever their names.
fn pairs(what: &str, before: &[String], after: &[String]) -> (Vec<[usize; 2]>, Vec<String>) {
    if before.len() == 1 && after.len() == 1 {
        return (vec![[0, 0]], Vec::new());
    }
    let place = |names: &[String], name: &String| names.iter().position(|it| it == name);
    let pairs = before.iter().enumerate().filter_map(|(index, name)| Some([index, place(after, name)?])).collect();
    let only = |own: &[String], others: &[String], when: &str| {
        let only = own.iter().filter(|name| place(others, name).is_none());
        only.map(|name| format!("{what} {name}, only {when}")).collect::<Vec<_>>()
    };
    let apart = only(before, after, "before").into_iter().chain(only(after, before, "after")).collect();
    (pairs, apart)
}

fn of_level(a: &LevelSummary, b: &LevelSummary) -> Vec<Changed> {
    of_fields([fields(&a.load, &[]), fields(&b.load, &[])], |name| {
        (About::Load, format!("{}: {}", b.label, in_words(name)))
    })
}

/// Names of requests, where there are several.
fn of_requests([before, after]: [&Plan; 2]) -> Vec<Changed> {
    let names = |plan: &Plan| {
        let mut names: Vec<&str> = plan.levels.iter().flat_map(|it| &it.requests).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names.join(", ")
    };
    // Levels of a search are not known from its plan.
    let is_known = !before.levels.is_empty() && !after.levels.is_empty();
    let [before, after] = [names(before), names(after)];
    (is_known && before != after).then(|| load("requests", Some(before), Some(after))).into_iter().collect()
}

/// Differences that make another line: objectives, arrivals of requests or pauses of users, cold processes.
fn of_line([before, after]: [&Plan; 2]) -> Vec<Changed> {
    let objectives = |line: &LinePlan| {
        let objectives: Vec<String> = line.objectives.iter().map(|it| it.thresholds.join(" and ")).collect();
        let offered = match (line.users.map(ThinkTime::mean), line.arrivals) {
            (Some(Nanos::ZERO), _) => ", in users".to_owned(),
            (Some(pause), _) => format!(", in users who pause for {pause} on average"),
            (None, Arrivals::Even) => ", by evenly spaced arrivals".to_owned(),
            (None, Arrivals::Poisson) => String::new(),
        };
        let cold = line.cold.map_or_else(String::new, |cold| format!(", in the first {cold} of cold processes"));
        format!("{}{offered}{cold}", objectives.join(", "))
    };
    let [before, after] = [before, after].map(|plan| plan.line.as_ref().map(objectives));
    (before != after).then(|| load("objectives of the line", before, after)).into_iter().collect()
}
