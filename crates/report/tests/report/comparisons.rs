//! Reports of two executions side by side, and what CI gets.

use std::sync::LazyLock;

use insta::assert_snapshot;
use plimsoll_analysis::{
    Results, analyse,
    compare::{Executed, Options, compare},
    results::Comparison,
    testing::{Line, Request, burst, execution, greetings, level, lines, plan, run, variant},
};
use plimsoll_record::{
    ClaimTally, Environment, ExecutionData, ExecutionSummary, KeyFigure, Listed, Nanos, VariantPlan, VariantSummary,
};
use plimsoll_report::{
    COMPARISON_FORMATS, Format, Source, Style, annotations, comparison, comparison_annotations, render, render_against,
    trend,
};
use unicode_width::UnicodeWidthStr;

use crate::sample;

/// A variant at one level, a round for each time that all of its requests take, in seconds.
fn of_times(name: &str, rounds_s: &[f64], startup_ms: u64) -> ExecutionData {
    let burst = burst(100);
    let data = |(round, &seconds): (u32, &f64)| {
        let done = Nanos::from_secs_f64(seconds);
        let requests: Vec<Request> = (0..100).map(|_| Request::ok(Nanos::ZERO, done)).collect();
        let startup = Nanos::from_millis(startup_ms + 7 * u64::from(round));
        run(0, round, startup, vec![level(&burst, Nanos::ZERO, &requests)])
    };
    let runs = (0..).zip(rounds_s).map(data).collect();
    execution(plan(vec![variant(name)], vec![burst.clone()], rounds_s.len() as u32), runs)
}

fn compared(before: &ExecutionData, after: &ExecutionData) -> Comparison {
    let [old, new] = [analyse(before), analyse(after)];
    let options = Options { tolerance: Options::TOLERANCE, is_anyway: true };
    let executed = |data, results| Executed { plan: data, results };
    compare(&executed(&before.execution.plan, &old), &executed(&after.execution.plan, &new), options).unwrap()
}

/// Slower requests, a faster start that cannot be told, another JDK and more threads.
static WORSE: LazyLock<Comparison> = LazyLock::new(|| {
    let mut before = of_times("web", &[1.0, 1.01, 0.99, 1.005], 1_700);
    let mut after = of_times("web", &[1.2, 1.21, 1.19, 1.205], 1_640);
    before.execution.environment.git_commit = Some("0123456789abcdef".to_owned());
    after.execution.environment.git_commit = Some("fedcba9876543210-dirty".to_owned());
    before.execution.environment.jdk = Some("Temurin 21.0.9+10".to_owned());
    after.execution.environment.jdk = Some("Temurin 25.0.3+9".to_owned());
    let threads = |plan: &mut VariantPlan, number: &str| drop(plan.settings.insert("threads".into(), number.into()));
    threads(&mut before.execution.plan.variants[0], "200");
    threads(&mut after.execution.plan.variants[0], "400");
    after.execution.id = 2;
    after.execution.started_at = "2026-05-05T10:00:00Z".to_owned();
    compared(&before, &after)
});

/// One search each, as of `plimsoll line URL --baseline NAME`.
fn searched(before: Line, after: Line) -> Comparison {
    let of = |line: Line| lines(&[("web", &[line])], &[]);
    compared(&of(before), &of(after))
}

fn many() -> Comparison {
    let mut data = greetings();
    data.execution.environment.kernel = Some("6.9.0".to_owned());
    compared(&greetings(), &data)
}

fn hostile() -> Comparison {
    let name = "=x\u{1b}[2J\n# @me [a](http://b) <img src=x>\u{202e}&\u{ffff}";
    let mut after = of_times(name, &[1.2, 1.21, 1.19], 1_640);
    after.execution.plan.name = name.to_owned();
    after.execution.environment.kernel = Some(name.to_owned());
    compared(&of_times(name, &[1.0, 1.01, 0.99], 1_700), &after)
}

#[test]
fn terminal_comparison() {
    assert_snapshot!(comparison(Format::Terminal, &WORSE, &Style::default()));
}

#[test]
fn terminal_comparison_at_a_glance() {
    assert_snapshot!(comparison(Format::Terminal, &WORSE, &Style { is_brief: true, ..Style::default() }));
}

#[test]
fn terminal_comparison_of_single_runs() {
    let it = compared(&of_times("http://a/", &[1.0], 900), &of_times("http://b/", &[1.5], 900));
    assert_snapshot!(comparison(Format::Terminal, &it, &Style { is_brief: true, ..Style::default() }));
}

#[test]
fn terminal_comparison_of_single_searches() {
    let it = searched(Line::at(120.0), Line::at(100.0));
    assert_snapshot!(comparison(Format::Terminal, &it, &Style { is_brief: true, ..Style::default() }));
}

/// An end that is not known leaves no figure, and may be a regression all the same.
#[test]
fn a_line_that_is_surely_lower_is_told_everywhere() {
    let open = Line { has_upper: false, ..Line::at(300.0) };
    let it = searched(open, Line::at(100.0));
    let told = |format| comparison(format, &it, &Style::default());
    let first = "Surely lower by more than 5 %: 1 load line. Not judged: one run each";
    assert!(told(Format::Markdown).contains(first), "{}", told(Format::Markdown));
    let said = "load line of web: 95 – 105/s, before ≥ 285/s";
    assert!(told(Format::Junit).contains("name=\"line(web)\"") && told(Format::Junit).contains(said));
    let annotated = comparison_annotations(&it, Source { file: None, claim_lines: &[] });
    assert_eq!(annotated, format!("::error title=Surely worse than the baseline::{said}, against #1\n"));
}

#[test]
fn markdown_comparison() {
    assert_snapshot!(comparison(Format::Markdown, &WORSE, &Style::default()));
}

#[test]
fn csv_comparison() {
    assert_snapshot!(comparison(Format::Csv, &WORSE, &Style::default()));
}

#[test]
fn junit_comparison() {
    assert_snapshot!(comparison(Format::Junit, &WORSE, &Style::default()));
}

#[test]
fn annotations_of_a_comparison() {
    let source = Source { file: Some("load/orders.yaml"), claim_lines: &[] };
    assert_snapshot!(comparison_annotations(&WORSE, source));
}

#[test]
fn junit_experiment() {
    assert_snapshot!(render(Format::Junit, &sample::EXPERIMENT, &Style::default()));
}

#[test]
fn annotations_of_an_experiment() {
    let lines: Vec<Option<u32>> = (10..).map(Some).take(sample::EXPERIMENT.claims.len()).collect();
    let source = Source { file: Some("experiments/greetings.yaml"), claim_lines: &lines };
    assert_snapshot!(annotations(&sample::EXPERIMENT, source));
}

#[test]
fn a_first_answer_fits_a_screen_and_no_line_is_too_wide() {
    for it in [&*WORSE, &many(), &hostile(), &searched(Line::at(120.0), Line::at(100.0))] {
        for width in [80, 100] {
            let brief = comparison(Format::Terminal, it, &Style { is_brief: true, width, colour: false });
            assert!(brief.lines().count() <= 25, "{} lines:\n{brief}", brief.lines().count());
            let full = comparison(Format::Terminal, it, &Style { width, ..Style::default() });
            for line in brief.lines().chain(full.lines()) {
                assert!(line.width() <= width, "{} columns of {width}: {line}", line.width());
            }
        }
    }
}

#[test]
fn changes_are_drawn_with_their_intervals() {
    let html = comparison(Format::Html, &WORSE, &Style::default());
    let drawn = WORSE.differences.iter().filter(|it| it.interval.is_some() && it.unit != "%").count();
    assert!(drawn > 2);
    assert_eq!(html.matches("<line class=\"span\"").count(), 2 * drawn, "in two widths");
    assert!(html.contains("class=\"mark worse\"") && html.contains(" of web @ 100: ✗ worse, +"));
}

#[test]
fn a_report_has_what_is_said_of_it_against_its_baseline() {
    let results = analyse(&greetings());
    let with = |format| render_against(format, &results, &WORSE, &Style::default());
    let html = with(Format::Html);
    let (against, figures) = (html.find("<h2>Against the baseline</h2>"), html.find("<section id=\"throughput\""));
    assert!(against.is_some() && against < figures, "before the figures: {against:?}, {figures:?}");
    assert!(html.contains("Surely worse by more than 5 %"));
    let markdown = with(Format::Markdown);
    assert!(markdown.contains("## Against the baseline\n") && markdown.contains("\n### Differences\n"));
    assert_eq!(markdown.matches("\n# ").count(), 0, "one title");
    let junit = with(Format::Junit);
    let own = render(Format::Junit, &results, &Style::default()).matches("<testcase").count();
    assert_eq!(junit.matches("<testcase").count(), own + WORSE.differences.len());
    assert_eq!(with(Format::Csv), render(Format::Csv, &results, &Style::default()));
}

#[test]
fn an_execution_does_not_differ_from_itself() {
    let it = many();
    assert_eq!(it.regressions().count(), 0);
    assert!(it.differences.iter().all(|it| it.change.abs() < 1e-9), "{:?}", it.differences);
    assert_eq!(it.changed.len(), 1, "{:?}", it.changed);
    assert!(it.differences.len() > 20);
}

#[test]
fn no_format_hands_on_what_programs_obey() {
    let it = hostile();
    for format in COMPARISON_FORMATS {
        let text = comparison(format, &it, &Style::default()).replace("\r\n", "\n");
        let obeyed = text.chars().find(|&c| plimsoll_text::is_obeyed(c) && c != '\n');
        assert_eq!(obeyed, None, "{format:?}");
    }
    let html = comparison(Format::Html, &it, &Style::default());
    assert!(!html.contains("<img") && html.contains("&lt;img"));
    let markdown = comparison(Format::Markdown, &it, &Style::default());
    let markdown = markdown.replace("\\]", "");
    assert!(!markdown.contains(" <img") && !markdown.contains("](http"), "{markdown}");
}

#[test]
fn junit_is_xml_whatever_the_names_are() {
    let texts = [comparison(Format::Junit, &hostile(), &Style::default()), junit_of_hostile()];
    let all = sample::ALL.iter().map(|(_, results)| render(Format::Junit, results, &Style::default()));
    for text in all.chain(texts) {
        let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let count = |name: &str| document.descendants().filter(|it| it.has_tag_name(name)).count();
        let told = |name: &str| document.root_element().attribute(name).unwrap().parse::<usize>().unwrap();
        assert_eq!(
            [count("testcase"), count("failure"), count("skipped")],
            [told("tests"), told("failures"), told("skipped")]
        );
        assert!(count("testcase") > 0);
    }
}

fn junit_of_hostile() -> String {
    let mut data = greetings();
    for variant in &mut data.execution.plan.variants {
        variant.name.push_str("\u{0}\u{1b}<&\"'>]]>\u{fffe}");
    }
    render(Format::Junit, &analyse(&data), &Style::default())
}

#[test]
fn undecided_claims_are_skipped_and_failing_ones_fail() {
    let results: &Results = &sample::EXPERIMENT;
    let text = render(Format::Junit, results, &Style::default());
    let document = roxmltree::Document::parse(&text).unwrap();
    let claims =
        document.descendants().filter(|it| it.attribute("classname").is_some_and(|it| it.ends_with(".claims")));
    let ends: Vec<&str> = claims.map(|it| it.first_element_child().map_or("none", |it| it.tag_name().name())).collect();
    let expected = results.claims.iter().map(|it| match it.verdict {
        // With its figures, and so a passed one.
        plimsoll_analysis::results::Verdict::Holds => "system-out",
        plimsoll_analysis::results::Verdict::Fails => "failure",
        plimsoll_analysis::results::Verdict::Undecided => "skipped",
    });
    assert_eq!(ends, expected.collect::<Vec<_>>());
}

/// An experiment of two variants over four executions, in one of which a variant was not measured.
fn over_time() -> plimsoll_analysis::trend::Trend {
    let figure = |name: &str, unit: &str, value| KeyFigure {
        name: name.to_owned(),
        unit: unit.to_owned(),
        value,
        interval: Some([value * 0.98, value * 1.03]),
    };
    let variant = |name: &str, p99: f64| VariantSummary {
        name: name.to_owned(),
        level: Some("2700".to_owned()),
        figures: vec![figure("throughput", "/s", 400_000.0 / p99), figure("p99", "ms", p99)],
    };
    let execution = |(id, p99): (i64, f64)| Listed {
        id,
        name: "orders".to_owned(),
        title: String::new(),
        started_at: format!("2026-05-0{id}T09:30:00Z"),
        ended_at: None,
        status: plimsoll_record::ExecutionStatus::Done,
        environment: Environment { git_commit: Some(format!("{id}123456789abcdef")), ..Environment::default() },
        summary: Some(ExecutionSummary {
            claims: ClaimTally { hold: 1, fail: u32::from(p99 > 250.0), undecided: 0 },
            variants: if id == 3 {
                vec![variant("web", p99)]
            } else {
                vec![variant("web", p99), variant("web-vt", 90.0)]
            },
            ..ExecutionSummary::default()
        }),
    };
    let listed: Vec<Listed> = (1..).zip([200.0, 210.0, 260.0, 150.0]).map(execution).collect();
    plimsoll_analysis::trend::trend("orders", &listed)
}

#[test]
fn terminal_trend() {
    assert_snapshot!(trend(Format::Terminal, &over_time(), &Style::default()));
}

#[test]
fn csv_trend() {
    assert_snapshot!(trend(Format::Csv, &over_time(), &Style::default()));
}

#[test]
fn a_trend_is_drawn_with_a_line_for_each_variant() {
    let html = trend(Format::Html, &over_time(), &Style::default());
    assert_eq!(html.matches("<svg class=\"chart lines\"").count(), 4, "two figures in two widths");
    assert!(html.contains("web-vt") && html.contains("execution"));
}
