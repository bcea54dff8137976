//! The sample experiment as if each variant called an upstream.

use insta::assert_snapshot;
use plimsoll_analysis::{
    Results,
    results::{Figure, UpstreamFigures},
};
use plimsoll_report::{Format, Style, render};

use crate::sample;

fn of(value: f64) -> Figure {
    Figure { median: value, min: value, max: value, rounds: vec![value; 3] }
}

fn with_upstream() -> Results {
    let mut results = sample::experiment();
    for (index, variant) in (0..).zip(&mut results.variants) {
        for level in variant.levels.iter_mut().flatten() {
            level.upstream = Some(UpstreamFigures {
                requests: of(12_345.0),
                connections_per_1000: Some(of(if index == 0 { 1_000.0 } else { 8.1 })),
                requests_per_connection_max: Some(of(if index == 0 { 1.0 } else { 1_234.0 })),
                handshakes_per_1000: (index == 0).then(|| of(998.7)),
                resumed_percent: (index == 0).then(|| of(91.2)),
                handshakes_failed: Some(of(0.0)),
                resets: of(3.0),
                peak_connections: of(100.0),
                peak_waiting: of(77.0),
                peak_in_service: of(20.0),
            });
        }
    }
    results
}

fn plain(format: Format, results: &Results) -> String {
    render(format, results, &Style::default())
}

/// The table alone: the rest is that of every experiment.
#[test]
fn the_table_on_the_terminal() {
    let text = plain(Format::Terminal, &with_upstream());
    let table = text.split_once("Upstream\n").expect("a table").1;
    assert_snapshot!(table.split_once("\n\n").expect("its end").0);
}

#[test]
fn it_is_in_every_format_if_there_is_one() {
    let (with, without) = (with_upstream(), sample::experiment());
    for (format, said) in [
        (Format::Terminal, "12,345"),
        (Format::Markdown, "12,345"),
        (Format::Html, "handshakes /1k"),
        (Format::Json, "\"connections_per_1000\""),
        (Format::Csv, "upstream_connections_per_1000"),
    ] {
        assert!(plain(format, &with).contains(said), "{said}");
        assert!(!plain(format, &without).contains(said), "{said}");
    }
}
