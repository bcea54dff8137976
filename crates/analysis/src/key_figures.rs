//! Verdicts and key figures of an execution, for lists of many.

use plimsoll_record::{ClaimTally, ExecutionSummary, KeyFigure, ThresholdTally, VariantSummary};

use crate::{
    compare::figures::{self, Named},
    results::{Figure, Results, VariantResults, Verdict},
};

/// The execution in short, to be kept beside it: [`plimsoll_record::Store::keep_summary`].
pub fn summary_of(results: &Results) -> ExecutionSummary {
    let claims = |verdict| results.claims.iter().filter(|it| it.verdict == verdict).count() as u32;
    let kept = results.thresholds.iter().filter(|it| it.is_kept).count() as u32;
    let mut levels = results.variants.iter().flat_map(|it| it.levels.iter().flatten());
    ExecutionSummary {
        claims: ClaimTally {
            hold: claims(Verdict::Holds),
            fail: claims(Verdict::Fails),
            undecided: claims(Verdict::Undecided),
        },
        thresholds: ThresholdTally { kept, exceeded: results.thresholds.len() as u32 - kept },
        is_limited_by_generator: levels.any(|it| !it.generator.limits.is_empty()),
        warnings: results.warnings() as u32,
        runs_done: results.execution.runs_done,
        runs_planned: results.execution.runs_planned,
        variants: results.variants.iter().map(|it| of_variant(results, it)).collect(),
    }
}

fn of_variant(results: &Results, variant: &VariantResults) -> VariantSummary {
    let level = variant.levels.iter().rev().flatten().next();
    // The first line stands for all: a list has no room for more.
    let line = results.lines.iter().find(|it| it.variant == variant.name);
    let of_level = level.map(figures::of_level).unwrap_or_default();
    let of_line = line.map(figures::of_line).unwrap_or_default();
    let all = of_level.into_iter().chain(of_line).chain(figures::of_variant(variant));
    VariantSummary {
        name: variant.name.clone(),
        level: level.map(|it| it.label.clone()),
        figures: all.map(|(named, figure)| key(&named, &figure)).collect(),
    }
}

fn key(named: &Named, figure: &Figure) -> KeyFigure {
    KeyFigure {
        name: named.name.to_owned(),
        unit: named.unit.to_owned(),
        value: figure.median,
        interval: figure.interval,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analyse,
        testing::{Line, greetings, lines},
    };

    #[test]
    fn verdicts_are_counted_and_each_variant_has_its_highest_level() {
        let found = summary_of(&analyse(&greetings()));
        let ClaimTally { hold, fail, undecided } = found.claims;
        assert!(hold > 0 && fail > 0 && undecided > 0, "{:?}", found.claims);
        let of = |name: &str| found.variants.iter().find(|it| it.name == name).unwrap();
        let jar = of("web-jar");
        assert_eq!(jar.level.as_deref(), Some("2700"));
        let names: Vec<&str> = jar.figures.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(&names[..4], ["throughput", "median", "p99", "errors"]);
        assert!(names.contains(&"startup") && names.contains(&"peak_memory"), "{names:?}");
        assert_eq!((of("web-native").level.as_ref(), of("web-native").figures.len()), (None, 0));
    }

    #[test]
    fn a_line_is_a_key_figure() {
        let found = summary_of(&analyse(&lines(&[("web", &[Line::at(100.0)])], &[])));
        let line = found.variants[0].figures.iter().find(|it| it.name == "line").unwrap();
        assert!((line.value / 100.0 - 1.0).abs() < 0.01 && line.unit == "/s", "{line:?}");
    }
}
