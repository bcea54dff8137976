//! From a claim to its verdict.
//!
//! The difference of the two sides is what is judged, by its 95 % bootstrap interval over rounds: the claim holds if
//! all of it satisfies the comparison, fails if none of it does, and is undecided otherwise. Only rounds that have
//! every figure the claim names take part, so that what is compared was measured side by side.

use plimsoll_record::Claim;

use super::{
    ClaimExpression,
    dimension::Unit,
    expression::Expression,
    formula::{Formula, Resolver},
    parse, wording,
};
use crate::{
    bootstrap,
    measured::Measured,
    results::{ClaimResult, Place, Verdict},
};

/// Every claim of the plan, in order.
pub(crate) fn judge_all(measured: &Measured) -> Vec<ClaimResult> {
    measured.plan().claims.iter().map(|claim| judge(measured, claim)).collect()
}

fn judge(measured: &Measured, claim: &Claim) -> ClaimResult {
    let judged = prepare(measured, &claim.expression).and_then(|prepared| weigh(measured, &prepared));
    let judgement = judged.unwrap_or_else(Judgement::impossible);
    ClaimResult {
        says: claim.says.clone(),
        expression: claim.expression.clone(),
        verdict: judgement.verdict,
        value: judgement.value,
        interval: judgement.interval,
        unit: judgement.unit,
        reason: judgement.reason,
        about: judgement.about,
        findings: Vec::new(),
    }
}

struct Judgement {
    verdict: Verdict,
    value: Option<f64>,
    interval: Option<[f64; 2]>,
    unit: String,
    reason: String,
    about: Vec<Place>,
}

impl Judgement {
    fn impossible(reason: String) -> Self {
        let (unit, about) = (String::new(), Vec::new());
        Self { verdict: Verdict::Undecided, value: None, interval: None, unit, reason, about }
    }
}

/// A claim ready to be weighed. The measured side is on the left, also where the text has the threshold there.
struct Prepared {
    claim: ClaimExpression,
    left: Formula,
    right: Formula,
    unit: Unit,
    /// Values by figure, then by round.
    figures: Vec<Vec<f64>>,
    /// Remarks on the rounds and variants that take part.
    remarks: Vec<String>,
    /// Where the generator was the limit: what was measured there is not the service.
    limited: Option<Place>,
    about: Vec<Place>,
}

fn prepare(measured: &Measured, text: &str) -> Result<Prepared, String> {
    let claim = read(measured, text).map_err(|error| error.to_string())?;
    let claim = if claim.left.figures().is_empty() { exchanged(claim) } else { claim };
    let mut resolver = Resolver::new(measured);
    let left = resolver.resolve(&claim.left)?;
    let right = resolver.resolve(&claim.right)?;
    let figures = bootstrap::common_rounds(&resolver.figures);
    let rounds = figures.first().map_or(0, Vec::len);
    if rounds == 0 {
        return Err("no round has all the figures that it names".to_owned());
    }
    let mut remarks = Vec::new();
    let planned = measured.plan().rounds as usize;
    if rounds < planned {
        remarks.push(format!("over {rounds} of {planned} rounds"));
    }
    if !resolver.left_out.is_empty() {
        remarks.push(format!("without {}, which could not run here", resolver.left_out.join(", ")));
    }
    let Resolver { limited, about, .. } = resolver;
    Ok(Prepared { left, right, unit: unit(&claim), claim, figures, remarks, limited, about })
}

fn read(measured: &Measured, text: &str) -> Result<ClaimExpression, super::ClaimError> {
    let claim = parse(text)?;
    let variants: Vec<&str> = measured.plan().variants.iter().map(|it| it.name.as_str()).collect();
    let levels: Vec<&str> = measured.levels.iter().map(|it| it.label.as_str()).collect();
    claim.check(&variants, &levels)?;
    Ok(claim)
}

fn exchanged(claim: ClaimExpression) -> ClaimExpression {
    ClaimExpression { left: claim.right, comparison: claim.comparison.exchanged(), right: claim.left }
}

/// The unit in which the claim writes its threshold.
fn unit(claim: &ClaimExpression) -> Unit {
    let dimension = claim.left.dimension().expect("the parser checked dimensions");
    let written = |side: &Expression| side.unit_written(dimension).cloned();
    written(&claim.right).or_else(|| written(&claim.left)).unwrap_or_else(|| dimension.default_unit())
}

fn weigh(measured: &Measured, prepared: &Prepared) -> Result<Judgement, String> {
    let Prepared { claim, left, right, figures, unit, .. } = prepared;
    let scale = unit.scale;
    let rounds = figures[0].len();
    let all: Vec<usize> = (0..rounds).collect();
    let at = |side: &Formula, drawn: &[usize]| {
        let medians: Vec<f64> = figures.iter().map(|of| bootstrap::median_of(of, drawn)).collect();
        side.value(&medians) / scale
    };
    let (value, threshold) = (at(left, &all), at(right, &all));
    if !(value.is_finite() && threshold.is_finite()) {
        return Err("it divides by zero on what was measured".to_owned());
    }
    let seed = measured.plan().seed;
    let interval = bootstrap::interval(rounds, seed, |drawn| at(left, drawn));
    let difference = bootstrap::interval(rounds, seed, |drawn| at(left, drawn) - at(right, drawn));
    let verdict = difference.map_or(Verdict::Undecided, |[low, high]| {
        match [low, high].map(|it| claim.comparison.is_satisfied(it, 0.0)) {
            [true, true] => Verdict::Holds,
            [false, false] => Verdict::Fails,
            _ => Verdict::Undecided,
        }
    });
    let wording = wording::Wording {
        comparison: claim.comparison,
        unit: &unit.text,
        value,
        threshold,
        interval,
        difference: if claim.right.figures().is_empty() { None } else { difference },
        rounds,
        verdict,
    };
    let mut reason = [vec![wording.reason()], prepared.remarks.clone()].concat().join("; ");
    let mut verdict = verdict;
    if let Some(place) = &prepared.limited {
        verdict = Verdict::Undecided;
        reason = format!("the generator was the limit at {place}, so this says nothing about the service: {reason}");
    }
    let about = prepared.about.clone();
    Ok(Judgement { verdict, value: Some(value), interval, unit: unit.text.clone(), reason, about })
}
