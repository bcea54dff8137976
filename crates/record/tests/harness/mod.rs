//! Rules that hold whatever has happened to the file of a record: called by `fuzz/` with what a fuzzer makes up, and by
//! `./test` with the files of `tests/corpus/`.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use plimsoll_record::{
    Environment, ExecutionStatus, Interval, LevelPlan, Load, Nanos, Phase, Plan, Store, StoreError, ThinkTime,
};

const PAGE_BYTES: usize = 16_384;
const PAGE_EDIT_BYTES: usize = 4;

/// Whether a record can be read whole after the edits of `data`: four bytes each: the page, the place in it (big
/// endian), and the new byte. If not, the error names the file.
///
/// # Panics
///
/// If an invariant is broken.
pub fn record_reader(data: &[u8]) -> bool {
    let mut bytes = recorded().to_vec();
    for edit in data.as_chunks::<PAGE_EDIT_BYTES>().0 {
        let place = usize::from(u16::from_be_bytes([edit[1], edit[2]])) % PAGE_BYTES;
        let at = (usize::from(edit[0]) * PAGE_BYTES + place) % bytes.len();
        bytes[at] = edit[3];
    }
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("plimsoll.db");
    fs::write(&path, bytes).expect("a file");
    match read(&path) {
        Ok(executions) => executions == 1,
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains("plimsoll.db"), "no path in: {text}");
            false
        }
    }
}

/// Reads everything; the number of executions.
fn read(path: &Path) -> Result<usize, StoreError> {
    let store = Store::open_existing(path)?;
    let executions = store.executions()?;
    store.last()?;
    for execution in &executions {
        store.read(execution.id)?;
    }
    Ok(executions.len())
}

/// The bytes of a record with one interval in one level of one run.
fn recorded() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let directory = tempfile::tempdir().expect("a directory");
        let path: PathBuf = directory.path().join("plimsoll.db");
        record(&path).expect("a record");
        fs::read(&path).expect("its bytes")
    })
}

fn record(path: &Path) -> Result<(), StoreError> {
    let mut store = Store::open(path)?;
    let load = Load::SharedIterations { vus: 1, iterations: 1, max_duration: None, think: ThinkTime::None };
    let plan = Plan { levels: vec![LevelPlan::new("1", Phase::Measured, load)], ..Plan::default() };
    let execution = store.begin_execution(&plan, &Environment::default(), "2026-01-01T00:00:00Z")?;
    let run = store.begin_run(execution, 0, 0, 0)?;
    let level = store.begin_level(run.id, 0, Nanos::ZERO)?;
    let mut interval = Interval::default();
    interval.ok.response.record(Nanos(7));
    store.add_intervals(level, &[interval])?;
    store.end_execution(execution, ExecutionStatus::Done, "2026-01-01T00:00:01Z")
}
