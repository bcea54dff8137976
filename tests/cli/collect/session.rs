//! Collectors, parts and a target that are processes of a project.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::PathBuf,
    process::{Child, ChildStderr, Command, Stdio},
    sync::{Arc, Condvar, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::plimsoll::{Finished, Project};

/// Waiting for something has a deadline.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// A process whose stderr is read as it comes.
pub struct Watched {
    child: Child,
    said: Arc<(Mutex<String>, Condvar)>,
    reader: Option<JoinHandle<()>>,
    stdout: Option<JoinHandle<String>>,
}

impl Watched {
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
        let said = Arc::new((Mutex::new(String::new()), Condvar::new()));
        let reader = read_lines(child.stderr.take().unwrap(), said.clone());
        let mut out = child.stdout.take().unwrap();
        let stdout = thread::spawn(move || {
            let mut text = String::new();
            out.read_to_string(&mut text).unwrap();
            text
        });
        Self { child, said, reader: Some(reader), stdout: Some(stdout) }
    }

    /// The line of stderr that has `text` in it, as soon as it is there.
    pub fn wait_until_it_says(&self, text: &str) -> String {
        self.wait_for_line(text, DEADLINE, |line| line.contains(text))
    }

    /// The line of stderr that `is_it`, as soon as it is there; `what` names it where it never is in time.
    pub fn wait_for_line(&self, what: &str, time: Duration, is_it: impl Fn(&str) -> bool) -> String {
        let (said, changed) = &*self.said;
        let began = Instant::now();
        let mut lines = said.lock().unwrap();
        loop {
            if let Some(line) = lines.lines().find(|line| is_it(line)) {
                return line.to_owned();
            }
            assert!(began.elapsed() < time, "never said `{what}`:\n{lines}");
            lines = changed.wait_timeout(lines, Duration::from_millis(100)).unwrap().0;
        }
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    pub fn wait(mut self) -> Finished {
        let code = self.child.wait().unwrap().code();
        self.reader.take().unwrap().join().unwrap();
        let stdout = self.stdout.take().unwrap().join().unwrap();
        let stderr = self.said.0.lock().unwrap().clone();
        Finished { code, stdout, stderr }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // A test that has failed leaves nothing behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_lines(stderr: ChildStderr, said: Arc<(Mutex<String>, Condvar)>) -> JoinHandle<()> {
    thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            *said.0.lock().unwrap() += &(line + "\n");
            said.1.notify_all();
        }
    })
}

/// A collector that waits for parts.
pub struct Collecting {
    pub process: Watched,
    /// For `--join`.
    pub url: String,
    pub token: Option<String>,
}

impl Collecting {
    /// At a port of its own, unless `flags` say where; it prints JSON.
    pub fn start(project: &Project, parts: u32, flags: &[&str]) -> Self {
        let parts = parts.to_string();
        let listen = if flags.contains(&"--listen") { &[][..] } else { &["--listen", "127.0.0.1:0"] };
        let format = if flags.contains(&"-o") { &[][..] } else { &["-o", "json"] };
        let command = project.command(&[&["collect", "--parts", &parts], listen, format, flags].concat());
        Self::of(Watched::start(without_token(command)))
    }

    /// A process that waits for parts, as soon as it says where.
    pub fn of(process: Watched) -> Self {
        let greeting = process.wait_until_it_says("waits for");
        let (_, url) = greeting.rsplit_once(' ').unwrap();
        let token = greeting.split_once("PLIMSOLL_TOKEN=").map(|(_, rest)| rest.split(' ').next().unwrap().to_owned());
        Self { process, url: url.replace("HOST", "127.0.0.1"), token }
    }

    /// Where it listens.
    pub fn address(&self) -> String {
        self.url.split_once("://").unwrap().1.to_owned()
    }

    pub fn wait(self) -> Finished {
        self.process.wait()
    }
}

/// A part of a load.
pub struct Part;

impl Part {
    pub fn start(project: &Project, collecting: &Collecting, url: &str, flags: &[&str]) -> Watched {
        Self::start_via(project, collecting, &collecting.url, url, flags)
    }

    /// The same through something that stands in between.
    pub fn start_via(project: &Project, collecting: &Collecting, via: &str, url: &str, flags: &[&str]) -> Watched {
        Watched::start(Self::command(project, collecting, via, url, flags))
    }

    /// The same with monotonic clocks that are days ahead, where the kernel has time namespaces for us.
    pub fn start_elsewhere(project: &Project, collecting: &Collecting, url: &str, flags: &[&str]) -> Watched {
        let ahead = ["--time", "--monotonic", "864000", "--boottime", "864000", "--fork", "--kill-child"];
        let is_possible = Command::new("unshare").args(ahead).arg("true").output().is_ok_and(|it| it.status.success());
        if !is_possible {
            println!("skipped: a part with clocks of its own, which takes root and time namespaces");
            return Self::start(project, collecting, url, flags);
        }
        let own = Self::command(project, collecting, &collecting.url, url, flags);
        let mut command = Command::new("unshare");
        command.args(ahead).arg(own.get_program()).args(own.get_args()).current_dir(project.path(""));
        for (name, value) in own.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Watched::start(command)
    }

    /// Ready to be started.
    pub fn command(project: &Project, collecting: &Collecting, via: &str, url: &str, flags: &[&str]) -> Command {
        let mut command = without_token(project.command(&[&["load", url, "--join", via], flags].concat()));
        if let Some(token) = &collecting.token {
            command.env("PLIMSOLL_TOKEN", token);
        }
        command.env("TMPDIR", project.path(""));
        command
    }
}

/// Without the token of whoever runs the tests.
pub fn without_token(mut command: Command) -> Command {
    command.env_remove("PLIMSOLL_TOKEN");
    command
}

/// Requests of which a part that stays says in `line` that it has sent them.
pub fn sent(line: &str) -> Option<u64> {
    line.strip_prefix("load ")?.split_once(": ")?.1.split(' ').next()?.replace(',', "").parse().ok()
}

/// A simulated upstream as a target.
pub struct Upstream {
    process: Child,
    lines: BufReader<std::process::ChildStdout>,
    pub url: String,
}

pub fn upstream(project: &Project, flags: &[&str]) -> Upstream {
    upstream_of(project.command(&[&["upstream", "--port", "0", "--json"], flags].concat()))
}

pub fn upstream_of(mut command: Command) -> Upstream {
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    let ready: Value = serde_json::from_str(&line).unwrap();
    let url = ready["ready"]["url"].as_str().unwrap_or_else(|| panic!("{line}")).to_owned();
    Upstream { process, lines, url }
}

impl Upstream {
    /// Ends it; the requests that it has counted.
    pub fn end(mut self) -> u64 {
        kill_process(Pid::from_child(&self.process), Signal::INT).unwrap();
        let mut text = String::new();
        self.lines.read_to_string(&mut text).unwrap();
        assert!(self.process.wait().unwrap().success());
        let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        last["counts"]["requests"].as_u64().unwrap()
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The folder in which a collector keeps what the parts send, as long as there is one.
pub fn folder_of_parts(project: &Project) -> Option<PathBuf> {
    let entries = fs::read_dir(project.path(".plimsoll")).ok()?;
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("collected-")))
}

/// Waits until the collector has whole seconds of part `number`.
pub fn wait_for_seconds(project: &Project, number: u32) {
    let began = Instant::now();
    let has_some = || folder_of_parts(project).is_some_and(|it| it.join(format!("{number}.seconds")).exists());
    while !has_some() {
        assert!(began.elapsed() < DEADLINE, "part {number} has told nothing");
        thread::sleep(Duration::from_millis(20));
    }
}
