//! From a claim to its verdict.
//!
//! The two sides are compared by an interval over rounds, of their ratio where both are positive, else of their
//! difference: the claim holds if all of it satisfies the comparison, fails if none of it does, and is undecided
//! otherwise. Only rounds that have every figure the claim names take part, so that what is compared was measured side
//! by side.

use plimsoll_record::{Claim, ExecutionData, LinePlan, LoadUnit};

use super::{
    ClaimExpression, FiguresClaim, Statement,
    dimension::Unit,
    estimate::{Estimator, Sides},
    expression::Expression,
    formula::{Formula, Resolver},
    limit,
    metric::Scatter,
    parse,
    searched::{Searched, Telling, Weighed, verdict},
    wording,
};
use crate::{
    bottleneck::without_explanations,
    intervals::{self, Interval, Tails},
    measured::Measured,
    results::{ClaimResult, Explanation, Place, Verdict},
    text::number,
};

/// Every claim of the plan, in order.
pub(crate) fn judge_all(measured: &Measured, explanations: &[Explanation]) -> Vec<ClaimResult> {
    measured.plan().claims.iter().map(|claim| judge(measured, explanations, claim)).collect()
}

/// The claims, in words, that more rounds may decide, those among them that other processes disturb as yet. Claims that
/// cannot be judged are not among them: what they name was not measured, or the generator was the limit.
pub fn undecided(data: &ExecutionData) -> Vec<String> {
    let as_measured = without_explanations(data);
    let measured = Measured::of(&as_measured);
    let is_open = |claim: &&Claim| {
        // The first limit is explained in the first round.
        let figures = read(&measured, &claim.expression).ok().and_then(|read| match read.0 {
            Statement::Figures(figures) => Some(figures),
            Statement::Limit(_) => None,
        });
        let prepared = figures.and_then(|figures| prepare(&measured, figures).ok());
        let prepared = prepared.filter(|prepared| prepared.limited.is_none());
        let judgement = prepared.and_then(|prepared| weigh(&measured, &prepared).ok());
        judgement.is_some_and(|judgement| judgement.verdict == Verdict::Undecided)
    };
    measured.plan().claims.iter().filter(is_open).map(|claim| claim.says.clone()).collect()
}

fn judge(measured: &Measured, explanations: &[Explanation], claim: &Claim) -> ClaimResult {
    let read = read(measured, &claim.expression).map_err(|error| error.to_string());
    let judged = read.and_then(|read| match read.0 {
        Statement::Figures(figures) => prepare(measured, figures).and_then(|prepared| weigh(measured, &prepared)),
        Statement::Limit(limit) => Ok(Judgement::of_limit(limit.judge(explanations))),
    });
    let judgement = judged.unwrap_or_else(Judgement::impossible);
    ClaimResult {
        says: claim.says.clone(),
        expression: claim.expression.clone(),
        metrics: super::metrics_of(&claim.expression),
        verdict: judgement.verdict,
        value: judgement.value,
        interval: judgement.interval,
        at_least: judgement.bounds[0],
        at_most: judgement.bounds[1],
        unit: judgement.unit,
        reason: judgement.reason,
        rounds_needed: judgement.rounds_needed,
        about: judgement.about,
        findings: Vec::new(),
    }
}

struct Judgement {
    verdict: Verdict,
    value: Option<f64>,
    interval: Option<[f64; 2]>,
    /// Bounds of the value if searches left a side open.
    bounds: [Option<f64>; 2],
    unit: String,
    reason: String,
    rounds_needed: Option<u32>,
    about: Vec<Place>,
}

impl Judgement {
    fn impossible(reason: String) -> Self {
        let (unit, about) = (String::new(), Vec::new());
        let (verdict, bounds) = (Verdict::Undecided, [None; 2]);
        Self { verdict, value: None, interval: None, bounds, unit, reason, rounds_needed: None, about }
    }

    fn of_limit(limit::Judged { verdict, reason, about }: limit::Judged) -> Self {
        Self { verdict, about, ..Self::impossible(reason) }
    }
}

/// A claim ready to be weighed. The measured side is on the left, even if the text has the threshold there.
struct Prepared {
    claim: FiguresClaim,
    left: Formula,
    right: Formula,
    unit: Unit,
    /// Values by figure, then by round.
    figures: Vec<Vec<f64>>,
    /// How each of them scatters.
    scatters: Vec<Scatter>,
    /// The ends that searches found, if all figures are load lines.
    searched: Option<Searched>,
    /// Remarks on the rounds and variants that take part.
    remarks: Vec<String>,
    /// The place where the generator was the limit, so that its figures are not the service's.
    limited: Option<Place>,
    /// The place where other processes took CPU from the service, and their share of the machine in percent.
    disturbed: Option<(Place, f64)>,
    about: Vec<Place>,
}

fn prepare(measured: &Measured, claim: FiguresClaim) -> Result<Prepared, String> {
    let claim = if claim.left.figures().is_empty() { exchanged(claim) } else { claim };
    let mut resolver = Resolver::new(measured);
    let left = resolver.resolve(&claim.left)?;
    let right = resolver.resolve(&claim.right)?;
    let mut figures = intervals::common_rounds(&resolver.with_ends());
    let ends = figures.split_off(resolver.figures.len());
    let rounds = figures.first().map_or(0, Vec::len);
    if rounds == 0 {
        return Err("no round has all the figures that it names".to_owned());
    }
    let mut remarks = Vec::new();
    let planned = measured.rounds() as usize;
    if rounds < planned {
        remarks.push(format!("over {rounds} of {planned} rounds"));
    }
    if !resolver.left_out.is_empty() {
        remarks.push(format!("without {}, which could not run here", resolver.left_out.join(", ")));
    }
    let searched = searched(&resolver, ends)?;
    let Resolver { scatters, limited, disturbed, about, .. } = resolver;
    let unit = unit(&claim);
    Ok(Prepared { left, right, unit, claim, figures, scatters, searched, remarks, limited, disturbed, about })
}

/// The ends of all figures; none unless all are load lines.
///
/// # Errors
///
/// Only some are, and a search has an open side: its ratio to another figure is not known.
fn searched(resolver: &Resolver, mut ends: Vec<Vec<f64>>) -> Result<Option<Searched>, String> {
    let high = ends.split_off(ends.len() / 2);
    let found = Searched::new(ends, high);
    let is_all = resolver.ends.iter().all(Option::is_some) && !resolver.ends.is_empty();
    if !is_all && found.is_open() {
        return Err("a search for a line that it names has an open side: give it more time (`at-most`)".to_owned());
    }
    Ok(is_all.then_some(found))
}

fn read(measured: &Measured, text: &str) -> Result<ClaimExpression, super::ClaimError> {
    let claim = parse(text)?;
    let variants: Vec<&str> = measured.plan().variants.iter().map(|it| it.name.as_str()).collect();
    let levels: Vec<&str> = measured.levels.iter().map(|it| it.label.as_str()).collect();
    claim.check(&variants, &levels)?;
    let requests: Vec<&str> = measured.levels.iter().flat_map(|it| &it.plan.requests).map(String::as_str).collect();
    claim.check_requests(&variants, &requests)?;
    let unit = measured.plan().line.as_ref().map_or(LoadUnit::PerSecond, LinePlan::unit);
    let lines = measured.plan().line.iter().flat_map(|line| &line.objectives);
    claim.check_lines(&lines.map(|line| line.name.as_str()).collect::<Vec<_>>(), unit)?;
    Ok(claim)
}

fn exchanged(claim: FiguresClaim) -> FiguresClaim {
    FiguresClaim { left: claim.right, comparison: claim.comparison.exchanged(), right: claim.left }
}

/// The unit in which the claim writes its threshold.
fn unit(claim: &FiguresClaim) -> Unit {
    let dimension = claim.left.dimension().expect("the parser checked dimensions");
    let written = |side: &Expression| side.unit_written(dimension).cloned();
    written(&claim.right).or_else(|| written(&claim.left)).unwrap_or_else(|| dimension.default_unit())
}

fn weigh(measured: &Measured, prepared: &Prepared) -> Result<Judgement, String> {
    let is_few = prepared.figures[0].len() < measured.least_rounds();
    if let Some(searched) = prepared.searched.as_ref().filter(|searched| is_few || searched.is_open()) {
        return Ok(by_searches(prepared, searched));
    }
    let Prepared { claim, left, right, figures, scatters, unit, .. } = prepared;
    let estimator = Estimator { figures, scatters };
    let sides = Sides::of(&estimator, left, right);
    let tails = Tails::both(measured.error());
    let is_finite = |estimate: &f64| estimate.is_finite();
    let (Some(value), Some(threshold)) =
        (estimator.estimate(left).filter(is_finite), estimator.estimate(right).filter(is_finite))
    else {
        return Err("it divides by zero on what was measured".to_owned());
    };
    let rounds = figures[0].len();
    let is_enough = rounds >= measured.least_rounds();
    let interval = estimator.interval(left, tails).filter(|_| is_enough);
    let compared = estimator.compared(&sides, tails, None).filter(|_| is_enough);
    let verdict_of = |compared: Interval| verdict(claim.comparison, compared.ends().map(|it| (it, 0.0)));
    let verdict = compared.map_or(Verdict::Undecided, verdict_of);
    let is_decided_by = |rounds: usize| {
        let foreseen = estimator.compared(&sides, tails, Some(rounds));
        foreseen.is_some_and(|foreseen| verdict_of(foreseen) != Verdict::Undecided)
    };
    let rounds_needed = match verdict {
        Verdict::Undecided => needed(rounds, measured.least_rounds(), is_decided_by),
        Verdict::Holds | Verdict::Fails => None,
    };
    let scaled = |interval: Interval| interval.ends().map(|end| end / unit.scale);
    let is_measured = !claim.right.figures().is_empty();
    let difference = match (is_measured, sides.is_ratio) {
        (false, _) => None,
        (true, true) => compared.map(|it| wording::Compared::Ratio(it.map(f64::exp).estimate, it.map(f64::exp).ends())),
        (true, false) => compared.map(|it| wording::Compared::Difference(it.estimate / unit.scale, scaled(it))),
    };
    let wording = wording::Wording {
        comparison: claim.comparison,
        unit: &unit.text,
        value: value / unit.scale,
        threshold: threshold / unit.scale,
        interval: interval.map(scaled),
        compared: difference,
        rounds,
        least_rounds: measured.least_rounds(),
        rounds_needed,
        verdict,
    };
    let mut reason = [vec![wording.reason()], prepared.remarks.clone()].concat().join("; ");
    let mut verdict = verdict;
    if let Some((place, percent)) = &prepared.disturbed {
        verdict = Verdict::Undecided;
        let percent = number(*percent);
        reason = format!(
            "other processes used {percent} % of this machine at {place}, so this says little about the service: {reason}"
        );
    } else if let Some(place) = &prepared.limited {
        verdict = Verdict::Undecided;
        reason = format!("the generator was the limit at {place}, so this says nothing about the service: {reason}");
    }
    Ok(Judgement {
        verdict,
        value: Some(value / unit.scale),
        interval: interval.map(scaled),
        bounds: [None; 2],
        unit: unit.text.clone(),
        reason,
        rounds_needed: rounds_needed.map(|rounds| rounds as u32),
        about: prepared.about.clone(),
    })
}

/// The judgement by the intervals of searches, where rounds do not tell.
fn by_searches(prepared: &Prepared, searched: &Searched) -> Judgement {
    let Prepared { claim, left, right, figures, scatters, unit, .. } = prepared;
    let Weighed { verdict, interval, ends, reason } = searched.weigh(left, claim.comparison, right, &Telling { unit });
    let value = Estimator { figures, scatters }.estimate(left).filter(|value| value.is_finite());
    let bounds = if value.is_some() { [None; 2] } else { ends.map(|end| end.map(|end| end / unit.scale)) };
    Judgement {
        verdict,
        bounds,
        value: value.map(|value| value / unit.scale),
        interval: interval.filter(|_| value.is_some()).map(|ends| ends.map(|end| end / unit.scale)),
        unit: unit.text.clone(),
        reason: [vec![reason], prepared.remarks.clone()].concat().join("; "),
        rounds_needed: None,
        about: Vec::new(),
    }
}

/// The most rounds that are worth naming.
const MOST_NEEDED: usize = 200;

/// How many rounds would decide, as far as the spread seen tells; none if too many, or if one round tells of no spread.
fn needed(rounds: usize, least: usize, is_decided_by: impl Fn(usize) -> bool) -> Option<usize> {
    if rounds < 2 {
        return Some(least);
    }
    let (mut too_few, mut enough) = (rounds.max(least - 1), MOST_NEEDED);
    if too_few >= enough || !is_decided_by(enough) {
        return None;
    }
    while too_few + 1 < enough {
        let middle = usize::midpoint(too_few, enough);
        if is_decided_by(middle) { enough = middle } else { too_few = middle }
    }
    Some(enough)
}
