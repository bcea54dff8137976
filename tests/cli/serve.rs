//! `plimsoll serve` as a program: pages for this machine's browser, and nothing for anybody else.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use crate::{plimsoll::Project, target};

/// Waiting for something has a deadline.
const DEADLINE: Duration = Duration::from_secs(60);

/// A server that runs.
struct Serving {
    child: Child,
    address: SocketAddr,
}

/// An answer.
struct Answer {
    head: String,
    body: String,
}

impl Serving {
    fn start(project: &Project, places: &[&str]) -> Self {
        let mut command = project.command(&[&["serve", "--port", "0"], places].concat());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.strip_prefix("Plimsoll serves http://").unwrap_or_else(|| panic!("{line:?}"));
        let address = url.split('/').next().unwrap().parse().unwrap();
        Self { child, address }
    }

    fn send(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{request:?}: {text:?}"));
        Answer { head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    fn ask(&self, method: &str, path: &str, host: &str) -> Answer {
        self.send(&format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"))
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &self.address.to_string())
    }

    /// Asks again and again until the page is as it is wanted.
    fn wait_for(&self, path: &str, is_wanted: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let page = self.get(path).body;
            if is_wanted(&page) {
                return page;
            }
            assert!(began.elapsed() < DEADLINE, "{path} is still:\n{page}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Presses Ctrl-C; the exit code.
    fn interrupt(mut self) -> Option<i32> {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.child.kill());
    }
}

impl Answer {
    fn status(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }
}

/// A project with one load that was recorded.
fn with_a_load() -> Project {
    let (project, port) = (Project::new(), target::start());
    let load = project.run(&["load", &format!("127.0.0.1:{port}/"), "-n", "20", "-c", "2", "--threshold", "errors<1%"]);
    assert_eq!(load.code, Some(0), "{load:#?}");
    project
}

/// The key of the only record, as links have it.
fn key(page: &str) -> String {
    let link = page.split("class=\"open\" href=\"/").nth(1).unwrap_or_else(|| panic!("{page}"));
    link.split('/').next().unwrap().to_owned()
}

fn files_of(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(directory).unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let mut files: Vec<_> =
        files.map(|it| (it.file_name().into_string().unwrap(), fs::read(it.path()).unwrap())).collect();
    files.sort();
    files
}

#[test]
fn pages_are_served_until_ctrl_c_and_nothing_is_written() {
    let project = with_a_load();
    let before = files_of(&project.path(".plimsoll"));
    let serving = Serving::start(&project, &[]);
    assert!(serving.address.ip().is_loopback());
    let list = serving.wait_for("/", |page| page.contains("badge holds"));
    assert!(list.contains("1 execution<") && list.contains("plimsoll load"), "{list}");
    let key = key(&list);
    let report = serving.get(&format!("/{key}/1"));
    assert!(report.body.contains("All executions") && report.body.contains("id=\"thresholds\""), "{}", report.body);
    assert!(
        report.head.contains("script-src 'sha256-") && report.head.contains("default-src 'none'"),
        "{}",
        report.head
    );
    let both = serving.get(&format!("/compare?a={key}/1&b={key}/1"));
    assert!(both.body.contains("Report of #1") && both.body.contains("id=\"differences\""), "{}", both.body);
    let live = serving.get(&format!("/{key}/1/live"));
    assert!(live.body.contains("It has ended: open the report"), "{}", live.body);
    for asset in ["report.css", "report.js", "serve.css", "list.js", "live.js"] {
        assert_eq!(serving.get(&format!("/-/{asset}")).status(), "200", "{asset}");
    }
    assert_eq!(serving.interrupt(), Some(0));
    assert!(files_of(&project.path(".plimsoll")) == before, "the record is as it was, and nothing lies beside it");
}

/// As the form of the list sends them without scripts.
#[test]
fn rows_that_are_ticked_are_compared_from_the_older_one_to_the_newer() {
    let (project, port) = (Project::new(), target::start());
    for _ in 0..2 {
        let load = project.run(&["load", &format!("127.0.0.1:{port}/"), "-n", "20", "-c", "2"]);
        assert_eq!(load.code, Some(0), "{load:#?}");
    }
    let serving = Serving::start(&project, &[]);
    let key = key(&serving.wait_for("/", |page| page.contains("2 executions<")));
    let both = serving.get(&format!("/compare?of={key}/2&of={key}/1")).body;
    let [older, newer] = ["Report of #1", "Report of #2"].map(|link| both.find(link));
    assert!(older.is_some() && older < newer, "{both}");
}

#[test]
fn browsers_are_told_to_keep_everything_to_themselves() {
    let project = with_a_load();
    let serving = Serving::start(&project, &[]);
    for path in ["/", "/-/serve.css", "/nothing", "/compare"] {
        let Answer { head, .. } = serving.get(path);
        for header in [
            "content-security-policy: default-src 'none';",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
            "cache-control: no-store",
        ] {
            assert!(head.contains(header), "{path}: no {header:?} in\n{head}");
        }
        assert!(!head.contains("access-control") && !head.contains("set-cookie"), "{head}");
    }
    let head = serving.ask("HEAD", "/", &serving.address.to_string());
    assert_eq!((head.status(), head.body.as_str()), ("200", ""));
}

#[test]
fn requests_of_others_and_those_that_would_change_something_are_refused() {
    let project = with_a_load();
    let serving = Serving::start(&project, &[]);
    let port = serving.address.port();
    for host in ["localhost", "[::1]", "127.0.0.1"] {
        assert_eq!(serving.ask("GET", "/", &format!("{host}:{port}")).status(), "200", "{host}");
    }
    let refused = serving.ask("GET", "/", &format!("evil.example:{port}"));
    assert_eq!(refused.status(), "403");
    assert!(
        refused.body.contains("names of this machine alone") && !refused.body.contains("<html"),
        "{}",
        refused.body
    );
    assert_eq!(serving.ask("GET", "/", "127.0.0.1").status(), "403", "without the port");
    assert_eq!(serving.send("GET / HTTP/1.0\r\n\r\n").status(), "403", "without a name");
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let answer = serving.ask(method, "/", &serving.address.to_string());
        assert_eq!(answer.status(), "405", "{method}");
        assert!(answer.head.contains("allow: get, head"), "{}", answer.head);
    }
}

#[test]
fn no_path_leads_out_of_the_pages() {
    let project = with_a_load();
    project.write("secret.txt", "secret");
    let serving = Serving::start(&project, &[]);
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/-/../secret.txt",
        "/-/%2e%2e%2fsecret.txt",
        "/.plimsoll/plimsoll.db",
        "//secret.txt",
        "/secret.txt",
        "/%00",
        "/%ff/1",
        "/nothing/1",
        "/1/2/3/4",
    ] {
        let answer = serving.get(path);
        assert_eq!(answer.status(), "404", "{path}");
        assert!(!answer.body.contains(">secret<"), "{path}: {}", answer.body);
    }
    let key = key(&serving.get("/").body);
    let missing = serving.get(&format!("/{key}/7"));
    assert_eq!(missing.status(), "404");
    assert!(missing.body.contains("No such execution"), "{}", missing.body);
    assert_eq!(serving.get("/compare?a=x").status(), "400");
}

#[test]
fn clients_that_are_slow_hold_up_neither_others_nor_the_end() {
    let project = with_a_load();
    let serving = Serving::start(&project, &[]);
    let half = |_| {
        let mut stream = TcpStream::connect(serving.address).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
        stream
    };
    let slow: Vec<TcpStream> = (0..20).map(half).collect();
    let mut endless = TcpStream::connect(serving.address).unwrap();
    let head = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "x".repeat(100_000));
    // It is refused before all of it is sent.
    let _ = endless.write_all(head.as_bytes());
    let mut answer = String::new();
    let _ = endless.read_to_string(&mut answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
    assert_eq!(serving.get("/").status(), "200");
    assert_eq!(serving.interrupt(), Some(0));
    drop(slow);
}

#[test]
fn records_that_cannot_be_read_are_listed_with_the_reason() {
    let project = with_a_load();
    for name in ["broken", "newer", "older"] {
        fs::create_dir_all(project.path(name)).unwrap();
    }
    project.write("broken/plimsoll.db", "no database at all");
    // SQLite keeps the version at this place of the file.
    for (name, version) in [("newer", 99_u32), ("older", 1)] {
        let mut bytes = fs::read(project.path(".plimsoll/plimsoll.db")).unwrap();
        bytes[60..64].copy_from_slice(&version.to_be_bytes());
        fs::write(project.path(&format!("{name}/plimsoll.db")), bytes).unwrap();
    }
    let serving = Serving::start(&project, &["."]);
    let list = serving.get("/").body;
    for said in ["1 execution", "is not an SQLite database", "has record version 99", "has record version 1;"] {
        assert!(list.contains(said), "no {said:?} in\n{list}");
    }
}

#[test]
fn a_load_moves_on_its_page_while_it_goes() {
    let (project, port) = (Project::new(), target::start());
    let mut command =
        project.command(&["load", &format!("127.0.0.1:{port}/"), "--duration", "1h", "-c", "2", "--quiet"]);
    let mut load = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let serving = Serving::start(&project, &[]);
    let list = serving.wait_for("/", |page| page.contains("state running"));
    let now = format!("/{}/1/live/now", key(&list));
    assert!(list.contains(&format!("href=\"/{}/1/live\"", key(&list))), "a link to the page that moves: {list}");
    let page = serving.wait_for(&now, |page| page.contains("svg class=\"chart lines\""));
    assert!(page.contains("Median response") && page.contains("of 1:00:00"), "{page}");
    kill_process(Pid::from_child(&load), Signal::INT).unwrap();
    assert_eq!(load.wait().unwrap().code(), Some(130));
    let over = serving.wait_for(&now, |page| page.contains("data-ended"));
    assert!(over.contains("open the report"), "{over}");
}

#[test]
fn what_cannot_be_served_is_refused() {
    let project = Project::new();
    project.run(&["serve", "no-such"]).assert_refused(&["no-such: No such file", "name a directory"]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    project.run(&["serve", "--port", &port]).assert_refused(&[
        "--port",
        "cannot listen on 127.0.0.1",
        "choose another",
    ]);
    project.run(&["serve", "--port", "70000"]).assert_refused(&["--port"]);
}
