//! The chart of packagings, in every format that has it.

use plimsoll_analysis::{
    Results, analyse,
    testing::{PLATFORM_THREADS, REACTIVE, Service, greetings_by, variant},
};
use plimsoll_record::{Making, Nanos, VariantPlan};
use plimsoll_report::{Format, Style, render};

/// Two services in three packagings, one of them with a choice of Spring's ahead-of-time processing.
fn results() -> Results {
    let of_all = [
        ("web-jar", "web", "jar", "no", 12, 1_778.0),
        ("web-cds", "web", "cds", "no", 24, 1_153.0),
        ("web-cds-aot", "web", "cds", "yes", 36, 823.0),
        ("web-native", "web", "native", "yes", 814, 61.0),
        ("reactive-jar", "reactive", "jar", "no", 13, 1_903.0),
        ("reactive-native", "reactive", "native", "yes", 857, 44.0),
    ];
    let services = of_all.map(|(name, subject, packaging, aot, _, startup_ms)| {
        let settings = [("subject", subject), ("packaging", packaging), ("spring-aot", aot), ("wait", "1s")];
        let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        let of_stack = if subject == "web" { PLATFORM_THREADS } else { REACTIVE };
        (VariantPlan { settings, ..variant(name) }, Service { startup_ms, ..of_stack })
    });
    let mut data = greetings_by(services);
    let making = |cpu_s| Making { took: Nanos::from_secs(2 * cpu_s), cpu: Nanos::from_secs(cpu_s) };
    data.execution.environment.making = of_all.map(|it| (it.0.to_owned(), making(it.4))).into();
    analyse(&data)
}

fn section(format: Format, results: &Results) -> String {
    let page = render(format, results, &Style::default());
    let start = page.find("## Packagings compared").expect("the section is there");
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
    assert!(!render(Format::Markdown, &results, &Style::default()).contains("Packagings compared"));
}
