//! `plimsoll load`, and the reports made of it.

use std::{thread, time::Duration};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::{
    plimsoll::{Finished, Project},
    target,
};

#[test]
fn several_processes_may_begin_the_record_at_once() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("127.0.0.1:{port}/");
    let start = |_| project.command(&["load", &url, "-n", "5", "-c", "1", "--quiet"]).output();
    let loads: Vec<Finished> = thread::scope(|scope| {
        let all: Vec<_> = (0..6).map(|n| scope.spawn(move || start(n))).collect();
        all.into_iter().map(|load| Finished::from(load.join().unwrap().unwrap())).collect()
    });
    assert!(loads.iter().all(|load| load.code == Some(0)), "{loads:#?}");
    assert_eq!(project.run(&["list"]).stdout.lines().filter(|line| line.contains(" done ")).count(), 6);
}

#[test]
fn a_load_prints_its_figures_and_can_be_reported_in_every_format() {
    let (project, port) = (Project::new(), target::start());
    let load = project.run(&["load", &format!("127.0.0.1:{port}/a"), "-n", "500", "-c", "5"]);
    assert_eq!(load.code, Some(0), "{load:#?}");
    for figure in ["500 requests by 5 virtual users", "200: 500", "5 opened, reused for 495", "Response time", "p99.99"]
    {
        assert!(load.stdout.contains(figure), "expected `{figure}` in:\n{}", load.stdout);
    }
    assert!(!load.stdout.contains('\x1b'), "no colours where there is no terminal");
    assert_eq!(project.run(&["report", "last"]).stdout, load.stdout, "the record says the same again");
    let json: Value = serde_json::from_str(&project.run(&["report", "1", "--format", "json"]).stdout).unwrap();
    assert_eq!(json["variants"][0]["levels"][0]["totals"]["succeeded"], 500);
    for (format, sign) in [("markdown", "| "), ("csv", "throughput"), ("html", "<!DOCTYPE html>")] {
        let file = project.path("report.out");
        let report = project.run(&["report", "--format", format, "-o", file.to_str().unwrap()]);
        assert_eq!((report.code, report.stdout.as_str()), (Some(0), ""));
        assert!(std::fs::read_to_string(&file).unwrap().contains(sign), "{format}");
    }
    assert!(project.run(&["list"]).stdout.contains("  load: plimsoll load "));
}

#[test]
fn flags_choose_the_load_model() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("http://127.0.0.1:{port}/");
    for (flags, model) in [
        (vec!["-n", "3"], "shared-iterations"),
        (vec!["-z", "50ms", "-c", "2"], "constant-vus"),
        (vec!["-q", "100", "-z", "50ms"], "constant-arrival-rate"),
        (vec!["--per-vu", "2", "-c", "3", "--ramp-up", "20ms"], "per-vu-iterations"),
        (vec!["--stage", "50ms:3", "--stage", "50ms:0"], "ramping-vus"),
        (vec!["--stage", "100ms:100", "--ramp-rate"], "ramping-arrival-rate"),
    ] {
        let json = project.run(&[&["load", &url, "--format", "json"], &flags[..]].concat());
        let json: Value = serde_json::from_str(&json.stdout).unwrap();
        assert_eq!(json["levels"][0]["load"]["model"], model);
        // A machine that stands still for so long sends nothing.
        assert_eq!(json["variants"][0]["levels"][0]["totals"]["failed"].as_u64().unwrap_or(0), 0, "{json:#}");
    }
}

#[test]
fn stages_are_labelled_alike_by_flags_and_by_files() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("http://127.0.0.1:{port}/");
    let labels = |flags: &[&str]| -> Vec<String> {
        let load = project.run(&[&["load", &url, "--format", "json"], flags].concat());
        let json: Value = serde_json::from_str(&load.stdout).unwrap_or_else(|error| panic!("{error}: {load:#?}"));
        let levels = json["levels"].as_array().unwrap().iter();
        levels.map(|level| level["label"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(labels(&["--stage", "50ms:2", "--stage", "50ms:2", "--stage", "50ms:0"]), ["0-2", "2", "2-0"]);
    let stages = "[{duration: 50ms, target: 2, label: up}, {duration: 50ms, target: 2}]";
    project.write("ramp.yaml", &format!("load: {{model: ramping-vus, stages: {stages}}}\n"));
    assert_eq!(labels(&["-f", "ramp.yaml"]), ["up", "2"]);
    project
        .run(&["load", &url, "--stage", "50ms:2.5"])
        .assert_refused(&["whole number of virtual users", "--ramp-rate"]);
}

#[test]
fn the_first_requests_are_told_one_by_one() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("http://127.0.0.1:{port}/");
    let load = project.run(&["load", &url, "-n", "100", "-c", "1", "--trace", "20"]);
    for said in ["First requests at level 1", "call 20, ", "the rest, ", "Inside call 1", "total", "7.50 ms"] {
        assert!(load.stdout.contains(said), "expected `{said}` in:\n{}", load.stdout);
    }
    let json: Value = serde_json::from_str(&project.run(&["report", "--format", "json"]).stdout).unwrap();
    let first = &json["variants"][0]["levels"][0]["first_requests"];
    assert_eq!(first["calls"].as_array().map(Vec::len), Some(20));
    assert_eq!(first["server_timing"][0]["name"], "total");
    let untraced = project.run(&["load", &url, "-n", "100", "-c", "1"]);
    assert!(!untraced.stdout.contains("First requests"), "{}", untraced.stdout);
    project.run(&["load", &url, "--trace", "0"]).assert_refused(&["--trace <N>", "1..=10000"]);
}

#[test]
fn a_load_of_which_nothing_succeeded_fails_and_says_why() {
    let project = Project::new();
    let load = project.run(&["load", "http://127.0.0.1:9/", "-n", "3", "-c", "1", "--quiet"]);
    assert_eq!(load.code, Some(1), "{load:#?}");
    load.assert_says(&["error: no request succeeded: 3 of 3 failed as `refused`: connect 127.0.0.1:9: Connection"]);
    let kept = project.run(&["load", "http://127.0.0.1:9/", "-n", "3", "-c", "1", "--threshold", "errors<1%"]);
    assert_eq!((kept.code, kept.stderr.contains("no request succeeded")), (Some(99), false), "{kept:#?}");
}

#[test]
fn thresholds_decide_the_exit_code() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("http://127.0.0.1:{port}/");
    let kept = project.run(&["load", &url, "-n", "100", "-c", "2", "--threshold", "errors<1%", "p(99)<30s"]);
    assert_eq!(kept.code, Some(0), "{kept:#?}");
    assert!(kept.stdout.contains("All 2 thresholds kept") && kept.stdout.contains("p(99)<30s"), "{}", kept.stdout);
    let exceeded = project.run(&["load", &url, "-n", "100", "-c", "2", "--threshold", "count>1000"]);
    assert_eq!(exceeded.code, Some(99), "{exceeded:#?}");
    assert!(exceeded.stdout.contains("✗ exceeded  count>1000       100"), "{}", exceeded.stdout);
    assert_eq!(
        project.run(&["report", "last"]).code,
        Some(0),
        "a report is no judgement, unless it is asked to be one"
    );
    assert_eq!(project.run(&["report", "last", "--strict"]).code, Some(99));
}

#[test]
fn a_threshold_can_abort_the_load() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("http://127.0.0.1:{port}/");
    let load = project.run(&["load", &url, "-z", "1h", "-c", "2", "--threshold", "max<1ns abort after 1s"]);
    assert_eq!(load.code, Some(99), "{load:#?}");
    assert!(load.stderr.contains("the load is aborted: the threshold max<1ns abort after 1s is exceeded"), "{load:#?}");
    assert!(load.stdout.contains("✗ exceeded"), "{}", load.stdout);
}

#[test]
fn ctrl_c_reports_what_was_measured() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("http://127.0.0.1:{port}/");
    let mut command = project.command(&["load", &url, "-z", "1h", "-c", "2"]);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    wait_for_record(&project);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let load = Finished::from(child.wait_with_output().unwrap());
    assert_eq!(load.code, Some(130), "{load:#?}");
    assert!(load.stdout.contains("interrupted") && load.stdout.contains("200: "), "{}", load.stdout);
}

#[test]
fn after_kill_9_everything_up_to_the_last_second_is_there() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("http://127.0.0.1:{port}/");
    let mut child = project.command(&["load", &url, "-z", "1h", "-c", "2", "--quiet"]).spawn().unwrap();
    wait_for_record(&project);
    child.kill().unwrap();
    child.wait().unwrap();
    let report = project.run(&["report", "last"]);
    assert_eq!(report.code, Some(0), "{report:#?}");
    assert!(report.stdout.contains("200: "), "{}", report.stdout);
    assert!(project.run(&["list"]).stdout.contains("unfinished"));
}

/// Until the first second of a load is in the record.
fn wait_for_record(project: &Project) {
    for _ in 0..600 {
        thread::sleep(Duration::from_millis(100));
        let json = project.run(&["report", "--format", "json"]).stdout;
        let json: Value = serde_json::from_str(&json).unwrap_or_default();
        if json["variants"][0]["levels"][0]["totals"]["succeeded"].as_u64() > Some(0) {
            return;
        }
    }
    panic!("nothing was recorded in a minute");
}
