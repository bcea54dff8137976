//! Searches for load lines.

use plimsoll_record::{Arrivals, LinePlan, Nanos, ObjectivePlan, ThinkTime};

use super::{VARIANT, plan, read};

fn objective(name: &str, thresholds: &[&str]) -> ObjectivePlan {
    ObjectivePlan { name: name.to_owned(), thresholds: thresholds.iter().map(|&text| text.to_owned()).collect() }
}

fn line(text: &str) -> LinePlan {
    plan(&format!("{VARIANT}line: {{{text}}}\n")).line.expect("a line")
}

#[test]
fn a_line_stands_in_place_of_a_load() {
    let file = read(&format!("{VARIANT}line: {{slo: [p(99) < 200ms, errors < 0.1%]}}\n")).unwrap();
    let objectives = vec![objective("", &["p(99) < 200ms", "errors < 0.1%"])];
    assert_eq!(file.experiment.plan.line, Some(LinePlan { objectives, ..LinePlan::default() }));
    assert!(file.experiment.plan.levels.is_empty());
    assert_eq!(file.experiment.scripts.len(), 1, "that of every trial");
}

#[test]
fn a_search_is_told_what_the_command_is_told() {
    let found = line(
        "slo: p(99)<1s, resolution: 15%, at-most: 25s, warm-up: 8s, from: 10/s, to: 5000/s, arrivals: even, \
         max-in-flight: 500, overload: true",
    );
    let expected = LinePlan {
        objectives: vec![objective("", &["p(99)<1s"])],
        resolution: 0.15,
        at_most: Nanos::from_secs(25),
        warm_up: Nanos::from_secs(8),
        from: Some(10.0),
        to: Some(5_000.0),
        at_least: None,
        arrivals: Arrivals::Even,
        max_in_flight: 500,
        overload: true,
        users: None,
        cold: None,
    };
    assert_eq!(found, expected);
    assert_eq!(found.longest(), Nanos::from_secs(33) + LinePlan::OVERLOAD_AT_MOST);
}

#[test]
fn a_line_may_be_that_of_cold_processes() {
    assert_eq!(line("slo: p(99)<1s, cold: 20s").cold, Some(Nanos::from_secs(20)));
    let refused = |variant: &str, text: &str, said: &str| {
        let errors = read(&format!("{variant}line: {{slo: p(99)<1s, {text}}}\n")).unwrap_err().to_string();
        assert!(errors.contains(said), "{text}: {errors}");
    };
    refused(VARIANT, "cold: 20s, users: true", "remove `cold`, or `users: true`");
    refused(VARIANT, "cold: 20s, overload: true", "remove `overload`, or `cold`");
    refused(
        VARIANT,
        "cold: 20s, at-most: 10s",
        "expected less than `at-most`, 10.0 s, in which all trials must fit, found 20.0 s",
    );
    let running = "variants: {shop: {url: 'http://127.0.0.1:8080/'}}\n";
    refused(running, "cold: 20s", "`shop` runs by itself and cannot be started anew for each trial");
}

#[test]
fn critical_stands_for_five_lines() {
    let names: Vec<String> = line("slo: critical").objectives.into_iter().map(|it| it.name).collect();
    assert_eq!(names, ["10ms", "25ms", "50ms", "75ms", "100ms"]);
}

#[test]
fn lines_have_names_where_there_are_several() {
    let found = line("slo: {strict: [p(99)<50ms, errors<1%], loose: p(99)<500ms}");
    let expected = [objective("strict", &["p(99)<50ms", "errors<1%"]), objective("loose", &["p(99)<500ms"])];
    assert_eq!(found.objectives, expected);
}

#[test]
fn a_line_may_be_in_users() {
    let found = line("slo: p(99)<1s, users: true, think-time: 2s, from: 10, to: 500");
    let mean = Nanos::from_secs(2);
    assert_eq!(found.users, Some(ThinkTime::Exponential { mean }));
    assert_eq!((found.from, found.to), (Some(10.0), Some(500.0)));
    assert_eq!(line("slo: p(99)<1s, users: true").users, Some(ThinkTime::None));
}

#[test]
fn users_and_rates_do_not_mix() {
    let refused = |text: &str, said: &str| {
        let errors = read(&format!("{VARIANT}line: {{slo: p(99)<1s, {text}}}\n")).unwrap_err().to_string();
        assert!(errors.contains(said), "{text}: {errors}");
    };
    refused("users: true, arrivals: even", "remove `arrivals`, or `users: true`");
    refused("users: true, overload: true", "remove `overload`, or `users: true`");
    refused("think-time: 1s", "add `users: true`, or remove `think-time`");
    refused("users: true, to: 500/s", "a whole number of users above zero, e.g. `100`, found 500/s");
    refused("users: true, from: 1.5", "found 1.5");
    let critical = read(&format!("{VARIANT}line: {{slo: critical, users: true}}\n")).unwrap_err().to_string();
    assert!(critical.contains("remove `users: true`, or name objectives"), "{critical}");
    refused("to: 500", "a rate above zero, e.g. `100/s`, found 500");
}
