//! JUnit's XML, which every CI shows: a test case for each claim, threshold, load line and run. An undecided claim is a
//! skipped test, which has neither failed nor passed.

use maud::{Markup, html};
use plimsoll_analysis::{
    Results,
    results::{ClaimResult, ComparedLine, Comparison, Difference, DifferenceVerdict, LineResults, RunResults, Verdict},
};
use plimsoll_record::RunStatus;
use plimsoll_text::{printable, printable_line};

use crate::{
    Style,
    content::{claims, comparison as compared, findings, line, thresholds},
};

/// The document.
pub fn render(results: &Results, _: &Style) -> String {
    document(&results.execution.name, &results.execution.started_at, &cases(results))
}

/// The same, followed by the cases of `compared`.
pub fn against(results: &Results, compared: &Comparison) -> String {
    let all: Vec<Case> = cases(results).into_iter().chain(compared_cases(compared)).collect();
    document(&results.execution.name, &results.execution.started_at, &all)
}

fn cases(results: &Results) -> Vec<Case> {
    let of_claims = results.claims.iter().map(of_claim);
    let of_thresholds = results.thresholds.iter().map(|it| {
        let outcome = if it.is_kept {
            End::Passed(thresholds::measured(it))
        } else {
            End::Failed(format!("exceeded: {}", thresholds::measured(it)), String::new())
        };
        Case::new("thresholds", format!("{} ({})", it.threshold, it.variant), outcome)
    });
    let of_lines = results.lines.iter().map(of_line);
    let of_runs = results.runs.iter().map(of_run);
    of_claims.chain(of_thresholds).chain(of_lines).chain(of_runs).collect()
}

/// A test case for each figure, which fails if that is a regression.
pub fn comparison(comparison: &Comparison) -> String {
    document(&compared::title(comparison), &comparison.after.started_at, &compared_cases(comparison))
}

fn compared_cases(comparison: &Comparison) -> Vec<Case> {
    let of = |it: &Difference| {
        let level = it.level.as_ref().map(|it| format!(" @ {it}")).unwrap_or_default();
        let told = format!("{}: {}", compared::word(it), compared::change(it));
        let outcome = match it.verdict {
            _ if it.is_regression => End::Failed(told, String::new()),
            Some(DifferenceVerdict::Undecided) | None => End::Skipped(told),
            Some(_) => End::Passed(told),
        };
        Case::new("comparison", format!("{}({}{level})", it.metric, it.variant), outcome)
    };
    let lower = |it: &ComparedLine| {
        Case::new(
            "comparison",
            format!("line({})", compared::line_name(it)),
            End::Failed(compared::lower_line(it), String::new()),
        )
    };
    comparison.differences.iter().map(of).chain(comparison.lower_lines().map(lower)).collect()
}

/// A test case.
struct Case {
    class: &'static str,
    name: String,
    outcome: End,
    /// Duration of a run; none for other cases, which take no time.
    took_s: Option<f64>,
}

/// The outcome of a test case.
enum End {
    /// With its figures.
    Passed(String),
    /// In a sentence, and in full.
    Failed(String, String),
    Skipped(String),
}

impl Case {
    const fn new(class: &'static str, name: String, outcome: End) -> Self {
        Self { class, name, outcome, took_s: None }
    }
}

fn of_claim(claim: &ClaimResult) -> Case {
    let figure = claims::figure(claim).unwrap_or_default();
    let told = |word: &str| {
        let reason = if claim.reason.is_empty() { String::new() } else { format!(": {}", claim.reason) };
        format!("{word}: {figure}{reason}").replace(": :", ":")
    };
    let outcome = match claim.verdict {
        Verdict::Holds => End::Passed(figure.clone()),
        Verdict::Undecided => End::Skipped(told("undecided")),
        Verdict::Fails => {
            let why: Vec<String> = findings::explanation(claim).into_iter().collect();
            End::Failed(told("fails"), format!("{}\n{}", claim.expression, why.join("\n")))
        }
    };
    let name = if claim.says.is_empty() { claim.expression.clone() } else { claim.says.clone() };
    Case::new("claims", name, outcome)
}

/// A load line as a case, by its verdict.
fn of_line(it: &LineResults) -> Case {
    let objectives = it.objectives.join(" and ");
    let tested =
        it.tested_per_s.map(|rate| format!("{rate}/s")).or(it.tested_users.map(|users| format!("{users} users")));
    let name = match &tested {
        Some(tested) => format!("{objectives} at {tested} ({})", it.variant),
        None => format!("{objectives} ({})", it.variant),
    };
    let outcome = match line::verdict(it) {
        Verdict::Fails => End::Failed(line::answers(it), String::new()),
        Verdict::Undecided => End::Skipped(line::answers(it)),
        Verdict::Holds => End::Passed(line::answers(it)),
    };
    Case::new("lines", name, outcome)
}

fn of_run(run: &RunResults) -> Case {
    let problem = || run.problem.clone().unwrap_or_default();
    let outcome = match run.status {
        RunStatus::Done => End::Passed(String::new()),
        status if status.is_failure() => End::Failed(problem(), run.output_tail.join("\n")),
        _ => End::Skipped(problem()),
    };
    let took_s = run.spans.iter().map(|it| it.end_s).reduce(f64::max);
    Case { took_s, ..Case::new("runs", format!("{} round {}", run.variant, run.round + 1), outcome) }
}

fn document(name: &str, started_at: &str, cases: &[Case]) -> String {
    let failures = cases.iter().filter(|it| matches!(it.outcome, End::Failed(..))).count();
    let skipped = cases.iter().filter(|it| matches!(it.outcome, End::Skipped(_))).count();
    let took = cases.iter().filter_map(|it| it.took_s).fold(0.0, |sum, took| sum + took);
    // Without its zone, as the schema has it: the record's dates are UTC.
    let started = started_at.split(['.', 'Z']).next().unwrap_or_default();
    let suites = html! {
        testsuites name="plimsoll" tests=(cases.len()) failures=(failures) skipped=(skipped) errors="0"
            time=(seconds(took)) {
            "\n"
            testsuite name=(shown(name)) tests=(cases.len()) failures=(failures) skipped=(skipped) errors="0"
                time=(seconds(took)) timestamp=(shown(started)) {
                "\n"
                @for case in cases { (element(name, case)) "\n" }
            }
            "\n"
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", suites.into_string())
}

fn element(suite: &str, case: &Case) -> Markup {
    let (class, time) = (format!("{}.{}", shown(suite), case.class), seconds(case.took_s.unwrap_or(0.0)));
    html! {
        testcase classname=(class) name=(shown(&case.name)) time=(time) {
            @match &case.outcome {
                End::Passed(figures) => @if !figures.is_empty() { system-out { (text_of(figures)) } },
                End::Failed(message, text) => failure message=(shown(message)) type="failure" { (text_of(text)) },
                End::Skipped(message) => skipped message=(shown(message)) {},
            }
        }
    }
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.3}")
}

/// Text for an attribute, on one line. XML cannot express control characters, not even as escapes.
fn shown(text: &str) -> String {
    printable_line(text).replace(FORBIDDEN, REPLACED)
}

/// Text for an element, which keeps its lines.
fn text_of(text: &str) -> String {
    printable(text).replace(FORBIDDEN, REPLACED)
}

/// Characters that a terminal can show, but that are not allowed in XML (section 2.2).
const FORBIDDEN: [char; 2] = ['\u{fffe}', '\u{ffff}'];
const REPLACED: &str = "\u{fffd}";
