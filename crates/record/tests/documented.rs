//! docs/record-format.md: every query works, and every table and column is described.

use std::fs;

use plimsoll_record::{
    ArrivalSlot, Census, ClaimTally, Environment, ErrorCount, ErrorKind, ExecutionStatus, ExecutionSummary, Interval,
    LevelPlan, Load, Nanos, Phase, Plan, RunStatus, Sample, Score, ScoreValue, Stack, ThinkTime, ThreadState,
    TracedRequest, VariantPlan, Window, metric, store::Store,
};
use rusqlite::{Connection, types::Value};

fn documentation() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/record-format.md")).unwrap()
}

/// A record with something for every query to find.
fn record() -> (tempfile::TempDir, Connection) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("plimsoll.db");
    let mut store = Store::open(&path).unwrap();
    let execution = store.begin_execution(&plan(), &Environment::default(), "2026-01-01T00:00:00Z").unwrap();
    let mut run = store.begin_run(execution, 0, 0, 0).unwrap();
    let level = store.begin_level(run.id, 0, Nanos::from_secs(2)).unwrap();
    store.add_intervals(level, &[interval(0), interval(1)]).unwrap();
    store.add_traced(level, &[traced(2_000), traced(1_500)]).unwrap();
    store.end_level(level, Nanos::from_secs(2)).unwrap();
    let sample = |metric: &str, value| Sample { at: Nanos(1), metric: metric.to_owned(), value };
    store.add_samples(run.id, &[sample("cpu_percent", 50.0), sample("cpu_percent", 150.5)]).unwrap();
    store.add_samples(run.id, &[sample("rss_bytes", 2e8)]).unwrap();
    store.add_output(run.id, &["Out of memory".to_owned()]).unwrap();
    let measured = ScoreValue { score: 1_035.5, unit: "ms/op".to_owned(), ..ScoreValue::default() };
    let score = Score { benchmark: "Batch.batch".to_owned(), mode: "avgt".to_owned(), measured, ..Score::default() };
    store.add_scores(run.id, &[score]).unwrap();
    let stack = Stack { group: "exec-*".to_owned(), count: 60, state: ThreadState::Blocked, ..Stack::default() };
    store.add_censuses(run.id, &[Census { window: Window::Full, stacks: vec![stack], ..Census::default() }]).unwrap();
    run.status = RunStatus::Died;
    run.startup = Some(Nanos::from_millis(1_500));
    store.update_run(&run).unwrap();
    store.end_execution(execution, ExecutionStatus::Done, "2026-01-01T00:00:09Z").unwrap();
    let claims = ClaimTally { hold: 2, fail: 1, undecided: 0 };
    store.keep_summary(execution, &ExecutionSummary { claims, ..ExecutionSummary::default() }).unwrap();
    store.set_baseline("main", execution, "2026-01-01T00:01:00Z").unwrap();
    (directory, Connection::open(path).unwrap())
}

fn plan() -> Plan {
    let load = Load::SharedIterations { vus: 100, iterations: 100, max_duration: None, think: ThinkTime::None };
    let level = LevelPlan::new("100", Phase::Measured, load);
    let variant = VariantPlan { name: "web-jar".to_owned(), ..VariantPlan::default() };
    Plan { name: "greetings".to_owned(), variants: vec![variant], levels: vec![level], ..Plan::default() }
}

fn interval(second: u64) -> Interval {
    let mut interval =
        Interval { start: Nanos::from_secs(second), duration: Nanos::from_secs(1), ..Interval::default() };
    interval.counts.succeeded = 95;
    interval.counts.failed = 5;
    let slot = ArrivalSlot { slot: 3, offered: 50, ended: 49, failed: 2, within: vec![40, 45] };
    interval.arrivals = [slot].into_iter().collect();
    interval.errors.insert(ErrorKind::Reset, ErrorCount { count: 5, example: "reset by peer".to_owned() });
    interval
}

fn traced(sent_us: u64) -> TracedRequest {
    TracedRequest {
        stage: 0,
        request: 0,
        intended: Nanos::from_millis(1),
        sent: Some(Nanos::from_micros(sent_us)),
        first_byte: None,
        done: Nanos::from_millis(251),
        status: Some(200),
        error: None,
        server_timing: Some("connect;dur=3".to_owned()),
    }
}

/// The fenced blocks of one language.
fn blocks<'a>(markdown: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    markdown.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

fn first_row(connection: &Connection, sql: &str) -> Vec<Value> {
    let mut statement = connection.prepare(sql).unwrap_or_else(|error| panic!("{error} in {sql}"));
    let columns = statement.column_count();
    let row = |row: &rusqlite::Row<'_>| (0..columns).map(|column| row.get(column)).collect();
    statement.query_row((), row).unwrap_or_else(|error| panic!("{error} in {sql}"))
}

#[test]
fn every_query_finds_what_it_says() {
    let (_directory, connection) = record();
    let text = |text: &str| Value::Text(text.to_owned());
    let (jar, level) = (text("web-jar"), text("100"));
    let expected = [
        vec![1.into(), text("greetings"), text("2026-01-01T00:00:00Z"), text("done"), Value::Null],
        vec![jar.clone(), level.clone(), 0.into(), 95.0.into(), 5.0.into()],
        vec![jar.clone(), level.clone(), 0.into(), 0.into(), 100.into()],
        vec![jar.clone(), level.clone(), 0.into(), 0.3.into(), 100.into(), 20.into()],
        vec![jar.clone(), 0.into(), 1.5.into(), 100.25.into(), 200.0.into()],
        vec![jar.clone(), level, text("reset"), 10.into(), text("reset by peer")],
        vec![jar.clone(), text("100"), 0.into(), 1.into(), 250.0.into(), text("connect;dur=3")],
        vec![jar.clone(), 0.into(), text("Batch.batch"), 1_035.5.into(), text("ms/op")],
        vec![jar.clone(), text("exec-*"), text("blocked"), 60.0.into()],
        vec![1.into(), text("greetings"), 2.into(), 1.into(), text("main")],
        vec![jar, 0.into(), text("died"), text("Out of memory")],
    ];
    let documentation = documentation();
    let queries = blocks(&documentation, "sql");
    assert_eq!(queries.len(), expected.len());
    for (sql, expected) in queries.into_iter().zip(expected) {
        assert_eq!(first_row(&connection, sql), expected, "{sql}");
    }
}

#[test]
fn every_table_column_and_metric_is_described() {
    let (_directory, connection) = record();
    let documentation = documentation();
    let mut columns = connection
        .prepare("SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c WHERE sql NOT LIKE '%INDEX%'")
        .unwrap();
    let names = columns.query_map((), |row| Ok([row.get::<_, String>(0)?, row.get(1)?])).unwrap();
    let names = names.flat_map(Result::unwrap).chain(metric::all().map(|metric| metric.name.to_owned()));
    let mut checked = 0;
    for name in names {
        assert!(documentation.contains(&format!("`{name}`")), "`{name}` is not in docs/record-format.md");
        checked += 1;
    }
    assert!(checked > 100, "only {checked} names");
}

#[test]
fn removing_an_execution_removes_all_that_belongs_to_it() {
    let (_directory, connection) = record();
    let documentation = documentation();
    let line = documentation.lines().find(|line| line.contains("DELETE FROM executions")).unwrap();
    connection.execute_batch(line.trim().trim_matches('`')).unwrap();
    for table in [
        "executions",
        "runs",
        "levels",
        "intervals",
        "samples",
        "output_lines",
        "traced_requests",
        "scores",
        "censuses",
        "baselines",
    ] {
        assert_eq!(first_row(&connection, &format!("SELECT count(*) FROM {table}")), [0.into()], "{table}");
    }
}
