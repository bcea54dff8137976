//! The limit of a level, as the finding there that tells most has it; and the limit of a line.

use crate::results::{Explanation, Finding, LevelResults, LineResults, Results};

/// A ceiling is the limit of a line that reaches so much of it, in percent.
const NEAR_CEILING: f64 = 75.0;

/// Kinds that tell a limit, the one that explains most first.
const KINDS: &[&str] = &[
    "generator-cpu",
    "generator-late",
    "generator-ports",
    "generator-descriptors",
    "gives-way-first",
    "cpu-throttled",
    "ceiling-reached",
    "accept-queue-overflows",
    "late-connects",
    "offered-load",
];

/// Sets it for every level of every variant, and for every line.
pub(crate) fn set(results: &mut Results) {
    for variant in &mut results.variants {
        for level in variant.levels.iter_mut().flatten() {
            level.limited_by = of(&results.findings, &variant.name, level);
        }
    }
    for line in &mut results.lines {
        line.limited_by = of_line(&results.explanations, line);
    }
}

fn of_line(explanations: &[Explanation], line: &LineResults) -> Option<String> {
    let is_of = |it: &&Explanation| it.variant == line.variant && it.level.is_none() && it.has_found();
    let ceiling = line.ceiling.as_ref().filter(|it| it.reached_percent >= NEAR_CEILING);
    let found = explanations.iter().find(is_of).map(|found| found.limit.to_owned());
    found.or_else(|| ceiling.map(|it| it.because.clone()))
}

fn of(findings: &[Finding], variant: &str, level: &LevelResults) -> Option<&'static str> {
    let is_here = |finding: &Finding| {
        let place = &finding.place;
        place.variant.as_deref() == Some(variant) && place.level.as_deref() == Some(&level.label)
    };
    let is_found = |kind: &&&str| findings.iter().any(|finding| finding.kind.id == **kind && is_here(finding));
    KINDS.iter().find(is_found).copied()
}
