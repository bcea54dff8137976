//! Parts of a load, and `merge`.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::{
    plimsoll::{Finished, Project},
    target,
};

const PARTS: u32 = 3;

/// Starts all parts at once, each with a record of its own, and waits for them; the records.
fn offer(project: &Project, flags: &[&str]) -> Vec<String> {
    let records: Vec<String> = (1..=PARTS).map(|number| format!("{number}.db")).collect();
    let start = |(number, record): (u32, &String)| {
        let segment = format!("{number}/{PARTS}");
        let own = ["--segment", &segment, "--record", record, "--quiet"];
        let mut command = project.command(&[&["load"], flags, &own].concat());
        command.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let children: Vec<_> = (1..).zip(&records).map(start).collect();
    children.into_iter().for_each(|mut child| assert!(child.wait().unwrap().success()));
    records
}

fn json(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
}

/// `merge` of these, as JSON.
fn merged(project: &Project, records: &[String], more: &[&str]) -> Value {
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    json(&project.run(&[&["merge", "-o", "all.db", "--format", "json"], more, &records].concat()))
}

/// A count of all levels (stages) of the only variant.
fn sum(report: &Value, count: &str) -> u64 {
    let levels = report["variants"][0]["levels"].as_array().unwrap();
    levels.iter().filter_map(|level| level["totals"][count].as_u64()).sum()
}

#[test]
fn parts_of_every_model_merge_to_the_whole_load() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("http://127.0.0.1:{port}/");
    let models: [(&[&str], Option<u64>); 6] = [
        (&["-n", "100", "-c", "7"], Some(100)),
        (&["--per-vu", "5", "-c", "7"], Some(35)),
        (&["-q", "333", "-z", "300ms"], Some(100)),
        (&["--stage", "500ms:400", "--ramp-rate"], Some(100)),
        (&["-z", "3s", "-c", "5", "--think-time", "20ms"], None),
        (&["--stage", "2s:6", "--stage", "2s:0", "--think-time", "20ms"], None),
    ];
    for (flags, planned) in models {
        let records = offer(&project, &[&[url.as_str()], flags].concat());
        let whole = merged(&project, &records, &[]);
        let parts: Vec<Value> = records
            .iter()
            .map(|record| json(&project.run(&["report", "--record", record, "--format", "json"])))
            .collect();
        for count in ["offered", "sent", "succeeded", "connections_opened", "bytes_received", "bytes_sent"] {
            assert_eq!(
                sum(&whole, count),
                parts.iter().map(|part| sum(part, count)).sum::<u64>(),
                "{flags:?}: {count}"
            );
        }
        assert_eq!(sum(&whole, "succeeded"), planned.unwrap_or(sum(&whole, "offered")), "{flags:?}");
        assert!(parts.iter().all(|part| sum(part, "succeeded") > 0), "{flags:?}: each part has its share");
        assert_eq!(parts[1]["execution"]["segment"], serde_json::json!({"number": 2, "count": PARTS}));
        assert_eq!(whole["environment"]["merged"]["parts"].as_array().unwrap().len(), PARTS as usize);
        assert_eq!(whole["environment"]["command"], "plimsoll merge -o all.db --format json 1.db 2.db 3.db");
    }
}

#[test]
fn a_lost_part_is_refused_and_then_told() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("http://127.0.0.1:{port}/");
    let records = offer(&project, &[&url, "-n", "90", "-c", "9", "--threshold", "errors<1%"]);
    let refused = project.run(&["merge", &records[0], &records[2]]);
    refused.assert_refused(&["all 3 parts", "2/3 missing", "--allow-missing"]);
    project.run(&["merge", &records[0], &records[0], &records[1]]).assert_refused(&["both part 1", "1.db#1"]);
    let lost = project.run(&["merge", "-o", "lost.db", "--allow-missing", &records[0], &records[2]]);
    assert_eq!(lost.code, Some(99), "a threshold cannot be kept without all parts: {lost:#?}");
    for said in ["2 of 3 parts", "Part 2 of 3 is missing", "60 offered", "parts of the load are missing"] {
        assert!(lost.stdout.contains(said), "{said}: {}", lost.stdout);
    }
    assert!(project.run(&["list", "--record", "lost.db"]).stdout.contains("2 of 3 parts merged: plimsoll merge"));
    let whole = project.run(&["merge", "-o", "lost.db", &records[2], "1.db#1", &records[1]]);
    assert_eq!(whole.code, Some(0), "{whole:#?}");
    assert!(whole.stdout.contains("3 parts") && !whole.stdout.contains("missing"), "{}", whole.stdout);
    project.run(&["merge", "lost.db#2"]).assert_refused(&["lost.db#2 is no part of a load", "--segment"]);
    project.run(&["merge", "nowhere.db"]).assert_refused(&["nowhere.db"]);
    project.run(&["merge"]).assert_refused(&["RECORD"]);
}

#[test]
fn parts_of_different_loads_are_refused() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("http://127.0.0.1:{port}/");
    for (segment, requests) in [("1/2", "10"), ("2/2", "20")] {
        let part = project.run(&["load", &url, "-n", requests, "-c", "2", "--segment", segment]);
        assert!(part.stdout.contains(&format!("part {} of 2", &segment[..1])), "{part:#?}");
    }
    let debug = project.run(&["load", &url, "--segment", "2/2", "--debug"]);
    assert!(debug.code == Some(0) && debug.stdout.contains("HTTP/1.1 200"), "one request has no parts: {debug:#?}");
    project.run(&["merge", "1", "2"]).assert_refused(&["different loads", "`levels[0].load.iterations` is 10", "20"]);
}

#[test]
fn a_load_starts_when_it_is_told_to_or_not_at_all() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("http://127.0.0.1:{port}/");
    let begun = Instant::now();
    let load = project.run(&["load", &url, "-n", "2", "-c", "1", "--start-at", "+1s"]);
    assert!(load.code == Some(0) && begun.elapsed() >= Duration::from_secs(1), "{load:#?}");
    load.assert_says(&["the load starts at", "in 0:01"]);

    let mut command = project.command(&["load", &url, "--start-at", "+1h", "--record", "never.db"]);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let (record, waited) = (project.path("never.db"), Instant::now());
    while !record.exists() {
        assert!(waited.elapsed() < Duration::from_secs(60), "the load does not begin to wait");
        std::thread::sleep(Duration::from_millis(50));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let stopped = Finished::from(child.wait_with_output().unwrap());
    assert_eq!((stopped.code, stopped.stdout.as_str()), (Some(130), ""), "{stopped:#?}");
    stopped.assert_says(&["nothing was sent"]);
    let executions = project.run(&["list", "--record", "never.db"]).stdout;
    assert_eq!(executions.lines().count(), 1, "only the heading: {executions}");
}
