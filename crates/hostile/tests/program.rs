//! The program that serves behaviours to clients of any language.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Command, Output, Stdio},
};

fn hostile() -> Command {
    Command::new(env!("CARGO_BIN_EXE_hostile"))
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn the_list_names_each_behaviour_with_its_result() {
    let output = hostile().arg("--list").output().unwrap();
    let text = text(&output);
    assert_eq!(text.lines().count(), plimsoll_hostile::all().len());
    assert!(text.contains("Http1: a reset in place of an answer\treset\n"), "{text}");
}

#[test]
fn names_that_are_not_known_are_refused() {
    for (arguments, expected) in [
        (vec!["Http1:", "kindness"], "found `Http1: kindness`: --list names them"),
        (vec!["PrometheusClient:", "silence"], "is a client: expected a server"),
        (vec!["--all", "Http9"], "expected a family of servers, e.g. Http1 or Tls, found `Http9`"),
        (vec![], "usage: hostile --list"),
    ] {
        let output = hostile().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output).contains(expected), "{}", text(&output));
    }
}

/// Each is hostile to every request, and the program ends with its input.
#[test]
fn all_of_a_family_are_served_until_nobody_listens() {
    let mut child = hostile().args(["--all", "Http1"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let lines: Vec<String> = lines.take_while(|line| line != "ready").collect();
    assert!(lines[0].starts_with("trusted\t/"), "{}", lines[0]);
    let row = lines.iter().find(|line| line.starts_with("Http1\tversion 2.0\t")).expect("a row");
    let columns: Vec<&str> = row.split('\t').collect();
    assert_eq!(columns[3..], ["http", "protocol", "head"]);
    for _ in 0..2 {
        let mut stream = TcpStream::connect(("127.0.0.1", columns[2].parse().unwrap())).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/2.0 200 OK"), "{answer}");
    }
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}
