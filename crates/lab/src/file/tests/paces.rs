//! Paces: what they override, which one is taken, and what users read when one is wrong.

use std::path::Path;

use plimsoll_record::Nanos;

use super::{SEED_IF_ABSENT, read};
use crate::file::{ExperimentFile, FileErrors, parse};

const FILE: &str = r#"
base: {wait: 10ms}
variants:
  web: {subject: greetings-web}
  web-vt: {extends: web, threads: virtual}
  other: {subject: greetings-reactive}
load: {model: constant-vus, levels: [100, 500], duration: 30s}
rounds: 5
claims: [{says: x, claim: throughput(web-vt @ 500) > throughput(web @ 500)}]
published:
  source: a blog
  levels: [{variant: a, ours: web, level: 500, throughput: 5/s}]
paces:
  quick: {rounds: 3, load: {duration: 5s}}
  full: {}
  smoke:
    rounds: 1
    only: [web*]
    load: {levels: [5], duration: 1s}
    base: {wait: 1ms}
"#;

fn at(pace: Option<&str>) -> Result<ExperimentFile, FileErrors> {
    parse(FILE, Path::new("experiments/x.yaml"), pace, SEED_IF_ABSENT)
}

fn seconds_of_levels(file: &ExperimentFile) -> Vec<(&str, Option<f64>)> {
    let levels = file.experiment.plan.levels.iter();
    levels.map(|level| (level.label.as_str(), level.load.duration().map(Nanos::as_secs_f64))).collect()
}

#[test]
fn the_first_pace_is_taken_unless_another_is_named() {
    let quick = at(None).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((quick.experiment.plan.pace.as_deref(), quick.experiment.plan.rounds), (Some("quick"), 3));
    assert_eq!(seconds_of_levels(&quick), [("100", Some(5.0)), ("500", Some(5.0))]);
    let full = at(Some("full")).unwrap();
    assert_eq!((full.experiment.plan.pace.as_deref(), full.experiment.plan.rounds), (Some("full"), 5));
    assert_eq!(seconds_of_levels(&full), [("100", Some(30.0)), ("500", Some(30.0))]);
    assert_eq!(full.paces, ["quick", "full", "smoke"]);
    assert_eq!(full.experiment.plan.source.as_deref(), Some(FILE), "the record has the file as it is");
}

#[test]
fn a_pace_may_leave_out_variants_and_have_levels_of_its_own() {
    let smoke = at(Some("smoke")).unwrap();
    let plan = &smoke.experiment.plan;
    let variants: Vec<_> = plan.variants.iter().map(|it| (it.name.as_str(), it.service_time)).collect();
    assert_eq!(variants, [("web", Some(Nanos::from_millis(1))), ("web-vt", Some(Nanos::from_millis(1)))]);
    assert_eq!((smoke.experiment.variants.len(), seconds_of_levels(&smoke)), (2, vec![("5", Some(1.0))]));
    // Claims and published figures may name variants and levels of any pace.
    assert_eq!(smoke.names.variants, ["web", "web-vt", "other"]);
    assert_eq!(smoke.names.levels, ["100", "500", "5"]);
}

#[test]
fn proofs_and_requests_may_be_those_of_another_pace() {
    let text = "variants: {a: {subject: greetings-web}, b: {subject: greetings-web}}\n\
                load: {model: constant-vus, levels: [1], duration: 1s}\n\
                requests: [{name: list, path: /}, {name: find, path: /x}]\n\
                prove: {variants: [b]}\n\
                paces: {full: {}, smoke: {only: [a], requests: [{name: list, path: /}]}}\n";
    let at = |pace| parse(text, Path::new("x.yaml"), Some(pace), 0).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(at("full").experiment.proof.map(|proof| proof.variants), Some(vec!["b".to_owned()]));
    let smoke = at("smoke");
    assert_eq!((smoke.experiment.proof, smoke.names.requests), (None, vec!["list".to_owned(), "find".to_owned()]));
    let unknown = parse(&text.replace("[b]", "[c]"), Path::new("x.yaml"), Some("smoke"), 0).unwrap_err().to_string();
    assert!(unknown.contains("prove.variants"), "{unknown}");
}

#[test]
fn errors_in_variants_stand_at_their_names_also_where_some_are_left_out() {
    let text = "variants: {a: {subject: greetings-web},\n b: {subject: greetings-web}}\nonly: [b]\nload: {model: shared-iterations, levels: [1]}\n";
    let printed = read(text).unwrap().variant_error(0, "broken".to_owned()).to_string();
    assert!(printed.starts_with("experiments/x.yaml:2:2: "), "{printed}");
}

#[test]
fn an_unknown_pace_is_told_with_those_there_are() {
    let printed = at(Some("fulll")).unwrap_err().to_string();
    assert!(printed.contains("one of `quick`, `full`, `smoke`, found `fulll` (did you mean `full`?)"), "{printed}");
    let without = FILE.split("paces:").next().unwrap_or_default();
    let printed = parse(without, Path::new("x.yaml"), Some("full"), 0).unwrap_err().to_string();
    assert!(printed.contains("there is no pace `full`, for the file has no `paces`"), "{printed}");
}
