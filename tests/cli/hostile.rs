//! Servers and files of others that mean harm: nothing of theirs reaches a terminal as more than signs, and
//! nothing grows without bound.

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    process::Command,
    thread,
};

use crate::plimsoll::Project;

/// Clears the screen, rings, sets the title by C1, turns the direction.
const POISON: &str = "\u{1b}[2J\u{7}\u{9d}0;x\u{9c}\u{202e}\u{7f}";

/// A server that gives each connection the same answer; its address.
fn answers(response: String) -> String {
    serves(move |mut stream| {
        let _ = stream.write_all(response.as_bytes());
    })
}

/// A server that does the same with each connection once a head has come; its address.
fn serves(answer: impl Fn(TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut head = BufReader::new(&stream);
            let mut line = String::new();
            while head.read_line(&mut line).is_ok_and(|read| read > 2) {
                line.clear();
            }
            answer(stream);
        }
    });
    address
}

#[track_caller]
fn assert_harmless(what: &str, text: &str) {
    let is_obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || c == '\u{202e}';
    let text = text.replace("\r\n", "\n");
    let found = text.lines().find(|line| line.contains(is_obeyed));
    assert!(found.is_none(), "{what}: {found:?}");
}

#[test]
fn nothing_that_a_server_says_reaches_the_terminal_as_more_than_signs() {
    let project = Project::new();
    let hostile = format!("http://[{POISON}/");
    let address = answers(format!(
        "HTTP/1.1 302 Found\r\nLocation: {hostile}\r\nServer-Timing: {POISON};dur=1\r\nContent-Length: 0\r\n\r\n"
    ));
    let url = format!("http://{address}/");
    let load = project.run(&["load", &url, "-n", "4", "-c", "1", "--redirects", "3", "--trace", "4"]);
    assert!(!load.stdout.is_empty(), "{load:#?}");
    assert_harmless("load", &load.stdout);
    assert_harmless("load's errors", &load.stderr);
    for format in ["terminal", "markdown", "html", "json", "csv"] {
        assert_harmless(format, &project.run(&["report", "--format", format, "--full"]).stdout);
    }
    let title = format!("{url}?{POISON}");
    for arguments in [&["load", &title, "-n", "1", "--debug"][..], &["load", &url, POISON], &["list", POISON]] {
        let said = project.run(arguments);
        assert_harmless("stdout", &said.stdout);
        assert_harmless("stderr", &said.stderr);
    }
    assert_harmless("list", &project.run(&["list"]).stdout);
}

#[test]
fn the_output_of_a_target_that_dies_is_harmless() {
    let project = Project::new();
    project.write("said", POISON);
    let script = format!("cat {}; exit 3", project.path("said").display());
    let keys = "ready: 'http://127.0.0.1:{port}/', url: 'http://127.0.0.1:{port}/'";
    let load = "load: {model: shared-iterations, levels: [1]}\n";
    project.write("x.yaml", &format!("variants:\n  a: {{command: [sh, -c, {script:?}, '{{port}}'], {keys}}}\n{load}"));
    let run = project.run(&["run", "x.yaml"]);
    assert!(run.stdout.contains("exited with status 3") || run.stderr.contains("exited with status 3"), "{run:#?}");
    assert_harmless("stdout", &run.stdout);
    assert_harmless("stderr", &run.stderr);
}

#[test]
fn files_without_an_end_are_refused_by_every_flag() {
    let project = Project::new();
    let pipe = project.path("pipe").display().to_string();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let url = "http://127.0.0.1:9/";
    for arguments in [
        &["check", &pipe][..],
        &["upstream", "--config", &pipe],
        &["load", "--http", &pipe],
        &["load", "--har", &pipe],
        &["load", "--openapi", &pipe, "--operation", "x"],
        &["load", url, "-D", &pipe],
        &["load", url, "-f", &pipe],
        &["load", "https://127.0.0.1:9/", "--cacert", &pipe],
        &["load", &format!("curl -d @{pipe} {url}")],
    ] {
        project.run(arguments).assert_refused(&["expected a file, found a pipe: save it first"]);
        let endless: Vec<&str> = arguments.iter().map(|it| if **it == pipe { "/dev/zero" } else { it }).collect();
        if endless != arguments {
            project.run(&endless).assert_refused(&["expected a file, found a device"]);
        }
    }
}

#[test]
fn what_grows_without_bound_is_refused_with_one_error() {
    let project = Project::new();
    let refused = |arguments: &[&str], said: &str| project.run(arguments).assert_refused(&[said]);
    project.write("many.http", &"###\nGET http://127.0.0.1:9/\n".repeat(1_001));
    refused(&["load", "--http", "many.http"], "at most 1,000 requests, found 1,001: choose one with --request");
    let entry = r#"{"request": {"method": "GET", "url": "http://h/"}}"#;
    project.write("many.har", &format!(r#"{{"log": {{"entries": [{}]}}}}"#, vec![entry; 1_001].join(",")));
    refused(&["load", "--har", "many.har"], "at most 1,000 requests, found 1,001 to `h`");
    let doubled: String = (1..31).map(|n| format!("  v{n}: '{{{{v{0}}}}}{{{{v{0}}}}}'\n", n - 1)).collect();
    let load = "load: {model: shared-iterations, levels: [1]}\n";
    let file = format!("variables:\n  v0: xxxxxxxx\n{doubled}request: {{body: '{{{{v30}}}}'}}\n{load}");
    project.write("doubled.yaml", &file);
    refused(&["load", "http://127.0.0.1:9/", "-f", "doubled.yaml"], "more than 1 MiB here");
    let doubled: String = (1..31).map(|n| format!("@v{n} = {{{{v{0}}}}}{{{{v{0}}}}}\n", n - 1)).collect();
    project.write("doubled.http", &format!("@v0 = xxxxxxxx\n{doubled}GET http://127.0.0.1:9/{{{{v30}}}}\n"));
    refused(&["load", "--http", "doubled.http"], "more than 1 MiB here");
    let long = "x".repeat(300);
    project.write("long.yaml", &format!("variants:\n  {long}: {{subject: greetings-web}}\n{load}"));
    refused(&["check", "long.yaml"], "at most 100 characters, found 300");
}

#[test]
fn imported_texts_read_no_files_outside_their_folder() {
    let project = Project::new();
    std::fs::create_dir(project.path("in")).unwrap();
    project.write("secret.yaml", "a: b\n");
    project.write("in/a.http", "POST http://127.0.0.1:9/\n\n< ../secret.yaml\n");
    let paths = "paths: {/: {get: {parameters: [{$ref: '../secret.yaml#/a'}]}}}";
    project.write("in/a.yaml", &format!("openapi: 3.0.0\nservers: [{{url: 'http://127.0.0.1:9'}}]\n{paths}\n"));
    let said = ["leaves the folder", "--import-root"];
    project.run(&["load", "--http", "in/a.http"]).assert_refused(&said);
    project.run(&["load", "--openapi", "in/a.yaml", "--operation", "GET /"]).assert_refused(&said);
    let wide = project.run(&["load", "--http", "in/a.http", "--import-root", ".", "--debug"]);
    assert_eq!(wide.code, Some(1), "it is read, and nobody listens: {wide:#?}");
}
