//! The collector's Pod, by the user's own kubectl.

use std::{
    fmt,
    io::{self, BufRead, BufReader, ErrorKind, Read},
    process::{Child, Command, Stdio},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{
    commands::{
        collect::held,
        distribute::kubernetes::{RECORD, collector_name},
    },
    failure::Failure,
    live::shown,
};

/// The program in the image of `scripts/image`.
const PROGRAM: &str = "/plimsoll";
const LOOK_EVERY: Duration = Duration::from_secs(1);
const HEAR_EVERY: Duration = Duration::from_millis(100);

pub struct Pod {
    name: String,
    namespace: Option<String>,
}

/// Reason for which following has ended.
pub enum Followed {
    /// The record waits to be fetched.
    Held,
    /// The collector has ended without a record, by this code.
    Ended(u8),
    /// Somebody wants to follow no more.
    Interrupted,
}

/// The Pod as the cluster sees it.
#[derive(Debug, PartialEq, Eq)]
enum State {
    /// Not yet, for this reason.
    Waits(String),
    Runs,
    /// By this code.
    Ended(u8),
}

impl Pod {
    pub fn new(name: &str, namespace: Option<&str>) -> Self {
        Self { name: collector_name(name), namespace: namespace.map(str::to_owned) }
    }

    fn kubectl(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("kubectl");
        command.args(self.namespace.iter().map(|name| format!("--namespace={name}"))).args(arguments);
        command.stdin(Stdio::null());
        command
    }

    fn unstarted(&self, error: &io::Error) -> Failure {
        match error.kind() {
            ErrorKind::NotFound => Failure::input(
                "--from kubernetes/…: kubectl is not on the PATH, and it does the talking: see \
                 https://kubernetes.io/docs/tasks/tools",
            ),
            _ => Failure::running(format_args!("kubectl cannot be started: {error}")),
        }
    }

    fn state(&self) -> Result<State, Failure> {
        let output = self.kubectl(&["get", "pod", &self.name, "--output=json"]).output();
        let output = output.map_err(|error| self.unstarted(&error))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(Failure::input(format_args!(
                "--from kubernetes/…: kubectl finds no Pod {}: {}; was the manifest of `plimsoll distribute` applied, \
                 in this namespace?",
                self.name,
                said.trim()
            )));
        }
        let pod = serde_json::from_slice(&output.stdout);
        pod.map(|pod| state(&pod)).map_err(|error| Failure::running(format_args!("kubectl get: {error}")))
    }

    /// Whether it has ended, so that nothing can be read of it any more; false if its state is unknown.
    pub fn has_ended(&self) -> bool {
        matches!(self.state(), Ok(State::Ended(_)))
    }

    /// Waits until the collector runs or has ended, so long at most; says what it waits for.
    pub fn await_start(&self, time: Duration, interrupted: &AtomicBool) -> Result<(), Failure> {
        let (begun, mut told) = (Instant::now(), String::new());
        loop {
            let State::Waits(reason) = self.state()? else { return Ok(()) };
            if interrupted.load(Ordering::Relaxed) {
                return Ok(());
            }
            if begun.elapsed() > time {
                return Err(Failure::running(format_args!(
                    "Pod {} has not started within {} s: {reason}; see `kubectl describe pod {}`",
                    self.name,
                    time.as_secs(),
                    self.name
                )));
            }
            if told != reason {
                tell!("{}", shown(&format!("Pod {} waits: {reason}", self.name)));
                told = reason;
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    /// Passes on what the collector says, until it holds its record or has ended. Its output may break off: the API
    /// server, a kubelet or the network may be away for a while.
    pub fn follow(&self, quiet: bool, interrupted: &AtomicBool) -> Result<Followed, Failure> {
        let mut heard = None;
        loop {
            if self.hear(&mut heard, quiet, interrupted)? {
                return Ok(Followed::Held);
            }
            if interrupted.load(Ordering::Relaxed) {
                return Ok(Followed::Interrupted);
            }
            match self.state() {
                Ok(State::Ended(code)) => return Ok(Followed::Ended(code)),
                Ok(_) => {}
                // An API server that is away says nothing of the Pod.
                Err(failure) => tell!("{}", failure.message()),
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    /// Whether the mark was heard before the output ended. `heard` is when the last line was: those before are known.
    fn hear(&self, heard: &mut Option<Instant>, quiet: bool, interrupted: &AtomicBool) -> Result<bool, Failure> {
        let since = heard.map(|since| format!("--since={}s", since.elapsed().as_secs() + 1));
        let mut command = self.kubectl(&["logs", "--follow", &self.name]);
        command.args(since).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| self.unstarted(&error))?;
        let lines = lines_of(&mut child);
        let is_held = loop {
            let line = lines.recv_timeout(HEAR_EVERY);
            if line.is_ok() {
                *heard = Some(Instant::now());
            }
            match line {
                Ok(line) if line.starts_with(held::MARK) => break true,
                Ok(line) if quiet => drop(line),
                Ok(line) => tell!("{}", shown(&line)),
                Err(RecvTimeoutError::Disconnected) => break false,
                Err(RecvTimeoutError::Timeout) if interrupted.load(Ordering::Relaxed) => break false,
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        end(&mut child);
        Ok(is_held)
    }

    /// Has the Pod send its record to `take`.
    pub fn receive<T>(&self, take: impl FnOnce(&mut dyn Read) -> Result<T, String>) -> Result<T, String> {
        let mut command = self.held("send");
        let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| self.unstarted(&error).message())?;
        let taken = match child.stdout.take() {
            Some(mut stdout) => take(&mut stdout),
            None => Err("kubectl has no output".to_owned()),
        };
        end(&mut child);
        taken
    }

    /// Tells the Pod that its record is elsewhere.
    pub fn release(&self) -> Result<(), String> {
        let status = self.held("release").status().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("kubectl exec: {status}")) }
    }

    fn held(&self, word: &str) -> Command {
        self.kubectl(&["exec", &self.name, "--", PROGRAM, "collect", "--held", word, "--record", RECORD])
    }
}

impl fmt::Display for Pod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Lines of the output, as they come; the end of them is the end of the channel.
fn lines_of(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    let stdout = child.stdout.take();
    thread::spawn(move || {
        let lines = stdout.map(|stdout| BufReader::new(stdout).split(b'\n'));
        for line in lines.into_iter().flatten().map_while(Result::ok) {
            // Nobody listens any more.
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    receiver
}

fn end(child: &mut Child) {
    // An error says that it has ended already.
    let _ = child.kill();
    let _ = child.wait();
}

fn state(pod: &Value) -> State {
    let status = &pod["status"];
    let container = &status["containerStatuses"][0]["state"];
    if let Some(code) = container["terminated"]["exitCode"].as_u64() {
        return State::Ended(u8::try_from(code).unwrap_or(u8::MAX));
    }
    match status["phase"].as_str() {
        Some("Running") => State::Runs,
        // The Pod was ended before its container could tell: evicted, or its node was lost.
        Some("Failed" | "Succeeded") => State::Ended(1),
        phase => {
            let conditions = status["conditions"].as_array().into_iter().flatten();
            let unmet = conditions.filter(|it| it["status"] == "False").find_map(|it| it["message"].as_str());
            let reason = container["waiting"]["reason"].as_str().or(unmet).or(phase);
            State::Waits(reason.unwrap_or("nothing is known of it").to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_pod_waits_runs_and_ends() {
        let of = |status: Value| state(&json!({ "status": status }));
        let unschedulable = json!([{"status": "True"}, {"status": "False", "message": "0/3 nodes are available"}]);
        assert_eq!(
            of(json!({"phase": "Pending", "conditions": unschedulable})),
            State::Waits("0/3 nodes are available".to_owned())
        );
        let pulling = json!([{"state": {"waiting": {"reason": "ImagePullBackOff"}}}]);
        assert_eq!(
            of(json!({"phase": "Pending", "containerStatuses": pulling})),
            State::Waits("ImagePullBackOff".to_owned())
        );
        let running = json!([{"state": {"running": {}}}]);
        assert_eq!(of(json!({"phase": "Running", "containerStatuses": running})), State::Runs);
        let ended = json!([{"state": {"terminated": {"exitCode": 3}}}]);
        assert_eq!(of(json!({"phase": "Failed", "containerStatuses": ended})), State::Ended(3));
        assert_eq!(of(json!({"phase": "Failed", "reason": "Evicted"})), State::Ended(1));
        assert_eq!(of(json!({})), State::Waits("nothing is known of it".to_owned()));
    }
}
