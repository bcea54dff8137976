//! Commands of the guide on loads that one machine cannot offer, as they stand there: only names, rates and times are
//! those of a test.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

use super::{
    session::{Collecting, Watched, sent, upstream, without_token},
    sum,
};
use crate::{
    plimsoll::{Finished, Project},
    target,
};

/// The blocks of a section of the guide, up to the next heading.
fn blocks(heading: &str) -> Vec<String> {
    let guide = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide.md")).unwrap();
    let (_, section) = guide.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no `{heading}`"));
    let section = section.split("\n###").next().unwrap();
    let blocks = section.split("\n```").skip(1).step_by(2);
    blocks.map(|block| block.split_once('\n').unwrap().1.to_owned()).collect()
}

/// The commands of a block, with each of `changes`, all of which are found in it.
fn commands(block: &str, changes: &[(&str, &str)]) -> Vec<String> {
    let changed = changes.iter().fold(block.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "no `{from}` in:\n{block}");
        text.replace(from, to)
    });
    let whole = changed.replace("\\\n", "");
    whole.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// A command as somebody types it.
fn typed(project: &Project, command: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_plimsoll"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let own = project.command(&[]);
    let mut shell = without_token(Command::new("bash"));
    shell.args(["-c", &format!("exec env {command}")]).current_dir(project.path("")).env("PATH", path);
    for (name, value) in own.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}

fn run(project: &Project, command: &str) -> Finished {
    Finished::from(typed(project, command).output().unwrap())
}

/// A process that waits for parts, and the command of a part with its token and its address in place of `address`.
fn waiting(project: &Project, command: &str, part: &str, address: &str) -> (Watched, String) {
    let collecting = Collecting::of(Watched::start(typed(project, command)));
    let token = collecting.token.clone().unwrap_or_else(|| panic!("no token: {command}"));
    assert!(part.starts_with("PLIMSOLL_TOKEN=… ") && part.contains(address), "{part}");
    let part = part.replace("PLIMSOLL_TOKEN=…", &format!("PLIMSOLL_TOKEN={token}")).replace(address, &collecting.url);
    (collecting.process, part)
}

fn report(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
}

#[test]
fn a_load_over_several_machines() {
    let project = Project::new();
    let upstream = upstream(&project, &[]);
    let changes = [
        ("https://orders.test/", upstream.url.as_str()),
        ("-q 80k -z 1m", "-q 200 -z 2s"),
        ("p(99)<200ms", "p(99)<60s"),
        ("0.0.0.0:7400", "0.0.0.0:0 -o json"),
    ];
    let [collect, part] = commands(&blocks("### More than one machine")[0], &changes).try_into().unwrap();
    let (collecting, part) = waiting(&project, &collect, &part, "https://collector:7400");
    let parts = [(); 4].map(|()| Watched::start(typed(&project, &part)));
    let finished = collecting.wait();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert!(parts.into_iter().all(|part| part.wait().code == Some(0)));
    assert_eq!((sum(&report(&finished), "succeeded"), upstream.end()), (400, 400));
}

#[test]
fn a_line_over_several_machines() {
    let project = Project::new();
    let upstream = upstream(&project, &["-l", "50ms", "-c", "10"]);
    let changes = [
        ("https://orders.test/", upstream.url.as_str()),
        // Searches take minutes.
        ("p(99)<200ms' --parts", "p(90)<1s' --at-least 40/s --no-watch --parts"),
        ("0.0.0.0:7400", "0.0.0.0:0 -o json"),
    ];
    let [line, part] = commands(&blocks("#### A load line over several machines")[0], &changes).try_into().unwrap();
    let (search, part) = waiting(&project, &line, &part, "https://search:7400");
    let parts = [(); 2].map(|()| Watched::start(typed(&project, &part)));
    let finished = search.wait();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let said = parts.map(Watched::wait);
    assert!(said.iter().all(|part| part.code == Some(0)), "{said:#?}");
    let sent: u64 = said.iter().flat_map(|part| part.stderr.lines()).filter_map(sent).sum();
    assert_eq!(sent, upstream.end(), "{said:?}");
}

#[test]
fn an_experiment_over_several_machines() {
    let project = Project::new();
    let [file, block]: [String; 2] = blocks("#### An experiment over several machines").try_into().unwrap();
    let name = file.lines().next().unwrap().strip_prefix("# ").unwrap();
    let changes = [
        (
            "{jar: target/shop.jar, url: \"http://bench-1:{port}/orders\", properties: {server.address: 0.0.0.0}}",
            target::variant(&[]),
        ),
        ("[20000/s, 40000/s], duration: 60s", "[20/s, 40/s], duration: 1s".to_owned()),
        ("{duration: 30s, vus: 500}", "{duration: 1s, vus: 4}".to_owned()),
        (
            "generator: {parts: 2, listen: \"0.0.0.0:7400\"}",
            "generator: {parts: 2, listen: \"0.0.0.0:0\"}\nrounds: 1".to_owned(),
        ),
    ];
    let changed = changes.iter().fold(file.clone(), |text, (from, to)| {
        assert!(text.contains(from), "no `{from}` in:\n{file}");
        text.replace(from, to)
    });
    project.write(name, &changed);
    let [experiment, part] = commands(&block, &[(name, &format!("{name} -o json"))]).try_into().unwrap();
    let (running, part) = waiting(&project, &experiment, &part, "https://bench-1:7400");
    let parts = [(); 2].map(|()| Watched::start(typed(&project, &part)));
    let finished = running.wait();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert!(parts.into_iter().all(|part| part.wait().code == Some(0)));
    assert_eq!(sum(&report(&finished), "offered"), 20 + 40);
}

#[test]
fn what_engines_take_is_printed() {
    let project = Project::new();
    let blocks = blocks("#### On Kubernetes, Slurm, and over ssh");
    let with = |text: &str| blocks.iter().find(|block| block.contains(text)).unwrap_or_else(|| panic!("no `{text}`"));
    let (on_kubernetes, staying) = (with("--on kubernetes"), with("-- serve-part"));
    let printed = |block: &str| {
        let command = commands(block, &[]).swap_remove(0);
        let (command, _) = command.split_once(" > ").unwrap();
        let Output { status, stdout, .. } = typed(&project, command).output().unwrap();
        assert!(status.success(), "{command}");
        String::from_utf8(stdout).unwrap()
    };
    let manifest = printed(on_kubernetes);
    // The name that the guide collects from.
    assert!(manifest.contains("collect --from kubernetes/orders-load") && manifest.contains("kind: Job"), "{manifest}");
    assert!(on_kubernetes.contains("plimsoll collect --from kubernetes/orders-load "));
    let script = printed(staying);
    assert!(script.contains("#SBATCH --array=1-8\n") && script.contains("--join https://login1:7400"), "{script}");
    // The script tells the same search.
    let search = commands(staying, &[]).pop().unwrap();
    let (_, of_parts) = search.split_once("--parts").unwrap();
    assert!(script.contains(&format!("--parts{of_parts}")), "{search}: {script}");
}

#[test]
fn parts_by_hand() {
    let project = Project::new();
    let upstream = upstream(&project, &[]);
    let changes = [
        ("http://server:8080/greetings", upstream.url.as_str()),
        ("-q 20k -z 1m", "-q 100 -z 1s"),
        ("--start-at 14:30", "--start-at +1s"),
    ];
    let [first, second, merge, report] = commands(&blocks("#### By hand")[0], &changes).try_into().unwrap();
    let parts = [first, second].map(|part| Watched::start(typed(&project, &part)));
    assert!(parts.into_iter().all(|part| part.wait().code == Some(0)));
    let merged = run(&project, &merge);
    assert_eq!(merged.code, Some(0), "{merged:#?}");
    assert!(merged.stdout.contains("100 sent, 100 succeeded"), "{}", merged.stdout);
    assert_eq!(run(&project, &report).code, Some(0));
    assert!(fs::read_to_string(project.path("report.html")).unwrap().starts_with("<!"));
    assert_eq!(upstream.end(), 100);
}
