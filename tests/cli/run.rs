//! `plimsoll run` with commands as variants.

use crate::{
    plimsoll::{Finished, Project},
    target,
};

fn experiment(variants: &[(&str, String)], more: &str) -> String {
    let variants: String = variants.iter().map(|(name, keys)| format!("  {name}: {keys}\n")).collect();
    format!("name: trial\nvariants:\n{variants}load: {{model: shared-iterations, levels: [20]}}\nseed: 1\n{more}\n")
}

#[test]
fn variants_are_launched_loaded_compared_and_judged() {
    let project = Project::new();
    let claims = "rounds: 3\nclaims:\n  - {says: No request fails, claim: max(errors(* @ *)) <= 0 %}\n  \
                  - {says: It is slow, claim: startup(a) <= 1 us}";
    project.write("trial.yaml", &experiment(&[("a", target::variant(&[])), ("b", target::variant(&[]))], claims));
    let run = project.run(&["run", "trial.yaml"]);
    assert_eq!(run.code, Some(0), "{run:#?}");
    for said in ["6 of 6 runs done", "✓ holds", "✗ fails", "Start-up and peaks"] {
        assert!(run.stdout.contains(said), "expected `{said}` in:\n{}", run.stdout);
    }
    run.assert_says(&["Report with charts: .plimsoll/reports/1-trial.html"]);
    assert!(project.path(".plimsoll/reports/1-trial.html").exists());
    assert_eq!(project.run(&["report", "--strict"]).code, Some(99));
    let only = project.run(&["run", "trial.yaml", "--only", "b", "--rounds", "1"]);
    assert_eq!(only.code, Some(0), "{only:#?}");
    assert!(only.stdout.contains("Level 20") && !only.stdout.contains("It is slow"), "{}", only.stdout);
}

#[test]
fn a_target_that_dies_is_marked_and_the_others_go_on() {
    let project = Project::new();
    let variants = [("dies", target::that_dies_after(5)), ("lives", target::variant(&[]))];
    project.write("trial.yaml", &experiment(&variants, "rounds: 1"));
    let run = project.run(&["run", "trial.yaml"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    run.assert_says(&["dies  died:", "out of breath"]);
    assert!(run.stdout.contains("1 of 2 runs done"), "{}", run.stdout);
    let json: serde_json::Value =
        serde_json::from_str(&project.run(&["report", "last", "--format", "json"]).stdout).unwrap();
    let level = &json["variants"][0]["levels"][0];
    assert_eq!((&level["cut_short"], level["totals"]["succeeded"].as_u64() > Some(0)), (&"target-died".into(), true));
    assert!(project.run(&["report", "last"]).stdout.contains("dies, until it died"));
}

#[test]
fn a_run_of_which_nothing_succeeded_fails_and_says_why() {
    let project = Project::new();
    let variants = [("well", target::variant(&[])), ("ill", target::variant(&[]))];
    let text = experiment(&variants, "rounds: 1\nrequest: {checks: [body contains nowhere]}");
    project.write("trial.yaml", &text);
    let run = project.run(&["run", "trial.yaml"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    run.assert_says(&["error: well: no request succeeded: ", " failed as `check-failed`: "]);
}

#[test]
fn a_target_that_never_gets_ready_is_shown_with_its_output() {
    let project = Project::new();
    let slow = target::that_answers(503).replace("/ready", "/").replace("ready:", "ready-time-out: 15s, ready:");
    project.write("trial.yaml", &experiment(&[("slow", slow)], "rounds: 1"));
    let run = project.run(&["run", "trial.yaml"]);
    assert_eq!(run.code, Some(1), "nothing was measured");
    run.assert_says(&["slow  was never ready", "503", "serving on port"]);
}

#[test]
fn what_a_file_would_run_is_said_without_running_it() {
    let project = Project::new();
    project.write("trial.yaml", &experiment(&[("a", target::variant(&[]))], "rounds: 2"));
    let check = project.run(&["check", "trial.yaml"]);
    assert_eq!(check.code, Some(0), "{check:#?}");
    assert!(check.stdout.contains("1 variant: a") && check.stdout.contains("2 rounds, 2 runs"), "{}", check.stdout);
    assert!(!crate::plimsoll::has_record(&project));
    assert!(project.run(&["schema"]).stdout.contains("\"$schema\""));
}

#[test]
fn published_figures_are_audited_without_running_anything() {
    let project = Project::new();
    let more = "published:\n  source: a blog\n  conditions: [{level: 20, vus: 20}]\n  \
                levels: [{variant: theirs, level: 20, throughput: 394/s, mean: 4972 ms}]";
    project.write("trial.yaml", &experiment(&[("a", target::variant(&[]))], more));
    let check = project.run(&["check", "trial.yaml"]);
    assert_eq!(check.code, Some(0), "{check:#?}");
    for said in ["1 published row: 1 cannot be right", "✗ breaks Little's law  theirs @ 20: 20 users hold 20"] {
        assert!(check.stdout.contains(said), "{check:#?}");
    }
}

#[test]
fn a_file_is_run_at_the_pace_that_is_named() {
    let project = Project::new();
    let variants = [("a", target::variant(&[])), ("b", target::variant(&[]))];
    let more = "claims: [{says: Both work, claim: errors(a @ 20) <= 0 %}, {says: So they do, claim: max(errors(* @ 20)) <= 0 %}]\n\
                paces: {full: {rounds: 3}, smoke: {rounds: 1, only: [b], load: {levels: [5]}}, small: {only: [b]}}";
    project.write("trial.yaml", &experiment(&variants, more));
    let check = project.run(&["check", "trial.yaml"]);
    for said in [
        "fine at pace full\n  2 variants",
        "fine at pace smoke\n  1 variant: b\n  1 level: 5\n  1 round, 1 run, 0 claims (2 more",
    ] {
        assert!(check.stdout.contains(said), "{check:#?}");
    }
    let run = project.run(&["run", "trial.yaml", "--pace", "smoke"]);
    assert_eq!(run.code, Some(0), "{run:#?}");
    run.assert_says(&["2 claims are not judged: variants or levels that they name do not run"]);
    assert!(run.stdout.contains("pace smoke") && run.stdout.contains("Level 5"), "{}", run.stdout);
    project
        .run(&["run", "trial.yaml", "--pace", "smok"])
        .assert_refused(&["`full`, `smoke`, `small`", "did you mean `smoke`?"]);
}

/// A load raises the limit for itself: the second target, which is started after one, has no more than the first.
#[test]
fn targets_of_all_runs_may_have_as_many_files_open() {
    let project = Project::new();
    let plimsoll = env!("CARGO_BIN_EXE_plimsoll");
    let script = "ulimit -Sn >> files; exec \"$0\" upstream --port \"$1\"";
    let url = "http://127.0.0.1:{port}/";
    let keys = format!("{{command: [sh, -c, {script:?}, {plimsoll:?}, \"{{port}}\"], ready: {url:?}, url: {url:?}}}");
    project.write("trial.yaml", &experiment(&[("few", keys)], "rounds: 2"));
    let few = "ulimit -Sn 300; exec \"$0\" run trial.yaml";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", few, plimsoll]).current_dir(project.path("")).env_remove("PLIMSOLL_RECORD");
    let run = Finished::from(shell.output().unwrap());
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(std::fs::read_to_string(project.path("files")).unwrap(), "300\n300\n");
}
