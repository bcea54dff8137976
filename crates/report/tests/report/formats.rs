//! Properties of a format that hold whatever the results are.

use std::collections::BTreeSet;

use plimsoll_analysis::{
    Results, analyse,
    testing::{Line, critical, greetings, lines, overload, samples},
};
use plimsoll_record::{ExecutionData, Unrecovered};
use plimsoll_report::{FORMATS, Format, Style, render};
use unicode_width::UnicodeWidthStr;

use crate::sample;

fn plain(format: Format, results: &Results) -> String {
    render(format, results, &Style::default())
}

/// The experiment, killed before its first run.
fn nothing_measured() -> Results {
    analyse(&ExecutionData { runs: Vec::new(), ..greetings() })
}

/// The experiment with names that have no place to break, wide ones among them.
fn with_long_names() -> Results {
    let mut data = greetings();
    for (index, variant) in data.execution.plan.variants.iter_mut().enumerate() {
        variant.name = format!("가상스레드-{}-{index}", "a-name-without-end-".repeat(9));
    }
    data.execution.plan.title = "unbreakable".repeat(20);
    analyse(&data)
}

/// Does it with results of every shape.
fn for_all(look: impl Fn(&Results)) {
    sample::ALL.iter().for_each(|(_, results)| look(results));
    [nothing_measured(), with_long_names(), analyse(&critical([10.0; 5]))].iter().for_each(look);
}

#[test]
fn no_line_of_the_terminal_report_is_wider_than_asked() {
    for_all(|results| {
        for width in [60, 100] {
            let report = render(Format::Terminal, results, &Style { width, ..Style::default() });
            for line in report.lines() {
                assert!(line.width() <= width, "{} columns of {width}: {line}", line.width());
            }
        }
    });
}

#[test]
fn colour_only_where_asked() {
    let results = &sample::EXPERIMENT;
    assert!(!plain(Format::Terminal, results).contains('\u{1b}'));
    assert!(render(Format::Terminal, results, &Style { colour: true, ..Style::default() }).contains('\u{1b}'));
}

#[test]
fn every_format_names_every_variant_that_was_measured() {
    let many = &sample::MANY;
    for info in FORMATS.iter().filter(|info| info.format != Format::Terminal) {
        let report = plain(info.format, many);
        for variant in &many.variants {
            assert!(report.contains(&variant.name), "{} lacks {}", info.name, variant.name);
        }
    }
}

#[test]
fn every_format_can_say_that_nothing_was_measured() {
    for info in FORMATS {
        assert!(!plain(info.format, &nothing_measured()).is_empty(), "{}", info.name);
    }
}

#[test]
fn csv_quotes_and_reads_back() {
    let results = &sample::EXPERIMENT;
    let csv = plain(Format::Csv, results);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<_> = reader.records().collect::<Result<_, _>>().unwrap();
    let row = rows.iter().find(|row| &row[0] == "web-jar" && &row[1] == "2700" && &row[2] == "p99").unwrap();
    let p99 = results.variants[0].levels[3].as_ref().unwrap().response.p99_ms.as_ref().unwrap();
    assert_eq!((&row[3], row[4].parse(), &row[7]), ("ms", Ok(p99.median), "3"));
    assert!(rows.iter().any(|row| &row[0] == "<script>alert('web & \"co\"')</script>"));
}

#[test]
fn json_has_a_version() {
    let json: serde_json::Value = serde_json::from_str(&plain(Format::Json, &sample::EXPERIMENT)).unwrap();
    assert_eq!(json["format"], plimsoll_analysis::results::FORMAT);
    assert_eq!(json["variants"][0]["name"], "web-jar");
    assert_eq!(json["claims"][2]["verdict"], "fails");
}

#[test]
fn html_loads_nothing_and_escapes_what_users_wrote() {
    let html = plain(Format::Html, &sample::EXPERIMENT);
    for loader in [" src=", "@import", "url(", "<link", "<img", "<iframe", "fetch("] {
        assert!(!html.contains(loader), "{loader}");
    }
    let linked = html.replace("https://example.org/greetings", "").replace("http://www.w3.org/2000/svg", "");
    assert!(!linked.contains("http://") && !linked.contains("https://"));
    assert_eq!(html.matches("<script>").count(), 1, "the page's own");
    assert!(html.contains("&lt;script&gt;alert('web &amp; &quot;co&quot;')&lt;/script&gt;"));
    assert!(html.contains("DirectByteBuffer.&lt;init&gt;"), "the last lines of the target that died");
}

#[test]
fn html_of_the_full_experiment_stays_small_enough_to_send() {
    let megabytes = plain(Format::Html, &sample::MANY).len() as f64 / 1e6;
    assert!(megabytes < 4.0, "{megabytes} MB");
}

/// Keys that are data, not fields: names of settings, versions, statuses, kinds of errors, metrics, and the load's
/// parameters, which are those of the record.
const MAPS: &[&str] =
    &["settings", "versions", "statuses", "errors", "checks", "samples", "load", "target", "secondary"];

fn fields<'a>(value: &'a serde_json::Value, found: &mut BTreeSet<&'a str>) {
    match value {
        serde_json::Value::Object(object) => {
            for (name, value) in object {
                found.insert(name);
                if !(MAPS.contains(&name.as_str()) && value.is_object()) {
                    fields(value, found);
                }
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| fields(item, found)),
        _ => {}
    }
}

#[test]
fn every_field_of_the_json_report_is_described() {
    let page = include_str!("../../../../docs/json-report.md");
    let all = sample::ALL.iter().map(|(_, results)| serde_json::from_str(&plain(Format::Json, results)).unwrap());
    let reports: Vec<serde_json::Value> = all.collect();
    let mut found = BTreeSet::new();
    reports.iter().for_each(|report| fields(report, &mut found));
    let missing: Vec<_> = found.into_iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "docs/json-report.md does not describe {missing:?}");
}

#[test]
fn errors_by_kind_are_in_every_report() {
    for format in [Format::Terminal, Format::Markdown, Format::Html] {
        let report = plain(format, &sample::EXPERIMENT);
        let (_, table) = report.split_once("Errors by kind").unwrap_or_else(|| panic!("not in {format:?}"));
        assert!(table.contains("reset") && table.contains("closed"), "{format:?}");
        assert!(!plain(format, &sample::MANY).contains("Errors by kind"), "{format:?}");
    }
}

#[test]
fn time_wait_is_drawn_in_markdown_where_it_is_many() {
    const TITLE: &str = "connections in TIME_WAIT over the first run, 0 to ";
    let mut data = greetings();
    assert!(!plain(Format::Markdown, &analyse(&data)).contains(TITLE));
    let run = &mut data.runs[0];
    let end_ms = run.samples.last().expect("a sample").at.as_millis_f64() as u64;
    let values = (0..=4).map(|part| (end_ms / 4 * part, part as f64 * 3_000.0)).collect::<Vec<_>>();
    run.samples.extend(samples("outbound_time_wait", &values));
    let report = plain(Format::Markdown, &analyse(&data));
    let (_, chart) = report.split_once(TITLE).expect("a chart");
    let line = chart.lines().find(|line| line.starts_with("web-jar")).expect("a line of the variant");
    assert!(line.contains("▁▁▁▃") && line.contains("▅▆"), "{line}");
}

#[test]
fn an_upstream_is_in_every_format_if_there_is_one() {
    let (with, without) = (&sample::CALLS, &sample::EXPERIMENT);
    for (format, said) in [
        (Format::Terminal, "connects /1k"),
        (Format::Markdown, "connects /1k"),
        (Format::Html, "connects /1k"),
        (Format::Json, "\"connections_per_1000\""),
        (Format::Csv, "upstream_connections_per_1000"),
    ] {
        assert!(plain(format, with).contains(said), "{said}");
        assert!(!plain(format, without).contains(said), "{said}");
    }
}

#[test]
fn the_first_answer_fits_a_screen() {
    for_all(|results| {
        for width in [80, 100, 140] {
            let text = render(Format::Terminal, results, &Style { width, is_brief: true, ..Style::default() });
            assert!(text.lines().count() <= 24, "{} lines:\n{text}", text.lines().count());
            assert!(text.lines().all(|line| line.width() <= width), "{width}:\n{text}");
            assert!(text.contains("--full"), "{text}");
        }
    });
}

#[test]
fn rows_and_explanations_beyond_a_screen_are_counted() {
    let brief = |results: &Results| {
        render(Format::Terminal, results, &Style { width: 100, is_brief: true, ..Style::default() })
    };
    let many = brief(&sample::MANY);
    let rows = sample::MANY.variants.iter().filter(|it| many.contains(&format!("\n{} ", it.name))).count();
    assert!(many.contains(&format!("\nand {} more variants: --full\n", sample::MANY.variants.len() - rows)), "{many}");
    let mut several = sample::EXPLANATION.clone();
    several.explanations = several.explanations.iter().cycle().take(9).cloned().collect();
    let text = brief(&several);
    let shown = text.matches("gives way first").count();
    assert!(shown >= 1 && text.contains(&format!("\nand {} more explanations: --full\n", 9 - shown)), "{text}");
    assert!(text.lines().count() <= 24, "{text}");
}

/// Whether all of `wanted` are in `all`, in that order.
fn is_in_order(wanted: &[&str], all: &[&str]) -> bool {
    let mut left = all.iter();
    wanted.iter().all(|title| left.any(|it| it == title))
}

#[test]
fn sections_have_one_order_in_every_format() {
    let results = &sample::EXPERIMENT;
    let [html, markdown, terminal] =
        [Format::Html, Format::Markdown, Format::Terminal].map(|format| plain(format, results));
    let sections: Vec<&str> = html.split("<h2>").skip(1).filter_map(|rest| rest.split("</h2>").next()).collect();
    let of_markdown: Vec<&str> = markdown.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    // A table may bear a section's title once more.
    let mut seen = BTreeSet::new();
    let of_terminal: Vec<&str> =
        terminal.lines().filter(|line| sections.contains(line) && seen.insert(*line)).collect();
    assert!(of_markdown.len() > 8 && is_in_order(&of_markdown, &sections), "{of_markdown:?} of {sections:?}");
    assert!(of_terminal.len() > 8 && is_in_order(&of_terminal, &sections), "{of_terminal:?} of {sections:?}");
}

#[test]
fn a_critical_rate_is_told_or_why_there_is_none() {
    for format in [Format::Terminal, Format::Markdown, Format::Html] {
        let told = plain(format, &analyse(&critical([1e2, 1e3, 1e3, 1e4, 1e4])));
        assert!(told.contains("critical rate") && told.contains("1,585 – 3,170/s"), "{format:?}");
        let none = plain(format, &analyse(&critical([0.0, 1e3, 1e3, 1e4, 1e4])));
        assert!(none.contains("holds nowhere"), "{format:?}");
    }
}

#[test]
fn a_service_that_does_not_recover_from_a_trial_is_named_in_every_format() {
    let mut data = lines(&[("web", &[Line { has_upper: false, ..Line::at(100.0) }])], &[]);
    let unrecovered = Unrecovered { load: 120.0, is_users: false, waited_s: 30.0, restarts: 0, is_end: true };
    for (unrecovered, said) in [
        (unrecovered, "120/s: a metastable failure (Bronson et al. 2021); the search ended there"),
        (
            Unrecovered { restarts: 2, is_end: false, ..unrecovered },
            "120/s: a metastable failure (Bronson et al. 2021); it was started anew 2 times, and the search went on",
        ),
    ] {
        data.runs[0].run.line.as_mut().unwrap().unrecovered = Some(unrecovered);
        let results = analyse(&data);
        for format in [Format::Markdown, Format::Html] {
            let text = plain(format, &results);
            assert!(text.contains(&format!("did not recover within 30 s from an overload of {said}")), "{text}");
        }
        let csv = plain(Format::Csv, &results);
        assert_eq!(csv.contains(",metastable,"), unrecovered.is_end, "{csv}");
        assert!(!unrecovered.is_end || results.lines[0].searches[0].longer_s.is_none(), "more time tells no more");
    }
}

#[test]
fn a_service_that_recovers_is_told_from_one_that_does_not() {
    for (late_s, said) in [
        (9, "4.0 s after an overload of 130/s for 5 s"),
        (5, "at once after an overload of 130/s for 5 s"),
        (40, "not within 30 s after an overload of 130/s for 5 s, at 90/s: a metastable failure"),
    ] {
        let mut data = lines(&[("web", &[Line::at(100.0)])], &[]);
        data.runs[0].levels.push(overload(30, late_s));
        let text = plain(Format::Markdown, &analyse(&data));
        assert!(text.contains(&format!("**recovers**: {said}")), "{text}");
    }
}
