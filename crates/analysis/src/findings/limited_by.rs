//! The limit of a level, by the finding there that tells most; and the limit of a line.

use crate::results::{Explanation, Finding, LevelResults, LineResults, Results};

/// A ceiling is the limit of a line that reaches at least this much of it, in percent.
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

/// Sets `limited_by` of every level of every variant, and of every line.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analyse,
        findings::FINDERS,
        results::{Bound, Ceiling, Kind, Place},
        testing::{Line, greetings, lines},
    };

    fn kind(id: &str) -> &'static Kind {
        FINDERS.iter().flat_map(|it| it.kinds).copied().find(|kind| kind.id == id).expect("a kind of this name")
    }

    #[test]
    fn the_limit_of_a_level_is_its_finding_that_explains_most() {
        let results = analyse(&greetings());
        let [first, other, ..] = results.variants.as_slice() else { panic!("several variants") };
        let level = first.levels[0].as_ref().expect("figures");
        let found = |id: &str, variant: &str| kind(id).at(Place::of_level(variant, &level.label), "It is so.");
        let mut findings = vec![found("offered-load", &first.name), found("cpu-throttled", &first.name)];
        findings.push(found("generator-cpu", &other.name));
        assert_eq!(of(&findings, &first.name, level), Some("cpu-throttled"));
        assert_eq!(of(&findings, &other.name, level), Some("generator-cpu"));
        assert_eq!(of(&findings[..2], &other.name, level), None);
    }

    #[test]
    fn every_limit_is_a_kind_of_finding() {
        KINDS.iter().for_each(|id| assert_eq!(kind(id).id, *id));
    }

    #[test]
    fn a_ceiling_limits_a_line_that_reaches_most_of_it() {
        let mut line = analyse(&lines(&[("web", &[Line::at(100.0)])], &[])).lines.remove(0);
        assert_eq!(of_line(&[], &line), None);
        let because = "200 workers ÷ 1.00 s".to_owned();
        let (per_s, bound, others) = (200.0, Bound::Workers, Vec::new());
        line.ceiling = Some(Ceiling { per_s, because: because.clone(), bound, reached_percent: 74.0, others });
        assert_eq!(of_line(&[], &line), None);
        line.ceiling.iter_mut().for_each(|it| it.reached_percent = 75.0);
        assert_eq!(of_line(&[], &line), Some(because));
    }
}
