//! Executions in short, baselines, and the output of what runs beside a target.

use plimsoll_record::{
    ClaimTally, Environment, ExecutionStatus, ExecutionSummary, KeyFigure, Plan, Store, StoreError, VariantSummary,
};

fn record() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let mut store = Store::open(&directory.path().join("plimsoll.db")).unwrap();
    for name in ["greetings", "threads", "greetings"] {
        let plan = Plan { name: name.to_owned(), title: format!("About {name}"), ..Plan::default() };
        let environment = Environment { git_commit: Some("abc".to_owned()), ..Environment::default() };
        let id = store.begin_execution(&plan, &environment, "2026-01-01T00:00:00Z").unwrap();
        store.end_execution(id, ExecutionStatus::Done, "2026-01-01T00:01:00Z").unwrap();
    }
    (directory, store)
}

fn summary() -> ExecutionSummary {
    let p99 = KeyFigure { name: "p99".to_owned(), unit: "ms".to_owned(), value: 7.5, interval: Some([7.0, 8.0]) };
    ExecutionSummary {
        claims: ClaimTally { hold: 2, fail: 1, undecided: 3 },
        runs_done: 6,
        runs_planned: 6,
        variants: vec![VariantSummary { name: "web".to_owned(), level: Some("100".to_owned()), figures: vec![p99] }],
        ..ExecutionSummary::default()
    }
}

#[test]
fn executions_are_listed_with_what_was_summarized() {
    let (_directory, mut store) = record();
    store.keep_summary(2, &ExecutionSummary::default()).unwrap();
    store.keep_summary(2, &summary()).unwrap();
    let listed = store.listed().unwrap();
    let summaries: Vec<_> = listed.iter().map(|it| it.summary.as_ref()).collect();
    assert_eq!(summaries, [None, Some(&summary()), None]);
    assert_eq!((listed[1].name.as_str(), listed[1].title.as_str()), ("threads", "About threads"));
    assert_eq!(listed[1].environment.git_commit.as_deref(), Some("abc"));
    let of_name: Vec<i64> = store.listed_of("greetings").unwrap().iter().map(|it| it.id).collect();
    assert_eq!(of_name, [1, 3]);
}

#[test]
fn a_baseline_moves_goes_and_needs_its_execution() {
    let (_directory, mut store) = record();
    let all = |store: &Store| -> Vec<(String, i64)> {
        store.baselines().unwrap().into_iter().map(|it| (it.name, it.execution)).collect()
    };
    store.set_baseline("main", 1, "2026-01-02T00:00:00Z").unwrap();
    store.set_baseline("main", 3, "2026-01-03T00:00:00Z").unwrap();
    store.set_baseline("a", 2, "2026-01-03T00:00:00Z").unwrap();
    assert_eq!(all(&store), [("a".to_owned(), 2), ("main".to_owned(), 3)]);
    assert!(store.remove_baseline("a").unwrap());
    assert!(!store.remove_baseline("a").unwrap());
    let missing = store.set_baseline("main", 9, "2026-01-03T00:00:00Z");
    assert!(matches!(missing, Err(StoreError::NoExecution { id: 9, newest: Some(3), .. })), "{missing:?}");
    assert_eq!(all(&store), [("main".to_owned(), 3)]);
}

#[test]
fn a_list_does_not_read_plans() {
    let (_directory, mut store) = record();
    // Read as a whole it is a plan that nobody could: lists do not look at it.
    let path = store.path().to_owned();
    let sql = "UPDATE executions SET plan = json_set(plan, '$.variants', 'no list')";
    rusqlite::Connection::open(path).unwrap().execute(sql, ()).unwrap();
    store.keep_summary(1, &summary()).unwrap();
    assert_eq!(store.listed().unwrap().len(), 3);
    assert!(matches!(store.executions(), Err(StoreError::Damaged { .. })));
}

#[test]
fn output_beside_the_target_is_not_the_targets() {
    let (_directory, mut store) = record();
    let mut run = store.begin_run(1, 0, 0, 0).unwrap();
    store.add_output(run.id, &["own".to_owned()]).unwrap();
    store.add_output_of(run.id, "postgres", &["other".to_owned()]).unwrap();
    let facts = serde_json::json!({"before-run": {"took_ms": 12}});
    run.facts = facts.as_object().cloned();
    store.update_run(&run).unwrap();
    let read = store.read(1).unwrap();
    assert_eq!(read.runs[0].output_tail, ["own"]);
    assert_eq!(read.runs[0].run, run);
}
