//! Every way in which the file can be unusable, and what the error says.

mod mounted;

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::Barrier,
    thread,
    time::Duration,
};

use rusqlite::Connection;

use super::{Store, StoreError, birth, schema};
use crate::{
    Environment, ExecutionStatus, Histogram, Interval, LevelPlan, Load, Nanos, Phase, Plan, Sample, Score, ScoreValue,
    ThinkTime,
};

const IMPATIENT: Duration = Duration::from_millis(20);

fn scratch() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("plimsoll.db");
    (directory, path)
}

/// A record with one interval in one level of one run.
fn recorded(path: &Path) -> (Store, i64) {
    let mut store = Store::open(path).unwrap();
    let load = Load::SharedIterations { vus: 1, iterations: 1, max_duration: None, think: ThinkTime::None };
    let level = LevelPlan::new("1", Phase::Measured, load);
    let plan = Plan { levels: vec![level], ..Plan::default() };
    let execution = store.begin_execution(&plan, &Environment::default(), "2026-01-01T00:00:00Z").unwrap();
    let run = store.begin_run(execution, 0, 0, 0).unwrap();
    let level = store.begin_level(run.id, 0, Nanos::ZERO).unwrap();
    let mut interval = Interval::default();
    interval.ok.response.record(Nanos(7));
    store.add_intervals(level, &[interval]).unwrap();
    (store, execution)
}

/// The message, which must name the file and say what to do.
#[track_caller]
fn message<T>(result: Result<T, StoreError>, path: &Path) -> String {
    let Err(error) = result else { panic!("this must not work") };
    let text = error.to_string();
    assert!(text.contains(path.to_str().unwrap()), "no path in: {text}");
    assert!(text.contains("help: "), "no help in: {text}");
    text
}

#[track_caller]
fn assert_says(text: &str, part: &str) {
    assert!(text.contains(part), "expected `{part}` in: {text}");
}

#[test]
fn no_record_yet() {
    let (_directory, path) = scratch();
    assert_says(&message(Store::open_existing(&path), &path), "no record at");
    assert!(!path.exists(), "asking for a report makes no file");
}

#[test]
fn an_empty_file_becomes_a_record() {
    let (_directory, path) = scratch();
    fs::write(&path, b"").unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.last().unwrap(), None);
    assert_eq!(schema::version_now(&store.connection, &path).unwrap(), schema::VERSION);
}

/// The steps are SQL that runs once on each record there is.
#[test]
fn lines_that_the_plan_had_are_the_run_s() {
    let (_directory, path) = scratch();
    let connection = Connection::open(&path).unwrap();
    for step in &schema::MIGRATIONS[..4] {
        connection.execute_batch(step).unwrap();
    }
    let plan = r#"{"line": {"capacity": {"rate": 800.5, "users": 64, "is_steady": true}, "found": [
        {"outcome": "found", "lower": {"rate": 712.5, "seconds": 31.0, "share_of_allowed": 0.25}, "upper": null}]}}"#;
    for plan in [plan, "{}"] {
        let sql = "INSERT INTO executions (started_at, status, plan, environment) VALUES ('', 'done', ?1, '{}')";
        connection.execute(sql, [plan]).unwrap();
        let sql = "INSERT INTO runs (execution, variant, round, position, status) VALUES (?1, 0, 0, 0, 'done')";
        connection.execute(sql, [connection.last_insert_rowid()]).unwrap();
    }
    connection.pragma_update(None, "user_version", 4).unwrap();
    connection.pragma_update(None, "application_id", schema::APPLICATION_ID).unwrap();
    drop(connection);

    let connection = Store::open(&path).unwrap().connection;
    let mut statement = connection.prepare("SELECT line FROM runs ORDER BY id").unwrap();
    let found: Vec<Option<String>> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let line: crate::LineRun = serde_json::from_str(found[0].as_ref().unwrap()).unwrap();
    assert_eq!(line.capacity.map(|it| it.users), Some(64));
    assert_eq!(line.found[0].lower.map(|it| it.rate), Some(712.5));
    assert_eq!(found[1], None);
}

#[test]
fn text_is_not_a_record() {
    let (_directory, path) = scratch();
    let text = "no database at all, but long enough for a header\n".repeat(4);
    fs::write(&path, &text).unwrap();
    assert_says(&message(Store::open(&path), &path), "it is not an SQLite database");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn the_database_of_another_program_is_left_untouched() {
    let (_directory, path) = scratch();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE bookmarks (url)").unwrap();
    let before = fs::read(&path).unwrap();
    assert_says(&message(Store::open(&path), &path), "the SQLite database of another program");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_newer_version_is_refused() {
    let (_directory, path) = scratch();
    recorded(&path).0.connection.pragma_update(None, "user_version", schema::VERSION + 1).unwrap();
    let text = message(Store::open_existing(&path), &path);
    assert_says(&text, &format!("has record version {}", schema::VERSION + 1));
    assert_says(&text, &format!("knows versions up to {}", schema::VERSION));
    assert_says(&text, "use the newer Plimsoll");
}

#[test]
fn locked_by_another() {
    let (_directory, path) = scratch();
    let (mut store, execution) = recorded(&path);
    store.connection.busy_timeout(IMPATIENT).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let result = store.end_execution(execution, ExecutionStatus::Done, "2026-01-01T00:00:01Z");
    let text = message(result, &path);
    assert_says(&text, "locked by another process");
    assert_says(&text, "fuser");
    store.read(execution).expect("a writer does not hold up a reader");

    other.execute_batch("COMMIT").unwrap();
    store.end_execution(execution, ExecutionStatus::Done, "2026-01-01T00:00:01Z").expect("the lock is gone");
}

#[test]
fn locked_while_it_is_opened() {
    let (_directory, path) = scratch();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert_says(&message(Store::open_file(&path, IMPATIENT), &path), "locked by another process");
}

#[test]
fn two_processes_may_write_by_turns() {
    let (_directory, path) = scratch();
    let (mut store, first) = recorded(&path);
    let (mut other, second) = recorded(&path);
    assert_eq!((first, second), (1, 2));
    store.end_execution(first, ExecutionStatus::Done, "").unwrap();
    other.end_execution(second, ExecutionStatus::Done, "").unwrap();
}

#[test]
fn many_may_begin_a_record_at_once() {
    for _ in 0..12 {
        let (directory, path) = scratch();
        let barrier = Barrier::new(16);
        thread::scope(|scope| {
            let begin = || {
                barrier.wait();
                recorded(&path).1
            };
            let all: Vec<_> = (0..16).map(|_| scope.spawn(begin)).collect();
            let mut executions: Vec<i64> = all.into_iter().map(|one| one.join().unwrap()).collect();
            executions.sort_unstable();
            assert_eq!(executions, (1..=16).collect::<Vec<_>>());
        });
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        // SQLite leaves its log where the last two close at once; the next opening of the record takes it in.
        let mut names = names_in(&directory);
        names.retain(|name| !name.ends_with("-wal") && !name.ends_with("-shm"));
        assert_eq!((mode & 0o777, names), (0o600, vec!["plimsoll.db".to_owned()]));
    }
}

#[test]
fn a_record_is_born_whole() {
    let (directory, path) = scratch();
    birth::ensure(&path);
    assert_eq!(names_in(&directory), ["plimsoll.db"]);
    let connection = Connection::open(&path).unwrap();
    let answer = |pragma| connection.query_row(pragma, (), |row| row.get::<_, rusqlite::types::Value>(0)).unwrap();
    assert_eq!(answer("PRAGMA journal_mode"), "wal".to_owned().into());
    assert_eq!(answer("PRAGMA integrity_check"), "ok".to_owned().into());
    assert_eq!(answer("PRAGMA user_version"), schema::VERSION.into());
    assert_eq!(answer("PRAGMA page_size"), 16_384.into());
}

fn names_in(directory: &tempfile::TempDir) -> Vec<String> {
    let names = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

/// SQLite answers `journal_mode` with `SQLITE_BUSY` at once where another is in the same change.
#[test]
fn many_may_open_an_empty_file_at_once() {
    for _ in 0..20 {
        let (_directory, path) = scratch();
        fs::write(&path, b"").unwrap();
        let barrier = Barrier::new(16);
        thread::scope(|scope| {
            let open = || {
                barrier.wait();
                Store::open(&path).map(drop)
            };
            let all: Vec<_> = (0..16).map(|_| scope.spawn(open)).collect();
            all.into_iter().for_each(|one| one.join().unwrap().unwrap());
        });
    }
}

#[test]
fn a_version_below_zero_is_damage() {
    let (_directory, path) = scratch();
    recorded(&path).0.connection.pragma_update(None, "user_version", -5).unwrap();
    let expected = format!("the version in its header: expected 0 to {}, found -5", schema::VERSION);
    assert_says(&message(Store::open(&path), &path), &expected);
}

#[test]
fn no_word_that_is_recorded_holds_a_secret() {
    let (_directory, path) = scratch();
    let (mut store, execution) = recorded(&path);
    plimsoll_secrets::learn(["w0rd-of-a-record".to_owned()]);
    let secret = || "the w0rd-of-a-record".to_owned();
    let score = Score {
        benchmark: secret(),
        mode: secret(),
        params: BTreeMap::new(),
        measured: ScoreValue::default(),
        raw: Vec::new(),
        secondary: BTreeMap::new(),
    };
    store.add_scores(1, &[score]).unwrap();
    store.add_samples(1, &[Sample { at: Nanos::ZERO, metric: secret(), value: 1.0 }]).unwrap();
    let run = store.read(execution).unwrap().runs.swap_remove(0);
    let words = [&run.scores[0].benchmark, &run.scores[0].mode, &run.samples[0].metric];
    assert_eq!(words, ["the (masked)"; 3]);
}

#[test]
fn out_of_space() {
    let (_directory, path) = scratch();
    let (mut store, execution) = recorded(&path);
    let pages: i64 = store.connection.query_row("PRAGMA page_count", (), |row| row.get(0)).unwrap();
    store.connection.pragma_update(None, "max_page_count", pages).unwrap();
    let text = fill(&mut store, &path);
    assert_says(&text, "everything measured before this is kept");
    assert_eq!(store.read(execution).unwrap().runs[0].levels[0].intervals[0].ok.response.count(), 1);
}

/// Writes until it fails, and returns the message.
fn fill(store: &mut Store, path: &Path) -> String {
    let lines = vec!["x".repeat(1_000); 100];
    let result = (0..100).try_for_each(|_| store.add_output(1, &lines));
    message(result, path)
}

#[test]
fn a_directory_that_is_a_file() {
    let (directory, _) = scratch();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    let text = message(Store::open(&file.join("sub/plimsoll.db")), &file.join("sub"));
    assert_says(&text, "cannot make the directory");
}

#[test]
fn a_record_that_is_a_directory() {
    let (_directory, path) = scratch();
    fs::create_dir(&path).unwrap();
    assert_says(&message(Store::open(&path), &path), "cannot open");
}

#[test]
fn a_damaged_histogram_is_named() {
    for (blob, reason) in [
        ("x'00'", "not a V2 histogram"),
        ("x'1c849303ffffffff00'", "cut short: 4294967295 bytes of counts announced, 9 bytes in all"),
        ("zeroblob(900)", "not a V2 histogram"),
    ] {
        let (_directory, path) = scratch();
        let (store, execution) = recorded(&path);
        store.connection.execute_batch(&format!("UPDATE intervals SET ok_service = {blob}")).unwrap();
        let text = message(store.read(execution), &path);
        assert_says(&text, "is damaged: intervals.ok_service of row 1: ");
        assert_says(&text, reason);
    }
}

#[test]
fn damaged_values_are_named() {
    for (change, place) in [
        ("UPDATE executions SET status = 'no'", "executions.status of row 1: unknown variant `no`"),
        ("UPDATE executions SET plan = '7'", "executions.plan of row 1: "),
        ("UPDATE runs SET round = -1", "runs.round of row 1: -1 is negative"),
        ("UPDATE runs SET round = 5000000000", "runs.round of row 1: 5000000000 is too large"),
        ("UPDATE levels SET level = 3", "levels.level of row 1: the plan has 1 levels, this is index 3"),
        ("UPDATE intervals SET statuses = '{\"x\": 1}'", "intervals.statuses of row 1: "),
    ] {
        let (_directory, path) = scratch();
        let (store, execution) = recorded(&path);
        store.connection.execute_batch(change).unwrap();
        assert_says(&message(store.read(execution), &path), place);
    }
}

#[test]
fn a_damaged_file() {
    let (_directory, path) = scratch();
    let (store, execution) = recorded(&path);
    drop(store);
    let mut bytes = fs::read(&path).unwrap();
    let page = 16_384;
    assert!(bytes.len() > 2 * page, "there is more than the schema");
    bytes[page..].fill(0xA5);
    fs::write(&path, bytes).unwrap();
    let result = Store::open(&path).and_then(|store| store.read(execution));
    assert_says(&message(result, &path), "is damaged: the file's structure");
}

#[test]
fn no_such_execution() {
    let (_directory, path) = scratch();
    assert_says(&message(Store::open(&path).unwrap().read(1), &path), "has no execution 1; it is empty");
    assert_says(&message(recorded(&path).0.read(9), &path), "has no execution 9; the newest is 1");
}

#[test]
fn what_belongs_to_nothing_is_refused() {
    let (_directory, path) = scratch();
    let (mut store, _) = recorded(&path);
    store.add_output(77, &["line".to_owned()]).unwrap_err();
    store.add_intervals(77, &[Interval { connect: Histogram::new(), ..Interval::default() }]).unwrap_err();
}
