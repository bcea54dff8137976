//! A large execution is small on disk.

use std::{
    fs,
    time::{Duration, Instant},
};

use plimsoll_record::{
    Environment, Histogram, Interval, LevelPlan, Load, Nanos, Phase, Plan, Sample, ThinkTime, VariantPlan, store::Store,
};
use rand::{RngExt, SeedableRng, rngs::StdRng};

const LEVELS: usize = 4;
const INTERVALS: usize = 15;
const SAMPLES: usize = 1_000;
const REQUESTS: u64 = 1_000;

#[test]
fn intervals_take_few_bytes() {
    let measured = measure(8);
    assert!(measured.bytes_per_interval < 5_000, "{measured:?}");
}

#[test]
#[ignore = "measures the size of a long experiment; run it with --release --nocapture --ignored"]
fn a_hundred_runs() {
    println!("{:#?}", measure(100));
}

/// The cost of writing and reading `runs` runs of [`LEVELS`] levels.
#[derive(Debug)]
#[expect(dead_code, reason = "read by its Debug form")]
struct Cost {
    write: Duration,
    read: Duration,
    merge: Duration,
    /// Bytes of the whole file, samples and indexes included.
    bytes_per_interval: u64,
}

fn measure(runs: usize) -> Cost {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("plimsoll.db");
    let mut store = Store::open(&path).unwrap();
    let (execution, write) = timed(|| write_runs(&mut store, runs));
    let (data, read) = timed(|| store.read(execution).unwrap());
    let mut sum = Interval::default();
    let ((), merge) = timed(|| {
        let levels = data.runs.iter().flat_map(|run| &run.levels);
        levels.flat_map(|level| &level.intervals).for_each(|interval| sum.merge(interval));
    });
    let intervals = (runs * LEVELS * INTERVALS) as u64;
    assert_eq!(sum.ok.response.count(), intervals * REQUESTS);
    assert_eq!(data.runs.iter().map(|run| run.samples.len()).sum::<usize>(), runs * SAMPLES);
    drop(store);
    Cost { write, read, merge, bytes_per_interval: fs::metadata(&path).unwrap().len() / intervals }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}

fn write_runs(store: &mut Store, runs: usize) -> i64 {
    let random = &mut StdRng::seed_from_u64(1);
    let execution = store.begin_execution(&plan(), &Environment::default(), "2026-01-01T00:00:00Z").unwrap();
    let intervals = (0..INTERVALS).map(|second| interval(random, second as u64)).collect::<Vec<_>>();
    let samples = (0..SAMPLES).map(|n| sample(n as u64)).collect::<Vec<_>>();
    for round in 0..runs {
        let run = store.begin_run(execution, 0, round as u32, 0).unwrap();
        for level in 0..LEVELS {
            let level = store.begin_level(run.id, level, Nanos::ZERO).unwrap();
            store.add_intervals(level, &intervals).unwrap();
        }
        store.add_samples(run.id, &samples).unwrap();
    }
    execution
}

fn plan() -> Plan {
    let load = Load::ConstantVus { vus: 1_000, duration: Nanos::from_secs(15), think: ThinkTime::None };
    let level = LevelPlan::new("1000", Phase::Measured, load);
    Plan { levels: vec![level; LEVELS], variants: vec![VariantPlan::default()], ..Plan::default() }
}

/// One second of 1,000 requests to a subject that waits 1 s.
fn interval(random: &mut StdRng, second: u64) -> Interval {
    let wait = Nanos::from_secs(1);
    let mut interval =
        Interval { start: Nanos::from_secs(second), duration: Nanos::from_secs(1), ..Interval::default() };
    interval.ok.response = times(random, wait, 50e6);
    interval.ok.service = times(random, wait, 50e6);
    interval.first_byte = times(random, wait, 50e6);
    interval.send_lag = times(random, Nanos::ZERO, 50e3);
    interval.statuses.insert(200, REQUESTS);
    interval
}

/// `least` and an exponential excess.
fn times(random: &mut StdRng, least: Nanos, mean_excess_ns: f64) -> Histogram {
    let mut histogram = Histogram::new();
    for _ in 0..REQUESTS {
        let excess_ns = -mean_excess_ns * (1.0 - random.random::<f64>()).ln();
        histogram.record(least + Nanos(excess_ns as u64));
    }
    histogram
}

fn sample(n: u64) -> Sample {
    Sample { at: Nanos::from_millis(100 * n), metric: "rss_bytes".to_owned(), value: n as f64 * 1e5 }
}
