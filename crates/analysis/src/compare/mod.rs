//! An execution against an earlier one: what changed beside the figures, how each figure changed, and which of these
//! changes are sure.
//!
//! Rounds of two executions were made at different times: they cannot be paired, and a machine that got slower in
//! between looks like a service that did. So the interval is an unpaired one, and the environment comes first.

mod changed;
pub(crate) mod figures;
mod judge;
mod matching;
#[cfg(test)]
mod tests;

use plimsoll_record::{Plan, VariantPlan};
use plimsoll_search::Outcome;

pub use self::{judge::ERRORS_TOLERANCE_POINTS, matching::different_loads};
use self::{judge::Pair, matching::Matching};
use crate::{
    foreign,
    intervals::{LEAST_ROUNDS, Searched},
    results::{
        About, COMPARISON_FORMAT, Changed, Compared, ComparedLine, Comparison, CutShort, Difference, Explanation,
        LevelResults, LineEstimate, LineIs, LineResults, Place, Results, Weight,
    },
    text::number,
};

/// An execution with its results.
#[derive(Clone, Copy, Debug)]
pub struct Executed<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its results.
    pub results: &'a Results,
}

/// How to compare.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// A figure that is surely worse by more than this share is a regression.
    pub tolerance: f64,
    /// Whether different loads are compared.
    pub is_anyway: bool,
}

impl Options {
    /// The tolerance where none is given.
    pub const TOLERANCE: f64 = 0.05;
}

/// The loads differ, so that figures cannot be held against each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentLoads(pub Vec<Changed>);

/// Compares `after` with `before`.
///
/// # Errors
///
/// [`DifferentLoads`] unless [`Options::is_anyway`].
pub fn compare(before: &Executed<'_>, after: &Executed<'_>, options: Options) -> Result<Comparison, DifferentLoads> {
    let matching = Matching::of([before, after]);
    if !matching.loads.is_empty() && !options.is_anyway {
        return Err(DifferentLoads(matching.loads));
    }
    let results = [before.results, after.results];
    let pairs = pairs(&matching, results);
    let (differences, judged_together) = judge::all(&pairs, options.tolerance);
    let variants: Vec<[&VariantPlan; 2]> = matching
        .variants
        .iter()
        .filter_map(|&[a, b]| Some([before.plan.variants.get(a)?, after.plan.variants.get(b)?]))
        .collect();
    let [only_before, only_after] = on_one_side(&matching, results);
    let is_incomplete = !only_before.is_empty();
    let (lines, mut changed) = (compared_lines(&matching, results, options.tolerance), limits(&matching, results));
    changed.extend(matching.loads);
    let environments = [&before.results.environment, &after.results.environment];
    changed.extend(changed::all(environments, [before.plan, after.plan], &variants));
    Ok(Comparison {
        format: COMPARISON_FORMAT,
        before: compared(before.results),
        after: compared(after.results),
        tolerance_percent: options.tolerance * 100.0,
        changed,
        left_out: [matching.left_out, only_before, only_after].concat(),
        is_incomplete,
        doubts: doubts(results),
        judged_together,
        unjudged: unjudged(&differences),
        lines,
        differences,
    })
}

/// Limits, where another resource gave way first.
fn limits(matching: &Matching, results: [&Results; 2]) -> Vec<Changed> {
    let is_alone = results.iter().all(|it| it.variants.len() == 1);
    let mut changed = Vec::new();
    for [before, after] in matching.variants(results) {
        let of_after = results[1].explanations.iter().filter(|it| it.variant == after.name);
        for new in of_after {
            let is_same_load = |it: &&Explanation| it.variant == before.name && it.level == new.level;
            let Some(old) = results[0].explanations.iter().find(is_same_load) else { continue };
            // Two limits of one kind are told apart by what they say.
            let told = |it: &Explanation| if old.limit == new.limit { it.says.clone() } else { it.limit.to_owned() };
            let (before, after) = (Some(told(old)), Some(told(new)));
            if before != after {
                let variant = if is_alone { String::new() } else { format!("{}: ", new.variant) };
                let level = new.level.as_ref().map_or_else(String::new, |level| format!(" at {level}"));
                let name = format!("{variant}gives way first{level}");
                changed.push(Changed { about: About::Limit, name, before, after });
            }
        }
    }
    changed
}

/// Lines with the ends that are known before and after, maybe only one, or none: figures are compared only if all ends
/// are known.
fn compared_lines(matching: &Matching, results: [&Results; 2], tolerance: f64) -> Vec<ComparedLine> {
    let of = |[before, after]: [&LineResults; 2]| {
        let [old, new] = [before, after].map(|it| [it.line.low(), it.line.high()]);
        let is_above = |low: Option<f64>, high: Option<f64>| low.zip(high).is_some_and(|(low, high)| low > high);
        let is_open = [old, new].iter().flatten().any(Option::is_none);
        let least = old[0].map(|low| low * judge::least_factor(tolerance));
        // Objectives that hold at no rate now held at one before.
        let is_lost = old[0].is_some() && after.searches.iter().any(|search| search.outcome == Outcome::NeverHolds);
        ComparedLine {
            variant: after.variant.clone(),
            name: after.name.clone(),
            unit: if after.think_ms.is_some() { " users" } else { "/s" },
            before: old,
            after: new,
            is: match () {
                () if is_above(new[0], old[1]) => Some(LineIs::Higher),
                () if is_lost || is_above(old[0], new[1]) => Some(LineIs::Lower),
                () => None,
            },
            is_regression: is_lost || is_open && is_above(least, new[1]),
        }
    };
    let variants = matching.variants(results);
    variants.flat_map(|[before, after]| lines(results, [&before.name, &after.name])).map(of).collect()
}

fn compared(results: &Results) -> Compared {
    let execution = &results.execution;
    Compared {
        id: execution.id,
        name: execution.name.clone(),
        started_at: execution.started_at.clone(),
        status: execution.status,
        commit: results.environment.git_commit.clone(),
        rounds: execution.rounds,
    }
}

/// Whether there is a level that its target survived.
fn is_whole(level: Option<&LevelResults>) -> bool {
    level.is_some_and(|level| !level.cut_short.is_some_and(CutShort::is_broken))
}

/// Levels that only one of them has figures of, in words: the earlier one, and the later one.
fn on_one_side(matching: &Matching, results: [&Results; 2]) -> [Vec<String>; 2] {
    let mut only = [Vec::new(), Vec::new()];
    for [before, after] in matching.variants(results) {
        for [old, new] in matching.levels_of([before, after]) {
            let Some(level) = old.or(new) else { continue };
            let place = Place::of_level(&after.name, &level.label);
            match (is_whole(old), is_whole(new)) {
                (true, false) => only[0].push(format!("{place}, only before")),
                (false, true) => only[1].push(format!("{place}, only after")),
                _ => {}
            }
        }
        for [old, new] in lines(results, [&before.name, &after.name]) {
            if old.line.low().is_some() && new.searches.is_empty() {
                only[0].push(format!("{}'s load line, only before", after.name));
            }
        }
    }
    only
}

fn pairs(matching: &Matching, results: [&Results; 2]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for [before, after] in matching.variants(results) {
        let levels = matching.levels_of([before, after]).filter(|levels| levels.iter().all(|it| is_whole(*it)));
        for levels in levels.filter_map(|[before, after]| Some([before?, after?])) {
            let (ended, doubt) = (ended(levels), doubt(levels));
            let figures = levels.map(figures::of_level);
            pairs.extend(common(figures, &after.name, Some(&levels[1].label), ended, doubt.as_deref()));
        }
        for lines in lines(results, [&before.name, &after.name]) {
            let name = Some(&lines[1].name).filter(|it| !it.is_empty());
            let searched = searched(lines.map(|it| it.line));
            let of_line = common(lines.map(figures::of_line), &after.name, name, 0.0, None).into_iter();
            pairs.extend(
                of_line.map(|pair| Pair {
                    searched: searched.filter(|_| pair.named.is_line && !pair.has_rounds()),
                    ..pair
                }),
            );
        }
        pairs.extend(common([before, after].map(figures::of_variant), &after.name, None, 0.0, None));
    }
    pairs
}

/// The intervals of two lines, if all of their ends are known.
fn searched(lines: [LineEstimate; 2]) -> Option<Searched> {
    let [before, after] = lines.map(|it| Some([it.low()?, it.high()?]));
    Some(Searched { before: before?, after: after? })
}

type Figures = Vec<(figures::Named, crate::results::Figure)>;

/// Figures that both have.
fn common(
    [before, after]: [Figures; 2],
    variant: &str,
    level: Option<&String>,
    ended: f64,
    doubt: Option<&str>,
) -> Vec<Pair> {
    let pair = |(named, old): (figures::Named, crate::results::Figure)| {
        let (_, new) = after.iter().find(|(it, _)| it.name == named.name)?;
        let figures = [old, new.clone()];
        // A late generator and busy neighbours make times longer and rates lower, but change no share of errors.
        let doubt = doubt.filter(|_| !named.is_share).map(str::to_owned);
        Some(Pair { variant: variant.to_owned(), level: level.cloned(), named, figures, searched: None, ended, doubt })
    };
    before.into_iter().filter_map(pair).collect()
}

/// Lines of one name.
fn lines<'a>([before, after]: [&'a Results; 2], [old, new]: [&str; 2]) -> Vec<[&'a LineResults; 2]> {
    let of_before = before.lines.iter().filter(|it| it.variant == old);
    let pair = |it: &'a LineResults| {
        let other = after.lines.iter().find(|other| other.variant == new && other.name == it.name)?;
        Some([it, other])
    };
    of_before.filter_map(pair).collect()
}

/// Requests that ended in a round, in the execution with fewer.
fn ended(levels: [&LevelResults; 2]) -> f64 {
    let of = |level: &LevelResults| {
        let counts = &level.totals.counts;
        (counts.succeeded + counts.failed) as f64 / level.throughput_per_s.rounds.len().max(1) as f64
    };
    of(levels[0]).min(of(levels[1]))
}

/// Why figures of a level, but shares of errors, are not those of the service.
fn doubt(levels: [&LevelResults; 2]) -> Option<String> {
    let of_generator = when(levels.map(|it| !it.generator.limits.is_empty()));
    let others = levels.map(|it| foreign::disturbing(it.foreign_cpu_percent.as_ref()));
    let most = others.into_iter().flatten().fold(0.0, f64::max);
    let by_others = |when| format!("other processes used {} % of the machine{when}", number(most));
    let of_others = || when(others.map(|it| it.is_some())).map(by_others);
    of_generator.map(|when| format!("the generator was the limit{when}")).or_else(of_others)
}

/// Words for the executions in which something is so; none if it is in neither.
const fn when(is: [bool; 2]) -> Option<&'static str> {
    match is {
        [false, false] => None,
        [true, false] => Some(" before"),
        [false, true] => Some(" after"),
        [true, true] => Some(""),
    }
}

/// Findings that warn, once each.
fn doubts([before, after]: [&Results; 2]) -> Vec<String> {
    let other_machine = match (&before.environment.machine, &after.environment.machine) {
        (Some(a), Some(b)) if a != b => {
            Some("the machine is another one, or was started anew in between: some differences may be its".to_owned())
        }
        _ => None,
    };
    let titles = [before, after].map(|results| {
        let warning = results.findings.iter().filter(|it| it.weight >= Weight::Warning);
        let mut titles: Vec<&str> = warning.map(|it| it.kind.title).collect();
        titles.dedup();
        titles.join(", ")
    });
    let told = match &titles {
        [old, new] if old == new => vec![("both", old)],
        [old, new] => vec![("before", old), ("after", new)],
    };
    let told = told.into_iter().filter(|(_, titles)| !titles.is_empty());
    other_machine.into_iter().chain(told.map(|(when, titles)| format!("{when}: {titles}"))).collect()
}

/// Why nothing is judged.
fn unjudged(differences: &[Difference]) -> Option<String> {
    if differences.is_empty() {
        return Some("no figure is in both executions".to_owned());
    }
    if differences.iter().any(|it| it.verdict.is_some()) {
        return None;
    }
    let fewest = differences.iter().map(|it| it.rounds[0].len().min(it.rounds[1].len())).max().unwrap_or(0);
    match fewest {
        LEAST_ROUNDS.. => None,
        0 | 1 => Some("one run each, and nothing says how much runs differ".to_owned()),
        rounds => {
            Some(format!("{rounds} rounds: an interval takes {LEAST_ROUNDS} of each, so that no difference is judged"))
        }
    }
}
