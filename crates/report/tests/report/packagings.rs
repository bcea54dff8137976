//! The chart of packagings, in every format that has it.

use plimsoll_analysis::Results;
use plimsoll_record::{Making, Nanos};
use plimsoll_report::{Format, Style, render};

use crate::sample;

/// Two services in three packagings, one of them with a choice of Spring's ahead-of-time processing.
fn results() -> Results {
    let mut results = sample::many();
    let kept = ["web-jar", "web-cds", "web-cds-aot", "web-native", "reactive-jar", "reactive-native"];
    results.variants.retain(|variant| kept.contains(&variant.name.as_str()));
    for (variant, cpu_s) in results.variants.iter_mut().zip([12, 24, 36, 814, 13, 857]) {
        let (stack, rest) = variant.name.split_once('-').unwrap();
        let packaging = rest.trim_end_matches("-aot");
        let aot = if rest.ends_with("-aot") || rest == "native" { "yes" } else { "no" };
        let settings = [("subject", stack), ("packaging", packaging), ("spring-aot", aot), ("wait", "1s")];
        variant.settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        let making = Making { took: Nanos::from_secs(2 * cpu_s), cpu: Nanos::from_secs(cpu_s) };
        results.environment.making.insert(variant.name.clone(), making);
    }
    results
}

fn section(format: Format, results: &Results) -> String {
    let page = render(format, results, &Style::default());
    let start = page.find("## What each packaging buys").expect("the section is there");
    let end = page[start + 3..].find("\n## ").map_or(page.len(), |end| start + 3 + end);
    page[start..end].to_owned()
}

#[test]
fn markdown_packagings() {
    insta::assert_snapshot!(section(Format::Markdown, &results()));
}

#[test]
fn html_has_a_dot_for_each_variant_in_each_panel() {
    let results = results();
    let page = render(Format::Html, &results, &Style::default());
    let start = page.find("class=\"chart panels\"").expect("the chart is there");
    let chart = &page[start..start + page[start..].find("</svg>").unwrap()];
    assert_eq!(chart.matches("class=\"dot\"").count(), 4 * results.variants.len());
    for row in ["jar", "cds", "cds + Spring AOT", "native"] {
        assert!(chart.contains(&format!(">{row}</text>")), "{row}: {chart}");
    }
    assert!(page.contains("web-native, native: build, CPU time 814 s"), "each dot tells its value");
}

#[test]
fn one_packaging_is_no_comparison() {
    let mut results = results();
    results.variants.retain(|variant| variant.settings["packaging"] == "jar");
    assert!(!render(Format::Markdown, &results, &Style::default()).contains("What each packaging buys"));
}
