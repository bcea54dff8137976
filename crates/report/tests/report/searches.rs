//! Reports of searches that came to no interval by themselves.

use plimsoll_analysis::{
    analyse,
    testing::{Line, lines},
};
use plimsoll_report::{Format, Style, render};

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
