//! Reports of searches that came to no interval by themselves.

use plimsoll_analysis::{
    analyse,
    testing::{Line, lines},
};
use plimsoll_record::{ExecutionData, LineFound};
use plimsoll_report::{Format, Source, Style, annotations, render};

#[test]
fn a_generator_that_was_the_limit_is_named() {
    let mut data = lines(&[("web", &[Line { has_upper: false, ..Line::at(50.0) }])], &[]);
    data.runs[0].run.line.as_mut().unwrap().offered_most = Some(54.5);
    let results = analyse(&data);
    let report = render(Format::Markdown, &results, &Style::default());
    assert!(report.contains("at least 47.5/s, 95 % sure"), "{report}");
    assert!(report.contains("offers at most 54.5/s, so that nothing is known beyond"), "{report}");
    assert!(!report.contains("--at-most"), "more time would tell no more: {report}");
    assert_eq!(results.lines[0].searches[0].offered_most, Some(54.5));

    let mut data = lines(&[("web", &[Line::at(50.0)]), ("app", &[Line { has_upper: false, ..Line::at(50.0) }])], &[]);
    data.runs[1].run.line.as_mut().unwrap().offered_most = Some(54.5);
    let report = render(Format::Markdown, &analyse(&data), &Style::default());
    assert!(report.contains("time up, the generator offers at most 54.5/s"), "{report}");
}

/// A CI is told of a line as it is told of a claim: the command ends with the same verdict.
#[test]
fn a_ci_is_told_of_lines_that_are_not_where_they_were_wanted() {
    let told = |at_least: Option<f64>, change: fn(&mut LineFound)| {
        let mut data = lines(&[("web", &[Line::at(50.0)])], &[]);
        data.execution.plan.line.iter_mut().for_each(|line| line.at_least = at_least);
        data.runs[0].run.line.iter_mut().flat_map(|line| &mut line.found).for_each(change);
        let results = analyse(&data);
        let junit = render(Format::Junit, &results, &Style::default());
        let case = junit.lines().find(|line| line.contains(".lines\"")).unwrap().to_owned();
        (case, annotations(&results, Source::default()))
    };
    let (case, annotation) = told(None, |_| {});
    assert!(!case.contains("failure") && !case.contains("skipped") && annotation.is_empty(), "{case}\n{annotation}");

    let (case, annotation) = told(Some(60.0), |found| found.lower = None);
    assert!(case.contains("<failure message=\"below 60/s, 95 % sure\""), "{case}");
    let expected =
        "::error title=The load line is below what was tested::p(99)<200ms of web: below 60/s, 95 %25 sure\n";
    assert_eq!(annotation, expected);

    let unknown =
        |found: &mut LineFound| (found.lower, found.upper, found.outcome) = (None, None, "time-up".to_owned());
    let (case, annotation) = told(Some(60.0), unknown);
    assert!(case.contains("<skipped message=\"undecided whether it is above 60/s"), "{case}");
    assert!(annotation.starts_with("::warning title=A load line is not known::"), "{annotation}");
    let (case, annotation) = told(None, unknown);
    assert!(case.contains("<skipped message=\"unknown"), "nothing is known: {case}");
    assert!(annotation.starts_with("::warning title=A load line is not known::"), "{annotation}");

    let nowhere = |found: &mut LineFound| (found.lower, found.outcome) = (None, "never-holds".to_owned());
    let (case, annotation) = told(None, nowhere);
    assert!(case.contains("<failure message=\"nowhere: not kept at "), "{case}");
    assert!(
        annotation.starts_with("::error title=Objectives hold nowhere::p(99)<200ms of web: nowhere"),
        "{annotation}"
    );
}

#[test]
fn a_search_without_a_trial_has_no_table_of_them() {
    let mut data = lines(&[("web", &[Line::at(50.0)])], &[]);
    let full = |data: &ExecutionData| render(Format::Terminal, &analyse(data), &Style::default());
    assert!(full(&data).contains("\nTrials\n"));
    data.runs[0].levels.clear();
    data.runs[0].run.line.iter_mut().flat_map(|line| &mut line.found).for_each(|found| {
        (found.lower, found.upper, found.outcome) = (None, None, "time-up".to_owned());
    });
    let report = full(&data);
    assert!(report.contains("0 trials") && !report.contains("\nTrials\n"), "{report}");
}
