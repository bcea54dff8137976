//! `plimsoll upstream` as a program: what it prints, and what it refuses.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, ChildStdout, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use crate::plimsoll::Project;

/// An upstream that runs.
pub struct Upstream {
    child: Child,
    stdout: BufReader<ChildStdout>,
}

impl Upstream {
    pub fn start(project: &Project, flags: &[&str]) -> Self {
        let mut command = project.command(&[&["upstream"], flags].concat());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        Self { stdout: BufReader::new(child.stdout.take().unwrap()), child }
    }

    /// One that tells programs where it is, and its URL.
    pub fn with_url(project: &Project, flags: &[&str]) -> (Self, String) {
        let mut upstream = Self::start(project, &[&["--json"], flags].concat());
        let ready: serde_json::Value = serde_json::from_str(&upstream.line()).unwrap();
        let url = ready["ready"]["url"].as_str().unwrap().to_owned();
        (upstream, url)
    }

    /// As `with_url`, at a port that stays closed once it has ended: it is none of those that the kernel gives to
    /// whoever asks for any.
    pub fn at_own_port(project: &Project, flags: &[&str]) -> (Self, String) {
        let port = plimsoll_lab::port::free().expect("a free port").to_string();
        Self::with_url(project, &[&["--port", &port], flags].concat())
    }

    /// The next line that it prints.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line
    }

    /// Presses Ctrl-C; the exit code and what it still says.
    pub fn interrupt(mut self) -> (Option<i32>, String) {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }
}

#[test]
fn people_read_where_it_is_and_what_it_counted() {
    let project = Project::new();
    let mut upstream = Upstream::start(&project, &["-l", "uniform 1ms..2ms", "--mtls"]);
    let first = upstream.line();
    assert!(first.starts_with("Upstream https://127.0.0.1:"), "{first}");
    assert!(first.ends_with("uniform 1 ms..2 ms, mutual TLS\n"), "{first}");
    let authority = upstream.line();
    assert!(authority.contains(".plimsoll/upstream/ca.pem"), "{authority}");
    assert!(project.path(".plimsoll/upstream/client-key.pem").exists());
    let (code, rest) = upstream.interrupt();
    assert_eq!(code, Some(0));
    assert!(rest.contains("curl -i --cacert") && rest.contains("TLS handshakes"), "{rest}");
}

#[test]
fn programs_read_lines_of_json() {
    let project = Project::new();
    project.write("plan.json", r#"{"latency_ns": {"constant": 1000000}, "servers": 3}"#);
    let flags = ["--config", "plan.json", "--json", "--interval", "50ms"];
    let mut upstream = Upstream::start(&project, &flags);
    let ready: serde_json::Value = serde_json::from_str(&upstream.line()).unwrap();
    let url = ready["ready"]["url"].as_str().unwrap().to_owned();
    let load = project.run(&["load", &url, "-n", "20", "-c", "2", "-o", "json=load.json"]);
    assert_eq!(load.code, Some(0), "{load:#?}");
    let counts: serde_json::Value = serde_json::from_str(&upstream.line()).unwrap();
    assert!(counts["counts"]["at_ns"].as_u64() >= Some(50_000_000), "{counts}");
    let (code, rest) = upstream.interrupt();
    assert_eq!(code, Some(0));
    let last: serde_json::Value = serde_json::from_str(rest.lines().last().unwrap()).unwrap();
    assert_eq!((&last["counts"]["requests"], &last["counts"]["connections_opened"]), (&20.into(), &2.into()));
}

#[test]
fn what_cannot_be_is_refused() {
    let project = Project::new();
    let refused = |flags: &[&str], said: &[&str]| project.run(&[&["upstream"], flags].concat()).assert_refused(said);
    refused(&["-l", "fast"], &["--latency", "expected a duration", "lognormal 20ms p99 200ms"]);
    refused(&["-l", "lognormal 20ms p99 10ms"], &["--latency", "a p99 above it"]);
    refused(&["-l", "histogram no-such.hlog"], &["cannot read no-such.hlog"]);
    refused(&["--body-time", "9"], &["--body-time", "unit"]);
    refused(&["-c", "0"], &["--servers", "at least 1"]);
    refused(&["--freeze", "10s every 1s"], &["--freeze", "less than from one to the next"]);
    refused(&["--size", "10s"], &["--size", "a size"]);
    refused(&["--status", "200:1,999:1"], &["--status", "200 to 599", "999"]);
    refused(&["--seed", "x"], &["--seed"]);
    refused(&["--idle-time", "0s"], &["--idle-time", "more than zero"]);
    refused(&["--max-requests-per-connection", "0"], &["--max-requests-per-connection", "at least 1"]);
    refused(&["--disable-keepalive", "--idle-time", "5s"], &["--disable-keepalive", "--idle-time"]);
    refused(&["--max-connections", "999999999"], &["ulimit -Hn"]);
    refused(&["--backlog", "0"], &["--backlog"]);
    refused(&["--no-tls-resumption"], &["--no-tls-resumption is for TLS: add --tls or --mtls"]);
    project.write("file", "");
    refused(&["--tls", "--certificates", "file"], &["certificates could not be made", "name another folder"]);
    refused(&["--bind", "localhost"], &["--bind", "IP address"]);
    refused(&["--bind", "203.0.113.1"], &["cannot listen on 203.0.113.1:0"]);
    refused(&["--port", "70000"], &["--port"]);
    refused(&["--threads", "0"], &["--threads"]);
    refused(&["--interval", "1s"], &["--json"]);
    refused(&["--config", "no-such.json"], &["no-such.json: cannot be read"]);
    project.write("bad.json", r#"{"servers": 0}"#);
    refused(&["--config", "bad.json"], &["bad.json: `servers`: expected at least 1"]);
    project.write("worse.json", r#"{"severs": 1}"#);
    refused(&["--config", "{}x"], &["--config: trailing characters"]);
    refused(&["--config", "worse.json"], &["worse.json: unknown field `severs`"]);
}

/// A target of which nothing is asked but that it is ready: the load goes to its upstream.
fn experiment(upstream: &str, claims: &str) -> String {
    format!(
        "variants:\n  \
           direct:\n    \
             command: [{exe}, upstream, --port, '{{port}}']\n    \
             env: {{CA: '{{upstream-ca}}'}}\n    \
             ready: 'http://127.0.0.1:{{port}}/'\n    \
             url: '{{upstream}}/'\n    \
             upstream: {{{upstream}}}\n\
         requests: [{{path: '/x?of={{{{upstream-host}}}}'}}]\n\
         connection: {{insecure: true, max-requests-per-connection: 10}}\n\
         load: {{model: shared-iterations, levels: [2], iterations-per-vu: 100}}\n\
         rounds: 3\n{claims}",
        exe = env!("CARGO_BIN_EXE_plimsoll"),
    )
}

/// The results of an experiment from whose claims no verdict is withheld: other tests may take the machine meanwhile.
fn undisturbed(project: &Project, file: &str) -> serde_json::Value {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_mins(30) {
        let run = project.run(&["run", file, "--format", "json"]);
        assert_eq!(run.code, Some(0), "{run:#?}");
        let results: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let is_disturbed = |claim: &serde_json::Value| {
            let withheld = ["other processes used", "the generator was the limit"];
            claim["reason"].as_str().is_some_and(|reason| withheld.iter().any(|words| reason.starts_with(words)))
        };
        if !results["claims"].as_array().unwrap().iter().any(is_disturbed) {
            return results;
        }
    }
    panic!("others took the machine all of the time");
}

#[test]
fn an_experiment_has_one_for_each_run() {
    let project = Project::new();
    let claims = "claims:\n  - {says: a, claim: upstream_connections_per_1000(direct @ 2) <= 200}\n  \
                  - {says: b, claim: upstream_handshakes_per_1000(direct @ 2) >= 50}\n";
    project.write("x.yaml", &experiment("latency: 2ms, mutual-tls: false, tls: true", claims));
    let results = undisturbed(&project, "x.yaml");
    assert_eq!(results["variants"][0]["settings"]["upstream"], "2 ms, TLS");
    for claim in results["claims"].as_array().unwrap() {
        assert_eq!(claim["verdict"], "holds", "{claim:#}");
    }
    let report = project.run(&["report"]);
    assert!(report.stdout.contains("connects /1k"), "{}", report.stdout);
    let runs = results["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 3);
    for run in runs {
        assert_eq!(run["status"], "done", "{run:#}");
        assert!(run["command"].as_str().unwrap().contains("/ca.pem"), "{run:#}");
        let last = |metric: &str| run["samples"][metric].as_array().unwrap().last().unwrap()["value"].clone();
        assert_eq!(last("upstream_requests"), 200.0, "{run:#}");
        assert_eq!(last("upstream_tls_handshakes"), last("upstream_connections_opened"));
    }
}
