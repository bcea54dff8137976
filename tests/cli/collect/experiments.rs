//! Experiments whose loads parts offer.

use std::process::Command;

use rustix::process::Signal;
use serde_json::Value;

use super::{
    session::{Watched, sent, upstream, without_token},
    sum,
};
use crate::{
    plimsoll::{Finished, Project, has_record},
    target,
};

/// An experiment that waits for two parts.
struct Running {
    process: Watched,
    /// For `--join`.
    url: String,
}

impl Running {
    fn start(project: &Project, file: &str) -> Self {
        project.write("trial.yaml", file);
        let command = project.command(&["run", "trial.yaml", "-o", "json"]);
        let process = Watched::start(without_token(command));
        let greeting = process.wait_until_it_says("waits for 2 parts: plimsoll serve-part --join");
        let (_, url) = greeting.rsplit_once(' ').unwrap();
        Self { url: url.to_owned(), process }
    }

    fn part(&self, project: &Project, number: &str) -> Watched {
        Watched::start(self.command(project, number))
    }

    fn command(&self, project: &Project, number: &str) -> Command {
        without_token(project.command(&["serve-part", "--join", &self.url, "--part", number, "--deadline", "10s"]))
    }

    fn wait(self) -> (Finished, Value) {
        let finished = self.process.wait();
        let report = serde_json::from_str(&finished.stdout).unwrap_or(Value::Null);
        (finished, report)
    }
}

const GENERATOR: &str = "generator: {parts: 2, listen: \"127.0.0.1:0\", silence: 5s, deadline: 1min}\nseed: 1\n";

#[test]
fn all_loads_of_an_experiment_are_offered_by_its_parts() {
    let project = Project::new();
    // Requests for readiness go to another one, so that the first counts nothing but loads.
    let (loaded, asked) = (upstream(&project, &["-l", "2ms"]), upstream(&project, &[]));
    let variant = format!("{{url: {:?}, ready: {:?}}}", loaded.url, asked.url);
    let file = format!(
        "variants: {{web: {variant}}}\nload: {{model: shared-iterations, levels: [30, 60]}}\n\
         warmup: {{duration: 1s, vus: 4}}\nrounds: 2\n{GENERATOR}"
    );
    let running = Running::start(&project, &file);
    let parts = ["1", "2"].map(|number| running.part(&project, number));
    let (finished, report) = running.wait();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let parts = parts.map(Watched::wait);
    for part in &parts {
        assert_eq!((part.code, part.stdout.as_str()), (Some(0), ""), "{part:#?}");
        part.assert_says(&["joined as part", "load 6: ", "dismissed"]);
        assert!(part.stderr.lines().filter_map(sent).all(|sent| sent > 0), "{part:#?}");
    }
    assert_eq!(sum(&report, "succeeded"), 2 * (30 + 60), "{report:#}");
    let sent: u64 = parts.iter().flat_map(|part| part.stderr.lines()).filter_map(sent).sum();
    assert_eq!(sent, loaded.end(), "{parts:#?}");
    let environment = &report["environment"];
    let merged = &environment["merged"];
    assert_eq!((&merged["count"], merged["parts"].as_array().unwrap().len()), (&2.into(), 2), "{merged}");
    assert!(merged["parts"][1]["clock"]["error_ns"].as_u64() > Some(0), "{merged}");
    assert!(environment["placement"].as_str().unwrap().contains("parts of the generator"), "{environment}");
}

#[test]
fn a_part_that_is_killed_fails_the_run_under_way_and_ends_the_experiment() {
    let project = Project::new();
    let file = format!(
        "variants: {{web: {}}}\nload: {{model: constant-arrival-rate, levels: [40/s], duration: 1s}}\nrounds: 900\n{GENERATOR}",
        target::variant(&[])
    );
    let running = Running::start(&project, &file);
    let [first, second] = ["1", "2"].map(|number| running.part(&project, number));
    second.wait_until_it_says("load 2: ");
    second.signal(Signal::KILL);
    let (finished, report) = running.wait();
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    finished
        .assert_says(&["ended without its load: part 2/2 on ", " is lost: nothing is heard of it, while level `40/s`"]);
    let first = first.wait();
    assert_eq!(first.code, Some(0), "{first:#?}");
    first.assert_says(&["dismissed: its load was not offered to the end: part 2/2 on "]);
    assert_eq!(second.wait().code, None);
    let runs = report["runs"].as_array().unwrap();
    let (last, before) = runs.split_last().unwrap();
    assert!(!before.is_empty() && before.iter().all(|run| run["status"] == "done"), "{runs:#?}");
    assert_eq!(last["status"], "parts-lost", "{last:#}");
    assert!(last["problem"].as_str().is_some_and(|why| why.contains("part 2/2 on ")), "{last:#}");
    assert_eq!(report["execution"]["status"], "failed");
    assert_eq!(sum(&report, "succeeded"), 40 * before.len() as u64, "only whole rounds count");
    assert!(report["findings"].to_string().contains("parts-cut-short"), "{}", report["findings"]);
}

#[test]
fn nothing_is_launched_for_parts_that_never_come() {
    let project = Project::new();
    let generator = "generator: {parts: 2, listen: \"127.0.0.1:0\", deadline: 1s}\n";
    let load = "load: {model: shared-iterations, levels: [20]}\n";
    project.write("trial.yaml", &format!("variants: {{web: {}}}\n{load}{generator}", target::variant(&[])));
    let run = without_token(project.command(&["run", "trial.yaml"])).output().map(Finished::from).unwrap();
    assert_eq!((run.code, run.stdout.as_str()), (Some(3), ""), "{run:#?}");
    run.assert_says(&["parts that never came within 1.00 s: 1/2 and 2/2: nothing was sent"]);
    assert!(!has_record(&project));
}
