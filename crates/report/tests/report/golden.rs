//! Outputs of every text format, in full. `INSTA_UPDATE=always cargo test -p plimsoll-report` writes the goldens anew:
//! look at the difference before you commit it.

use insta::assert_snapshot;
use plimsoll_analysis::results::Tuning;
use plimsoll_record::Change;
use plimsoll_report::{Format, Style, render, tuning};

use crate::sample;

fn plain(format: Format, results: &plimsoll_analysis::Results) -> String {
    render(format, results, &Style::default())
}

#[test]
fn terminal_experiment() {
    assert_snapshot!(plain(Format::Terminal, &sample::EXPERIMENT));
}

#[test]
fn terminal_calls() {
    assert_snapshot!(plain(Format::Terminal, &sample::CALLS));
}

#[test]
fn markdown_calls() {
    assert_snapshot!(plain(Format::Markdown, &sample::CALLS));
}

#[test]
fn terminal_load() {
    assert_snapshot!(plain(Format::Terminal, &sample::LOAD));
}

#[test]
fn terminal_load_in_colour() {
    let style = Style { colour: true, ..Style::default() };
    assert_snapshot!(render(Format::Terminal, &sample::LOAD, &style).replace('\u{1b}', "␛"));
}

#[test]
fn terminal_flow() {
    assert_snapshot!(plain(Format::Terminal, &sample::FLOW));
}

#[test]
fn terminal_scenarios() {
    assert_snapshot!(plain(Format::Terminal, &sample::SCENARIOS));
}

#[test]
fn markdown_scenarios() {
    assert_snapshot!(plain(Format::Markdown, &sample::SCENARIOS));
}

#[test]
fn markdown_flow() {
    assert_snapshot!(plain(Format::Markdown, &sample::FLOW));
}

#[test]
fn terminal_explained() {
    assert_snapshot!(plain(Format::Terminal, &sample::EXPLAINED));
}

#[test]
fn markdown_explained() {
    assert_snapshot!(plain(Format::Markdown, &sample::EXPLAINED));
}

#[test]
fn terminal_lines() {
    assert_snapshot!(plain(Format::Terminal, &sample::LINES));
}

#[test]
fn terminal_undecided() {
    assert_snapshot!(plain(Format::Terminal, &sample::UNDECIDED));
}

#[test]
fn terminal_line() {
    assert_snapshot!(plain(Format::Terminal, &sample::LINE));
}

#[test]
fn markdown_line() {
    assert_snapshot!(plain(Format::Markdown, &sample::LINE));
}

#[test]
fn terminal_explanation() {
    assert_snapshot!(plain(Format::Terminal, &sample::EXPLANATION));
}

#[test]
fn markdown_explanation() {
    assert_snapshot!(plain(Format::Markdown, &sample::EXPLANATION));
}

#[test]
fn brief_explanation_of_60_columns() {
    assert_snapshot!(brief(&sample::EXPLANATION, 60));
}

#[test]
fn terminal_users() {
    assert_snapshot!(plain(Format::Terminal, &sample::USERS));
}

#[test]
fn csv_users() {
    assert_snapshot!(plain(Format::Csv, &sample::USERS));
}

#[test]
fn csv_line() {
    assert_snapshot!(plain(Format::Csv, &sample::LINE));
}

#[test]
fn markdown_lines() {
    assert_snapshot!(plain(Format::Markdown, &sample::LINES));
}

#[test]
fn terminal_benchmarks() {
    assert_snapshot!(plain(Format::Terminal, &sample::BENCHMARKS));
}

#[test]
fn markdown_benchmarks() {
    assert_snapshot!(plain(Format::Markdown, &sample::BENCHMARKS));
}

#[test]
fn csv_benchmarks() {
    assert_snapshot!(plain(Format::Csv, &sample::BENCHMARKS));
}

#[test]
fn markdown_experiment() {
    assert_snapshot!(plain(Format::Markdown, &sample::EXPERIMENT));
}

#[test]
fn markdown_load() {
    assert_snapshot!(plain(Format::Markdown, &sample::LOAD));
}

#[test]
fn csv_load() {
    assert_snapshot!(plain(Format::Csv, &sample::LOAD));
}

#[test]
fn json_load() {
    assert_snapshot!(plain(Format::Json, &sample::LOAD));
}

fn brief(results: &plimsoll_analysis::Results, width: usize) -> String {
    render(Format::Terminal, results, &Style { width, is_brief: true, ..Style::default() })
}

#[test]
fn brief_experiment() {
    assert_snapshot!(brief(&sample::EXPERIMENT, 100));
}

#[test]
fn brief_experiment_of_80_columns() {
    assert_snapshot!(brief(&sample::EXPERIMENT, 80));
}

#[test]
fn brief_experiment_of_140_columns() {
    assert_snapshot!(brief(&sample::EXPERIMENT, 140));
}

#[test]
fn brief_many() {
    assert_snapshot!(brief(&sample::MANY, 100));
}

#[test]
fn brief_explained() {
    assert_snapshot!(brief(&sample::EXPLAINED, 100));
}

#[test]
fn brief_load() {
    assert_snapshot!(brief(&sample::LOAD, 100));
}

#[test]
fn brief_scenarios() {
    assert_snapshot!(brief(&sample::SCENARIOS, 100));
}

#[test]
fn brief_benchmarks() {
    assert_snapshot!(brief(&sample::BENCHMARKS, 100));
}

#[test]
fn terminal_proof() {
    assert_snapshot!(plain(Format::Terminal, &sample::PROOF));
}

#[test]
fn markdown_proof() {
    assert_snapshot!(plain(Format::Markdown, &sample::PROOF));
}

/// Two changes that helped, one after the other, and what gives way then.
fn tuned() -> Tuning {
    let threads = sample::PROOF.proof.clone().expect("a proof");
    let pool = sample::change("spring.datasource.hikari.maximum-pool-size", "10", "40");
    let rates = [("web, 400", [150.0, 154.0, 151.0]), ("web, 400 and 40", [290.0, 305.0, 301.0])];
    let settings = vec![threads.steps[0].changes[0].clone(), Change { from: None, ..pool.clone() }];
    let mut tuning = Tuning {
        variant: threads.variant.clone(),
        first: sample::EXPLANATION.explanations[0].clone(),
        proofs: Vec::new(),
        settings,
        overall: None,
        next: sample::EXPLAINED.explanations.last().cloned(),
        ended: "no setting moves the limit any more".to_owned(),
    };
    tuning.add(threads);
    tuning.add(sample::proven(&rates, &[pool]).proof.expect("a proof"));
    tuning
}

#[test]
fn terminal_tuning() {
    assert_snapshot!(tuning(Format::Terminal, &[tuned()], &Style::default()));
}

#[test]
fn markdown_tuning() {
    assert_snapshot!(tuning(Format::Markdown, &[tuned()], &Style::default()));
}

#[test]
fn tunings_of_several_variants_are_one_document() {
    let other = Tuning { variant: "other".to_owned(), ..tuned() };
    let json = |of: &[Tuning]| -> serde_json::Value {
        serde_json::from_str(&tuning(Format::Json, of, &Style::default())).unwrap()
    };
    assert_eq!(json(&[tuned(), other.clone()]), serde_json::json!([json(&[tuned()]), json(&[other])]));
}
