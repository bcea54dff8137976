//! `plimsoll line` against a simulated upstream. How often its intervals hold is tested in virtual time, in its crate.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, ChildStderr, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::{
    plimsoll::{Finished, Project},
    target,
    upstream::Upstream,
};

fn json(project: &Project, file: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(project.path(file)).unwrap()).unwrap()
}

#[test]
fn one_rate_is_judged_by_the_exit_code() {
    let project = Project::new();
    // Ten servers of 50 ms: 200 a second, whatever the machine does.
    let (upstream, url) = Upstream::with_url(&project, &["-l", "50ms", "-c", "10"]);
    let carried = project.run(&["line", &url, "--slo", "p(90)<1s", "--at-least", "40/s", "--quiet"]);
    assert_eq!(carried.code, Some(0), "{carried:#?}");
    assert!(carried.stdout.contains("above 40/s, 95 % sure; p(90)<1s"), "{}", carried.stdout);
    assert!(carried.stdout.contains("at the line"), "{}", carried.stdout);
    let below = project.run(&["line", &url, "--slo", "p(90)<1s", "--at-least", "400/s", "-o", "json=line.json"]);
    assert_eq!(below.code, Some(99), "{below:#?}");
    let line = &json(&project, "line.json")["lines"][0]["searches"][0];
    assert_eq!((&line["lower"], &line["upper"]["rate_per_s"]), (&Value::Null, &400.0.into()), "{line}");
    assert!((40.0..250.0).contains(&line["capacity_per_s"].as_f64().unwrap()), "{line}");
    // Any report again, from the record.
    let again = project.run(&["report", "last", "--format", "markdown"]);
    assert!(again.stdout.contains("below 400/s, 95 % sure"), "{}", again.stdout);
    // The upstream is of this machine.
    let usage = &line["trials"][0]["usage"];
    assert!(usage["memory_mb"].as_f64() > Some(0.0) && usage["threads"].as_f64() > Some(0.0), "{usage}");
    assert!(usage["cores"].as_f64() > Some(0.0) && usage["cpu_percent"].is_number(), "{usage}");
    upstream.interrupt();
}

/// No trial fits into two seconds: the exit code is neither that of a yes nor of a no.
#[test]
fn a_test_that_had_no_time_is_undecided() {
    let project = Project::new();
    let (upstream, url) = Upstream::with_url(&project, &["-l", "50ms", "-c", "10"]);
    let flags = ["line", &url, "--slo", "p(90)<1s", "--poisson", "--at-least", "150/s", "--at-most", "2s", "--quiet"];
    let undecided = project.run(&flags);
    assert_eq!(undecided.code, Some(1), "{undecided:#?}");
    let said = "undecided whether it is above 150/s; p(90)<1s";
    assert!(undecided.stdout.contains(said), "{}", undecided.stdout);
    let would_do = "undecided, since no trial fits into --at-most: try --at-most 30s";
    assert!(undecided.stdout.contains(would_do), "{}", undecided.stdout);
    let strictly = project.run(&[&flags[..], &["--strict"]].concat());
    assert_eq!(strictly.code, Some(99), "nothing is sure: {strictly:#?}");
    upstream.interrupt();
}

#[test]
#[ignore = "slow: `./test slow`"]
fn objectives_that_hold_nowhere_end_the_search() {
    let project = Project::new();
    let (upstream, url) = Upstream::with_url(&project, &["-l", "5ms", "-c", "4", "--status", "200:4,500:1"]);
    let found = project.run(&["line", &url, "--slo", "errors<0.1%", "--no-watch", "-o", "json=line.json"]);
    assert_eq!(found.code, Some(99), "{found:#?}");
    let search = json(&project, "line.json")["lines"][0]["searches"][0].take();
    assert_eq!((&search["outcome"], &search["trials"][0]["usage"]["memory_mb"]), (&"never-holds".into(), &Value::Null));
    let again = project.run(&["report", "last", "--format", "markdown"]);
    assert!(again.stdout.contains("nowhere: not kept at "), "{}", again.stdout);
    assert!(!again.stdout.contains("--at-most"), "more time tells no more: {}", again.stdout);
    upstream.interrupt();
}

#[test]
fn users_are_tested_with_their_think_time() {
    let project = Project::new();
    // Ten servers of 50 ms: 200 a second, so that of users who think for 100 ms some 20 + 10 wait for nobody.
    let (upstream, url) = Upstream::with_url(&project, &["-l", "50ms", "-c", "10"]);
    let flags = ["line", &url, "--slo", "p(90)<1s", "--users", "--think-time", "100ms"];
    let carried = project.run(&[&flags[..], &["--at-least", "12", "--quiet", "-o", "json=line.json"]].concat());
    assert_eq!(carried.code, Some(0), "{carried:#?}");
    let said = "above 12 users with 100 ms of think time, 95 % sure; p(90)<1s";
    assert!(carried.stdout.contains(said), "{}", carried.stdout);
    let line = &json(&project, "line.json")["lines"][0];
    let lower = &line["searches"][0]["lower"];
    assert_eq!((&line["line"]["low_users"], &line["line"]["low_per_s"]), (&12.0.into(), &Value::Null), "{line}");
    // Each user makes a request in 150 ms at best.
    assert!(lower["users"] == 12.0 && lower["rate_per_s"].as_f64() < Some(90.0), "{lower}");
    let below = project.run(&[&flags[..], &["--at-least", "300", "--quiet"]].concat());
    assert_eq!(below.code, Some(99), "{below:#?}");
    assert!(below.stdout.contains("below 300 users with 100 ms of think time"), "{}", below.stdout);
    let again = project.run(&["report", "last", "--format", "csv"]);
    assert!(again.stdout.lines().nth(1).is_some_and(|row| row.contains(",found,,300,")), "{}", again.stdout);
    upstream.interrupt();
}

#[test]
#[ignore = "slow: `./test slow`"]
fn a_rate_limit_is_found_and_named_by_its_status() {
    let project = Project::new();
    let url = format!("http://127.0.0.1:{}/", target::start_limited(50));
    let flags = ["line", &url, "--slo", "errors<5%", "--evenly", "--resolution", "30%", "--at-most", "3min"];
    let found = project.run(&[&flags[..], &["--no-overload", "--no-watch", "-o", "json=line.json"]].concat());
    assert_eq!(found.code, Some(0), "{found:#?}");
    let search = json(&project, "line.json")["lines"][0]["searches"][0].take();
    // Evenly spaced requests are 5 % beyond 500/s at 526/s. A busy machine sends them in heaps: fewer are answered.
    let [lower, upper] = ["lower", "upper"].map(|end| search[end]["rate_per_s"].as_f64());
    assert!(lower < Some(540.0) && upper > lower && upper < Some(1_100.0), "{search:#}");
    assert_eq!(search["upper"]["error_status"], 429, "{search:#}");
    assert!(found.stdout.contains(" % (status 429)"), "{}", found.stdout);
}

/// 100 requests a second, one after another. Where one in ten of them takes a second, more than 80 wait, and the target
/// gets stuck: so any rate that is too much is the last. The 64 users whom a probe may ask for are not too many.
#[test]
fn a_target_that_does_not_recover_ends_the_search_and_is_named() {
    let project = Project::new();
    let url = format!("http://127.0.0.1:{}/", target::start_stuck_from(80));
    let flags = ["line", &url, "--slo", "p(90)<1s", "--no-watch", "--evenly", "-o", "json=line.json"];
    let found = project.run(&[&flags[..], &["-o", "markdown=line.md", "--max-in-flight", "120"]].concat());
    assert_eq!(found.code, Some(0), "{found:#?}");
    found.assert_says(&["the target did not recover from", "the search ends with what it knows"]);
    let search = json(&project, "line.json")["lines"][0]["searches"][0].take();
    assert_eq!(search["unrecovered"]["is_end"], true, "{search:#}");
    assert_eq!(search["outcome"], "time-up", "{search:#}");
    let report = std::fs::read_to_string(project.path("line.md")).unwrap();
    let said = "did not recover within ";
    assert!(report.contains(said) && report.contains("a metastable failure"), "{report}");
}

/// The lab starts it anew: the search goes on.
#[test]
#[ignore = "slow: `./test slow`"]
fn a_variant_that_does_not_recover_is_started_anew() {
    let got_stuck = |(_, search): &(_, Value)| {
        search["outcome"] != "never-holds" && search["unrecovered"]["restarts"].as_u64() >= Some(1)
    };
    let (run, search) = (0..3).map(|_| search_of_a_variant_that_gets_stuck()).find(got_stuck).expect("a restart");
    run.assert_says(&["it is started anew, and the search goes on"]);
    // The one at rest, the one that was too much, and at least one of the new process.
    assert!(search["trials"].as_array().unwrap().len() >= 3, "{search:#}");
    assert!(search["lower"]["rate_per_s"].as_f64() > Some(5.0), "{search:#}");
}

/// A busy machine may hide in the first second how much four users do. Then the probe asks for 64, where 40 are too
/// many, in each new process: the line never holds. Or it finds so little that time is up before anything is too much.
fn search_of_a_variant_that_gets_stuck() -> (Finished, Value) {
    let project = Project::new();
    let file = format!(
        "name: trial\nvariants:\n  a: {}\n\
         line: {{slo: p(90)<200ms, arrivals: even, resolution: 30 %, at-most: 2min, warm-up: 5s, max-in-flight: 60}}\n\
         rounds: 1\n",
        target::that_gets_stuck_from(40)
    );
    project.write("trial.yaml", &file);
    let run = project.run(&["run", "trial.yaml"]);
    assert!([Some(0), Some(99)].contains(&run.code), "{run:#?}");
    let report = project.run(&["report", "last", "--format", "json"]);
    let mut report: Value = serde_json::from_str(&report.stdout).unwrap();
    (run, report["lines"][0]["searches"][0].take())
}

/// A search that has come to its second trial, and what it said until then.
fn search_under_way(project: &Project, url: &str) -> (Child, BufReader<ChildStderr>) {
    let mut command = project.command(&["line", url, "--slo", "p(99)<100ms", "-o", "json=line.json"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    let is_there = |line: &str| {
        let number = line.split("trial ").nth(1).and_then(|rest| rest.split(':').next()?.parse::<u32>().ok());
        number.is_some_and(|number| number >= 2)
    };
    while !said.lines().any(is_there) {
        assert!(stderr.read_line(&mut said).unwrap() > 0, "the search ended before its second trial:\n{said}");
    }
    (child, stderr)
}

/// Asserts that the capacity and trials of a search were kept that was not brought to its end.
fn assert_kept(results: &Value) {
    let search = &results["lines"][0]["searches"][0];
    assert!((20.0..2_000.0).contains(&search["capacity_per_s"].as_f64().unwrap()), "{search:#}");
    assert!(!search["trials"].as_array().unwrap().is_empty(), "{search:#}");
    assert_eq!(search["outcome"], "time-up", "{search:#}");
    assert_eq!(results["execution"]["status"], "interrupted");
}

#[test]
fn ctrl_c_keeps_what_was_learnt() {
    let project = Project::new();
    let (upstream, url) = Upstream::with_url(&project, &["-l", "5ms", "-c", "4"]);
    let (mut child, mut stderr) = search_under_way(&project, &url);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    stderr.read_to_string(&mut String::new()).unwrap();
    assert_kept(&json(&project, "line.json"));
    upstream.interrupt();
}

#[test]
fn a_target_that_ends_ends_the_search_and_what_was_learnt_is_kept() {
    let project = Project::new();
    let (upstream, url) = Upstream::at_own_port(&project, &["-l", "5ms", "-c", "4"]);
    let (child, mut stderr) = search_under_way(&project, &url);
    upstream.interrupt();
    let mut said = String::new();
    stderr.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1), "{said}");
    let error = said.lines().last().unwrap();
    let silence = error.strip_prefix(&format!("error: nothing has answered at {url}/ for "));
    let (seconds, why) = silence.and_then(|rest| rest.split_once(" s ")).unwrap_or_else(|| panic!("{said}"));
    // Seconds of a busy machine are longer or shorter than others.
    assert!(seconds.parse::<u32>().unwrap() >= 5, "{said}");
    assert!(why.starts_with("(connection refused): the target ended during trial "), "{said}");
    let report = project.run(&["report", "last", "--format", "json"]);
    let results: Value = serde_json::from_str(&report.stdout).unwrap();
    assert_kept(&results);
    let number = why.split("during trial ").nth(1).and_then(|rest| rest.split([';', ' ']).next()?.parse().ok());
    let kept = results["lines"][0]["searches"][0]["trials"].as_array().unwrap().len();
    assert!(number.is_some_and(|number: usize| kept < number), "the end is no overload: {kept} trials of {number:?}");
    assert!(results["runs"][0]["problem"].as_str().unwrap().contains("the target ended"), "{}", results["runs"][0]);
}

#[test]
fn a_service_that_fails_each_request_is_said_at_once_and_why() {
    let project = Project::new();
    let (upstream, url) = Upstream::with_url(&project, &["--status", "401"]);
    let run = project.run(&["line", &url, "--slo", "p(99)<200ms"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    run.assert_says(&["5 of 5 requests failed before any load, most often as `status-4xx`: status 401", "--debug"]);
    assert!(!project.path(".plimsoll/plimsoll.db").exists(), "nothing was measured");
    upstream.interrupt();
}

#[test]
fn a_url_that_nobody_listens_on_is_said_at_once() {
    let project = Project::new();
    let found = project.run(&["line", "http://127.0.0.1:9/", "--slo", "p(99)<100ms", "--quiet"]);
    assert_eq!(found.code, Some(1), "{found:#?}");
    found.assert_says(&["nothing answers at http://127.0.0.1:9/ (connection refused): start the target"]);
    assert!(!project.path(".plimsoll/plimsoll.db").exists(), "nothing was measured");
}

#[test]
fn what_has_no_line_is_refused_before_anything_is_sent() {
    let project = Project::new();
    let refused = |flags: &[&str], said: &[&str]| {
        project.run(&[&["line", "http://127.0.0.1:1/"], flags].concat()).assert_refused(said);
    };
    refused(&[], &["--slo"]);
    refused(&["--slo", "avg<200ms"], &["--slo 'avg<200ms'", "expected a percentile"]);
    refused(&["--slo", "p(99)<"], &["--slo 'p(99)<'", "expected"]);
    refused(&["--slo", "p(99)<1s", "--resolution", "0"], &["--resolution", "expected a percentage"]);
    refused(&["--slo", "p(99)<1s", "--pid", "2147483647"], &["--pid 2147483647", "expected a process that runs"]);
    refused(&["--slo", "p(99)<1s", "--pid", "1", "--no-watch"], &["--pid", "--no-watch"]);
    refused(&["--slo", "p(99)<1s", "--at-least", "100/s", "--to", "5"], &["--at-least", "--to"]);
    refused(&["--slo", "p(99)<1s", "--users", "--evenly"], &["--users", "--evenly"]);
    refused(&["--slo", "p(99)<1s", "--users", "--poisson"], &["--users", "--poisson"]);
    refused(&["--slo", "p(99)<1s", "--poisson", "--evenly"], &["--poisson", "--evenly"]);
    refused(&["--slo", "p(99)<1s", "--cold"], &["--cold", "a process that has just been started", "plimsoll run"]);
    let (from, expected) = (&["--slo", "p(99)<1s", "--from", "500"][..], "expected more than --from, 500/s");
    refused(&[from, &["--to", "100"]].concat(), &["--to 100/s", expected]);
    refused(&[from, &["--to", "500/s"]].concat(), &["--to 500/s", expected]);
    let users = "--to 5: expected more than --from, 10";
    refused(&["--slo", "p(99)<1s", "--users", "--from", "10", "--to", "5"], &[users]);
    refused(&["--critical", "--users"], &["--users", "--critical"]);
    refused(&["--slo", "p(99)<1s", "--think-time", "1s"], &["--users"]);
    let whole = "expected a whole number of users, since --users is given, e.g. --at-least 500";
    refused(&["--slo", "p(99)<1s", "--users", "--at-least", "500/s"], &["--at-least 500/s", whole]);
    let many = "at most 10000 users; raise --max-in-flight";
    refused(&["--slo", "p(99)<1s", "--users", "--at-least", "20000"], &["--at-least 20000", many]);
    refused(&["--slo", "p(99)<1s", "--users", "--to", "1.5"], &["--to 1.5", "expected a whole number of users"]);
}

#[test]
fn an_experiment_whose_objectives_hold_nowhere_ends_as_one_that_did_not_keep_them() {
    let project = Project::new();
    let file = format!(
        "name: trial\nvariants:\n  a: {}\n\
         line: {{slo: errors<1%, at-most: 12s, warm-up: 1s, max-in-flight: 8}}\nrounds: 1\n",
        target::that_answers(503)
    );
    project.write("trial.yaml", &file);
    let run = project.run(&["run", "trial.yaml"]);
    assert!(run.stdout.contains("nowhere"), "{}", run.stdout);
    assert_eq!(run.code, Some(99), "{run:#?}");
}

/// From `check` to the claim.
#[test]
fn an_experiment_finds_the_line_of_each_variant() {
    let project = Project::new();
    let file = format!(
        "name: trial\nvariants:\n  a: {}\nline: {{slo: [p(90)<2s], to: 40/s, at-most: 12s, warm-up: 1s, max-in-flight: 8}}\n\
         rounds: 1\nclaims: [{{says: It carries something., claim: line(a) >= 0.001/s}}]\n",
        target::variant(&[])
    );
    project.write("trial.yaml", &file);
    let check = project.run(&["check", "trial.yaml"]);
    assert!(check.stdout.contains("load line: p(90)<2s; each run searches for 12.0 s at most"), "{check:#?}");
    let run = project.run(&["run", "trial.yaml"]);
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.contains("Load line") && run.stdout.contains("It carries something."), "{}", run.stdout);
    let report = project.run(&["report", "last", "--format", "json"]);
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    let line = &report["lines"][0];
    assert_eq!((&line["variant"], &line["objectives"][0]), (&"a".into(), &"p(90)<2s".into()));
    let search = &line["searches"][0];
    assert!(search["capacity_per_s"].as_f64().unwrap() > 40.0, "{search}");
    let reason = report["claims"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("by the searches of 1 round"), "{reason}");
    assert!(report["levels"].as_array().unwrap().is_empty(), "trials are no levels: {report}");
}
