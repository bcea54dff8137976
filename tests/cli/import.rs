//! Requests that people have at hand: what is sent is what was written there, and flags win.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use crate::plimsoll::{Finished, Project, has_record};

/// A server that hands over every request it gets, without the headers that are sent by default; its port.
fn recorder() -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (seen, requests) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let seen = seen.clone();
            thread::spawn(move || answer(stream.unwrap(), &seen));
        }
    });
    (port, requests)
}

fn answer(mut stream: TcpStream, seen: &Sender<String>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let (mut request, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok().filter(|&read| read > 0)?;
            if line.trim().is_empty() {
                break;
            }
            match line.trim().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().ok()?,
                Some(("Host" | "User-Agent" | "Accept", _)) => {}
                _ => request.push_str(&line.replace(" HTTP/1.1", "").replace("\r\n", "\n")),
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        request.push_str(&String::from_utf8_lossy(&body));
        seen.send(request).ok()?;
        write!(stream, "HTTP/1.1 200 X\r\nContent-Length: 2\r\n\r\nok").ok()?;
    }
}

/// Runs one iteration with these arguments.
fn load(project: &Project, arguments: &[&str]) -> Finished {
    let load = project.run(&[&["load", "-n", "1", "-c", "1"], arguments].concat());
    assert_eq!(load.code, Some(0), "{load:#?}");
    load
}

#[test]
fn a_curl_command_is_loaded_as_it_is_pasted() {
    let (project, (port, requests)) = (Project::new(), recorder());
    let command =
        format!("curl 'http://127.0.0.1:{port}/a?b=c' \\\n -H 'X-A: 1' -H 'X-B: 2' --compressed --data-raw 'd=e'");
    load(&project, &[&command, "-H", "x-b: 3"]).assert_says(&["note: `--compressed` is left out"]);
    let expected = "POST /a?b=c\nX-A: 1\nContent-Type: application/x-www-form-urlencoded\nx-b: 3\nd=e";
    assert_eq!(requests.recv().unwrap(), expected);
    let listed = project.run(&["list"]).stdout;
    assert!(listed.contains(&format!("'curl http://127.0.0.1:{port}/a?b=c …'")) && !listed.contains("X-A"), "{listed}");
}

const HTTP: &str = "\
@id = 7
### first
GET {{base}}/items/{{id}}

### second
POST {{base}}/items
Content-Type: application/json

< ./item.json
";

#[test]
fn a_http_file_is_loaded_in_its_order_with_an_environment() {
    let (project, (port, requests)) = (Project::new(), recorder());
    project.write("x.http", HTTP);
    project.write("item.json", "{}");
    project.write("http-client.env.json", &format!(r#"{{"dev": {{"base": "http://127.0.0.1:{port}"}}}}"#));
    let report = load(&project, &["--http", "x.http", "--env", "dev"]);
    assert!(report.stdout.contains("first") && report.stdout.contains("second"), "{report:#?}");
    assert_eq!(requests.recv().unwrap(), "GET /items/7\n");
    assert_eq!(requests.recv().unwrap(), "POST /items\nContent-Type: application/json\n{}");
    load(&project, &["--http", "x.http", "--env", "dev", "--request", "second", "-d", "[]"]);
    assert_eq!(requests.recv().unwrap(), "POST /items\nContent-Type: application/json\n[]");
}

#[test]
fn a_recording_is_loaded_at_another_host() {
    let (project, (port, requests)) = (Project::new(), recorder());
    let entry = |url: &str, second| {
        format!(
            r#"{{"startedDateTime": "2026-01-01T00:00:0{second}Z", "time": 0,
                 "request": {{"method": "GET", "url": "{url}", "headers": [{{"name": "x", "value": "y"}}]}}}}"#
        )
    };
    let entries = [entry("https://a.example/1?q", 0), entry("https://b.example/", 1), entry("https://a.example/2", 2)];
    project.write("x.har", &format!(r#"{{"log": {{"entries": [{}]}}}}"#, entries.join(",")));
    let base = format!("http://127.0.0.1:{port}");
    load(&project, &["--har", "x.har", &base]).assert_says(&["b.example (1)", "left out (2.00 s in all)"]);
    assert_eq!(
        (requests.recv().unwrap(), requests.recv().unwrap()),
        ("GET /1?q\nx: y\n".into(), "GET /2\nx: y\n".into())
    );
    let started = Instant::now();
    load(&project, &["--har", "x.har", &base, "--har-pauses"]);
    assert!(started.elapsed() >= Duration::from_secs(2), "the pause of the recording is kept");
}

#[test]
fn an_operation_of_an_openapi_document_is_loaded() {
    let (project, (port, requests)) = (Project::new(), recorder());
    let schema = "{type: object, properties: {n: {type: integer}}}";
    let body = format!("{{content: {{application/json: {{schema: {schema}}}}}}}");
    let document = format!("openapi: 3.0.3\npaths: {{/x: {{put: {{operationId: putX, requestBody: {body}}}}}}}\n");
    project.write("api.yaml", &document);
    load(&project, &["--openapi", "api.yaml", "--operation", "putX", &format!("127.0.0.1:{port}/v1")]);
    assert_eq!(requests.recv().unwrap(), "PUT /v1/x\nContent-Type: application/json\n{\"n\":1}");
}

#[test]
fn what_cannot_be_loaded_says_why() {
    let project = Project::new();
    let refused = |arguments: &[&str], said: &[&str]| {
        project.run(&[&["load"], arguments].concat()).assert_refused(said);
        assert!(!has_record(&project), "nothing may be recorded");
    };
    project.write("x.http", HTTP);
    project.write("uuid.http", "GET http://127.0.0.1:9/{{$uid}}\n");
    project.write("two.http", "GET http://127.0.0.1:9/\n###\nGET http://127.0.0.1:10/\n");
    project.write("api.yaml", "openapi: 3.0.3\nservers: [{url: /v1}]\npaths: {/x: {get: {operationId: getX}}}\n");
    project.write("text", "no JSON");
    refused(&[], &["required"]);
    refused(&["curl"], &["in quotes"]);
    refused(&["curl http://h/ --no-such-flag"], &["curl:1:16", "`--no-such-flag` is not supported"]);
    refused(&["curl http://h/{{id}}"], &["`{{id}}` has no value"]);
    refused(&["curl http://h/ --connect-to nonsense"], &["--connect-to", "HOST:PORT"]);
    refused(&["curl http://h/", "--http", "x.http"], &["exclude each other"]);
    refused(&["--http", "x.http", "--har", "y.har"], &["cannot be used with"]);
    refused(&["--http", "no-such.http"], &["--http no-such.http", "No such file"]);
    refused(&["--http", "x.http", "--request", "first"], &["`{{base}}` has no value", "--env"]);
    refused(&["--http", "x.http", "--env", "dev"], &["no environment `dev`"]);
    refused(&["--http", "uuid.http"], &["`$uid`", "did you mean `$uuid`?"]);
    refused(&["--http", "two.http"], &["go to one scheme, host and port"]);
    refused(&["--http", "two.http", "-d", "x"], &["-m and the flags for a body", "for one request, found 2"]);
    refused(&["--http", "two.http", "http://127.0.0.1:9/path"], &["scheme, host and port alone"]);
    refused(&["--har", "text"], &["text:1:", "expected a HAR"]);
    refused(&["--har-host", "h"], &["--har"]);
    refused(&["--openapi", "api.yaml"], &["--operation"]);
    refused(&["--openapi", "api.yaml", "--operation", "getY"], &["no operation `getY`", "`getX`"]);
    refused(&["--openapi", "api.yaml", "--operation", "getX"], &["give the URL to load as well"]);
    refused(&["--operation", "x"], &["--openapi"]);
}
