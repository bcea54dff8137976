//! The texts of `distribute`, and the loads that it refuses.

use std::fs;

use crate::plimsoll::Project;

const ON_KUBERNETES: [&str; 7] =
    ["distribute", "--parts", "4", "--on", "kubernetes", "--image=registry.test/plimsoll:1", "--"];
const LOAD: [&str; 6] = ["load", "http://orders.test/", "-q", "100", "-z", "10s"];

fn documents(printed: &str) -> Vec<serde_json::Value> {
    serde_saphyr::from_multiple(printed).unwrap_or_else(|error| panic!("{error}: {printed}"))
}

#[test]
fn files_go_along_and_secrets_stay_in_the_secret() {
    let project = Project::new();
    fs::create_dir(project.path("data")).unwrap();
    project.write("data/users.csv", "user\nann\n");
    project.write("data/orders.yaml", "feeders: {users: {file: users.csv}}\nrequest: {path: '/?q={{user}}'}\n");
    let load = [&LOAD[..], &["-f", "data/orders.yaml", "-u", "ann:hush-hush", "--seed", "1"]].concat();
    let printed = project.run(&[&ON_KUBERNETES[..], &load].concat());
    assert_eq!(printed.code, Some(0), "{printed:#?}");
    let all = documents(&printed.stdout);
    let secret = &all[0];
    assert_eq!((&secret["kind"], &secret["metadata"]["name"]), (&"Secret".into(), &"orders-load".into()));
    assert_eq!(secret["data"]["file-2"], "dXNlcgphbm4K", "{secret}");
    let paths = &all[3]["spec"]["template"]["spec"]["volumes"][1]["secret"]["items"];
    assert_eq!((&paths[0]["path"], &paths[1]["path"]), (&"data/orders.yaml".into(), &"data/users.csv".into()));
    let said: Vec<&str> = printed.stdout.lines().filter(|line| line.contains("hush-hush")).collect();
    assert_eq!(said, ["  argument-9: ann:hush-hush"]);

    let again = project.run(&[&ON_KUBERNETES[..], &load].concat());
    assert_ne!(documents(&again.stdout)[0]["stringData"]["token"], secret["stringData"]["token"]);
    let without = [&ON_KUBERNETES[..6], &["--without-files", "--"], &load].concat();
    let without = project.run(&without).stdout;
    assert!(!without.contains("file-1") && without.contains("workingDir: /load"), "{without}");
}

#[test]
fn loads_that_have_no_parts_are_refused() {
    let project = Project::new();
    let refused = |more: &[&str], said: &[&str]| {
        project.run(&[&ON_KUBERNETES[..], &LOAD, more].concat()).assert_refused(said);
    };
    refused(&["--segment", "1/4"], &["after `--`", "--segment", "the collector"]);
    refused(&["--start-at", "+1s"], &["--start-at", "all parts at once"]);
    refused(&["--record", "x.db"], &["--record", "the collector"]);
    refused(&["-o", "json"], &["leave out -o", "plimsoll report last"]);
    refused(&["--baseline", "main"], &["--baseline", "plimsoll compare"]);
    refused(&["--strict"], &["--strict", "plimsoll collect"]);
    refused(&["--debug"], &["--debug", "without `distribute`"]);
    refused(&["--prometheus"], &["--prometheus"]);
    refused(&["--max-in-flight", "3"], &["--parts 4", "which are 3", "fewer parts"]);
    refused(&["--poisson", "--no-such-flag"], &["after `--`", "--no-such-flag"]);
    refused(&["-D", "absent.json"], &["absent.json"]);
    refused(&["-D", "/etc/hostname"], &["/etc/hostname", "below it", "--without-files"]);
    let elsewhere = [&ON_KUBERNETES[..6], &["--without-files", "--"], &LOAD[..], &["-D", "/etc/hostname"]].concat();
    assert_eq!(project.run(&elsewhere).code, Some(0));
    project.write("large", &"x".repeat(1_000_001));
    refused(&["-D", "large"], &["1,000,000 bytes", "--without-files"]);
    project
        .run(&[&ON_KUBERNETES[..], &["run", "x.yaml"]].concat())
        .assert_refused(&["expected `load` or `serve-part`", "found `run`"]);
    project.run(&ON_KUBERNETES[..6]).assert_refused(&["load …"]);
}

#[test]
fn parts_that_stay_are_told_whom_to_join_and_nothing_else() {
    let project = Project::new();
    let with = |more: &[&str]| project.run(&[&ON_KUBERNETES[..], &["serve-part"], more].concat());
    let printed = with(&["--join", "https://search.test:7401", "--quiet"]);
    assert_eq!(printed.code, Some(0), "{printed:#?}");
    let all = documents(&printed.stdout);
    let token = all[0]["stringData"]["token"].as_str().unwrap();
    let search = format!("PLIMSOLL_TOKEN={token} plimsoll line URL --slo OBJECTIVE --parts 4 --listen 0.0.0.0:7401");
    assert!(printed.stdout.contains(&search), "{}", printed.stdout);
    let container = &all[1]["spec"]["template"]["spec"]["containers"][0];
    let expected = [
        "serve-part",
        "--join",
        "https://search.test:7401",
        "--quiet",
        "--deadline",
        "5m",
        "--part-index",
        "$(JOB_COMPLETION_INDEX)",
    ];
    assert_eq!(container["args"], serde_json::json!(expected));
    assert!(!container["args"].to_string().contains(token));

    let join = ["--join", "https://search.test"];
    let refused = |more: &[&str], said: &[&str]| with(&[&join[..], more].concat()).assert_refused(said);
    refused(&["--part", "2"], &["leave out --part", "a number of its own"]);
    refused(&["--part-index=2"], &["leave out --part-index"]);
    refused(&["--token-file", "x"], &["leave out --token-file", "a token is drawn"]);
    refused(&["--deadline", "9s"], &["leave out --deadline", "before `--`"]);
    with(&["--join", "http://127.0.0.1:7400"]).assert_refused(&["expected https://", "the parts have a token"]);
    with(&[]).assert_refused(&["after `--`", "--join"]);
}

#[test]
fn engines_say_what_they_need() {
    let project = Project::new();
    let with = |flags: &[&str]| project.run(&[&["distribute"], flags, &["--"], &LOAD[..]].concat());
    with(&["--parts", "4", "--on", "compose"]).assert_refused(&["--on compose", "--image", "scripts/image"]);
    with(&["--parts", "4", "--on", "slurn"]).assert_refused(&["`kubernetes`", "did you mean `slurm`"]);
    with(&["--parts", "0", "--on", "slurm"]).assert_refused(&["--parts"]);
    with(&["--parts", "2", "--on", "slurm", "--name", "Orders"]).assert_refused(&["--name", "lower-case"]);
    let script = with(&["--parts", "2", "--on", "slurm", "--name", "night"]);
    assert!(script.stdout.starts_with("#!/usr/bin/env bash\n#SBATCH --job-name=night\n"), "{script:#?}");
}
