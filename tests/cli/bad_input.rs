//! Everything that can be known to be wrong is refused with exit code 2 before anything is launched, and says where it
//! is wrong and what to do.

use std::net::TcpListener;

use crate::{
    plimsoll::{Finished, Project, has_record},
    target,
};

const LOAD: &str = "load: {model: shared-iterations, levels: [10]}\n";

/// A file with one variant that could run, plus `more`.
fn with(more: &str) -> String {
    format!("variants:\n  a: {{subject: greetings-web}}\n{LOAD}{more}")
}

/// Asserts that `run` refuses this file, naming it, the line, and all of `said`; and that nothing was recorded.
fn refused(text: &str, line: usize, said: &[&str]) {
    let project = Project::new();
    project.write("x.yaml", text);
    let run = project.run(&["run", "x.yaml"]);
    run.assert_refused(&[&format!("x.yaml:{line}:")]);
    run.assert_says(said);
    assert!(!has_record(&project), "nothing may be recorded");
    project.run(&["check", "x.yaml"]).assert_refused(said);
}

#[test]
fn experiment_files() {
    refused(&with("rouns: 3\n"), 4, &["rouns", "did you mean `rounds`"]);
    refused(&with("rounds: many\n"), 4, &["rounds", "whole number", "many"]);
    refused(&with("warmup: {duration: 10, vus: 1}\n"), 4, &["warmup.duration", "unit"]);
    refused(&format!("variants:\n  a: {{subject: greetings-web}}\n  a: {{subject: greetings-web}}\n{LOAD}"), 3, &["a"]);
    refused(&with("claims:\n  - {says: x, claim: throughput(b @ 10) > 1/s}\n"), 5, &["`b`"]);
    refused(&with("claims:\n  - {says: x, claim: throughput(a @ 11) > 1/s}\n"), 5, &["`11`"]);
    let of_series = "claims:\n  - {says: x, claim: \"target_mean(a @ 10, 'up') > 1\"}\n";
    refused(&with(of_series), 5, &["`metrics: {keep: …}` of `a` does not have `up`"]);
    let circle = format!("variants:\n  a: {{extends: b}}\n  b: {{extends: a}}\n{LOAD}");
    refused(&circle, 3, &["in a circle: a → b → a"]);
    let nothing = "matrix: {name: 'x-{packaging}', axes: {packaging: [jar]}, variant: {subject: greetings-web}, exclude: [{packaging: jar}]}\n";
    refused(&format!("{nothing}{LOAD}"), 1, &["nothing"]);
}

fn command(keys: &str) -> String {
    format!("variants:\n  mine: {{{keys}}}\n{LOAD}")
}

#[test]
fn commands_that_cannot_be_launched() {
    let urls = "ready: 'http://127.0.0.1:{port}/', url: 'http://127.0.0.1:{port}/'";
    refused(
        &command(&format!("command: [no-such-program-here, '{{port}}'], {urls}")),
        2,
        &["no-such-program-here", "not found"],
    );
    refused(
        &command(&format!("command: [sleep, '{{port}}'], workdir: /no/such/place, {urls}")),
        2,
        &["/no/such/place"],
    );
    let holder = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = holder.local_addr().unwrap().port();
    let urls = format!("ready: 'http://127.0.0.1:{port}/', url: 'http://127.0.0.1:{port}/'");
    refused(&command(&format!("command: [sleep, '9'], {urls}")), 2, &[&format!("port {port} is taken")]);
    refused(&command("command: [sleep, '{port}'], ready: 'http://', url: 'http://127.0.0.1:{port}/'"), 2, &["ready"]);
}

#[test]
fn files_that_cannot_be_read() {
    let project = Project::new();
    project.run(&["run", "nowhere.yaml"]).assert_refused(&["nowhere.yaml", "check the path"]);
    project.run(&["check", "."]).assert_refused(&["folder"]);
}

#[test]
fn flags_of_load() {
    let project = Project::new();
    let refused = |flags: &[&str], said: &[&str]| {
        project.run(&[&["load"], flags].concat()).assert_refused(said);
        assert!(!has_record(&project), "nothing may be recorded");
    };
    let url = "http://127.0.0.1:9/";
    refused(&["http://"], &["host"]);
    refused(&["http:///greetings"], &["host"]);
    refused(&[url, "-c", "0"], &["--connections", "at least 1"]);
    refused(&[url, "-n", "5", "-c", "10"], &["-n 5 -c 10", "use -c 5 or -n 10"]);
    refused(&[url, "-n", "10kk"], &["--requests", "whole number", "10kk"]);
    refused(&[url, "-c", "1.5"], &["--connections", "whole number"]);
    refused(&[url, "-R", "fast", "-z", "1s"], &["--rate", "500 or 5k"]);
    refused(&[url, "-o", "pdf"], &["expected a format, one of `terminal`", "hlog"]);
    refused(&[url, "-o", "json="], &["expected a file after"]);
    refused(&[url, "-o", "json", "-o", "csv"], &["only one can go to stdout", "csv=FILE"]);
    refused(&["--prometheus", url], &["--prometheus", "put it before"]);
    refused(&[url, "--otlp", "localhost:4318"], &["--otlp", "http://localhost:4318"]);
    refused(&[url, "--otlp", "https://localhost:4318"], &["https:// is not supported"]);
    let holder = TcpListener::bind("127.0.0.1:0").unwrap();
    refused(
        &[url, "--prometheus", &holder.local_addr().unwrap().to_string()],
        &["cannot listen there", "another port"],
    );
    refused(&[url, "-z", "30"], &["--duration", "unit"]);
    refused(&[url, "-q", "100"], &["--duration"]);
    refused(&[url, "-q", "100", "-z", "1s", "-n", "5"], &["cannot be used with"]);
    refused(&[url, "--poisson"], &["for rates"]);
    refused(&["http://me:secret@127.0.0.1/"], &["Authorization"]);
    refused(&[url, "-H", "no colon"], &["--header", "Name: value"]);
    refused(&[url, "-D", "no-such-file"], &["no-such-file"]);
    refused(&["ftp://127.0.0.1/"], &["http://"]);
    let https = "https://127.0.0.1:9/";
    refused(&[url, "--insecure"], &["flags for TLS", "not an https:// URL"]);
    refused(&[https, "-k", "--cacert", "ca.pem"], &["cannot be used with"]);
    refused(&[https, "--cacert", "no-such.pem"], &["no-such.pem", "PEM"]);
    refused(&[https, "--cert", "a.pem"], &["--key"]);
    refused(&[https, "--key", "a.pem"], &["--cert"]);
    refused(&[https, "--cert", "a.pem", "--key", "b.pem"], &["a.pem: expected a file that holds a certificate"]);
    refused(&[https, "--sni", "no name"], &["`no name` cannot be the name"]);
    refused(&[https, "--tls-min", "1.1"], &["--tls-min", "1.2, 1.3"]);
    refused(&[https, "--tls-min", "1.3", "--tls-max", "1.2"], &["no version of TLS is left"]);
    refused(&[url, "--unix-socket", "a.sock", "--proxy", "http://p:1"], &["cannot be used with"]);
    refused(&[url, "--unix-socket", &"x".repeat(200)], &["cannot be the path of a Unix socket"]);
    refused(&[url, "--streams", "4"], &["--http2"]);
    refused(&[url, "--http2", "--streams", "0"], &["--streams", "0 is not in 1.."]);
    refused(&[url, "--http2", "--streams", "4", "--disable-keepalive"], &["cannot be used with"]);
    refused(&[url, "--connect-to", "a:1:b"], &["HOST:PORT:ADDR:PORT"]);
    refused(&[url, "--dns", "never"], &["--dns", "per-connection"]);
    refused(&[url, "--proxy", "p:3128"], &["--proxy", "it has no `http://`"]);
    refused(&[url, "--proxy", "http://no-such-host.invalid:1"], &["`no-such-host.invalid` cannot be resolved"]);
    refused(&[url, "--source", "127.0.0.2,here"], &["--source", "found `here`"]);
    refused(&[url, "--source", "192.0.2.1"], &["cannot come from 192.0.2.1"]);
    refused(&[url, "--source", "::1"], &["expected at least one that is IPv4"]);
    refused(&[url, "--max-requests-per-connection", "0"], &["0 is not in 1.."]);
    refused(&[url, "--idle-time", "5"], &["--idle-time", "unit"]);
    refused(&[url, "--idle-time", "5s", "--disable-keepalive"], &["cannot be used with"]);
    refused(&[url, "--reuse", "newest"], &["--reuse", "latest, oldest, random"]);
    refused(&["http://no-such-host.invalid/"], &["cannot be resolved"]);
    project.write("a-file", "");
    refused(&[url, "-o", "json=a-file/out.json"], &["there is no folder a-file"]);
    refused(&[url, "-o", "html=."], &["expected a file, found a folder"]);
    refused(&[url, "--threshold", "p99<200ms"], &["--threshold 'p99<200ms': at character 1", "`p(99)`"]);
    refused(&[url, "--threshold", "errors<1%", "count{request:buy}>1"], &["no request is called `buy`"]);
    refused(&[url, "--segment", "0/4"], &["--segment", "counted from 1", "1/4 to 4/4"]);
    refused(&[url, "--segment", "5/4"], &["--segment", "only 4 parts"]);
    refused(&[url, "--segment", "x"], &["--segment", "expected I/N", "`x`"]);
    refused(&[url, "--segment", "1/4", "-c", "3"], &["--segment 1/4", "which are 3"]);
    refused(&[url, "--segment", "1/2", "-q", "9", "-z", "1s", "--poisson"], &["--seed", "arrive at random"]);
    refused(&[url, "--start-at", "2020-01-01T00:00:00Z"], &["--start-at", "h", "ago"]);
    refused(&[url, "--start-at", "soon"], &["--start-at", "+30s"]);
    refused(&[url, "-n", "4000000000", "-c", "4000000000"], &["file descriptors", "ulimit -Hn"]);
}

#[test]
fn records_that_cannot_be_used() {
    let project = Project::new();
    project.run(&["report", "last"]).assert_refused(&["plimsoll run"]);
    project.write("file", "not a directory");
    let load = |record: &str| project.run(&["load", "http://127.0.0.1:9/", "-n", "1", "--record", record]);
    load("file/plimsoll.db").assert_refused(&["file"]);
    project.write("text.db", &"this is no database at all\n".repeat(100));
    load("text.db").assert_refused(&["text.db"]);
    assert_eq!(load("good.db").code, Some(1), "the refused connection is an error of the target, not of the input");
    project.run(&["report", "99", "--record", "good.db"]).assert_refused(&["99"]);
    project.run(&["report", "first", "--record", "good.db"]).assert_refused(&["`last` or a number"]);
    project.run(&["report", "--record", "good.db", "-o", "file/x.html"]).assert_refused(&["file/x.html", "-o"]);
}

/// A directory that looks like a JDK of this version.
fn jdk(project: &Project, version: &str) -> String {
    let home = project.path(version);
    std::fs::create_dir_all(home.join("bin")).unwrap();
    std::fs::write(home.join("bin/javac"), "").unwrap();
    std::fs::write(home.join("release"), format!("JAVA_VERSION=\"{version}\"\n")).unwrap();
    home.to_str().unwrap().to_owned()
}

#[test]
fn a_jdk_that_is_too_old_is_named_with_what_to_install() {
    let project = Project::new();
    project.write("x.yaml", &with("rounds: 1\n").replace("greetings-web}", "greetings-web, packaging: aot-cache}"));
    let run_on = |version: &str| {
        let mut command = project.command(&["run", "x.yaml"]);
        let output = command.env("PLIMSOLL_JAVA_HOME", jdk(&project, version)).output().unwrap();
        Finished::from(output)
    };
    let old = run_on("17.0.9");
    assert_eq!(old.code, Some(2), "{old:#?}");
    old.assert_says(&["JDK 21 or newer needed", "17.0.9", "install JDK 25"]);
    let without_cache = run_on("21.0.4");
    assert_eq!(without_cache.code, Some(2), "{without_cache:#?}");
    without_cache.assert_says(&["an AOT cache needs JDK 24 or newer", "21.0.4"]);
}

#[test]
fn a_report_is_not_written_into_a_folder_that_is_not_there() {
    let project = Project::new();
    let there = project.path("nowhere");
    let file = there.join("x.html").display().to_string();
    for command in [
        &["report", "last", "-o", &file][..],
        &["load", "http://127.0.0.1:9/", "-n", "1", "-o", &format!("html={file}")],
    ] {
        project.run(command).assert_refused(&["there is no folder ", "/nowhere: make it, or choose another place"]);
    }
    assert!(!there.exists());
}

#[test]
fn a_record_in_the_place_of_an_execution_is_explained() {
    let project = Project::new();
    project.run(&["report", "gone.db"]).assert_refused(&["found `gone.db`; no such file is there", "--record FILE"]);
    project.write("here.db", "");
    project.run(&["report", "here.db"]).assert_refused(&["a record is named by `--record here.db`"]);
}

#[test]
fn flags_win_over_the_levels_of_a_file() {
    let project = Project::new();
    project.write("load.yaml", "request: {path: /x}\nload: {model: constant-vus, levels: [5, 10], duration: 1s}\n");
    let (url, file) = (format!("http://127.0.0.1:{}", target::start()), ["-f", "load.yaml"]);
    let with = |more: &[&str]| project.run(&[&["load", &url], &file[..], more].concat());
    with(&[]).assert_refused(&[
        "load.yaml:2:7",
        "a URL gets one load, and these are 2",
        "-c 100 -z 30s",
        "plimsoll run",
    ]);
    assert_eq!(with(&["-n", "10"]).code, Some(0));
    let shown = with(&["--debug"]);
    assert!(shown.code == Some(0) && shown.stdout.contains("GET /x HTTP/1.1"), "{shown:#?}");
}
