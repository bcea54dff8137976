//! Requests that vary and responses that are looked at: by flags, and from a file.

use std::{
    io::{BufReader, Write},
    net::{TcpListener, TcpStream},
    thread,
};

use serde_json::Value;

use crate::{
    plimsoll::{Project, has_record},
    target,
};

/// A shop: `POST /login` gives a token and a cookie, `/search` wants both, everything else is found; its port.
fn shop() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || serve(stream.unwrap()));
        }
    });
    port
}

fn serve(mut stream: TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let (head, body) = target::read_request(&mut reader)?;
        let (head_out, body_out) = respond(&head, &String::from_utf8(body).ok()?);
        write!(stream, "HTTP/1.1 {head_out}\r\nContent-Length: {}\r\n\r\n{body_out}", body_out.len()).ok()?;
    }
}

fn respond(head: &str, body: &str) -> (String, String) {
    if head.starts_with("POST /login ") {
        let Ok(login) = serde_json::from_str::<Value>(body) else { return ("400 Bad".to_owned(), String::new()) };
        let user = login["user"].as_str().unwrap_or_default();
        return (format!("201 Created\r\nSet-Cookie: id={user}"), format!(r#"{{"token": "T-{user}"}}"#));
    }
    let user = head.split("Cookie: id=").nth(1).and_then(|rest| rest.lines().next()).unwrap_or("nobody");
    let is_known = head.contains(&format!("Authorization: Bearer T-{user}\r\n"));
    match head.starts_with("GET /search?q=a%26b ") && !is_known {
        true => ("401 Unauthorized".to_owned(), String::new()),
        false => ("200 OK".to_owned(), r#"{"items": [{"id": 7}]}"#.to_owned()),
    }
}

const FILE: &str = r#"
cookies: true
feeders: {users: {file: users.csv, order: unique}}
steps:
  - {name: login, path: /login, json: {user: "{{user}}"}, captures: {token: json $.token}}
  - name: search
    path: "/search?q={{query}}"
    auth: {bearer: "{{token}}"}
    checks: [status == 200, "json $.items[0].id == 7"]
load: {model: shared-iterations, levels: [2], iterations-per-vu: 10}
"#;

fn project() -> Project {
    let project = Project::new();
    project.write("shop.yaml", FILE);
    project.write("users.csv", "user,query\nann,a&b\n\"bob, b\",a&b\n");
    project
}

fn json(project: &Project, arguments: &[&str]) -> Value {
    let load = project.run(&[&["load"], arguments, &["--format", "json"]].concat());
    serde_json::from_str(&load.stdout).unwrap_or_else(|error| panic!("{error}: {load:#?}"))
}

#[test]
fn a_flow_logs_in_and_searches_with_what_it_was_given() {
    let (project, url) = (project(), format!("http://127.0.0.1:{}", shop()));
    let all = json(&project, &[&url, "-f", "shop.yaml"]);
    let totals = &all["variants"][0]["levels"][0]["totals"];
    assert_eq!((&totals["succeeded"], &totals["failed"]), (&40.into(), &0.into()), "{all:#}");
    let fewer = json(&project, &[&url, "-f", "shop.yaml", "-n", "3", "-c", "1"]);
    assert_eq!(fewer["variants"][0]["levels"][0]["totals"]["succeeded"], 6, "flags win");
    project.write("strict.yaml", &format!("{FILE}thresholds: [\"errors<0.1%\", \"max<1us\"]\n"));
    let strict = project.run(&["load", &url, "-f", "strict.yaml"]);
    assert_eq!(strict.code, Some(99), "{strict:#?}");
    let report = project.run(&["report", "1"]).stdout;
    for said in ["login", "search", "status == 200", "json $.items[0].id == 7"] {
        assert!(report.contains(said), "expected `{said}` in:\n{report}");
    }
}

/// Each flag replaces what it names, and leaves the rest of the file's connection as it is.
#[test]
fn flags_of_connections_win_one_by_one() {
    let (project, url) = (project(), format!("http://127.0.0.1:{}", shop()));
    let text = "connection: {max-requests-per-connection: 1}\nrequest: {path: /a}\n\
                load: {model: shared-iterations, levels: [1], iterations-per-vu: 4}\n";
    project.write("one.yaml", text);
    let opened = |flags: &[&str]| {
        let report = json(&project, &[&[url.as_str(), "-f", "one.yaml"], flags].concat());
        report["variants"][0]["levels"][0]["totals"]["connections_opened"].as_u64()
    };
    assert_eq!(opened(&["--idle-time", "1m"]), Some(4));
    assert_eq!(opened(&["--max-requests-per-connection", "2"]), Some(2));
}

/// The type of the body that is replaced goes with it.
#[test]
fn a_body_by_a_flag_has_its_own_type() {
    let (project, url) = (project(), format!("http://127.0.0.1:{}", shop()));
    let shown = project.run(&["load", &format!("curl {url}/a -d a=1"), "--json", "{}", "--debug"]);
    assert!(shown.stdout.contains("application/json") && !shown.stdout.contains("urlencoded"), "{shown:#?}");
}

#[test]
fn scenarios_run_together_and_are_reported_apart() {
    let (project, url) = (project(), format!("http://127.0.0.1:{}", shop()));
    let scenario = |name: &str, n: u32, more: &str| {
        format!("  - {{name: {name}, load: {{model: shared-iterations, levels: [{n}]}}, {more}}}\n")
    };
    let text = scenario("browse", 3, "requests: [{path: /a}, {path: /b}]")
        + &scenario("buy", 5, "start: 100ms, request: {path: /c}");
    project.write("two.yaml", &format!("scenarios:\n{text}"));
    let json = json(&project, &[&url, "-f", "two.yaml"]);
    let levels = json["variants"][0]["levels"].as_array().unwrap();
    let found: Vec<_> =
        levels.iter().map(|level| (level["label"].as_str(), level["totals"]["succeeded"].as_u64())).collect();
    assert_eq!(found, [(Some("browse"), Some(3)), (Some("buy"), Some(5))], "{json:#}");
}

#[test]
fn flags_say_what_is_sent_and_what_must_come_back() {
    let (project, url) = (project(), format!("http://127.0.0.1:{}", shop()));
    let login = format!("{url}/login");
    let flags = ["-n", "4", "-c", "2", "--json", r#"{"user": "{{$uuid}}"}"#];
    let checks = ["--check", "status=201", "--check", "json $.token contains T-", "--check", "cookie id exists"];
    let good = json(&project, &[&[login.as_str()], &flags[..], &checks[..]].concat());
    assert_eq!(good["variants"][0]["levels"][0]["totals"]["succeeded"], 4, "{good:#}");
    let bad =
        project.run(&["load", &url, "-n", "4", "-c", "2", "--bearer", "s3cret", "--check", "body contains nothing"]);
    assert!(bad.stdout.contains("check-failed") && bad.stdout.contains("`body contains nothing`"), "{}", bad.stdout);
    assert!(!bad.stdout.contains("s3cret"), "{}", bad.stdout);
}

#[test]
fn what_cannot_be_requested_is_refused() {
    let project = project();
    let refused = |flags: &[&str], said: &[&str]| {
        project.run(&[&["load"], flags].concat()).assert_refused(said);
        assert!(!has_record(&project), "nothing may be recorded");
    };
    let url = "http://127.0.0.1:9/";
    refused(&[url, "--json", "{nope"], &["--json", "expected JSON"]);
    refused(&[url, "--form", "novalue"], &["--form", "NAME=VALUE"]);
    refused(&[url, "--multipart", "a=@no-such-file"], &["--multipart no-such-file"]);
    refused(&[url, "-u", "me"], &["--user", "USER:PASSWORD"]);
    refused(&[url, "-u", "me:pw", "--bearer", "t"], &["cannot be used with"]);
    refused(&[url, "-d", "a", "--form", "b=c"], &["cannot be used with"]);
    refused(&[url, "--check", "statsu == 200"], &["check `statsu == 200`", "expected `status`"]);
    refused(&[url, "-d", "{{$uid}}"], &["body", "did you mean `$uuid`?"]);
    refused(&[&format!("{url}{{{{x"), "-n", "1"], &["URL", "never closed"]);
    refused(&["-f", "shop.yaml"], &["URL"]);
    refused(&[url, "-f", "no-such.yaml"], &["no-such.yaml", "check the path"]);
    refused(&[url, "-f", "shop.yaml", "-d", "x"], &["cannot be used with"]);
    refused(&[url, "-f", "shop.yaml", "-c", "3", "-n", "3"], &["feeder `users`", "each of 3 virtual users, found 2"]);
    project.write("wrong.yaml", "request:\n  path: '/{{nope}}'\n");
    refused(&[url, "-f", "wrong.yaml"], &["wrong.yaml:2:9", "nothing here is called `nope`"]);
}
