//! Results as an analysis would make them, in a plausible shape and with awkward names, made by formula so that they
//! never change.

mod benchmarks;
mod curve;
mod first;
mod flow;
mod published;
mod sockets;
mod timeline;

use std::collections::BTreeMap;

use plimsoll_analysis::results::{
    Bound, Ceiling, ClaimResult, FORMAT, Figure, Finding, GeneratorResults, LevelResults, LevelSummary, LittlesLaw,
    MedianP99, Place, Ratio, Results, RunResults, Summary, TargetFigures, ThresholdResult, Times, Totals,
    VariantResults, Verdict,
};
use plimsoll_record::{Counts, Environment, ErrorCount, ErrorKind, ExecutionStatus, Load, RunStatus, ThinkTime};

/// How a variant answers: 1 s of waiting by so many workers, and some milliseconds of its own.
struct Kind {
    name: String,
    workers: Option<u32>,
    own_ms: f64,
    startup_s: f64,
    cpu_percent: f64,
    rss_mb: f64,
}

fn kind(name: &str, workers: Option<u32>, [own_ms, startup_s, cpu_percent, rss_mb]: [f64; 4]) -> Kind {
    Kind { name: name.to_owned(), workers, own_ms, startup_s, cpu_percent, rss_mb }
}

const LEVELS: [u32; 4] = [100, 300, 900, 2_700];

/// An experiment of six variants, of which one cannot run here, one died, and one has a hostile name.
pub fn experiment() -> Results {
    let kinds = [
        kind("web-jar", Some(200), [60.0, 2.31, 104.0, 281.0]),
        kind("web-jar-vt", None, [90.0, 2.35, 187.0, 390.0]),
        kind("web-aot-cache", Some(200), [75.0, 0.93, 131.0, 269.0]),
        kind("reactive-jar", None, [40.0, 2.12, 191.0, 239.0]),
        kind("<script>alert('web & \"co\"')</script>", None, [50.0, 0.82, 150.0, 210.0]),
    ];
    let mut results = of_kinds(&kinds, 3);
    results.variants.push(VariantResults { runs_done: 0, ..missing("web-native") });
    results.variants.last_mut().unwrap().problem = Some(
        "skipped: no GraalVM was found. Install one and set GRAALVM_HOME, e.g. `sdk install java 25-graal`.".to_owned(),
    );
    let last = &mut results.variants[4];
    last.problem =
        Some("1 of 3 runs: the target died at level 2700 with exit code 137 (killed: out of memory).".to_owned());
    last.levels[3] = None;
    results.runs.push(died(&results.variants[4].name, results.runs.len()));
    results.execution.runs_done = 15;
    results.execution.runs_planned = 18;
    results.ratios = ratios(&results);
    results.claims = claims();
    results.published = Some(published::beside(&results));
    results.findings = findings();
    results
}

/// As many variants as the full experiment has: 34 at 4 levels.
pub fn many() -> Results {
    let mut kinds = Vec::new();
    for (stack, workers, own_ms) in [("web", Some(200), 60.0), ("reactive", None, 40.0)] {
        for threads in ["", "-vt"] {
            for (nth, packaging) in
                ["jar", "extracted", "cds", "aot-cache", "native", "jar-aot", "cds-aot", "aot-cache-aot"]
                    .iter()
                    .enumerate()
            {
                let workers = workers.filter(|_| threads.is_empty());
                let startup_s = 2.3 - nth as f64 * 0.26;
                let figures =
                    [own_ms + nth as f64 * 7.0, startup_s, 100.0 + nth as f64 * 11.0, 290.0 - nth as f64 * 9.0];
                kinds.push(kind(&format!("{stack}-{packaging}{threads}"), workers, figures));
            }
        }
    }
    kinds.push(kind("mine", None, [55.0, 0.4, 90.0, 120.0]));
    kinds.push(kind("mine-with-a-very-long-name-that-somebody-thought-of", None, [58.0, 0.5, 95.0, 130.0]));
    let mut results = of_kinds(&kinds, 3);
    results.ratios = ratios(&results);
    results.claims = claims();
    results
}

/// A single load against a target that was running already.
pub fn load() -> Results {
    let mut results = of_kinds(&[kind("http://127.0.0.1:8080/greetings", None, [60.0, 0.0, 0.0, 0.0])], 1);
    results.execution.name = "load".to_owned();
    results.execution.title = "GET http://127.0.0.1:8080/greetings".to_owned();
    results.execution.description = String::new();
    results.levels.drain(..3);
    let variant = &mut results.variants[0];
    variant.startup_s = None;
    variant.peak_cpu_percent = None;
    variant.peak_rss_mb = None;
    variant.peak_threads = None;
    variant.levels.drain(..3);
    let totals = &mut variant.levels[0].as_mut().unwrap().totals;
    totals.counts.succeeded -= 12;
    totals.counts.failed = 12;
    totals.errors = BTreeMap::from([
        (ErrorKind::Refused, error(9, "connect to 127.0.0.1:8080: Connection refused (os error 111)")),
        (ErrorKind::Status5xx, error(3, "503 Service Unavailable")),
    ]);
    totals.statuses.insert(200, totals.counts.succeeded);
    totals.statuses.insert(503, 3);
    variant.levels[0].as_mut().unwrap().success_percent = figure(99.555_555, 0.0, 1);
    results.runs[0].startup_s = None;
    results.runs[0].samples.clear();
    results.thresholds = vec![
        threshold("p(99)<3s", Some(2_870.0), "ms", true),
        threshold("errors<0.1%", Some(0.444), "%", false),
        threshold("checks>99%", None, "%", false),
    ];
    results
}

pub use benchmarks::benchmarks;
pub use flow::{flow, scenarios};
fn threshold(text: &str, value: Option<f64>, unit: &str, is_kept: bool) -> ThresholdResult {
    let reason = if value.is_none() { "nothing was checked" } else { "" };
    ThresholdResult {
        threshold: text.to_owned(),
        variant: "http://127.0.0.1:8080/greetings".to_owned(),
        value,
        unit: unit.to_owned(),
        is_kept,
        reason: reason.to_owned(),
    }
}

fn error(count: u64, example: &str) -> ErrorCount {
    ErrorCount { count, example: example.to_owned() }
}

fn of_kinds(kinds: &[Kind], rounds: u32) -> Results {
    Results {
        format: FORMAT,
        execution: Summary {
            id: 7,
            name: "greetings".to_owned(),
            title: "Tomcat or Netty, platform or virtual threads".to_owned(),
            description:
                "Every service waits **one second** and greets. See the [set-up](https://example.org/greetings)."
                    .to_owned(),
            started_at: "2026-11-21T07:30:00.123Z".to_owned(),
            ended_at: Some("2026-11-21T07:52:10.456Z".to_owned()),
            status: ExecutionStatus::Done,
            pace: None,
            rounds,
            seed: 42,
            segment: None,
            runs_done: kinds.len() as u32 * rounds,
            runs_planned: kinds.len() as u32 * rounds,
        },
        environment: environment(),
        levels: LEVELS.map(|users| LevelSummary { label: users.to_string(), load: shared(users) }).to_vec(),
        variants: kinds.iter().map(|kind| variant(kind, rounds)).collect(),
        benchmarks: Vec::new(),
        ratios: Vec::new(),
        claims: Vec::new(),
        thresholds: Vec::new(),
        published: None,
        findings: Vec::new(),
        runs: (0..rounds)
            .flat_map(|round| kinds.iter().enumerate().map(move |(place, kind)| (round, place, kind)))
            .enumerate()
            .map(|(id, (round, place, kind))| run(kind, id, round, place as u32))
            .collect(),
    }
}

fn shared(users: u32) -> Load {
    Load::SharedIterations { vus: users, iterations: users.into(), max_duration: None, think: ThinkTime::None }
}

fn environment() -> Environment {
    Environment {
        plimsoll: "0.1.0".to_owned(),
        command: "plimsoll run experiments/greetings.yaml".to_owned(),
        git_commit: Some("0123abc-dirty".to_owned()),
        cpu_model: Some("AMD EPYC 7B13".to_owned()),
        cores: Some(2),
        machine: None,
        memory_bytes: Some(25_200_000_000),
        kernel: Some("6.1.0-28-amd64".to_owned()),
        os: Some("Debian GNU/Linux 12".to_owned()),
        cgroup: Some("v2".to_owned()),
        jdk: Some("Temurin 25.0.3+9".to_owned()),
        limits: Some("memory 1 GiB (cgroup v2, -XX:MaxRAM)".to_owned()),
        placement: Some("target on core 1, generator on core 0".to_owned()),
        versions: BTreeMap::from([
            ("Spring Boot".to_owned(), "4.1.2".to_owned()),
            ("Tomcat".to_owned(), "11.0.9".to_owned()),
        ]),
        network_relay: None,
        merged: None,
    }
}

/// A figure of `rounds` rounds spread around `middle` by `spread`, a share of it.
fn figure(middle: f64, spread: f64, rounds: u32) -> Figure {
    let rounds: Vec<f64> =
        [0.0, 1.0, -1.0][..rounds as usize].iter().map(|sign| middle * (1.0 + sign * spread)).collect();
    let extreme = |pick: fn(f64, f64) -> f64| rounds.iter().copied().reduce(pick).unwrap();
    Figure { median: middle, min: extreme(f64::min), max: extreme(f64::max), rounds: rounds.clone() }
}

fn missing(name: &str) -> VariantResults {
    VariantResults {
        name: name.to_owned(),
        settings: BTreeMap::new(),
        runs_done: 0,
        problem: None,
        startup_s: None,
        peak_cpu_percent: None,
        peak_rss_mb: None,
        peak_cgroup_mb: None,
        peak_threads: None,
        peak_descriptors: None,
        levels: vec![None; LEVELS.len()],
    }
}

fn variant(kind: &Kind, rounds: u32) -> VariantResults {
    let threads = f64::from(kind.workers.unwrap_or(12)) + 30.0;
    VariantResults {
        runs_done: rounds,
        startup_s: Some(figure(kind.startup_s, 0.03, rounds)),
        peak_cpu_percent: Some(figure(kind.cpu_percent, 0.05, rounds)),
        peak_rss_mb: Some(figure(kind.rss_mb, 0.02, rounds)),
        peak_threads: Some(figure(threads, 0.0, rounds)),
        levels: LEVELS.iter().map(|&users| Some(level(kind, users, rounds))).collect(),
        ..missing(&kind.name)
    }
}

/// Users come in waves of as many as there are workers; each wave takes 1 s and a bit.
fn level(kind: &Kind, users: u32, rounds: u32) -> LevelResults {
    let curve = curve::of(kind.workers, users, kind.own_ms, 1.0);
    let at = |quantile: f64| curve::at(&curve, quantile);
    let mean_ms = (1..200).map(|n| at(f64::from(n) / 200.0)).sum::<f64>() / 199.0;
    let duration_s = at(1.0) / 1e3;
    let throughput = f64::from(users) / duration_s;
    let times = |share: f64| Times {
        mean_ms: figure(mean_ms * share, 0.02, rounds),
        median_ms: figure(at(0.5) * share, 0.02, rounds),
        p90_ms: figure(at(0.9) * share, 0.02, rounds),
        p95_ms: figure(at(0.95) * share, 0.02, rounds),
        p99_ms: figure(at(0.99) * share, 0.03, rounds),
        p999_ms: figure(at(0.999) * share, 0.04, rounds),
        p9999_ms: figure(at(0.9999) * share, 0.04, rounds),
        min_ms: figure(at(0.0) * share, 0.01, rounds),
        max_ms: figure(at(1.0) * share, 0.04, rounds),
    };
    LevelResults {
        label: users.to_string(),
        throughput_per_s: figure(throughput, 0.015, rounds),
        offered_per_s: figure(throughput, 0.015, rounds),
        duration_s: figure(duration_s, 0.015, rounds),
        response: times(1.0),
        service: times(0.98),
        success_percent: figure(100.0, 0.0, rounds),
        received_kb_per_s: figure(throughput * 0.17, 0.01, rounds),
        sent_kb_per_s: figure(throughput * 0.11, 0.01, rounds),
        send_lag_p50_ms: figure(0.02, 0.1, rounds),
        send_lag_p99_ms: figure(0.42, 0.1, rounds),
        generator_cpu_us_per_request: figure(9.3, 0.05, rounds),
        connection_wait_ms: None,
        dns_ms: None,
        generator: GeneratorResults { busiest_worker_percent: 12.0, ..GeneratorResults::default() },
        connect_ms: Some(MedianP99 { median: 0.8, p99: 12.0 }),
        tls_ms: None,
        first_byte_ms: Some(MedianP99 { median: at(0.5) * 0.97, p99: at(0.99) * 0.97 }),
        body_ms: Some(MedianP99 { median: 0.02, p99: 0.31 }),
        iteration_ms: None,
        requests: Vec::new(),
        totals: totals(users, rounds),
        response_curve: curve,
        service_curve: curve::of(kind.workers, users, kind.own_ms, 0.98),
        sockets: sockets::of(kind.workers, users, rounds),
        upstream: None,
        cpu_percent: Some(figure(140.0, 0.05, rounds)),
        target: target(users, rounds),
        first_requests: (users == LEVELS[0]).then(|| first::of(kind.own_ms, rounds)),
        jvm: plimsoll_analysis::results::JvmFigures::default(),
        littles_law: LittlesLaw { in_flight: throughput * mean_ms / 1e3, allowed: users.into(), consistent: true },
        ceiling: kind.workers.map(|workers| Ceiling {
            per_s: workers.into(),
            because: format!("{workers} workers ÷ 1.00 s"),
            bound: Bound::Workers,
            reached_percent: throughput / f64::from(workers) * 100.0,
            others: Vec::new(),
        }),
    }
}

/// The pool of a client, at the last level.
fn target(users: u32, rounds: u32) -> BTreeMap<String, TargetFigures> {
    let figures = TargetFigures {
        mean: Some(figure(97.5, 0.01, rounds)),
        peak: Some(figure(100.0, 0.0, rounds)),
        growth: Some(figure(12.0, 0.1, rounds)),
    };
    let is_last = users == LEVELS[3];
    is_last.then(|| ("gateway_pool_leased".to_owned(), figures)).into_iter().collect()
}

fn totals(users: u32, rounds: u32) -> Totals {
    let requests = u64::from(users) * u64::from(rounds);
    let counts = Counts {
        offered: requests,
        sent: requests,
        succeeded: requests,
        connections_opened: requests,
        bytes_received: requests * 171,
        bytes_sent: requests * 109,
        generator_cpu_ns: requests * 9_300,
        ..Counts::default()
    };
    Totals { counts, statuses: BTreeMap::from([(200, requests)]), ..Totals::default() }
}

fn run(kind: &Kind, id: usize, round: u32, position: u32) -> RunResults {
    let timeline = timeline::of(kind);
    RunResults {
        id: id as i64 + 1,
        variant: kind.name.clone(),
        round,
        position,
        status: RunStatus::Done,
        problem: None,
        command: Some("java -XX:MaxRAM=1g -jar greetings-web.jar --server.port=0".to_owned()),
        startup_s: Some(kind.startup_s),
        spans: timeline.spans,
        load: if round == 0 { timeline.load } else { Vec::new() },
        samples: if round == 0 { timeline.samples } else { BTreeMap::new() },
        output_tail: Vec::new(),
    }
}

fn died(variant: &str, id: usize) -> RunResults {
    RunResults {
        id: id as i64 + 1,
        variant: variant.to_owned(),
        round: 2,
        position: 4,
        status: RunStatus::Died,
        problem: Some("the target exited with code 137".to_owned()),
        command: Some("java -jar app.jar".to_owned()),
        startup_s: Some(0.8),
        spans: Vec::new(),
        load: Vec::new(),
        samples: BTreeMap::new(),
        output_tail: vec![
            "Started App in 0.71 seconds".to_owned(),
            "java.lang.OutOfMemoryError: <Java heap space> at dev.plimsoll.greetings.GreetingsController.greet(GreetingsController.java:31)".to_owned(),
        ],
    }
}

/// Whose ceiling was reached, and a level that was not measured.
fn about() -> Vec<Place> {
    [("web-jar", 2_700), ("web-aot-cache", 2_700), ("web-jar", 1)]
        .map(|(variant, level)| Place::of_level(variant, level.to_string()))
        .to_vec()
}

/// Two findings at the first place, one at the second.
fn explanation() -> Vec<Finding> {
    let ceiling = |place: &Place| {
        let says = "Throughput is 95.3 % of the 200/s that settings allow (200 workers ÷ 1.00 s).";
        finding_kind("ceiling-reached").at(place.clone(), says).with("reached", 95.3).with("ceiling", 200.0)
    };
    let about = about();
    let cpu = finding_kind("target-cpu").at(about[0].clone(), "The target used 104 % CPU (100 % is one core).");
    vec![ceiling(&about[0]), cpu.with("cpu", 104.0), ceiling(&about[1])]
}

fn claims() -> Vec<ClaimResult> {
    let claim = |says: &str, expression: &str, verdict, value, interval, unit: &str, reason: &str| ClaimResult {
        says: says.to_owned(),
        expression: expression.to_owned(),
        verdict,
        value,
        interval,
        unit: unit.to_owned(),
        reason: reason.to_owned(),
        about: if verdict == Verdict::Holds { Vec::new() } else { about() },
        findings: if verdict == Verdict::Holds { Vec::new() } else { explanation() },
    };
    vec![
        claim(
            "Virtual threads lift throughput at 2,700 users at least 2.8 times",
            "throughput(web-jar-vt @ 2700) / throughput(web-jar @ 2700) >= 2.8",
            Verdict::Holds,
            Some(9.48),
            Some([9.31, 9.67]),
            "",
            "The whole interval satisfies it.",
        ),
        claim(
            "No platform-thread variant passes 200 requests a second",
            "max(throughput(web-jar @ *)) <= 200/s",
            Verdict::Holds,
            Some(189.3),
            Some([187.0, 191.2]),
            "/s",
            "The whole interval satisfies it.",
        ),
        claim(
            "The AOT cache halves start-up",
            "startup(web-aot-cache) / startup(web-jar) <= 0.4",
            Verdict::Undecided,
            Some(0.403),
            Some([0.385, 0.421]),
            "",
            "The interval lies on both sides of the threshold: make more rounds.",
        ),
        claim(
            "Start-up does not depend on virtual threads",
            "abs(startup(web-jar) - startup(web-jar-vt)) < 30 ms",
            Verdict::Fails,
            Some(40.0),
            Some([35.0, 46.0]),
            "ms",
            "No part of the interval satisfies it.",
        ),
        claim(
            "Native starts in well under 0.1 s",
            "startup(web-native) < 100 ms",
            Verdict::Undecided,
            None,
            None,
            "ms",
            "web-native has no start-up time: it was skipped.",
        ),
    ]
}

fn ratios(results: &Results) -> Vec<Ratio> {
    let [baseline, others @ ..] = results.variants.as_slice() else { return Vec::new() };
    let mut ratios = Vec::new();
    let mut compare = |variant: &str, level: Option<&str>, metric: &str, value: f64| {
        let interval = Some([value * 0.97, value * 1.03]);
        let (variant, level) = (variant.to_owned(), level.map(str::to_owned));
        ratios.push(Ratio {
            variant,
            baseline: baseline.name.clone(),
            level,
            metric: metric.to_owned(),
            value,
            interval,
        });
    };
    for other in others {
        for (ours, theirs) in baseline.levels.iter().zip(&other.levels) {
            let (Some(ours), Some(theirs)) = (ours, theirs) else { continue };
            let throughput = theirs.throughput_per_s.median / ours.throughput_per_s.median;
            compare(&other.name, Some(&ours.label), "throughput", throughput);
            compare(
                &other.name,
                Some(&ours.label),
                "mean",
                theirs.response.mean_ms.median / ours.response.mean_ms.median,
            );
        }
        if let (Some(ours), Some(theirs)) = (&baseline.startup_s, &other.startup_s) {
            compare(&other.name, None, "startup", theirs.median / ours.median);
        }
    }
    ratios
}

/// As the analysis declares it.
fn finding_kind(id: &str) -> &'static plimsoll_analysis::results::Kind {
    plimsoll_analysis::findings::kinds().into_iter().find(|kind| kind.id == id).unwrap()
}

fn findings() -> Vec<Finding> {
    let overflows = |level: &str, overflows: f64| {
        let says = format!("The kernel counted {overflows} accept-queue overflows.");
        finding_kind("accept-queue-overflows").at(Place::of_level("web-jar", level), says).with("overflows", overflows)
    };
    let steal = "Steal time was above 5 % of one core in 31 of 90 samples, at most 31 %.";
    let rounds = "With 3 rounds a 95 % bootstrap interval is the range of the rounds.";
    vec![
        overflows("2700", 2_005.0),
        overflows("900", 214.0),
        finding_kind("steal-time").everywhere(steal),
        finding_kind("few-rounds").everywhere(rounds),
    ]
}
