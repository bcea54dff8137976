//! `plimsoll explain` on a real JVM, and on what is none. The analysis tests what is made of what it sees.

mod hidden;

use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpListener,
    path::Path,
    process::{Child, Command, Stdio},
    sync::LazyLock,
    time::{Duration, Instant},
};

use plimsoll_record::{Store, Window};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::{plimsoll::Project, upstream::Upstream};

/// The service with a lock, made once for all tests: a source file that is launched is compiled at each start.
static JAR: LazyLock<Option<String>> = LazyLock::new(|| {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/explain/Locked.java");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("locked");
    fs::create_dir_all(&folder).unwrap();
    let jar = folder.join("locked.jar");
    let mut javac = Command::new("javac");
    javac.arg("-d").arg(&folder).arg(source);
    let mut archive = Command::new("jar");
    archive.args(["--create", "--main-class", "Locked", "--file"]).arg(&jar).arg("-C").arg(&folder).arg("Locked.class");
    let are_done = [javac, archive].iter_mut().all(|it| it.status().is_ok_and(|status| status.success()));
    are_done.then(|| jar.display().to_string())
});

/// Its jar; none where there is no JDK.
fn jar() -> Option<&'static str> {
    if JAR.is_none() {
        println!("skipped: there is no JDK");
    }
    JAR.as_deref()
}

/// A service with a lock, and the port that it listens on; none where there is no JDK.
struct Locked {
    java: Child,
    port: String,
}

impl Locked {
    fn start() -> Option<Self> {
        let mut java = Command::new("java");
        java.args(["-Xmx64m", "-jar", jar()?]);
        Self::start_by(java)
    }

    /// By a command that launches it.
    fn start_by(mut java: Command) -> Option<Self> {
        let started = java.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut java) = started else {
            println!("skipped: there is no java");
            return None;
        };
        let mut port = String::new();
        BufReader::new(java.stdout.take().unwrap()).read_line(&mut port).unwrap();
        if port.is_empty() {
            println!("skipped: java cannot run what javac has compiled");
            java.wait().unwrap();
            return None;
        }
        Some(Self { java, port: port.trim().to_owned() })
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        let _ = self.java.kill();
        let _ = self.java.wait();
    }
}

fn json(project: &Project, file: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(project.path(file)).unwrap()).unwrap()
}

/// The first attempt whose explanation does not say that others have taken the machine, as the Java suite does for
/// minutes.
fn undisturbed<T>(attempt: impl Fn() -> (T, Value)) -> (T, Value) {
    let begun = Instant::now();
    let is_disturbed = |explanation: &Value| ["foreign-cpu", "generator"].iter().any(|it| explanation["limit"] == *it);
    let mut attempts = std::iter::repeat_with(attempt).take_while(|_| begun.elapsed() < Duration::from_mins(30));
    attempts.find(|(_, explanation)| !is_disturbed(explanation)).expect("others take the machine less of the time")
}

#[test]
fn a_lock_is_named_with_its_place() {
    let Some(service) = Locked::start() else { return };
    let project = Project::new();
    let (found, explanation) = undisturbed(|| {
        let found = project.run(&["explain", &service.url(), "-c", "20", "--warm-up", "4s", "-o", "json=found.json"]);
        assert_eq!(found.code, Some(0), "{found:#?}");
        (found, json(&project, "found.json")["explanations"][0].take())
    });
    assert_eq!(explanation["limit"], "lock", "{explanation:#}");
    assert_eq!(explanation["says"], "a lock (java.lang.Object) in Locked.book", "{explanation:#}");
    assert!(explanation["dumps"].as_u64() > Some(0) && explanation["blind"].is_null(), "{explanation:#}");
    let printed = found.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "gives way first",
        "not the limit",
        "where a request’s",
        "its holder: sleep in Locked.book",
        "wait, the limit → sleep",
    ] {
        assert!(printed.contains(said), "expected `{said}` in:\n{}", found.stdout);
    }
    // Any report again, from the record.
    let again = project.run(&["report", "last", "--format", "markdown"]);
    assert!(again.stdout.contains("a lock (java.lang.Object) in Locked.book"), "{}", again.stdout);
    let trigger = format!(".attach_pid{}", service.java.id());
    assert!(!std::path::Path::new("/tmp").join(&trigger).exists() && !std::path::Path::new(&trigger).exists());
}

#[test]
#[ignore = "slow: `./test slow`"]
fn a_rate_beyond_what_is_carried_waits_for_what_users_wait_for() {
    let Some(service) = Locked::start() else { return };
    let project = Project::new();
    let explain = |rate: &str| {
        let url = service.url();
        // A heap this small has no room for more connections that wait.
        let load = ["-q", rate, "--poisson", "--max-in-flight", "300", "--max-users", "64", "--warm-up", "4s"];
        let explain = || {
            let found = project.run(&[&["explain", &url, "-o", "json=found.json"], load.as_slice()].concat());
            assert_eq!(found.code, Some(0), "{found:#?}");
            ((), json(&project, "found.json")["explanations"][0].take())
        };
        undisturbed(explain).1
    };
    let carried = explain("20");
    assert_eq!(carried["limit"], "offered-load", "{carried:#}");
    // One request at a time holds the lock for 5 ms: 200/s at most.
    let beyond = explain("600");
    assert_eq!(beyond["limit"], "lock", "{beyond:#}");
    assert_eq!((&beyond["users"], &beyond["rate_per_s"]), (&Value::Null, &600.0.into()));
    assert!(!beyond["evidence"].to_string().contains("users"), "{beyond:#}");
}

#[test]
#[ignore = "slow: `./test slow`"]
fn a_line_is_explained_once_it_is_known() {
    let Some(service) = Locked::start() else { return };
    let project = Project::new();
    let limits = ["--at-most", "8s", "--warm-up", "4s", "--no-overload", "--max-in-flight", "40"];
    let url = service.url();
    let line = ["line", &url, "--slo", "p(90)<1s", "--explain", "-o", "json=found.json"];
    let ((found, results), _) = undisturbed(|| {
        let found = project.run(&[line.as_slice(), &limits].concat());
        assert_eq!(found.code, Some(0), "{found:#?}");
        let results = json(&project, "found.json");
        let explanation = results["explanations"][0].clone();
        ((found, results), explanation)
    });
    assert!(results["lines"][0]["searches"][0]["capacity_per_s"].as_f64() > Some(0.0), "{:#}", results["lines"]);
    let explanation = &results["explanations"][0];
    assert_eq!((&explanation["limit"], &explanation["level"]), (&"lock".into(), &Value::Null), "{explanation:#}");
    assert!(found.stdout.contains("Load line") && found.stdout.contains("First to give way"), "{}", found.stdout);
}

/// An experiment whose variant is that service; none where there is no JDK.
fn experiment(project: &Project, more: &str) -> bool {
    let Some(jar) = jar() else { return false };
    let file = format!(
        "variants:\n  locked:\n    command: [java, -Xmx64m, -jar, {jar:?}, \"{{port}}\"]\n    \
         ready: \"http://127.0.0.1:{{port}}/\"\n    url: \"http://127.0.0.1:{{port}}/\"\nrounds: 2\n{more}"
    );
    project.write("locked.yaml", &file);
    true
}

#[test]
#[ignore = "slow: `./test slow`"]
fn each_variant_of_an_experiment_is_explained_after_its_load() {
    let project = Project::new();
    let load = "load: {model: constant-vus, levels: [2, 20, 30], duration: 2s}\n";
    let claims = "claims:\n  - {says: A lock, claim: limit(locked @ 20) = lock}\n  \
                  - {says: No lock, claim: limit(locked @ 20) = client-pool}\n";
    if !experiment(&project, &format!("{load}{claims}")) {
        return;
    }
    let (found, _) = undisturbed(|| {
        let ran = project.run(&["run", "locked.yaml", "--format", "json"]);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        let found: Value = serde_json::from_str(&ran.stdout).unwrap();
        let explanation = found["explanations"][0].clone();
        (found, explanation)
    });
    let explanations = found["explanations"].as_array().unwrap();
    assert_eq!(explanations.len(), 1, "of the first round: {explanations:#?}");
    let explanation = &explanations[0];
    let told = ["variant", "level", "limit", "says"].map(|key| explanation[key].as_str().unwrap());
    assert_eq!(told, ["locked", "20", "lock", "a lock (java.lang.Object) in Locked.book"], "{explanation:#}");
    assert!(explanation["dumps"].as_u64() > Some(0), "{explanation:#}");
    let labels = found["levels"].as_array().unwrap().iter().map(|level| &level["label"]);
    assert_eq!(labels.collect::<Vec<_>>(), ["2", "20", "30"]);
    let claims = found["claims"].as_array().unwrap();
    let judged: Vec<_> = claims.iter().map(|claim| (&claim["verdict"], &claim["reason"])).collect();
    let reason = "lock: a lock (java.lang.Object) in Locked.book";
    assert_eq!(judged, [(&"holds".into(), &reason.into()), (&"fails".into(), &reason.into())]);
    let report = project.run(&["report", "last"]).stdout;
    assert!(report.contains("locked at 20") && report.contains("a lock (java.lang.Object) in Locked.book"), "{report}");
}

#[test]
fn what_an_experiment_explains_is_known_before_it_is_run() {
    let project = Project::new();
    let file = |more: &str| project.write("x.yaml", &format!("variants: {{a: {{subject: threads}}}}\n{more}"));
    file("load: {model: constant-vus, levels: [2, 2700], duration: 1s}\nexplain: {levels: [2, 2700]}\n");
    let checked = project.run(&["check", "x.yaml"]).stdout;
    assert!(checked.contains("explained after the runs of the first round: a at 2, a at 2,700, which"), "{checked}");
    file("load: {model: ramping-vus, stages: [{duration: 1s, target: 2}]}\n");
    project.run(&["run", "x.yaml", "--explain"]).assert_refused(&["--explain: a ramp without a level stage"]);
}

#[test]
fn what_is_no_jvm_is_explained_from_outside() {
    let project = Project::new();
    let (upstream, url) = Upstream::with_url(&project, &["-l", "20ms", "-c", "4"]);
    let found = project.run(&["explain", &url, "-c", "8", "--warm-up", "4s", "--strict", "-o", "json=found.json"]);
    found.assert_says(&["is no HotSpot JVM", "from outside only"]);
    let explanation = json(&project, "found.json")["explanations"][0].take();
    assert_eq!(explanation["dumps"], 0, "{explanation:#}");
    assert!(explanation["blind"].as_str().is_some_and(|why| why.contains("HotSpot")), "{explanation:#}");
    // A busy machine is objected to as well, whatever was found.
    let is_unknown = explanation["limit"] == "unknown";
    assert!(found.code == Some(99) || (found.code == Some(0) && !is_unknown), "{found:#?}\n{explanation:#}");
    upstream.interrupt();
}

/// Whether requests have succeeded under the full load.
fn is_carried(project: &Project) -> Option<()> {
    let store = Store::open_to_read(&project.path(".plimsoll/plimsoll.db")).ok()?;
    let data = store.read(store.last().ok()??).ok()?;
    let full = data.runs.first()?.levels.iter().find(|level| level.plan.label == Window::Full.label())?;
    full.intervals.iter().any(|interval| interval.counts.succeeded > 0).then_some(())
}

fn wait_until_carried(project: &Project) {
    let begun = Instant::now();
    while is_carried(project).is_none() {
        assert!(begun.elapsed() < Duration::from_mins(5), "nothing was recorded");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn ctrl_c_tells_what_is_known() {
    let project = Project::new();
    let (upstream, url) = Upstream::with_url(&project, &["-l", "5ms", "-c", "4"]);
    let mut child = project.command(&["explain", &url, "-o", "json=found.json"]).spawn().unwrap();
    wait_until_carried(&project);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let found = json(&project, "found.json");
    assert_eq!(found["execution"]["status"], "interrupted");
    assert!(found["explanations"][0]["throughput_per_s"].as_f64() > Some(0.0), "{found:#}");
    upstream.interrupt();
}

#[test]
fn a_target_that_ends_ends_the_explanation_and_what_was_seen_is_kept() {
    let project = Project::new();
    let (upstream, url) = Upstream::at_own_port(&project, &["-l", "5ms", "-c", "4"]);
    let child = project.command(&["explain", &url, "--quiet"]).stderr(Stdio::piped()).spawn().unwrap();
    wait_until_carried(&project);
    upstream.interrupt();
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("nothing has answered at") && said.contains("the target ended during the "), "{said}");
    let report = project.run(&["report", "--format", "json"]);
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    assert!(report["explanations"][0]["throughput_per_s"].as_f64() > Some(0.0), "what was seen until then is there");
}

#[test]
fn a_service_that_fails_each_request_is_said_before_it_is_looked_at() {
    let project = Project::new();
    let (upstream, url) = Upstream::with_url(&project, &["--status", "404"]);
    let run = project.run(&["explain", &url]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    run.assert_says(&["5 of 5 requests failed before any load, most often as `status-4xx`: status 404", "--debug"]);
    assert!(!project.path(".plimsoll/plimsoll.db").exists(), "nothing was measured");
    upstream.interrupt();
}

#[test]
fn a_service_at_the_other_loopback_is_named() {
    // Somebody else may listen at the same port of the other one just now.
    let listeners = (0..100).map(|_| TcpListener::bind("[::1]:0").unwrap());
    let port = |it: &TcpListener| it.local_addr().unwrap().port();
    let mut listeners = listeners.filter(|it| TcpListener::bind(("127.0.0.1", port(it))).is_ok());
    let listener = listeners.next().expect("one port of a hundred");
    let (project, port) = (Project::new(), port(&listener));
    let said = format!("name it as http://[::1]:{port}/");
    project.run(&["explain", &format!("http://127.0.0.1:{port}/")]).assert_refused(&["the other loopback", &said]);
}

#[test]
fn what_cannot_be_looked_at_is_refused_before_anything_is_sent() {
    let project = Project::new();
    let refused = |arguments: &[&str], said: &[&str]| {
        project.run(&[&["explain"], arguments].concat()).assert_refused(said);
    };
    refused(&[], &["<URL>"]);
    refused(&["http://127.0.0.1:1/", "--pid", "99999999"], &["--pid 99999999", "expected a process that runs"]);
    refused(&["http://127.0.0.1:9/"], &["port 9", "no process of this machine listens there", "--pid"]);
    refused(&["http://192.0.2.1/"], &["is not of this machine", "--pid"]);
    refused(&["http://127.0.0.1:1/", "-c", "5", "--max-users", "9"], &["cannot be used with"]);
    refused(&["http://127.0.0.1:1/", "-c", "5", "-q", "9"], &["cannot be used with"]);
    refused(&["http://127.0.0.1:1/", "--max-in-flight", "9"], &["--rate"]);
    let line = ["line", "http://192.0.2.1/", "--slo", "p(99)<1s", "--explain"];
    project.run(&line).assert_refused(&["--explain", "is not of this machine", "--pid"]);
}
