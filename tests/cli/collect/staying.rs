//! Parts that stay, and a search for a load line over them.

use std::{fs, process::Command, time::Duration};

use rustix::process::Signal;
use serde_json::Value;

use super::session::{Collecting, Part, Upstream, Watched, sent, upstream, without_token};
use crate::plimsoll::{Finished, Project};

/// A search that waits for parts.
struct Search {
    process: Watched,
    /// For `--join`.
    url: String,
    token: Option<String>,
}

impl Search {
    fn start(project: &Project, target: &str, parts: u32, flags: &[&str]) -> Self {
        let parts = parts.to_string();
        let listen = if flags.contains(&"--listen") { &[][..] } else { &["--listen", "127.0.0.1:0"] };
        let line = ["line", target, "--parts", &parts, "-o", "json"];
        let process = Watched::start(without_token(project.command(&[&line[..], listen, flags].concat())));
        let Collecting { process, url, token } = Collecting::of(process);
        Self { process, url, token }
    }

    fn command(&self, project: &Project, flags: &[&str]) -> Command {
        let mut command = without_token(project.command(&[&["serve-part", "--join", &self.url], flags].concat()));
        if let Some(token) = &self.token {
            command.env("PLIMSOLL_TOKEN", token);
        }
        command
    }

    fn part(&self, project: &Project, flags: &[&str]) -> Watched {
        Watched::start(self.command(project, flags))
    }

    fn wait(self) -> (Finished, Value) {
        let finished = self.process.wait();
        let report = serde_json::from_str(&finished.stdout).unwrap_or(Value::Null);
        (finished, report)
    }
}

fn search_of(report: &Value) -> &Value {
    &report["lines"][0]["searches"][0]
}

/// Ten servers of 50 ms carry 200 requests a second at most, whatever the machine does, and little less.
#[test]
#[ignore = "slow: `./test slow`"]
fn a_search_over_two_parts_finds_the_line_that_is_known() {
    let project = Project::new();
    let upstream = upstream(&project, &["-l", "50ms", "-c", "10"]);
    let flags = ["--slo", "p(90)<1s", "--evenly", "--resolution", "60%", "--at-most", "2min"];
    let over = ["--no-overload", "--no-watch", "--listen", "0.0.0.0:0"];
    let search = Search::start(&project, &upstream.url, 2, &[&flags[..], &over].concat());
    let parts = [(); 2].map(|()| search.part(&project, &[]));
    let (finished, report) = search.wait();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    for part in parts {
        let part = part.wait();
        assert_eq!((part.code, part.stdout.as_str()), (Some(0), ""), "{part:#?}");
        part.assert_says(&["joined as part", "load 1: ", "load 3: ", "dismissed"]);
    }
    let search = search_of(&report);
    let rate = |end: &str| search[end]["rate_per_s"].as_f64().unwrap_or_else(|| panic!("{search:#}"));
    assert!((40.0..=200.0).contains(&rate("lower")) && (180.0..400.0).contains(&rate("upper")), "{search:#}");
    let merged = &report["environment"]["merged"];
    assert_eq!((&merged["count"], merged["parts"].as_array().unwrap().len()), (&2.into(), 2), "{merged}");
    assert!(merged["parts"][1]["clock"]["error_ns"].as_u64() > Some(0), "{merged}");
}

/// Ten servers of 50 ms: 200 a second. What the parts have sent is what the server has counted, and what is recorded.
#[test]
fn one_rate_is_judged_over_parts_and_every_request_is_counted() {
    let project = Project::new();
    let upstream = upstream(&project, &["-l", "50ms", "-c", "10"]);
    let flags = ["--slo", "p(90)<1s", "--at-least", "40/s", "--no-watch"];
    let search = Search::start(&project, &upstream.url, 2, &flags);
    let parts = [(); 2].map(|()| search.part(&project, &[]));
    let (finished, report) = search.wait();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let said = parts.map(|part| part.wait().stderr);
    let sent: u64 = said.iter().flat_map(|said| said.lines()).filter_map(sent).sum();
    assert_eq!(sent, upstream.end(), "{said:?}");
    assert!(search_of(&report)["trials"].as_array().is_some_and(|trials| !trials.is_empty()), "{report:#}");
}

/// The process that answers is of this machine, and the parts offer the loads under which it is looked at.
#[test]
#[ignore = "slow: `./test slow`"]
fn a_search_over_parts_is_explained() {
    let project = Project::new();
    let upstream = upstream(&project, &["-l", "50ms", "-c", "10"]);
    let search = Search::start(&project, &upstream.url, 2, &["--slo", "p(90)<1s", "--at-least", "40/s", "--explain"]);
    let parts = [(); 2].map(|()| search.part(&project, &[]));
    let (finished, report) = search.wait();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let said = parts.map(Watched::wait);
    assert!(said.iter().all(|part| part.code == Some(0)), "{said:#?}");
    let explanations = report["explanations"].as_array().unwrap();
    assert_eq!(explanations.len(), 1, "{finished:#?}");
    assert!(explanations[0]["users"].as_u64() > Some(1), "{explanations:#?}");
    let sent: u64 = said.iter().flat_map(|part| part.stderr.lines()).filter_map(sent).sum();
    // A step ends as soon as enough was seen, and whoever waits for a server then is not served.
    let counted = upstream.end();
    assert!((sent.saturating_sub(64)..=sent).contains(&counted), "{counted} of {sent}: {said:#?}");
}

/// Time for the probe of the capacity and the first trial that counts.
const FIRST_TRIAL: Duration = Duration::from_secs(300);

/// A search for a rate that is never found, with two parts that offer a trial.
fn under_way(project: &Project, flags: &[&str]) -> (Upstream, Search, [Watched; 2]) {
    let upstream = upstream(project, &["-l", "5ms", "-c", "4"]);
    let all = [&["--slo", "p(99)<100ms", "--at-most", "10m", "--resolution", "1%", "--silence", "5s"], flags].concat();
    let search = Search::start(project, &upstream.url, 2, &all);
    let parts = ["1", "2"].map(|part| search.part(project, &["--part", part, "--deadline", "10s"]));
    // One trial is there, at least; a busy machine may have spoilt others.
    search.process.wait_for_line("trial 2", FIRST_TRIAL, |line| {
        let number = line.split("trial ").nth(1).and_then(|rest| rest.split(':').next()?.parse::<u32>().ok());
        number.is_some_and(|number| number >= 2)
    });
    (upstream, search, parts)
}

#[test]
#[ignore = "slow: `./test slow`"]
fn a_part_that_is_killed_in_a_trial_ends_the_search_with_what_it_knows() {
    let project = Project::new();
    let (_upstream, search, [first, second]) = under_way(&project, &[]);
    second.signal(Signal::KILL);
    let (finished, report) = search.wait();
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    finished.assert_says(&[
        "warning: part 2/2 on ",
        " is lost: nothing is heard of it; the search ends with what it knows",
    ]);
    let first = first.wait();
    assert_eq!(first.code, Some(0), "{first:#?}");
    first.assert_says(&["dismissed: part 2/2 on "]);
    assert_eq!(second.wait().code, None);
    let search = search_of(&report);
    assert!(search["capacity_per_s"].as_f64() > Some(0.0), "{search:#}");
    assert!(!search["trials"].as_array().unwrap().is_empty(), "{search:#}");
    // As of a run whose parts are lost.
    assert_eq!(
        (&report["execution"]["status"], &report["runs"][0]["status"]),
        (&"failed".into(), &"parts-lost".into())
    );
    assert!(report["runs"][0]["problem"].as_str().is_some_and(|why| why.contains("is lost")), "{}", report["runs"]);
    let findings = report["findings"].to_string();
    assert!(findings.contains("parts-cut-short"), "{findings}");
}

#[test]
fn ctrl_c_ends_the_search_and_dismisses_its_parts() {
    let project = Project::new();
    let (_upstream, search, parts) = under_way(&project, &[]);
    search.process.signal(Signal::INT);
    let (finished, report) = search.wait();
    assert_eq!(finished.code, Some(130), "{finished:#?}");
    assert!(search_of(&report)["capacity_per_s"].as_f64() > Some(0.0), "{report:#}");
    for part in parts {
        let part = part.wait();
        assert_eq!(part.code, Some(0), "{part:#?}");
        part.assert_says(&["dismissed"]);
    }
}

#[test]
fn ctrl_c_at_a_part_takes_it_out_of_the_search() {
    let project = Project::new();
    let (_upstream, search, [first, second]) = under_way(&project, &[]);
    first.signal(Signal::INT);
    let (finished, _) = search.wait();
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    finished.assert_says(&["part 1/2 on ", "is lost: it has left"]);
    let (first, second) = (first.wait(), second.wait());
    assert_eq!((first.code, second.code), (Some(130), Some(0)), "{first:#?} {second:#?}");
    first.assert_says(&["interrupted: this part has left"]);
}

/// Nobody goes on loading the target for a search that is no more.
#[test]
#[ignore = "slow: `./test slow`"]
fn parts_of_a_search_that_is_killed_end_their_load_and_themselves() {
    let project = Project::new();
    let (_upstream, search, parts) = under_way(&project, &[]);
    search.process.signal(Signal::KILL);
    for part in parts {
        let part = part.wait();
        assert_eq!(part.code, Some(5), "{part:#?}");
        part.assert_says(&["has no more loads for this part"]);
    }
    assert_eq!(search.wait().0.code, None);
}

#[test]
fn whoever_does_not_belong_is_refused_with_the_reason() {
    let project = Project::new();
    let upstream = upstream(&project, &[]);
    let search = Search::start(&project, &upstream.url, 2, &["--slo", "p(99)<1s", "--deadline", "30s"]);
    let first = search.part(&project, &["--part-index", "0"]);
    first.wait_until_it_says("joined as part 1/2");
    let double = search.part(&project, &["--part", "1"]).wait();
    assert_eq!(double.code, Some(4), "{double:#?}");
    double.assert_says(&["does not let this part take part", "part 1/2 has joined already on "]);
    let join = ["load", &upstream.url, "-n", "2", "-c", "2", "--join", &search.url];
    let single = Watched::start(without_token(project.command(&join))).wait();
    assert_eq!(single.code, Some(4), "{single:#?}");
    single.assert_says(&["expected `plimsoll serve-part --join`"]);
    let (finished, _) = search.wait();
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(3), ""), "{finished:#?}");
    finished.assert_says(&["parts that never came within 30.0 s: 2/2: nothing was sent"]);
    let first = first.wait();
    assert_eq!((first.code, upstream.end()), (Some(0), 0), "{first:#?}");
    first.assert_says(&["dismissed: 2/2 never came"]);

    let collecting = Collecting::start(&project, 1, &[]);
    let staying = Watched::start(without_token(project.command(&["serve-part", "--join", &collecting.url]))).wait();
    assert_eq!(staying.code, Some(4), "{staying:#?}");
    staying.assert_says(&["expected `plimsoll load … --join`"]);
}

#[test]
fn flags_that_do_not_go_together_are_refused() {
    let project = Project::new();
    let line = |flags: &[&str]| project.run(&[&["line", "http://127.0.0.1:9/", "--slo", "p(99)<1s"], flags].concat());
    line(&["--listen", "127.0.0.1:0"]).assert_refused(&["--parts"]);
    line(&["--parts", "0"]).assert_refused(&["--parts"]);
    line(&["--parts", "2", "--source", "127.0.0.1"]).assert_refused(&["--parts: source addresses", "leave them out"]);
    line(&["--parts", "2", "--listen", "192.0.2.1:7400"]).assert_refused(&["cannot listen there"]);
    project.run(&["serve-part"]).assert_refused(&["--join"]);
    project.run(&["serve-part", "--join", "http://192.0.2.1:9"]).assert_refused(&["without a token"]);
    let nobody = project.run(&["serve-part", "--join", "http://127.0.0.1:9", "--deadline", "1s"]);
    assert_eq!(nobody.code, Some(4), "{nobody:#?}");
    nobody.assert_says(&["no answer", "refused"]);
}

/// A part without `--record` that gives up leaves no empty record.
#[test]
fn a_part_that_gives_up_leaves_no_file() {
    let project = Project::new();
    let left = || {
        let entries =
            fs::read_dir(project.path("")).unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        entries.filter(|name| name.contains("plimsoll-part")).collect::<Vec<_>>()
    };
    let collecting = Collecting::start(&project, 2, &[]);
    let load = ["-n", "2", "-c", "2"];
    let interrupted = Part::start(&project, &collecting, "http://127.0.0.1:9/", &load);
    interrupted.wait_until_it_says("joined as part");
    interrupted.signal(Signal::INT);
    assert_eq!(interrupted.wait().code, Some(130));
    assert_eq!(left(), Vec::<String>::new());
    // One that cannot do what it is to do tells the collector, which need not wait for it.
    let flags = [&load[..], &["--prometheus", "192.0.2.1:1"]].concat();
    let unable = Part::start(&project, &collecting, "http://127.0.0.1:9/", &flags).wait();
    assert_eq!(unable.code, Some(2), "{unable:#?}");
    collecting.process.wait_until_it_says("has left: 0 of 2 parts are there");
    let abandoned =
        Part::start(&project, &collecting, "http://127.0.0.1:9/", &[&load[..], &["--deadline", "1s"]].concat());
    abandoned.wait_until_it_says("joined as part");
    collecting.process.signal(Signal::KILL);
    assert_eq!(abandoned.wait().code, Some(4));
    assert_eq!(left(), Vec::<String>::new());
}
