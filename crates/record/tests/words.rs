//! A record stays readable whatever words are secret: its own names and words are none.

#[path = "round_trip/samples.rs"]
mod samples;

use std::collections::BTreeSet;

use plimsoll_record::{ErrorKind, ExecutionStatus, Interval, Nanos, RunStatus, store::Store};
use serde::Serialize;
use serde_json::Value;

/// Names of fields, and their parts.
fn collect(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::Object(entries) => {
            for (name, value) in entries {
                words.extend(name.split(['_', '-']).chain([name.as_str()]).map(str::to_owned));
                collect(value, words);
            }
        }
        _ => {}
    }
}

fn words() -> Vec<String> {
    let values = [
        json(&samples::plan()),
        json(&samples::environment()),
        json(&samples::census()),
        json(&samples::line_run()),
        json(&samples::score()),
        json(&Interval::default()),
    ];
    let mut words = BTreeSet::new();
    values.iter().for_each(|value| collect(value, &mut words));
    let kinds = ErrorKind::ALL.iter().flat_map(|kind| kind.as_str().split('-').chain([kind.as_str()]));
    let others = "constant-arrival-rate shared-iterations ramping-vus measured interrupted target-upstream poisson \
                  uniform outbound blocked not-ready";
    words.extend(kinds.chain(others.split([' ', '-'])).chain(others.split(' ')).map(str::to_owned));
    words.into_iter().collect()
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

#[test]
fn words_of_the_record_as_passwords_leave_it_readable() {
    plimsoll_secrets::learn(words());
    let directory = tempfile::tempdir().unwrap();
    let mut store = Store::open(&directory.path().join("plimsoll.db")).unwrap();
    let id = store.begin_execution(&samples::plan(), &samples::environment(), "2026-01-02T03:04:05Z").unwrap();
    let mut run = store.begin_run(id, 0, 0, 0).unwrap();
    let level = store.begin_level(run.id, 1, Nanos::from_secs(9)).unwrap();
    let mut interval = Interval { traced: vec![samples::traced(9)], ..Interval::default() };
    interval.errors.insert(ErrorKind::ConnectTimeout, Default::default());
    store.add_intervals(level, &[interval]).unwrap();
    store.add_scores(run.id, &[samples::score()]).unwrap();
    store.add_censuses(run.id, &[samples::census()]).unwrap();
    store.add_samples(run.id, &[samples::sample(100, "cpu_percent", 103.8)]).unwrap();
    (run.status, run.line) = (RunStatus::UpstreamFailed, Some(samples::line_run()));
    store.update_run(&run).unwrap();
    store.end_execution(id, ExecutionStatus::Interrupted, "2026-01-02T03:05:00Z").unwrap();

    let read = store.read(id).unwrap();
    let [found] = read.runs.as_slice() else { panic!("{read:?}") };
    assert_eq!((found.run.status, found.run.line.clone()), (run.status, run.line));
    assert_eq!(found.samples[0].metric, "cpu_percent");
    let [of_run] = found.levels.as_slice() else { panic!("{found:?}") };
    assert!(of_run.intervals[0].errors.contains_key(&ErrorKind::ConnectTimeout));
    assert_eq!(of_run.plan.load, samples::plan().levels[1].load);
    assert_eq!((found.scores.len(), found.censuses[0].window), (1, samples::census().window));
}
