//! Runs experiments for tests, and looks for processes that a run left behind.

pub mod experiment;

use std::{
    fs,
    path::PathBuf,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
};

use plimsoll_lab::{Event, LabError, Outcome, experiment::Experiment, experiment::Variant};
use plimsoll_record::{ExecutionData, store::Store};

/// This program plays targets, supervisors and labs.
pub const HELPER: &str = env!("CARGO_BIN_EXE_lab-test-helper");

/// A variable in the environment of everything that one test starts.
pub const MARK: &str = "PLIMSOLL_TEST_MARK";

/// A run as a test saw it.
#[derive(Debug)]
pub struct Ran {
    pub result: Result<Outcome, LabError>,
    pub events: Vec<Event>,
    /// None if nothing was recorded.
    pub data: Option<ExecutionData>,
}

/// Runs `experiment` into a new record; `stop_at` says at which event to press Ctrl-C.
pub fn run_until(experiment: &Experiment, stop_at: impl Fn(&Event) -> bool) -> Ran {
    let folder = tempfile::tempdir().expect("a directory");
    let mut store = Store::open(&folder.path().join("record.db")).expect("a record");
    let context = experiment::context(PathBuf::from(HELPER));
    let (stop, mut events) = (AtomicBool::new(false), Vec::new());
    let result = plimsoll_lab::run(experiment, &mut store, &context, &stop, &mut |event| {
        stop.fetch_or(stop_at(&event), Ordering::Relaxed);
        events.push(event);
    });
    let last = store.last().expect("a record");
    let data = last.map(|id| store.read(id).expect("it was just written"));
    Ran { result, events, data }
}

/// Runs `experiment` to its end.
pub fn run(experiment: &Experiment) -> Ran {
    run_until(experiment, |_| false)
}

impl Ran {
    /// The record.
    pub fn data(&self) -> &ExecutionData {
        self.data.as_ref().unwrap_or_else(|| panic!("nothing was recorded: {:?}", self.result))
    }
}

/// The helper as a target with `habits`, marked.
pub fn target(habits: &[&str], mark: &str) -> Variant {
    let mut argv = vec![HELPER.to_owned(), "serve".to_owned(), "{port}".to_owned()];
    argv.extend(habits.iter().map(|habit| (*habit).to_owned()));
    let mut variant = experiment::variant(argv);
    variant.env.insert(MARK.to_owned(), mark.to_owned());
    variant
}

/// A mark that no other test uses.
pub fn mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Processes with `mark` in their environment, with their command lines.
pub fn marked(mark: &str) -> Vec<(i32, String)> {
    let variable = format!("{MARK}={mark}\0");
    let pids = fs::read_dir("/proc").expect("procfs").flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let text = |pid: i32, file: &str| {
        String::from_utf8_lossy(&fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default()).into_owned()
    };
    pids.filter(|&pid| text(pid, "environ").contains(&variable))
        .map(|pid| (pid, text(pid, "cmdline").replace('\0', " ")))
        .collect()
}
