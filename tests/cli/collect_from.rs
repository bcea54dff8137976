//! Following a collector that runs elsewhere: a kubectl that this test stands in for, and a collector in a folder.

use std::{
    fs::{self, File},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use crate::{
    plimsoll::{Finished, Project, write_program},
    target,
};

/// The pod is the folder `pod`: its output is `log`, its record `plimsoll.db`, its process `pid`. A copy is cut once.
const KUBECTL: &str = r#"#!/usr/bin/env bash
set -eu
pod=${0%/*}/../pod
[ "$1" = --namespace=tests ] && shift
echo "$*" >>"$pod/asked"
if [ "$1" = exec ] && ! kill -0 "$(cat "$pod/pid")" 2>/dev/null; then
  echo "error: cannot exec into a container in a completed pod; current phase is Succeeded" >&2
  exit 1
fi
case "$*" in
  "get pod orders-load-collector --output=json")
    if kill -0 "$(cat "$pod/pid")" 2>/dev/null; then
      echo '{"status": {"phase": "Running", "containerStatuses": [{"state": {"running": {}}}]}}'
    else
      echo '{"status": {"phase": "Failed", "containerStatuses": [{"state": {"terminated": {"exitCode": 3}}}]}}'
    fi ;;
  "logs --follow orders-load-collector"*) exec tail -n +1 --pid="$(cat "$pod/pid")" -f "$pod/log" ;;
  "exec orders-load-collector -- /plimsoll collect --held send --record /record/plimsoll.db")
    if mkdir "$pod/cut" 2>/dev/null; then
      "$PROGRAM" collect --held send --record "$pod/plimsoll.db" | head -c 5000
    else
      exec "$PROGRAM" collect --held send --record "$pod/plimsoll.db"
    fi ;;
  "exec orders-load-collector -- /plimsoll collect --held release --record /record/plimsoll.db")
    exec "$PROGRAM" collect --held release --record "$pod/plimsoll.db" ;;
  *) echo "Error from server (NotFound): pods \"$3\" not found" >&2; exit 1 ;;
esac
"#;

/// A project with that kubectl, and a collector of two parts in the pod.
fn pod(project: &Project, flags: &[&str]) -> (JoinHandle<ExitStatus>, String) {
    fs::create_dir(project.path("bin")).unwrap();
    fs::create_dir(project.path("pod")).unwrap();
    write_program(&project.path("bin/kubectl"), KUBECTL);
    let own = ["collect", "--parts", "2", "--listen", "127.0.0.1:0", "--hold", "60s", "--record", "pod/plimsoll.db"];
    let log = File::create(project.path("pod/log")).unwrap();
    let mut command = project.command(&[&own, flags].concat());
    let mut collector = command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap();
    project.write("pod/pid", &collector.id().to_string());
    // Awaited at once: one that has ended would seem to run until then.
    let collector = thread::spawn(move || collector.wait().unwrap());
    let greeting = await_text(&project.path("pod/log"), "--join http://127.0.0.1:");
    let address = greeting.rsplit("--join ").next().unwrap().split_whitespace().next().unwrap().to_owned();
    (collector, address)
}

/// The file's text, once it says this.
fn await_text(file: &Path, said: &str) -> String {
    let begun = Instant::now();
    loop {
        let text = fs::read_to_string(file).unwrap();
        if text.contains(said) {
            return text;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "expected `{said}` in: {text}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn part(project: &Project, join: &str, port: u16) -> Child {
    let url = format!("http://127.0.0.1:{port}/");
    let mut command = project.command(&["load", &url, "-n", "100", "-c", "2", "--quiet", "--join", join]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// `collect --from`, by that kubectl.
fn follow(project: &Project, name: &str) -> Command {
    let path = format!("{}:{}", project.path("bin").display(), std::env::var("PATH").unwrap());
    let mut command = project.command(&["collect", "--from", name, "--namespace", "tests"]);
    command.env("PATH", path).env("PROGRAM", env!("CARGO_BIN_EXE_plimsoll"));
    command
}

#[test]
fn a_collector_elsewhere_is_followed_and_its_record_is_fetched() {
    let (project, port) = (Project::new(), target::start());
    let (collector, join) = pod(&project, &[]);
    let parts = [part(&project, &join, port), part(&project, &join, port)];
    let followed = Finished::from(follow(&project, "kubernetes/orders-load").output().unwrap());
    assert_eq!(followed.code, Some(0), "{followed:#?}");
    followed.assert_says(&["the load starts", "the record was cut after", "fetched again", "collected as execution 1"]);
    assert!(followed.stdout.contains("100 offered") && followed.stdout.contains("2 parts"), "{followed:#?}");
    assert!(collector.join().unwrap().success(), "it is told that its record is elsewhere");
    parts.into_iter().for_each(|mut part| assert!(part.wait().unwrap().success()));
    assert!(project.run(&["list"]).stdout.contains("2 parts"), "the record is this project's own");
}

#[test]
fn a_load_that_never_was_has_no_record() {
    let (project, port) = (Project::new(), target::start());
    let (collector, join) = pod(&project, &["--deadline", "5s"]);
    let mut alone = part(&project, &join, port);
    let followed = Finished::from(follow(&project, "kubernetes/orders-load").output().unwrap());
    assert_eq!((followed.code, followed.stdout.as_str()), (Some(3), ""), "{followed:#?}");
    followed.assert_says(&["parts that never came"]);
    assert_eq!(collector.join().unwrap().code(), Some(3));
    assert_eq!(alone.wait().unwrap().code(), Some(4));
}

/// Its output is still there, and says that a record is held.
#[test]
fn a_collector_that_nobody_came_for_is_gone_with_its_record() {
    let (project, port) = (Project::new(), target::start());
    let (collector, join) = pod(&project, &[]);
    let parts = [part(&project, &join, port), part(&project, &join, port)];
    await_text(&project.path("pod/log"), "the record is held");
    parts.into_iter().for_each(|mut part| assert!(part.wait().unwrap().success()));
    // As somebody else does who fetches it, or as time does.
    let released = project.run(&["collect", "--held", "release", "--record", "pod/plimsoll.db"]);
    assert_eq!(released.code, Some(0), "{released:#?}");
    assert!(collector.join().unwrap().success());
    let followed = Finished::from(follow(&project, "kubernetes/orders-load").output().unwrap());
    assert_eq!((followed.code, followed.stdout.as_str()), (Some(1), ""), "{followed:#?}");
    followed.assert_says(&["orders-load-collector has ended, and its record with it", "kubectl logs"]);
}

#[test]
fn pods_and_programs_that_are_not_there_are_named() {
    let project = Project::new();
    let (collector, _) = pod(&project, &["--deadline", "1s"]);
    let absent = Finished::from(follow(&project, "kubernetes/other").output().unwrap());
    absent.assert_refused(&["no Pod other-collector", "NotFound", "plimsoll distribute"]);
    let mut without = follow(&project, "kubernetes/orders-load");
    let without = Finished::from(without.env("PATH", project.path("pod")).output().unwrap());
    without.assert_refused(&["kubectl is not on the PATH"]);
    for (wrong, said) in [("orders-load", "kubernetes/NAME"), ("slurm/x", "kubernetes/NAME"), ("kubernetes/", "NAME")] {
        Finished::from(follow(&project, wrong).output().unwrap()).assert_refused(&[said]);
    }
    project.run(&["collect"]).assert_refused(&["--parts"]);
    project.run(&["collect", "--from", "kubernetes/x", "--parts", "2"]).assert_refused(&["--parts"]);
    assert_eq!(collector.join().unwrap().code(), Some(3));
}
