//! A record is read while another process writes it, and reading leaves it as it was.

use std::path::{Path, PathBuf};

use plimsoll_record::{
    Environment, ExecutionStatus, Interval, LevelPlan, Load, Nanos, Phase, Plan, Sample, Store, StoreError, ThinkTime,
    VariantPlan, store::Standing,
};
use tempfile::TempDir;

/// A record whose second execution is under way: 300 s of a level so far.
fn record() -> (TempDir, PathBuf, Store) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("plimsoll.db");
    let mut store = Store::open(&path).unwrap();
    let load = Load::ConstantVus { vus: 1, duration: Nanos::from_secs(600), think: ThinkTime::None };
    let plan = Plan {
        variants: vec![VariantPlan::default()],
        levels: vec![LevelPlan::new("1", Phase::Measured, load)],
        ..Plan::default()
    };
    for status in [ExecutionStatus::Done, ExecutionStatus::Running] {
        let execution = store.begin_execution(&plan, &Environment::default(), "2026-01-01T00:00:00Z").unwrap();
        let run = store.begin_run(execution, 0, 0, 0).unwrap();
        let level = store.begin_level(run.id, 0, Nanos::from_secs(10)).unwrap();
        let second = Nanos::from_secs(1);
        let interval = |start| Interval { start: Nanos::from_secs(start), duration: second, ..Interval::default() };
        store.add_intervals(level, &(0..300).map(interval).collect::<Vec<_>>()).unwrap();
        let sample = |at| Sample { at: Nanos::from_secs(at), metric: "cpu_percent".to_owned(), value: at as f64 };
        store.add_samples(run.id, &(0..310).map(sample).collect::<Vec<_>>()).unwrap();
        if status == ExecutionStatus::Done {
            store.end_execution(execution, status, "2026-01-01T00:06:00Z").unwrap();
        }
    }
    (directory, path, store)
}

#[test]
fn only_the_end_of_what_goes_on_is_read() {
    let (_directory, path, mut writer) = record();
    let reader = Store::open_to_read(&path).unwrap();
    let begun = |id| reader.execution(id).unwrap().started_at;
    let standing = |id, status| Standing { id, started_at: Some(begun(id)), status: Some(status) };
    let expected = [standing(1, ExecutionStatus::Done), standing(2, ExecutionStatus::Running)];
    assert_eq!(reader.standing().unwrap(), expected);
    let recent = reader.recent(2, Nanos::from_secs(60)).unwrap();
    assert_eq!((recent.execution.id, recent.runs_begun, recent.from), (2, 1, Nanos::from_secs(250)));
    let run = recent.run.unwrap();
    let starts: Vec<u64> = run.levels[0].intervals.iter().map(|it| it.start.0 / 1_000_000_000).collect();
    assert_eq!(starts, (240..300).collect::<Vec<_>>(), "the level began at 10 s");
    assert_eq!(
        run.samples.iter().map(|it| it.value).collect::<Vec<_>>(),
        (250..310).map(f64::from).collect::<Vec<_>>()
    );
    let held = reader.held_before(run.run.id, 0, recent.from).unwrap();
    assert_eq!(held.iter().map(|(_, it)| it.value).collect::<Vec<_>>(), [249.0], "the last before the window");
    assert_eq!(reader.held_before(run.run.id, held[0].0, recent.from).unwrap(), [], "and none after that");
    writer.end_execution(2, ExecutionStatus::Done, "2026-01-01T00:06:00Z").unwrap();
    assert_eq!(reader.execution(2).unwrap().status, ExecutionStatus::Done, "while both have it open");
}

#[test]
fn an_execution_that_has_begun_no_run_has_no_window() {
    let (_directory, path, mut writer) = record();
    let id = writer.begin_execution(&Plan::default(), &Environment::default(), "2026-01-01T00:00:00Z").unwrap();
    let recent = Store::open_to_read(&path).unwrap().recent(id, Nanos::from_secs(60)).unwrap();
    assert_eq!((recent.runs_begun, recent.run, recent.from), (0, None, Nanos::ZERO));
}

#[test]
fn an_execution_that_is_not_there_is_told_with_the_newest() {
    let (_directory, path, _writer) = record();
    let error = Store::open_to_read(&path).unwrap().recent(7, Nanos::from_secs(60)).unwrap_err();
    assert!(matches!(error, StoreError::NoExecution { id: 7, newest: Some(2), .. }), "{error}");
}

fn files_of(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(directory).unwrap().map(Result::unwrap);
    let mut files: Vec<_> =
        entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())).collect();
    files.sort();
    files
}

#[test]
fn reading_changes_no_file_and_leaves_none() {
    let (directory, path, writer) = record();
    drop(writer);
    let before = files_of(directory.path());
    let reader = Store::open_to_read(&path).unwrap();
    reader.read(1).unwrap();
    drop(reader);
    assert!(files_of(directory.path()) == before, "{:?}", files_of(directory.path()).iter().map(|it| &it.0));
}

#[test]
fn what_reads_cannot_write() {
    let (_directory, path, _writer) = record();
    let mut reader = Store::open_to_read(&path).unwrap();
    let error = reader.end_execution(2, ExecutionStatus::Failed, "2026-01-01T00:00:00Z").unwrap_err();
    assert!(error.to_string().contains("readonly"), "{error}");
}

#[test]
fn an_older_record_is_refused_as_it_is_and_none_is_made() {
    let (directory, path, writer) = record();
    drop(writer);
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 2).unwrap();
    let before = files_of(directory.path());
    let error = Store::open_to_read(&path).unwrap_err();
    assert!(matches!(error, StoreError::Older { found: 2, .. }), "{error}");
    assert!(files_of(directory.path()) == before, "not touched");
    let nowhere = directory.path().join("nowhere.db");
    assert!(matches!(Store::open_to_read(&nowhere), Err(StoreError::NoRecord { .. })));
    assert!(!nowhere.exists());
}
