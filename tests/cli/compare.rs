//! `compare`, `baseline`, `trend`, and the list with its verdicts.

use std::process::Command;

use serde_json::Value;

use crate::{plimsoll::Project, target};

/// Records a load of 30 requests.
fn load(project: &Project, url: &str, more: &[&str]) -> crate::plimsoll::Finished {
    project.run(&[&["load", url, "-n", "30", "-c", "2", "--quiet"], more].concat())
}

fn url() -> String {
    format!("http://127.0.0.1:{}/", target::start())
}

/// An experiment whose requests succeed if that is the status.
fn experiment(project: &Project, status: u16) {
    let program = env!("CARGO_BIN_EXE_plimsoll");
    let text = format!(
        "name: trial\nvariants:\n  web:\n    command: [{program:?}, upstream, --port, \"{{port}}\"]\n    \
         ready: \"http://127.0.0.1:{{port}}/\"\n    url: \"http://127.0.0.1:{{port}}/\"\n\
         load: {{model: shared-iterations, levels: [100]}}\n\
         requests: [{{path: /, checks: [status == {status}]}}]\nseed: 1\nrounds: 4\n"
    );
    project.write("trial.yaml", &text);
}

fn git(project: &Project, arguments: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"];
    let done = Command::new("git").args(identity).args(arguments).current_dir(project.path(".")).output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {done:?}");
}

#[test]
fn a_service_that_got_worse_is_found_by_number_baseline_and_commit() {
    let project = Project::new();
    git(&project, &["init", "-q", "-b", "main"]);
    experiment(&project, 200);
    git(&project, &["add", "trial.yaml"]);
    git(&project, &["commit", "-qm", "one"]);
    let first = project.run(&["run", "trial.yaml", "-q"]);
    assert_eq!(first.code, Some(0), "{first:#?}");
    project.run(&["run", "trial.yaml", "-q", "--baseline", "main"]).assert_refused(&["no baseline `main`"]);
    assert_eq!(project.run(&["baseline", "set", "main"]).code, Some(0));

    // All requests fail, however busy the machine is.
    experiment(&project, 500);
    git(&project, &["checkout", "-qb", "change"]);
    git(&project, &["commit", "-qam", "two"]);
    let outputs = ["-o", "html=new.html", "-o", "junit=new.xml", "-o", "markdown=new.md"];
    let second = project.run(&[&["run", "trial.yaml", "-q", "--baseline", "main"][..], &outputs].concat());
    assert_eq!(second.code, Some(99), "{second:#?}");
    for said in ["trial #2 against #1", "✗ worse", "line of the file"] {
        assert!(second.stdout.contains(said), "expected `{said}` in:\n{}", second.stdout);
    }
    let file = |name: &str| std::fs::read_to_string(project.path(name)).unwrap();
    for (name, said) in [
        ("new.html", "<h2>Against the baseline</h2>"),
        ("new.md", "## Against the baseline"),
        ("new.xml", "classname=\"trial.comparison\" name=\"errors(web"),
        (".plimsoll/reports/2-trial.html", "<h2>Against the baseline</h2>"),
    ] {
        assert!(file(name).contains(said), "expected `{said}` in {name}");
    }
    assert!(file("new.xml").contains("classname=\"trial.runs\""), "its own cases are there, too");
    for executions in [&["1", "2"][..], &["baseline", "main"], &["last~1", "trial:last"], &["main..HEAD"]] {
        let found = project.run(&[&["compare"], executions].concat());
        assert_eq!(found.code, Some(99), "{executions:?}: {found:#?}");
        assert!(found.stdout.starts_with("trial #2 against #1\n"), "{}", found.stdout);
    }
    let back = project.run(&["compare", "2", "1", "-o", "json"]);
    let found: Value = serde_json::from_str(&back.stdout).unwrap();
    let differences = found["differences"].as_array().unwrap();
    let errors = differences.iter().find(|it| it["metric"] == "errors").unwrap();
    assert_eq!(errors["verdict"], "better", "{errors}");
    // A machine that was busier at the first time may surely have started it later, by more than the tolerance or not.
    let is_regression = differences.iter().any(|it| it["is_regression"] == true);
    assert_eq!(back.code, Some(if is_regression { 99 } else { 0 }), "{found:#}");

    let listed = project.run(&["list"]);
    assert!(listed.stdout.contains("[main] trial: plimsoll run trial.yaml"), "{}", listed.stdout);
    assert!(listed.stdout.contains("/s 100 % errors"), "{}", listed.stdout);
    let trend = project.run(&["trend", "trial", "-o", "html=trend.html"]);
    assert!(trend.stdout.contains("2 executions") && trend.stdout.contains("web @ 100: errors"), "{}", trend.stdout);
    assert!(std::fs::read_to_string(project.path("trend.html")).unwrap().contains("<svg"));

    assert!(project.run(&["baseline", "list"]).stdout.contains("main         #1"));
    assert_eq!(project.run(&["baseline", "remove", "main"]).code, Some(0));
    project.run(&["baseline", "remove", "main"]).assert_refused(&["no baseline `main`"]);
}

#[test]
fn single_loads_are_compared_without_a_verdict_and_different_loads_are_refused() {
    let (project, url) = (Project::new(), url());
    assert_eq!(load(&project, &url, &[]).code, Some(0));
    assert_eq!(load(&project, &url, &[]).code, Some(0));
    let found = project.run(&["compare", "1", "2"]);
    assert_eq!(found.code, Some(0), "{found:#?}");
    assert!(found.stdout.contains("one run each") && !found.stdout.contains("✗"), "{}", found.stdout);
    assert_eq!(project.run(&["load", &url, "-n", "40", "-c", "4", "--quiet"]).code, Some(0));
    project.run(&["compare", "1", "3"]).assert_refused(&[
        "the loads of #1 and #3 differ",
        "virtual users: 2 → 4",
        "--anyway",
    ]);
    let anyway = project.run(&["compare", "1", "3", "--anyway"]);
    assert!(anyway.code == Some(0) && anyway.stdout.contains("virtual users"), "{anyway:#?}");
}

/// 500 requests a second, then 50: one search each.
#[test]
#[ignore = "slow: `./test slow`"]
fn a_line_against_a_baseline_is_judged_by_the_intervals_of_both_searches() {
    let project = Project::new();
    let search = |per_tenth: u32, more: &[&str]| {
        let url = format!("http://127.0.0.1:{}/", target::start_limited(per_tenth));
        let flags = ["line", &url, "--slo", "errors<5%", "--evenly", "--resolution", "30%", "--at-most", "3min"];
        project.run(&[&flags[..], &["--no-overload", "--no-watch", "--quiet"], more].concat())
    };
    assert_eq!(search(50, &[]).code, Some(0));
    assert_eq!(project.run(&["baseline", "set", "main"]).code, Some(0));
    let slower = search(5, &["--baseline", "main"]);
    assert_eq!(slower.code, Some(99), "{slower:#?}");
    for said in ["✗ worse", "how one process of the service differs from the next", "Surely worse by more than 5 %: 1."]
    {
        let text = slower.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(said), "expected `{said}` in:\n{}", slower.stdout);
    }
    let back = project.run(&["compare", "2", "1", "-o", "json"]);
    assert_eq!(back.code, Some(0), "{back:#?}");
    let found: Value = serde_json::from_str(&back.stdout).unwrap();
    let line = &found["differences"][0];
    assert_eq!(
        (&line["metric"], &line["verdict"], &line["is_of_searches"]),
        (&"line".into(), &"better".into(), &true.into())
    );
    let changed = found["changed"].as_array().unwrap();
    let told = changed.iter().filter(|it| it.to_string().contains("http://127.0.0.1:")).count();
    assert_eq!(told, 1, "the URL, once: {changed:#?}");
}

#[test]
fn executions_that_are_not_there_are_told_with_those_that_are() {
    let (project, url) = (Project::new(), url());
    project.run(&["compare", "1", "2"]).assert_refused(&["plimsoll.db"]);
    assert_eq!(load(&project, &url, &[]).code, Some(0));
    project.run(&["compare", "first"]).assert_refused(&["expected `last` or a number", "found `first`"]);
    project.run(&["compare", "1", "9"]).assert_refused(&["9"]);
    project.run(&["compare", "1", "1"]).assert_refused(&["found #1 twice"]);
    project.run(&["compare", "1", "2", "3"]).assert_refused(&["expected two executions"]);
    project.run(&["compare", "laod:last"]).assert_refused(&["did you mean `load`?"]);
    project.run(&["compare", "no-such-commit..HEAD"]).assert_refused(&["no-such-commit", "commit"]);
    project.run(&["compare", "1", "last", "-o", "prom"]).assert_refused(&["a comparison is told as"]);
    project.run(&["trend", "nothing"]).assert_refused(&["no execution of `nothing`"]);
    project.run(&["baseline", "set", "a b"]).assert_refused(&["expected a name"]);
    project.run(&["report", "last~1"]).assert_refused(&["it has 1 execution;"]);
}

#[test]
fn a_list_in_json_has_verdicts_figures_and_baselines() {
    let (project, url) = (Project::new(), url());
    assert_eq!(load(&project, &url, &["--threshold", "errors<1%"]).code, Some(0));
    assert_eq!(project.run(&["baseline", "set", "main", "1"]).code, Some(0));
    let listed: Value = serde_json::from_str(&project.run(&["list", "--json"]).stdout).unwrap();
    let execution = &listed["executions"][0];
    assert_eq!(execution["summary"]["thresholds"]["kept"], 1);
    assert_eq!(execution["summary"]["variants"][0]["figures"][0]["name"], "throughput");
    assert_eq!((&listed["baselines"][0]["name"], &listed["format"]), (&"main".into(), &1.into()));
}
