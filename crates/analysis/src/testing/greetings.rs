//! An execution like `experiments/greetings.yaml`'s, with everything a report may have to show.

use plimsoll_record::{
    ErrorKind, ExecutionData, LevelData, LevelPlan, Nanos, Phase, Plan, RunData, RunStatus, Sample, metric,
};

use super::{Request, execution, greetings_plan, level, run};

const ROUNDS: u32 = 3;
/// Index of the variant that cannot run.
const NATIVE: usize = 3;
/// Variant and round whose target dies while the last level is driven.
const DIES: (usize, u32) = (2, 2);

/// Four variants, a warm-up, four measured levels, three rounds, always the same to the last bit. `web-native` is
/// skipped in every round, `reactive-jar` dies in the last one, some requests of `web-jar-vt` fail at 2,700 users.
/// Claims come out with all three verdicts, and there is a published table.
pub fn greetings() -> ExecutionData {
    let plan = greetings_plan::plan(ROUNDS);
    let places = (0..ROUNDS).flat_map(|round| (0..4).map(move |position| (round, position)));
    let runs = places.zip(1..).map(|((round, position), id)| {
        let variant = (position + round) as usize % 4;
        let mut data = if variant == NATIVE { skipped(round) } else { driven(&plan, variant, round) };
        data.run.id = id;
        data.run.position = position;
        data
    });
    let runs = runs.collect();
    let mut greetings = execution(plan, runs);
    greetings.execution.environment = greetings_plan::environment();
    greetings
}

fn skipped(round: u32) -> RunData {
    let mut data = run(NATIVE, round, Nanos::ZERO, Vec::new());
    data.run.status = RunStatus::Skipped;
    data.run.startup = None;
    data.run.detail = Some("no `native-image` was found: install GraalVM 25 and set GRAALVM_HOME".to_owned());
    data
}

/// How a variant of the fixture behaves.
struct Behaviour {
    workers: u32,
    /// Added to the second each request waits, per thousand users.
    overhead_ms_per_1000: f64,
    startup_ms: f64,
    cpu_peak_percent: f64,
    rss_peak_mb: f64,
}

const WEB: Behaviour = Behaviour {
    workers: 200,
    overhead_ms_per_1000: 70.0,
    startup_ms: 1_778.0,
    cpu_peak_percent: 104.0,
    rss_peak_mb: 281.0,
};
const WEB_VT: Behaviour = Behaviour {
    workers: u32::MAX,
    overhead_ms_per_1000: 900.0,
    startup_ms: 1_780.0,
    cpu_peak_percent: 190.0,
    rss_peak_mb: 390.0,
};
const REACTIVE: Behaviour = Behaviour {
    workers: u32::MAX,
    overhead_ms_per_1000: 260.0,
    startup_ms: 1_903.0,
    cpu_peak_percent: 196.0,
    rss_peak_mb: 239.0,
};
const BEHAVIOURS: [Behaviour; 3] = [WEB, WEB_VT, REACTIVE];

fn driven(plan: &Plan, variant: usize, round: u32) -> RunData {
    let behaviour = &BEHAVIOURS[variant];
    let noise = noise(variant, round);
    let startup = millis(behaviour.startup_ms * (1.0 + 0.02 * noise));
    let mut started = startup + Nanos::from_millis(40);
    let mut levels = Vec::new();
    for level_plan in &plan.levels {
        let data = level(level_plan, started, &requests(level_plan, variant, behaviour, noise));
        started = started + data.took.unwrap_or_default() + Nanos::from_millis(120);
        levels.push(data);
    }
    let mut data = run(variant, round, startup, levels);
    data.run.command = Some(format!("java -jar {}.jar --server.port=41017", plan.variants[variant].name));
    if (variant, round) == DIES {
        die(&mut data);
    }
    data.samples = samples(&data, behaviour);
    data
}

/// Between −1 and 1, the same at each call.
fn noise(variant: usize, round: u32) -> f64 {
    const TABLE: [[f64; ROUNDS as usize]; 3] = [[0.1, -0.6, 0.5], [-0.4, 0.2, 0.7], [0.3, -0.2, 0.0]];
    TABLE[variant][round as usize]
}

fn millis(ms: f64) -> Nanos {
    Nanos::from_secs_f64(ms / 1e3)
}

/// The warm-up: ten users, one request a second each. A level: all at once, `workers` at a time.
fn requests(plan: &LevelPlan, variant: usize, behaviour: &Behaviour, noise: f64) -> Vec<Request> {
    if plan.phase == Phase::WarmUp {
        let seconds = (0..3).flat_map(|second| (0..10).map(move |_| Nanos::from_secs(second)));
        return seconds.map(|intended| Request::ok(intended, intended + millis(995.0))).collect();
    }
    let users = plan.load.max_in_flight();
    let overhead_ms = 20.0 + behaviour.overhead_ms_per_1000 * f64::from(users) / 1e3 * (1.0 + 0.1 * noise);
    let request = |index: u32| {
        let wave = f64::from(index / behaviour.workers + 1);
        // A golden-ratio sequence: spread evenly, in no order.
        let spread = (f64::from(index) * 0.618_033_988_75).fract();
        let sent = Nanos::from_micros(u64::from(index) * 4);
        let done = millis(wave * 1_001.5 + overhead_ms * spread);
        let failed = variant == 1 && users == 2_700 && index % 300 == 299;
        let error = failed.then_some(if index > 2_000 { ErrorKind::ClosedBeforeResponse } else { ErrorKind::Reset });
        Request { intended: Nanos::ZERO, sent, done, error, stage: 0 }
    };
    (0..users).map(request).collect()
}

/// The target exits one second into the last level, which is then over for it.
fn die(data: &mut RunData) {
    data.run.status = RunStatus::Died;
    data.run.detail = Some("the target exited with code 137 (killed, most likely by the memory limit)".to_owned());
    data.output_tail = vec![
        "Started GreetingsApplication in 1.702 seconds".to_owned(),
        "java.lang.OutOfMemoryError: Cannot reserve 4194304 bytes of direct buffer memory".to_owned(),
    ];
    if let Some(last) = data.levels.last_mut() {
        last.took = None;
        last.intervals.truncate(1);
    }
}

/// Ten a second, from the spawn to the end of the load.
fn samples(data: &RunData, behaviour: &Behaviour) -> Vec<Sample> {
    let end = data.levels.iter().map(end_of).max().unwrap_or_default();
    (1..=end.0 / 100_000_000).flat_map(|tick| sample(Nanos::from_millis(tick * 100), end, behaviour)).collect()
}

fn end_of(level: &LevelData) -> Nanos {
    let covered = level.intervals.iter().map(|it| it.start + it.duration).max().unwrap_or_default();
    level.started + level.took.unwrap_or(covered)
}

fn sample(at: Nanos, end: Nanos, behaviour: &Behaviour) -> [Sample; 7] {
    let share = at.0 as f64 / end.0 as f64;
    let wave = (at.as_secs_f64() * 2.1).sin().abs();
    let cpu_percent = behaviour.cpu_peak_percent * if share < 0.1 { 0.9 } else { 0.15 + 0.85 * wave * share };
    let rss_bytes = behaviour.rss_peak_mb * 1e6 * share.sqrt();
    let threads = 24.0 + f64::from(behaviour.workers.min(210)) * share.powi(2);
    let values = [
        (metric::CPU_PERCENT, cpu_percent),
        (metric::RSS_BYTES, rss_bytes),
        (metric::CGROUP_BYTES, rss_bytes * 1.08),
        (metric::THREADS, threads),
        (metric::DESCRIPTORS, 18.0 + 2_700.0 * share.powi(3)),
        (metric::MACHINE_CPU_PERCENT, cpu_percent + 12.0),
        (metric::STEAL_PERCENT, 0.4 * wave),
    ];
    values.map(|(metric, value)| Sample { at, metric: metric.name.to_owned(), value })
}
