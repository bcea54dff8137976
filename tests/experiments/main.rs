//! The bundled experiments, each run for real at the pace `smoke` from a published archive, which builds nothing: their
//! targets are launched, every figure that a claim asks for is there, and nothing fails that should not. Needs a JDK
//! and Maven, and some minutes: `./test experiments` for those that were published, `./test slow` for the others.

mod native;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use serde_json::{Value, json};
use tempfile::TempDir;

fn bundled() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|it| it == "yaml")).collect();
    files.sort();
    files
}

fn has_smoke(path: &Path) -> bool {
    fs::read_to_string(path).unwrap().lines().any(|line| line.starts_with("  smoke:"))
}

/// The archive that `scripts/package` makes of the program under test, unpacked, on a machine without cargo and Maven.
struct Published {
    directory: TempDir,
    home: PathBuf,
}

impl Published {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/package");
        let mut package = Command::new(script);
        let package =
            package.args(["--binary", env!("CARGO_BIN_EXE_plimsoll")]).arg(directory.path()).output().unwrap();
        assert!(package.status.success(), "{}", String::from_utf8_lossy(&package.stderr));
        let archive = String::from_utf8(package.stdout).unwrap().trim_end().to_owned();
        let status = Command::new("tar").args(["-xzf", &archive, "-C"]).arg(directory.path()).status().unwrap();
        assert!(status.success());
        // A Maven and a cargo that fail are found first.
        fs::create_dir(directory.path().join("tools")).unwrap();
        for name in ["mvn", "cargo"] {
            std::os::unix::fs::symlink("/bin/false", directory.path().join("tools").join(name)).unwrap();
        }
        Self { directory, home: PathBuf::from(archive.strip_suffix(".tar.gz").unwrap()) }
    }

    /// The report of a bundled experiment at the pace `smoke`.
    fn report(&self, name: &str) -> Value {
        let tools = self.directory.path().join("tools");
        let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
        let mut run = Command::new(self.home.join("plimsoll"));
        run.args(["run", &format!("experiments/{name}.yaml"), "--pace", "smoke", "--format", "json"]);
        run.env("PATH", path).env_remove("MAVEN_HOME").current_dir(&self.home);
        // No figure is compared, and most of the time targets start: without the optimising compiler in half of it.
        run.env("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");
        run.env("PLIMSOLL_RECORD", self.directory.path().join(format!("{name}.db")));
        let output = run.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{name}:\n{stderr}");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{name}: {error}\n{stderr}"))
    }
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// Faults of the report.
fn breaches(report: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for variant in list(report, "variants") {
        let name = &variant["name"];
        if !variant["problem"].is_null() || variant["runs_done"] != 1 {
            found.push(format!("{name}: {} runs done: {}", variant["runs_done"], variant["problem"]));
        }
        for level in list(variant, "levels") {
            found.extend(
                level_breaches(level).into_iter().map(|breach| format!("{name} @ {}: {breach}", level["label"])),
            );
        }
    }
    let unjudged = list(report, "claims").iter().filter(|claim| claim["value"].is_null());
    found.extend(unjudged.map(|claim| format!("{}: {}", claim["expression"], claim["reason"])));
    found
}

/// Only `idle-above` is there to fail, with 502.
fn level_breaches(level: &Value) -> Option<String> {
    if level.is_null() {
        return Some("nothing was measured".to_owned());
    }
    let totals = &level["totals"];
    let succeeded = totals["succeeded"].as_u64().unwrap_or(0);
    let kinds = totals["errors"].as_object().into_iter().flatten().map(|(kind, _)| kind);
    let unexpected: Vec<&String> = kinds.filter(|kind| *kind != "status-5xx").collect();
    if !unexpected.is_empty() {
        return Some(format!("{unexpected:?}"));
    }
    (succeeded == 0).then(|| "no request succeeded".to_owned())
}

/// Variants of this experiment that are told by their own metrics.
fn watched(report: &Value) -> usize {
    let has_target = |level: &&Value| level["target"].as_object().is_some_and(|series| !series.is_empty());
    let is_watched = |variant: &&Value| list(variant, "levels").iter().any(|level| has_target(&level));
    list(report, "variants").iter().filter(is_watched).count()
}

#[test]
fn a_connect_that_is_too_late_is_a_fault() {
    let level = |kind: &str| json!({"totals": {"succeeded": 100, "errors": {kind: {"count": 1}}}});
    assert_eq!(level_breaches(&level("status-5xx")), None);
    assert!(level_breaches(&level("connect-timeout")).is_some());
}

#[test]
fn every_experiment_has_a_pace_for_this_test() {
    let without: Vec<PathBuf> = bundled().into_iter().filter(|path| !has_smoke(path)).collect();
    assert_eq!(
        without,
        [Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/quickstart.yaml")],
        "it is short itself"
    );
}

/// The experiments that were published, each by its main file; `./test slow` runs those beside them.
const PUBLISHED: [&str; 5] =
    ["feign-vs-webclient", "greetings", "resttemplate-pool", "thread-pool", "webclient-cold-start"];

#[test]
#[ignore = "needs a JDK and Maven: ./test experiments"]
fn each_published_one_runs_without_building_and_measures_what_it_claims_about() {
    assert_eq!(assert_run(|name| PUBLISHED.contains(&name)), PUBLISHED.len());
}

#[test]
#[ignore = "needs a JDK and Maven: ./test slow"]
fn each_other_one_runs_without_building_and_measures_what_it_claims_about() {
    assert_run(|name| !PUBLISHED.contains(&name));
}

/// How many of them there are.
fn assert_run(is_meant: impl Fn(&str) -> bool) -> usize {
    let published = Published::new();
    let paths = bundled().into_iter().rev().filter(|path| has_smoke(path));
    let names = paths.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
    let names: Vec<String> = names.filter(|name| is_meant(name)).collect();
    let next = AtomicUsize::new(0);
    // Two at a time: each waits half of its time, and no figure is compared. The longest, last by name, come first.
    let some = || {
        let mut faults = Vec::new();
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            faults.extend(faults_of(&published, name));
        }
        faults
    };
    let faults: Vec<String> = thread::scope(|scope| {
        let parts = [some; 2].map(|some| scope.spawn(some));
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    names.len()
}

/// Runs a bundled experiment.
fn faults_of(published: &Published, name: &str) -> Vec<String> {
    let report = published.report(name);
    let variants = list(&report, "variants").len();
    println!("{name}: {variants} variants, {} claims", list(&report, "claims").len());
    assert!(variants > 0, "{name}: nothing ran");
    if ["feign-vs-webclient", "resttemplate-pool"].contains(&name) {
        assert_eq!(watched(&report), 1, "{name}: the pool tells of itself");
    }
    breaches(&report).into_iter().map(|breach| format!("{name}: {breach}")).collect()
}
