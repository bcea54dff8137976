//! Explanations after a run, as the file asks for them.

use plimsoll_record::{ExplainPlan, Explained};

use super::{VARIANT, plan};
use crate::file::explain_all;

const TWO: &str = "variants: {a: {subject: greetings-web}, b: {subject: greetings-web}}\n\
    load: {model: constant-vus, levels: [100, 900, 500], duration: 5s}\n";

fn explained(text: &str) -> Vec<(String, Option<String>)> {
    let explain = plan(text).explain;
    let of = explain.iter().flat_map(|explain: &ExplainPlan| explain.of.clone());
    of.map(|Explained { variant, level }| (variant, level)).collect()
}

fn levels<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, Option<String>)> {
    pairs.map(|(variant, level)| (variant.to_owned(), Some(level.to_owned()))).to_vec()
}

#[test]
fn nothing_is_explained_unless_that_is_asked_for() {
    assert_eq!(plan(TWO).explain, None);
    assert_eq!(plan(&format!("{TWO}explain: false\n")).explain, None);
}

#[test]
fn the_greatest_level_of_each_variant_is_explained() {
    assert_eq!(explained(&format!("{TWO}explain: true\n")), levels([("a", "900"), ("b", "900")]));
    assert_eq!(explained(&format!("{TWO}explain: {{}}\n")), levels([("a", "900"), ("b", "900")]));
}

#[test]
fn levels_and_variants_may_be_named() {
    let text = format!("{TWO}explain: {{levels: [500, 100], variants: [b]}}\n");
    assert_eq!(explained(&text), levels([("b", "100"), ("b", "500")]));
    let rates = "load: {model: constant-arrival-rate, levels: [70/s, 90/s], duration: 5s}\n";
    assert_eq!(explained(&format!("{VARIANT}{rates}explain: {{levels: [70/s]}}\n")), levels([("web", "70/s")]));
}

#[test]
fn of_a_search_the_capacity_is_explained() {
    let text = format!("{VARIANT}line: {{slo: p(99)<1s}}\nexplain: true\n");
    assert_eq!(explained(&text), [("web".to_owned(), None)]);
}

#[test]
fn claims_have_explained_what_they_name() {
    let claims = |texts: &[&str]| {
        let claims = texts.iter().map(|text| format!("  - {{says: s, claim: {text}}}\n"));
        format!("{TWO}claims:\n{}", claims.collect::<String>())
    };
    let of_two = claims(&["limit(a @ 500) = lock", "limit(b @ 100) != cpu", "throughput(a @ 900) > 1/s"]);
    assert_eq!(explained(&of_two), levels([("a", "500"), ("b", "100")]));
    assert_eq!(explained(&claims(&["limit(b) = lock"])), levels([("b", "900")]));
    let all = format!("{}explain: true\n", claims(&["limit(a @ 500) = lock"]));
    assert_eq!(explained(&all), levels([("a", "500"), ("b", "500")]));
    assert_eq!(explained(&format!("{of_two}explain: false\n")), []);
}

#[test]
fn the_flag_explains_all_unless_the_file_says_what() {
    let explained = |text: &str, loaded: &[&str]| {
        let mut plan = plan(text);
        explain_all(&mut plan, loaded).map(|()| plan.explain.expect("something").of.len())
    };
    assert_eq!(explained(TWO, &["a", "b"]), Ok(2));
    assert_eq!(explained(&format!("{TWO}explain: {{levels: [100, 500, 900], variants: [a]}}\n"), &["a", "b"]), Ok(3));
    assert!(explained(TWO, &[]).unwrap_err().contains("no variant has a load"));
}

#[test]
fn levels_of_another_pace_may_be_named() {
    let paces = "paces: {quick: {load: {levels: [10]}}, full: {}}\n";
    let text = format!("{TWO}{paces}explain: {{levels: [500], variants: [a]}}\n");
    assert_eq!(explained(&text), levels([("a", "10")]), "the greatest of this pace");
}

#[test]
fn benchmarks_are_left_out() {
    let text = format!("{TWO}explain: true\n").replace("b: {subject: greetings-web}", "b: {jmh: {benchmarks: B}}");
    assert_eq!(explained(&text), levels([("a", "900")]));
}
