//! Outputs about a load: files, and monitoring systems while it runs.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::{
    plimsoll::{Finished, Project, has_record},
    target,
};

#[test]
fn one_load_is_told_in_several_formats_at_once() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("127.0.0.1:{port}/a");
    let outputs = ["-o", "json", "-o", "series=out/s.csv", "-o", "hlog=out/x.hlog", "-o", "prom=./new/x.prom"];
    let load = project.run(&[&["load", &url, "-n", "0.2k", "-c", "4"], &outputs[..]].concat());
    assert_eq!(load.code, Some(0), "{load:#?}");
    let json: Value = serde_json::from_str(&load.stdout).unwrap();
    assert_eq!(json["variants"][0]["levels"][0]["totals"]["succeeded"], 200);
    let file = |name: &str| std::fs::read_to_string(project.path(name)).unwrap();
    let series = file("out/s.csv");
    let column = series.lines().next().unwrap().split(',').position(|head| head == "succeeded").unwrap();
    let succeeded = |row: &str| row.split(',').nth(column).unwrap().parse::<u64>().unwrap();
    assert_eq!(series.lines().skip(1).map(succeeded).sum::<u64>(), 200, "{series}");
    let log = file("out/x.hlog");
    assert!(log.contains("#[Histogram log format version 1.3]") && log.contains("Tag=response,0.000,"), "{log}");
    let prometheus = file("new/x.prom");
    let expected = format!("k6_http_reqs_total{{scenario=\"default\",name=\"http://{url}\",status=\"200\"}} 200\n");
    assert!(prometheus.contains(&expected), "{prometheus}");
    for format in ["series", "hlog", "prom"] {
        let again = project.run(&["report", "--format", format]).stdout;
        let name = [("series", "out/s.csv"), ("hlog", "out/x.hlog"), ("prom", "new/x.prom")];
        let name = name.iter().find(|it| it.0 == format).unwrap().1;
        assert_eq!(again, file(name), "the record says the same again");
    }
}

#[test]
fn files_leave_the_terminal_report_where_it_is() {
    let (project, port) = (Project::new(), target::start());
    let load = project.run(&["load", &format!("127.0.0.1:{port}/"), "-n", "5", "-c", "1", "-o", "json=x.json"]);
    assert!(load.stdout.contains("5 requests by 1 virtual user"), "{load:#?}");
    assert!(project.path("x.json").exists());
}

#[test]
fn debug_shows_one_request_whole_and_records_nothing() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("127.0.0.1:{port}/a?b");
    let shown = project.run(&["load", &url, "-m", "POST", "-d", "name=value", "-n", "1k", "--debug"]);
    assert_eq!(shown.code, Some(0), "{shown:#?}");
    for expected in [
        &format!("connected to 127.0.0.1:{port}\n"),
        "> POST /a?b HTTP/1.1\n",
        ">\n> name=value\n",
        "< HTTP/1.1 200 X\n",
        "< Content-Length: 2\n<\n< ok\n",
        "Request: status 200\n",
        "  first byte ",
        "  response time ",
    ] {
        assert!(shown.stdout.contains(expected), "no {expected:?} in\n{}", shown.stdout);
    }
    assert_eq!(shown.stdout.matches("> POST").count(), 1, "once, whatever -n says");
    assert!(!has_record(&project));
    let refused = project.run(&["load", "127.0.0.1:9", "--debug"]);
    assert_eq!(refused.code, Some(1), "{refused:#?}");
    assert!(refused.stdout.contains("failed, refused: connect 127.0.0.1:9: Connection refused"), "{refused:#?}");
    project.run(&["load", &url, "--debug", "-o", "json"]).assert_refused(&["cannot be used with"]);
}

#[test]
fn prometheus_can_read_a_running_load() {
    let (project, port) = (Project::new(), target::start());
    let url = format!("http://127.0.0.1:{port}/");
    let mut command = project.command(&["load", &url, "-z", "1h", "-c", "2", "--prometheus", "127.0.0.1:0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let address = metrics_address(&mut child);
    let metrics = (0..600).find_map(|_| {
        thread::sleep(Duration::from_millis(100));
        Some(get(&address, "/metrics")).filter(|text| text.contains("k6_http_reqs_total{"))
    });
    let missing = get(&address, "/");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let load = Finished::from(child.wait_with_output().unwrap());
    let metrics = metrics.expect("a request within a minute");
    assert!(metrics.starts_with("HTTP/1.1 200") && metrics.contains("text/plain; version=0.0.4"), "{metrics}");
    for expected in
        ["k6_vus{scenario=\"default\"} 2\n", "k6_http_req_duration_p99{", "plimsoll_response_time_seconds_count{"]
    {
        assert!(metrics.contains(expected), "no {expected} in {metrics}");
    }
    assert!(missing.starts_with("HTTP/1.1 404") && missing.contains("/metrics"), "{missing}");
    assert_eq!(load.code, Some(130), "{load:#?}");
}

/// From the line on stderr that names it; the rest of stderr is read away.
fn metrics_address(child: &mut Child) -> String {
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let address = lines.find_map(|line| Some(line.split_once("http://")?.1.strip_suffix("/metrics")?.to_owned()));
    thread::spawn(move || lines.for_each(drop));
    address.expect("a line with the address")
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_collector_is_pushed_the_totals_at_the_end() {
    let (project, port, (collector, pushed)) = (Project::new(), target::start(), collector());
    let url = format!("127.0.0.1:{port}/");
    // A push has 3 s, which a busy machine may take.
    let mut loads = (0..3).map(|_| project.run(&["load", &url, "-n", "50", "-c", "5", "--otlp", &collector]));
    let load = loads.find(|load| load.stderr.is_empty()).expect("a push without a warning");
    assert_eq!(load.code, Some(0), "{load:#?}");
    let (head, body) = pushed.try_iter().last().expect("a push");
    assert!(head.starts_with("POST /v1/metrics HTTP/1.1"), "{head}");
    assert!(head.to_ascii_lowercase().contains("content-type: application/json"), "{head}");
    let metrics = &body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"];
    let requests = metrics.as_array().unwrap().iter().find(|it| it["name"] == "k6_http_reqs").unwrap();
    assert_eq!(requests["sum"]["dataPoints"][0]["asDouble"], 50.0, "{requests}");
}

#[test]
fn a_collector_that_is_not_there_is_told_once_and_disturbs_nothing() {
    let (project, port) = (Project::new(), target::start());
    // Nobody listens at the discard port.
    let flags = ["-z", "6s", "-q", "20", "--otlp", "http://127.0.0.1:9"];
    let load = project.run(&[&["load", &format!("127.0.0.1:{port}/")], &flags[..]].concat());
    assert_eq!(load.code, Some(0), "{load:#?}");
    assert!(load.stdout.contains("120 succeeded, 0 failed"), "{}", load.stdout);
    assert_eq!(load.stderr.matches("warning: no metrics to").count(), 1, "two pushes failed: {}", load.stderr);
}

/// A collector on a free port; what was pushed to it.
fn collector() -> (String, Receiver<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, pushed) = mpsc::channel();
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let Some(push) = read_push(&stream) else { continue };
            sender.send(push).unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}").unwrap();
        }
    });
    (address, pushed)
}

fn read_push(stream: &TcpStream) -> Option<(String, Value)> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while reader.read_line(&mut head).ok()? > 2 {}
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length?];
    reader.read_exact(&mut body).ok()?;
    Some((head, serde_json::from_slice(&body).ok()?))
}
