//! Bytes of the file were changed.

use std::{
    fs::{self, File},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock},
};

use plimsoll_record::{
    Environment, ExecutionStatus, Interval, LevelPlan, Load, Nanos, Phase, Plan, Store, StoreError, ThinkTime,
};
use tempfile::TempDir;

const PAGE_BYTES: usize = 16_384;
/// SQLite's own, before the first table.
const HEADER_BYTES: usize = 100;
const PAGE_EDIT_BYTES: usize = 4;
/// After so many executions the record is compared with the sound one, after it was mended.
const CHECKED_EVERY: u64 = 256;

/// Whether a record can be read whole after the edits of `data`: four bytes each: the page, the place in it (big
/// endian), and the new byte. If not, the error names the file.
///
/// # Panics
///
/// If an invariant is broken.
pub fn record_reader(data: &[u8]) -> bool {
    static DAMAGED: OnceLock<Mutex<Damaged>> = OnceLock::new();
    let mut damaged = DAMAGED.get_or_init(|| Mutex::new(Damaged::new())).lock().expect("nobody panicked before");
    damaged.edit(data);
    match read(&damaged.path) {
        Ok(executions) => executions == 1,
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains("plimsoll.db"), "no path in: {text}");
            false
        }
    }
}

/// A record that is damaged again and again.
struct Damaged {
    /// Its folder goes with it.
    _directory: TempDir,
    path: PathBuf,
    /// Stays open, for half a millisecond of each execution went into writing all of it.
    file: File,
    /// Its bytes before any damage.
    sound: Vec<u8>,
    /// Where bytes were changed.
    places: Vec<usize>,
    /// How often it was damaged.
    times: u64,
}

impl Damaged {
    fn new() -> Self {
        // In memory where that can be: a disk takes a hundred times as long.
        let memory = Path::new("/dev/shm");
        let directory = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let directory = directory.expect("a directory");
        let path = directory.path().join("plimsoll.db");
        record(&path).expect("a record");
        let sound = fs::read(&path).expect("its bytes");
        let file = File::options().write(true).open(&path).expect("the record");
        Self { _directory: directory, path, file, sound, places: Vec::new(), times: 0 }
    }

    /// Makes it sound again, and then other than it was.
    fn edit(&mut self, data: &[u8]) {
        self.mend();
        for edit in data.as_chunks::<PAGE_EDIT_BYTES>().0 {
            let place = usize::from(u16::from_be_bytes([edit[1], edit[2]])) % PAGE_BYTES;
            let at = (usize::from(edit[0]) * PAGE_BYTES + place) % self.sound.len();
            self.write(&edit[3..], at);
            self.places.push(at);
        }
    }

    /// Reading writes to a record for one reason: its header says that it is older, or has no log.
    fn mend(&mut self) {
        for beside in ["-wal", "-shm"] {
            // Mostly there is none: SQLite removes its own.
            let _ = fs::remove_file(self.path.with_extension(format!("db{beside}")));
        }
        let places = std::mem::take(&mut self.places);
        if places.iter().any(|&at| at < HEADER_BYTES) {
            self.file.set_len(self.sound.len() as u64).expect("its length");
            self.write(&self.sound, 0);
        } else {
            places.iter().for_each(|&at| self.write(&self.sound[at..=at], at));
        }
        if self.times.is_multiple_of(CHECKED_EVERY) {
            assert!(fs::read(&self.path).expect("its bytes") == self.sound, "a byte is left that nobody edited");
        }
        self.times += 1;
    }

    fn write(&self, bytes: &[u8], at: usize) {
        self.file.write_all_at(bytes, at as u64).expect("its bytes");
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

/// A record with one interval in one level of one run.
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
