//! What every text format prints, in full. `INSTA_UPDATE=always cargo test -p plimsoll-report` writes the goldens anew:
//! look at the difference before you commit it.

use insta::assert_snapshot;
use plimsoll_report::{Format, Style, render};

use crate::sample;

fn plain(format: Format, results: &plimsoll_analysis::Results) -> String {
    render(format, results, &Style::default())
}

#[test]
fn terminal_experiment() {
    assert_snapshot!(plain(Format::Terminal, &sample::experiment()));
}

#[test]
fn terminal_load() {
    assert_snapshot!(plain(Format::Terminal, &sample::load()));
}

#[test]
fn terminal_load_in_colour() {
    let style = Style { colour: true, ..Style::default() };
    assert_snapshot!(render(Format::Terminal, &sample::load(), &style).replace('\u{1b}', "␛"));
}

#[test]
fn terminal_flow() {
    assert_snapshot!(plain(Format::Terminal, &sample::flow()));
}

#[test]
fn terminal_scenarios() {
    assert_snapshot!(plain(Format::Terminal, &sample::scenarios()));
}

#[test]
fn markdown_scenarios() {
    assert_snapshot!(plain(Format::Markdown, &sample::scenarios()));
}

#[test]
fn markdown_flow() {
    assert_snapshot!(plain(Format::Markdown, &sample::flow()));
}

#[test]
fn terminal_benchmarks() {
    assert_snapshot!(plain(Format::Terminal, &sample::benchmarks()));
}

#[test]
fn markdown_benchmarks() {
    assert_snapshot!(plain(Format::Markdown, &sample::benchmarks()));
}

#[test]
fn csv_benchmarks() {
    assert_snapshot!(plain(Format::Csv, &sample::benchmarks()));
}

#[test]
fn markdown_experiment() {
    assert_snapshot!(plain(Format::Markdown, &sample::experiment()));
}

#[test]
fn markdown_load() {
    assert_snapshot!(plain(Format::Markdown, &sample::load()));
}

#[test]
fn csv_load() {
    assert_snapshot!(plain(Format::Csv, &sample::load()));
}

#[test]
fn json_load() {
    assert_snapshot!(plain(Format::Json, &sample::load()));
}

fn brief(results: &plimsoll_analysis::Results, width: usize) -> String {
    render(Format::Terminal, results, &Style { width, is_brief: true, ..Style::default() })
}

#[test]
fn brief_experiment() {
    assert_snapshot!(brief(&sample::experiment(), 100));
}

#[test]
fn brief_experiment_of_80_columns() {
    assert_snapshot!(brief(&sample::experiment(), 80));
}

#[test]
fn brief_greetings() {
    assert_snapshot!(brief(&plimsoll_analysis::analyse(&plimsoll_analysis::testing::greetings()), 140));
}

#[test]
fn brief_many() {
    assert_snapshot!(brief(&sample::many(), 100));
}

#[test]
fn brief_load() {
    assert_snapshot!(brief(&sample::load(), 100));
}

#[test]
fn brief_scenarios() {
    assert_snapshot!(brief(&sample::scenarios(), 100));
}

#[test]
fn brief_benchmarks() {
    assert_snapshot!(brief(&sample::benchmarks(), 100));
}
