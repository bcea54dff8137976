//! An execution in one line, for lists: its verdict, and the figure to lead with.

use plimsoll_analysis::{
    Results,
    results::{Explanation, LevelResults, Verdict},
};
use plimsoll_record::{ExecutionSummary, KeyFigure, VariantSummary};
use plimsoll_text::{
    counted, joined,
    number::{errors_percent, in_full, sig3, time},
};

use crate::content::{claims, line, load, proof};

/// All verdicts of an execution together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every claim holds, every threshold was kept, a change that was to be proven helps.
    Holds,
    /// At least one does not.
    Fails,
    /// None fails, but at least one is undecided.
    Undecided,
    /// Nothing was to be judged.
    Unjudged,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 4] = [Self::Holds, Self::Fails, Self::Undecided, Self::Unjudged];

    /// One word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Undecided => "undecided",
            Self::Unjudged => "unjudged",
        }
    }
}

/// An execution in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// All verdicts together.
    pub outcome: Outcome,
    /// A tally, e.g. of claims that hold; empty where nothing was to be judged.
    pub judged: String,
    /// Key figures, in words; empty if nothing was measured.
    pub figures: String,
    /// Number of findings that warn, or are graver.
    pub warnings: usize,
}

/// The execution in short.
pub fn digest(results: &Results) -> Digest {
    let verdicts = verdicts(results);
    Digest {
        outcome: outcome(&verdicts),
        judged: judged(results),
        figures: figures(results),
        warnings: results.warnings(),
    }
}

fn verdicts(results: &Results) -> Vec<Verdict> {
    // One change that helps is enough, even if the others do not.
    if let Some(proof) = &results.proof {
        let helps = proof.steps.iter().map(|step| step.helps);
        let best = helps.min_by_key(|helps| match helps {
            Verdict::Holds => 0,
            Verdict::Undecided => 1,
            Verdict::Fails => 2,
        });
        return best.into_iter().collect();
    }
    let claims = results.claims.iter().map(|claim| claim.verdict);
    let of_threshold = |is_kept| if is_kept { Verdict::Holds } else { Verdict::Fails };
    let thresholds = results.thresholds.iter().map(|threshold| of_threshold(threshold.is_kept));
    claims.chain(thresholds).collect()
}

fn outcome(verdicts: &[Verdict]) -> Outcome {
    let count = |verdict| verdicts.iter().filter(|it| **it == verdict).count() as u32;
    Outcome::of(count(Verdict::Fails), count(Verdict::Undecided), count(Verdict::Holds))
}

impl Outcome {
    /// The outcome of so many verdicts.
    pub(crate) const fn of(fail: u32, undecided: u32, hold: u32) -> Self {
        match (fail, undecided, hold) {
            (0, 0, 0) => Self::Unjudged,
            (0, 0, _) => Self::Holds,
            (0, _, _) => Self::Undecided,
            _ => Self::Fails,
        }
    }
}

fn judged(results: &Results) -> String {
    let kept = results.thresholds.iter().filter(|threshold| threshold.is_kept).count();
    let thresholds = match (results.thresholds.len(), kept) {
        (0, _) => None,
        (all, kept) => Some(format!("{kept} of {} kept", counted(all as u64, "threshold"))),
    };
    claims::tally(&results.claims).into_iter().chain(thresholds).collect::<Vec<_>>().join("; ")
}

/// The figures that answer the question of the execution.
fn figures(results: &Results) -> String {
    if let Some(proof) = &results.proof {
        return proof.steps.iter().map(|step| proof::line(proof, step)).collect::<Vec<_>>().join("; ");
    }
    if !results.lines.is_empty() {
        return each(results.lines.iter().map(|found| {
            let objectives = joined(&found.objectives);
            (found.variant.as_str(), format!("{} at {objectives}", line::known(found)))
        }));
    }
    let alone = |found: &&Explanation| found.level.is_none();
    if let Some(found) = results.explanations.iter().find(alone) {
        return format!("{} gives way first, at {}/s", found.says.trim_end_matches('.'), sig3(found.throughput_per_s));
    }
    if let Some(claim) = claims::key(&results.claims)
        && let Some(figure) = claims::figure(claim)
    {
        return format!("{}: {figure}", claim.says);
    }
    if let Some(level) = load::single(results) {
        return of_level(level);
    }
    if !results.benchmarks.is_empty() {
        return counted(results.benchmarks.len() as u64, "benchmark");
    }
    each(results.variants.iter().filter_map(|variant| {
        let level = variant.levels.iter().rev().flatten().next()?;
        Some((variant.name.as_str(), of_level(level)))
    }))
}

/// The first few figures, by variant; the name is left out if there is only one.
fn each<'a>(figures: impl Iterator<Item = (&'a str, String)>) -> String {
    const MOST: usize = 2;
    let figures: Vec<_> = figures.collect();
    if let [(_, only)] = figures.as_slice() {
        return only.clone();
    }
    let mut shown: Vec<String> = figures.iter().take(MOST).map(|(name, text)| format!("{name} {text}")).collect();
    if figures.len() > MOST {
        shown.push(format!("{} more", figures.len() - MOST));
    }
    shown.join("; ")
}

/// `1,234/s, median 1.20 ms, p99 8.10 ms, 0.1 % errors`.
fn of_level(level: &LevelResults) -> String {
    let counts = &level.totals.counts;
    let mut parts = vec![format!("{}/s", sig3(level.throughput_per_s.median))];
    if counts.succeeded > 0 {
        parts.push(format!("median {}", time(level.response.median_ms.median)));
        parts.extend(level.response.p99_ms.as_ref().map(|p99| format!("p99 {}", time(p99.median))));
    }
    let errors = level.errors_percent().filter(|_| counts.failed > 0);
    parts.extend(errors.map(|errors| format!("{} % errors", errors_percent(errors.median))));
    parts.join(", ")
}

/// The same from the summary in the record; none if that lacks the figures that answer the question.
pub fn digest_of_summary(summary: &ExecutionSummary) -> Option<Digest> {
    let (claims, thresholds) = (summary.claims, summary.thresholds);
    let outcome = Outcome::of(claims.fail + thresholds.exceeded, claims.undecided, claims.hold + thresholds.kept);
    let of_variant = |variant: &VariantSummary| {
        let shown: Vec<String> = variant.figures.iter().filter_map(key_figure).collect();
        (!shown.is_empty()).then(|| shown.join(", "))
    };
    let variants = summary.variants.iter();
    let figures = each(variants.filter_map(|variant| Some((variant.name.as_str(), of_variant(variant)?))));
    let judged = [
        (claims.hold, "hold"),
        (claims.fail, "fail"),
        (claims.undecided, "undecided"),
        (thresholds.kept, "kept"),
        (thresholds.exceeded, "exceeded"),
    ];
    let judged = judged.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    (!figures.is_empty()).then(|| Digest {
        outcome,
        judged: joined(&judged.collect::<Vec<_>>()),
        figures,
        warnings: summary.warnings as usize,
    })
}

/// `median 1.20 ms`; none for figures for which a line has no room.
pub fn key_figure(figure: &KeyFigure) -> Option<String> {
    let value = figure.value;
    match figure.name.as_str() {
        "throughput" => Some(format!("{}/s", sig3(value))),
        "median" | "p99" => Some(format!("{} {}", figure.name, time(value))),
        "errors" if value > 0.0 => Some(format!("{} % errors", errors_percent(value))),
        "line" => Some(format!("line {}{}", sig3(value), figure.unit)),
        "line_users" => Some(format!("line {} users", in_full(value, 9))),
        _ => None,
    }
}
