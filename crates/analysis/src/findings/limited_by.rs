//! Which of the findings at a level tells its limit.

use crate::results::{Finding, LevelResults, Results};

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

/// Sets it for every level of every variant.
pub(crate) fn set(results: &mut Results) {
    for variant in &mut results.variants {
        for level in variant.levels.iter_mut().flatten() {
            level.limited_by = of(&results.findings, &variant.name, level);
        }
    }
}

fn of(findings: &[Finding], variant: &str, level: &LevelResults) -> Option<&'static str> {
    let is_here = |finding: &Finding| {
        let place = &finding.place;
        place.variant.as_deref() == Some(variant) && place.level.as_deref() == Some(&level.label)
    };
    let is_found = |kind: &&&str| findings.iter().any(|finding| finding.kind.id == **kind && is_here(finding));
    KINDS.iter().find(is_found).copied()
}
