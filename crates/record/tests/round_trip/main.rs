//! The record reads back as it was written.

mod intervals;
mod samples;

use plimsoll_record::{
    Environment, Execution, ExecutionData, ExecutionStatus, Interval, LevelData, LevelPlan, Load, Nanos, Phase, Run,
    RunData, RunStatus, ThinkTime, store::Store,
};

use self::samples::{census, environment, line_run, plan, sample, score, traced};

fn open() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("new/plimsoll.db")).unwrap();
    (directory, store)
}

#[test]
fn a_whole_execution_reads_back_as_it_was_written() {
    let (_directory, mut store) = open();
    let id = store.begin_execution(&plan(), &Environment::default(), "2026-01-02T03:04:05Z").unwrap();
    store.update_environment(id, &environment()).unwrap();
    let mut run = store.begin_run(id, 0, 1, 2).unwrap();
    let skipped = store.begin_run(id, 0, 2, 0).unwrap();
    let level = store.begin_level(run.id, 1, Nanos::from_secs(9)).unwrap();
    let of_stage = |stage, start_s| Interval { stage, start: Nanos::from_secs(start_s), ..Interval::default() };
    store.add_intervals(level, &[Interval { traced: vec![traced(9), traced(6)], ..of_stage(1, 5) }]).unwrap();
    store.add_traced(level, &[traced(5)]).unwrap();
    store.add_scores(run.id, &[score()]).unwrap();
    store.add_censuses(run.id, &[census()]).unwrap();
    store.add_intervals(level, &[of_stage(0, 5), of_stage(0, 4)]).unwrap();
    store.end_level(level, Nanos::from_millis(1_291)).unwrap();
    let open_level = store.begin_level(run.id, 0, Nanos::from_secs(20)).unwrap();
    assert!(open_level > level);
    store.add_samples(run.id, &[sample(100, "cpu_percent", 103.8), sample(100, "rss_bytes", 2e8)]).unwrap();
    store.add_samples(run.id, &[sample(200, "cpu_percent", f64::NAN), sample(200, "threads", 30.0)]).unwrap();
    let lines = (0..450).map(|n| format!("line {n}")).collect::<Vec<_>>();
    store.add_output(run.id, &lines[..300]).unwrap();
    store.add_output(run.id, &lines[300..]).unwrap();
    run.status = RunStatus::NotReady;
    run.detail = Some("gave up".to_owned());
    run.command = Some("java -jar x.jar".to_owned());
    run.startup = Some(Nanos::from_millis(1_778));
    run.line = Some(line_run());
    store.update_run(&run).unwrap();
    store.end_execution(id, ExecutionStatus::Interrupted, "2026-01-02T03:05:00Z").unwrap();

    let levels = plan().levels;
    let traced = vec![traced(5), traced(6)];
    let intervals = vec![of_stage(0, 4), of_stage(0, 5), of_stage(1, 5)];
    let expected = ExecutionData {
        execution: Execution {
            id,
            started_at: "2026-01-02T03:04:05Z".to_owned(),
            ended_at: Some("2026-01-02T03:05:00Z".to_owned()),
            status: ExecutionStatus::Interrupted,
            plan: plan(),
            environment: environment(),
        },
        runs: vec![
            RunData {
                run,
                levels: vec![
                    LevelData {
                        plan: levels[1].clone(),
                        started: Nanos::from_secs(9),
                        took: Some(Nanos::from_millis(1_291)),
                        intervals,
                        traced,
                    },
                    LevelData {
                        plan: levels[0].clone(),
                        started: Nanos::from_secs(20),
                        took: None,
                        intervals: vec![],
                        traced: vec![],
                    },
                ],
                samples: vec![
                    sample(100, "cpu_percent", 103.8),
                    sample(100, "rss_bytes", 2e8),
                    sample(200, "threads", 30.0),
                ],
                censuses: vec![census()],
                scores: vec![score()],
                output_tail: lines[250..].to_vec(),
            },
            RunData {
                run: Run { status: RunStatus::Running, ..skipped },
                levels: vec![],
                samples: vec![],
                censuses: Vec::new(),
                scores: vec![],
                output_tail: vec![],
            },
        ],
    };
    assert_eq!(store.read(id).unwrap(), expected);
    assert_eq!(store.executions().unwrap(), [expected.execution]);
}

/// The trials of a search are levels that nobody knew of at its start.
#[test]
fn levels_are_appended_while_an_execution_runs() {
    let (directory, mut store) = open();
    let mut plan = plan();
    let other = store.begin_execution(&plan, &environment(), "2026-01-01T00:00:00Z").unwrap();
    let id = store.begin_execution(&plan, &environment(), "2026-01-01T00:00:01Z").unwrap();
    let run = store.begin_run(id, 0, 0, 0).unwrap();
    let reader = Store::open_existing(&directory.path().join("new/plimsoll.db")).unwrap();
    for trial in 2..5_u64 {
        let load = Load::SharedIterations { vus: 1, iterations: trial, max_duration: None, think: ThinkTime::None };
        plan.levels.push(LevelPlan::new(format!("trial {trial}"), Phase::Measured, load));
        store.update_plan(id, &plan).unwrap();
        // The newest level is planned, and not begun.
        let read = reader.read(id).unwrap();
        assert_eq!(read.execution.plan, plan);
        assert_eq!(read.runs[0].levels.len() as u64, trial - 2);
        let level = store.begin_level(run.id, plan.levels.len() - 1, Nanos::from_secs(trial)).unwrap();
        store.add_intervals(level, &[Interval { stage: trial as u32, ..Interval::default() }]).unwrap();
        store.end_level(level, Nanos(trial)).unwrap();
    }
    let levels = &reader.read(id).unwrap().runs[0].levels;
    let labels: Vec<&str> = levels.iter().map(|level| level.plan.label.as_str()).collect();
    assert_eq!(labels, ["trial 2", "trial 3", "trial 4"]);
    assert!(levels.iter().zip(2..).all(|(level, trial)| level.intervals[0].stage == trial), "{levels:?}");
    assert_eq!(reader.read(other).unwrap().execution.plan.levels.len(), 2, "the other one stays as it is");
}

#[test]
fn executions_are_kept_apart_and_the_newest_is_last() {
    let (directory, mut store) = open();
    assert_eq!(store.last().unwrap(), None);
    let ids = ["2026-01-01T00:00:00Z", "2025-01-01T00:00:00Z"]
        .map(|at| store.begin_execution(&plan(), &environment(), at).unwrap());
    store.begin_run(ids[0], 0, 0, 0).unwrap();
    drop(store);

    let store = Store::open_existing(&directory.path().join("new/plimsoll.db")).unwrap();
    assert_eq!(store.last().unwrap(), Some(ids[1]));
    assert_eq!(store.executions().unwrap().iter().map(|execution| execution.id).collect::<Vec<_>>(), ids);
    assert_eq!(store.read(ids[0]).unwrap().runs.len(), 1);
    assert_eq!(store.read(ids[1]).unwrap().runs.len(), 0);
}

#[test]
fn a_new_directory_hides_itself_from_git() {
    let (directory, _store) = open();
    assert_eq!(std::fs::read_to_string(directory.path().join("new/.gitignore")).unwrap(), "*\n");
    Store::open(&directory.path().join("other.db")).unwrap();
    assert!(!directory.path().join(".gitignore").exists(), "a directory that was there is left alone");
}
