//! A run that is killed at any instant leaves everything it has committed.

use std::{
    env,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use plimsoll_record::{
    Environment, ExecutionStatus, Interval, LevelPlan, Load, Nanos, Phase, Plan, RunStatus, Sample, ThinkTime,
    store::Store,
};

const PATH: &str = "PLIMSOLL_TEST_RECORD";

/// The victim: writes an interval and a sample each 10 ms and says so, until it is killed.
#[test]
#[ignore = "started by the test below, in a process of its own"]
fn write_until_killed() {
    let path = env::var(PATH).unwrap();
    let mut store = Store::open(Path::new(&path)).unwrap();
    let load = Load::SharedIterations { vus: 1, iterations: 1, max_duration: None, think: ThinkTime::None };
    let level = LevelPlan::new("1", Phase::Measured, load);
    let plan = Plan { levels: vec![level], ..Plan::default() };
    let execution = store.begin_execution(&plan, &Environment::default(), "2026-01-01T00:00:00Z").unwrap();
    let run = store.begin_run(execution, 0, 0, 0).unwrap();
    let level = store.begin_level(run.id, 0, Nanos::ZERO).unwrap();
    for n in 0.. {
        let mut interval = Interval { start: Nanos::from_millis(10 * n), ..Interval::default() };
        (0..=n).for_each(|value| interval.ok.response.record(Nanos(value)));
        store.add_intervals(level, &[interval]).unwrap();
        let sample = Sample { at: Nanos(n), metric: "threads".to_owned(), value: n as f64 };
        store.add_samples(run.id, &[sample]).unwrap();
        eprintln!("committed {n}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn everything_committed_before_a_kill_is_there() {
    for kill_after in [1, 17, 40] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("plimsoll.db");
        let mut victim = Command::new(env::current_exe().unwrap())
            .args(["--exact", "write_until_killed", "--ignored", "--nocapture"])
            .env(PATH, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(victim.stderr.take().unwrap()).lines().map(Result::unwrap);
        let committed = said.filter(|line| line.starts_with("committed")).take(kill_after).count();
        victim.kill().unwrap();
        victim.wait().unwrap();
        assert_eq!(committed, kill_after);
        assert_is_whole(&Store::open_existing(&path).unwrap(), committed);
    }
}

fn assert_is_whole(store: &Store, committed: usize) {
    let data = store.read(store.last().unwrap().unwrap()).unwrap();
    assert_eq!(data.execution.status, ExecutionStatus::Running);
    assert_eq!(data.execution.ended_at, None);
    let run = &data.runs[0];
    assert_eq!(run.run.status, RunStatus::Running);
    assert_eq!(run.levels[0].took, None);
    assert!(run.samples.len() >= committed, "{} samples of {committed}", run.samples.len());
    let intervals = &run.levels[0].intervals;
    assert!(intervals.len() >= committed, "{} intervals of {committed}", intervals.len());
    for (n, interval) in intervals.iter().enumerate() {
        assert_eq!(interval.ok.response.count(), n as u64 + 1, "interval {n}");
    }
}
