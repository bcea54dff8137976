//! Parts and collectors that are killed, and networks that break.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
};

use rustix::process::Signal;
use serde_json::Value;

use super::{
    proxy::{self, Fate},
    session::{Collecting, DEADLINE, Part, Watched, folder_of_parts, upstream, wait_for_seconds, without_token},
    sum,
};
use crate::plimsoll::{Finished, Project};

/// More than all that a part says before its record, which is longer.
const BEFORE_RECORDS: usize = 150_000;

#[test]
fn a_part_that_is_killed_under_load_is_named_and_nothing_is_scaled_up() {
    let project = Project::new();
    let upstream = upstream(&project, &[]);
    let flags = ["--silence", "5s", "-o", "terminal", "-o", "json=all.json", "--threshold", "errors<1%"];
    let collecting = Collecting::start(&project, 3, &flags);
    let load = |part| ["-q", "90", "-z", "10s", "--part", part];
    let parts = ["1", "2", "3"].map(|part| Part::start(&project, &collecting, &upstream.url, &load(part)));
    wait_for_seconds(&project, 2);
    parts[1].signal(Signal::KILL);
    let finished = collecting.wait();
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    finished.assert_says(&["part 2/3 is lost, and with it 33.3 % of the load: second "]);
    let words = finished.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in ["2 (lost after its second ", "its share of the load is 33.3 %", "parts of the load are missing"] {
        assert!(words.contains(said), "{said}: {}", finished.stdout);
    }
    let codes = parts.map(|part| part.wait().code);
    assert_eq!(codes, [Some(0), None, Some(0)], "{finished:#?}");
    let report: Value = serde_json::from_str(&std::fs::read_to_string(project.path("all.json")).unwrap()).unwrap();
    // Two thirds of 900, and at least a second of the third.
    let sent = sum(&report, "sent");
    assert!((600 + 29..900).contains(&sent), "{sent}");
    assert_eq!(report["thresholds"][0]["is_kept"], Value::Bool(false));
}

#[test]
fn a_part_that_is_killed_before_the_start_is_named_at_the_deadline() {
    let project = Project::new();
    let upstream = upstream(&project, &[]);
    let collecting = Collecting::start(&project, 3, &["--silence", "5s", "--deadline", "20s"]);
    let load = ["-q", "90", "-z", "5s"];
    let waits = Part::start(&project, &collecting, &upstream.url, &load);
    let killed = Part::start(&project, &collecting, &upstream.url, &load);
    waits.wait_until_it_says("joined as part");
    killed.wait_until_it_says("joined as part");
    killed.signal(Signal::KILL);
    let finished = collecting.wait();
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(3), ""), "{finished:#?}");
    finished.assert_says(&["has left: 1 of 3 parts are there", "parts that never came: ", "nothing was sent"]);
    let waited = waits.wait();
    assert_eq!(waited.code, Some(4), "{waited:#?}");
    waited.assert_says(&["never came within 20.0 s"]);
    assert_eq!((killed.wait().code, upstream.end()), (None, 0));
}

/// All of its seconds are there; the record, with what only that has, is not.
#[test]
fn a_part_that_is_killed_while_it_hands_over_its_record_has_told_all() {
    let project = Project::new();
    let upstream = upstream(&project, &[]);
    let collecting = Collecting::start(&project, 2, &["--silence", "5s"]);
    let stuck = proxy::start(collecting.address(), BEFORE_RECORDS, Fate::Stuck);
    let load = ["-q", "100", "-z", "2s"];
    let whole = Part::start(&project, &collecting, &upstream.url, &load);
    let killed = Part::start_via(&project, &collecting, &stuck.url, &upstream.url, &load);
    assert_eq!(whole.wait().code, Some(0));
    stuck.met.recv_timeout(DEADLINE).expect("a part of its record has come");
    killed.signal(Signal::KILL);
    let finished = collecting.wait();
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!((sum(&report, "sent"), upstream.end()), (200, 200));
    assert_eq!(killed.wait().code, None);
}

#[test]
fn a_record_that_is_cut_on_its_way_arrives_whole() {
    let project = Project::new();
    let upstream = upstream(&project, &[]);
    let collecting = Collecting::start(&project, 2, &[]);
    let breaks = proxy::start(collecting.address(), BEFORE_RECORDS, Fate::CutTwice);
    let load = ["-q", "100", "-z", "2s"];
    let parts =
        [&collecting.url, &breaks.url].map(|via| Part::start_via(&project, &collecting, via, &upstream.url, &load));
    let finished = collecting.wait();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert!(parts.into_iter().all(|part| part.wait().code == Some(0)));
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!((sum(&report, "succeeded"), upstream.end()), (200, 200));
}

#[test]
fn a_collector_that_is_killed_leaves_the_load_alone_and_merge_takes_the_records() {
    let project = Project::new();
    let upstream = upstream(&project, &[]);
    let collecting = Collecting::start(&project, 2, &[]);
    let load = ["-q", "100", "-z", "8s", "--deadline", "5s"];
    let first = Part::start(&project, &collecting, &upstream.url, &[&load[..], &["--record", "1.db"]].concat());
    // Without a place for its record it names one.
    let second = Part::start(&project, &collecting, &upstream.url, &load);
    first.wait_until_it_says("joined as part");
    wait_for_seconds(&project, 1);
    wait_for_seconds(&project, 2);
    collecting.process.signal(Signal::KILL);
    let (first, second) = (first.wait(), second.wait());
    assert_eq!((first.code, second.code), (Some(5), Some(5)), "{first:#?} {second:#?}");
    first.assert_says(&["the load goes on without it", "could not be handed over", "it is kept in 1.db"]);
    let place = second.stderr.split_once("it is kept in ").unwrap().1.split_once(": `").unwrap().0;
    let merged = project.run(&["merge", "1.db", place, "--format", "json"]);
    assert_eq!(merged.code, Some(0), "{merged:#?}");
    let report: Value = serde_json::from_str(&merged.stdout).unwrap();
    assert_eq!((sum(&report, "succeeded"), upstream.end()), (800, 800));
}

/// As a full disk has it, or one that is gone.
#[test]
fn a_collector_that_can_keep_nothing_ends_the_load_and_the_parts_keep_their_records() {
    let project = Project::new();
    let upstream = upstream(&project, &[]);
    let collecting = Collecting::start(&project, 2, &["--silence", "5s"]);
    let load = ["-q", "100", "-z", "10m"];
    let parts = [(); 2].map(|()| Part::start(&project, &collecting, &upstream.url, &load));
    (1..=2).for_each(|part| wait_for_seconds(&project, part));
    fs::rename(folder_of_parts(&project).unwrap(), project.path("elsewhere")).unwrap();
    let finished = collecting.wait();
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(1), ""), "{finished:#?}");
    finished.assert_says(&["cannot be written", "the load was ended; parts keep their records"]);
    let sent: u64 = upstream.end();
    let parts = parts.map(Watched::wait);
    let mut kept = Vec::new();
    for part in &parts {
        assert_eq!(part.code, Some(5), "{part:#?}");
        part.assert_says(&["the collector ends the load: ", "could not be handed over"]);
        kept.push(part.stderr.split_once("it is kept in ").unwrap().1.split_once(": `").unwrap().0);
    }
    let merged = project.run(&["merge", "--allow-missing", kept[0], kept[1], "--format", "json"]);
    let report: Value = serde_json::from_str(&merged.stdout).unwrap();
    // Requests in flight are cut when the load is ended: more of them after a moment without a processor.
    let recorded = sum(&report, "succeeded");
    assert!((sent.saturating_sub(256)..=sent).contains(&recorded), "{recorded} of {sent}");
}

#[test]
fn a_threshold_of_the_whole_and_ctrl_c_end_all_parts() {
    let project = Project::new();
    let upstream = upstream(&project, &["--latency", "20ms"]);
    let load = ["-q", "100", "-z", "10m"];
    let exceeded = Collecting::start(&project, 2, &["--threshold", "p(99)<5ms abort after 1s"]);
    let parts = [(); 2].map(|()| Part::start(&project, &exceeded, &upstream.url, &load));
    let finished = exceeded.wait();
    assert_eq!(finished.code, Some(99), "{finished:#?}");
    finished.assert_says(&["the load is aborted: the threshold p(99)<5ms abort after 1s is exceeded"]);
    for part in parts.map(Watched::wait) {
        assert_eq!(part.code, Some(0), "{part:#?}");
        part.assert_says(&["the collector ends the load: the threshold p(99)<5ms abort after 1s was exceeded"]);
    }
    let interrupted = Collecting::start(&project, 2, &[]);
    let parts = [(); 2].map(|()| Part::start(&project, &interrupted, &upstream.url, &load));
    wait_for_seconds(&project, 1);
    interrupted.process.signal(Signal::INT);
    let finished = interrupted.wait();
    assert_eq!(finished.code, Some(130), "{finished:#?}");
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert!(sum(&report, "succeeded") > 0, "what was measured is reported");
    assert!(parts.into_iter().all(|part| part.wait().code == Some(0)));
}

/// Nobody without the token is heard, and nothing that is sent ends the collector.
#[test]
fn strangers_and_broken_messages_change_nothing() {
    let project = Project::new();
    let upstream = upstream(&project, &[]);
    let token = "0123456789abcdef0123456789abcdef";
    project.write("token", token);
    let secured = Collecting::start(&project, 1, &["--token-file", "token"]);
    assert!(secured.url.starts_with("https://"), "a secret is used on this machine, too: {}", secured.url);
    project.write("other", "another-token-another-token-another");
    let flags = ["-n", "10", "-c", "2", "--deadline", "30s", "--token-file"];
    let refused = Part::start(&project, &secured, &upstream.url, &[&flags[..], &["other"]].concat()).wait();
    assert_eq!(refused.code, Some(4), "{refused:#?}");
    refused.assert_says(&["the collector has another token"]);
    let plain = secured.url.replace("https:", "http:");
    let join = ["load", &upstream.url, "-n", "10", "-c", "2", "--join", &plain, "--deadline", "1s"];
    let plain = without_token(project.command(&join)).output().map(Finished::from).unwrap();
    assert_eq!(plain.code, Some(4), "{plain:#?}");
    plain.assert_says(&["no answer yet", "it may speak TLS, by https:// and with its token"]);
    let taken = Part::start(&project, &secured, &upstream.url, &[&flags[..], &["token"]].concat()).wait();
    assert_eq!((taken.code, secured.wait().code), (Some(0), Some(0)), "{taken:#?}");
    assert!(!taken.stderr.contains(token), "{}", taken.stderr);

    let open = Collecting::start(&project, 1, &[]);
    let ask = |text: &str| {
        let mut stream = TcpStream::connect(open.address()).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        // A text that is too long is refused before all of it is sent.
        let _ = stream.write_all(text.as_bytes());
        let mut answer = Vec::new();
        // One that hangs up has answered, too.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned()
    };
    let deep = "[".repeat(100_000);
    let post = |body: &str| {
        let length = body.len();
        format!("POST /part HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}")
    };
    let long_head = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(100_000));
    for (request, status) in [
        ("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".to_owned(), "404"),
        ("GET /part HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".to_owned(), "405"),
        (
            "POST /part HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                .to_owned(),
            "411",
        ),
        ("POST /part HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 99999999\r\n\r\n".to_owned(), "413"),
        (post("{}"), "400"),
        (post(&deep), "400"),
        (post(r#"{"session":"s","message":"wait"}"#), "200"),
        ("\u{16}\u{3}\u{1}garbage\r\n\r\n".to_owned(), "400"),
        (long_head, "431"),
    ] {
        let answer = ask(&request);
        assert!(answer.contains(status), "{}…: {answer}", request.chars().take(60).collect::<String>());
    }
    // One that hangs up in the middle of a message.
    let mut cut = TcpStream::connect(open.address()).unwrap();
    cut.write_all(b"POST /part HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{").unwrap();
    drop(cut);
    let part = Part::start(&project, &open, &upstream.url, &["-n", "10", "-c", "2"]).wait();
    let finished = open.wait();
    assert_eq!((part.code, finished.code), (Some(0), Some(0)), "{finished:#?}");
    assert!(!finished.stderr.contains("panicked"), "{}", finished.stderr);
}
