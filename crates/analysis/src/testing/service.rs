//! Services by formula: what runs of them leave in the record, always the same to the last bit.

use plimsoll_record::{
    ErrorKind, ExecutionData, LevelData, LevelPlan, Nanos, Phase, Plan, RunData, RunStatus, Sample,
    metric::{self, tcp},
};

use super::{Connection, Request, execution, level, run};

/// How a service behaves under load, and what becomes of its runs.
#[derive(Clone, Copy, Debug)]
pub struct Service {
    /// Requests served at once, a second each: users who come together are answered in waves.
    pub workers: u32,
    /// Added to that second, per thousand users.
    pub overhead_ms_per_1000: f64,
    /// From spawn to the first 2xx.
    pub startup_ms: f64,
    /// Highest CPU, 100 = one core.
    pub cpu_peak_percent: f64,
    /// Most memory.
    pub rss_peak_mb: f64,
    /// Connections that may wait to be accepted. Eight times as many users who come together are connected at once.
    pub backlog: u32,
    /// Why a request fails, by the number of users and its index.
    pub fails: fn(u32, u32) -> Option<ErrorKind>,
    /// The end of its runs.
    pub fate: Fate,
}

/// How the runs of a service end.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// Well.
    Done,
    /// In these rounds the service dies one second into the last level.
    Dies(&'static [u32]),
    /// It cannot run on this machine, for this reason.
    Skipped(&'static str),
}

impl Service {
    /// A perfect service: serves all at once, and adds nothing.
    pub const IDEAL: Self = Self {
        workers: u32::MAX,
        overhead_ms_per_1000: 0.0,
        startup_ms: 1_000.0,
        cpu_peak_percent: 100.0,
        rss_peak_mb: 200.0,
        backlog: 4_096,
        fails: |_, _| None,
        fate: Fate::Done,
    };

    /// An execution of the plan, each of whose variants is one of `services`.
    pub fn execute(plan: Plan, services: &[Self]) -> ExecutionData {
        let count = services.len() as u32;
        let places = (0..plan.rounds).flat_map(|round| (0..count).map(move |position| (round, position)));
        let runs = places.zip(1..).map(|((round, position), id)| {
            let variant = ((position + round) % count) as usize;
            let mut data = services[variant].run(&plan, variant, round);
            data.run.id = id;
            data.run.position = position;
            data
        });
        let runs = runs.collect();
        execution(plan, runs)
    }

    fn run(&self, plan: &Plan, variant: usize, round: u32) -> RunData {
        if let Fate::Skipped(why) = self.fate {
            let mut data = run(variant, round, Nanos::ZERO, Vec::new());
            data.run.status = RunStatus::Skipped;
            data.run.startup = None;
            data.run.detail = Some(why.to_owned());
            return data;
        }
        let noise = noise(variant, round);
        let startup = millis(self.startup_ms * (1.0 + 0.02 * noise));
        let mut started = startup + Nanos::from_millis(40);
        let mut levels = Vec::new();
        for level_plan in &plan.levels {
            let data = level(level_plan, started, &self.requests(level_plan, noise));
            started = started + data.took.unwrap_or_default() + Nanos::from_millis(120);
            levels.push(data);
        }
        let mut data = run(variant, round, startup, levels);
        data.run.command = Some(format!("java -jar {}.jar --server.port=41017", plan.variants[variant].name));
        if matches!(self.fate, Fate::Dies(rounds) if rounds.contains(&round)) {
            die(&mut data);
        }
        data.samples = self.samples(&data);
        data
    }

    /// The warm-up: ten users, one request a second each. A level: all at once, `workers` at a time.
    fn requests(&self, plan: &LevelPlan, noise: f64) -> Vec<Request> {
        if plan.phase == Phase::WarmUp {
            let seconds = (0..3).flat_map(|second| (0..10).map(move |_| Nanos::from_secs(second)));
            return seconds.map(|intended| Request::ok(intended, intended + millis(995.0))).collect();
        }
        let users = plan.load.max_in_flight();
        let overhead_ms = 20.0 + self.overhead_ms_per_1000 * f64::from(users) / 1e3 * (1.0 + 0.1 * noise);
        let request = |index: u32| {
            let wave = f64::from(index / self.workers + 1);
            // A golden-ratio sequence: spread evenly, in no order.
            let spread = (f64::from(index) * GOLDEN_RATIO).fract();
            let acted = Nanos::from_micros(u64::from(index) * 4);
            let connection = self.connection(index);
            let wait = if let Connection::Late(wait) = connection { wait } else { Nanos::ZERO };
            let done = millis(wave * 1_001.5 + overhead_ms * spread);
            let error = (self.fails)(users, index);
            Request { sent: acted + wait, error, connection, ..Request::ok(Nanos::ZERO, done) }
        };
        (0..users).map(request).collect()
    }

    /// The kernel drops the SYN of a user who comes when the accept queue is full, and sends it again after 1 s and
    /// after 3 s.
    fn connection(&self, index: u32) -> Connection {
        match index / (self.backlog * 8) {
            0 => Connection::Opened,
            1 => Connection::Late(Nanos::from_micros(1_000_800)),
            _ => Connection::Late(Nanos::from_micros(3_000_800)),
        }
    }

    /// Samples, ten a second, from the spawn to the end of the load. Of equal ones in a row the first and the last are
    /// kept, as by the sampler.
    fn samples(&self, data: &RunData) -> Vec<Sample> {
        let end = data.levels.iter().map(end_of).max().unwrap_or_default();
        let instants = (1..=end.0 / 100_000_000).map(|tick| Nanos::from_millis(tick * 100));
        let ticks: Vec<Vec<Sample>> =
            instants.map(|at| [&self.resources(at, end)[..], &self.sockets(at, &data.levels)].concat()).collect();
        let is_equal =
            |tick: Option<&Vec<Sample>>, index: usize, value| tick.is_some_and(|it| it[index].value == value);
        let kept = ticks.iter().enumerate().flat_map(|(tick, samples)| {
            let (before, after) = (tick.checked_sub(1).and_then(|before| ticks.get(before)), ticks.get(tick + 1));
            let samples = samples.iter().enumerate();
            samples
                .filter(move |(index, it)| !(is_equal(before, *index, it.value) && is_equal(after, *index, it.value)))
        });
        kept.map(|(_, sample)| sample.clone()).collect()
    }

    fn resources(&self, at: Nanos, end: Nanos) -> [Sample; 7] {
        let share = at.0 as f64 / end.0 as f64;
        let wave = (at.as_secs_f64() * 2.1).sin().abs();
        let cpu_percent = self.cpu_peak_percent * if share < 0.1 { 0.9 } else { 0.15 + 0.85 * wave * share };
        let rss_bytes = self.rss_peak_mb * 1e6 * share.sqrt();
        let values = [
            (metric::CPU_PERCENT, cpu_percent),
            (metric::RSS_BYTES, rss_bytes),
            (metric::CGROUP_BYTES, rss_bytes * 1.08),
            (metric::THREADS, 24.0 + f64::from(self.workers.min(210)) * share.powi(2)),
            (metric::DESCRIPTORS, 18.0 + 2_700.0 * share.powi(3)),
            (metric::MACHINE_CPU_PERCENT, cpu_percent + 12.0),
            (metric::STEAL_PERCENT, 0.4 * wave),
        ];
        values.map(|(metric, value)| sample(at, metric.name, value))
    }

    /// Each level opens its connections; those that find the accept queue full are counted as they come again.
    fn sockets(&self, at: Nanos, levels: &[LevelData]) -> [Sample; 9] {
        let (mut overflows, mut opened, mut established, mut waiting) = (0.0, 0.0, 0.0, 0.0);
        for level in levels.iter().filter(|level| level.started <= at) {
            let users = f64::from(level.plan.load.max_in_flight());
            let (since, length) = (at - level.started, end_of(level) - level.started);
            let dropped = (users - f64::from(self.backlog) * 8.0).max(0.0);
            overflows += (dropped * 1.4 * (since.as_secs_f64() / 3.0).min(1.0)).round();
            opened += users;
            if since < length {
                established = (users * (1.0 - since.0 as f64 / length.0 as f64)).round();
                waiting =
                    if since < Nanos::from_secs(1) { (users / 8.0).min(f64::from(self.backlog) + 1.0) } else { 0.0 };
            }
        }
        let values = [
            ("inbound_established", established),
            (tcp::ACCEPT_QUEUE.name, f64::round(waiting)),
            (tcp::ACCEPT_QUEUE_MAX.name, f64::from(self.backlog)),
            (tcp::ACCEPT_QUEUE_DROPS.name, overflows),
            (tcp::LISTEN_OVERFLOWS.name, overflows),
            (tcp::RETRANSMITS.name, overflows),
            (tcp::CONNECTIONS_OPENED.name, opened),
            (tcp::CONNECT_FAILURES.name, 0.0),
            (tcp::CONNECTIONS_RESET.name, 0.0),
        ];
        values.map(|(name, value)| sample(at, name, value))
    }
}

const GOLDEN_RATIO: f64 = 0.618_033_988_75;

/// Between −1 and 1, the same at each call.
fn noise(variant: usize, round: u32) -> f64 {
    ((variant * 7 + round as usize * 4) as f64 * GOLDEN_RATIO).fract() * 2.0 - 1.0
}

fn millis(ms: f64) -> Nanos {
    Nanos::from_secs_f64(ms / 1e3)
}

fn sample(at: Nanos, metric: &str, value: f64) -> Sample {
    Sample { at, metric: metric.to_owned(), value }
}

fn die(data: &mut RunData) {
    data.run.status = RunStatus::Died;
    data.run.detail = Some("the target exited with code 137 (killed, most likely by the memory limit)".to_owned());
    data.output_tail = [
        "Started GreetingsApplication in 1.702 seconds",
        "java.lang.OutOfMemoryError: Cannot reserve 4194304 bytes of direct buffer memory (allocated: 268435456)",
        "\tat java.base/java.nio.DirectByteBuffer.<init>(DirectByteBuffer.java:113)",
    ]
    .map(str::to_owned)
    .to_vec();
    if let Some(last) = data.levels.last_mut() {
        last.took = None;
        last.intervals.truncate(1);
    }
}

fn end_of(level: &LevelData) -> Nanos {
    let covered = level.intervals.iter().map(|it| it.start + it.duration).max().unwrap_or_default();
    level.started + level.took.unwrap_or(covered)
}
