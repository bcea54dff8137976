//! The record reads back as it was written.

use std::collections::BTreeMap;

use plimsoll_record::{
    ArrivalSlot, Arrivals, Awaited, Between, CapacityFound, Census, Change, CheckCount, Claim, Counts, Environment,
    ErrorCount, ErrorKind, Execution, ExecutionData, ExecutionStatus, ExplainPlan, Explained, Generator, Histogram,
    Interval, LevelData, LevelPlan, LineEndFound, LineFound, LinePlan, LineRun, Load, Merged, MergedPart, Nanos,
    NetworkBy, NetworkPlan, ObjectivePlan, OtherProcess, Part, PartClock, Peer, Phase, Plan, ProcessFacts, ProofPlan,
    Published, PublishedLevel, Run, RunData, RunStatus, Sample, Score, ScoreValue, Side, Stack, Stage, Tasks,
    ThinkTime, ThreadState, Timings, TracedRequest, Unrecovered, UpstreamPlan, VariantPlan, Window, store::Store,
};
use proptest::{collection::btree_map, prelude::*, sample::select};

fn open() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("new/plimsoll.db")).unwrap();
    (directory, store)
}

fn plan() -> Plan {
    let shared = Load::SharedIterations { vus: 100, iterations: 100, max_duration: None, think: ThinkTime::None };
    let ramp = Load::RampingVus {
        start_vus: 0,
        stages: vec![Stage { duration: Nanos::from_secs(5), target: 10.0 }; 2],
        think: ThinkTime::Uniform { min: Nanos(1), max: Nanos(2) },
    };
    let level = |label, load, stage_labels| {
        let requests = vec!["search".to_owned(), "buy".to_owned()];
        let start = Nanos::from_secs(3);
        LevelPlan {
            stage_labels,
            requests,
            start,
            is_with_previous: true,
            trace: 2,
            limits: vec![Nanos::from_millis(50), Nanos::from_millis(200)],
            explains: Some("2700".to_owned()),
            ..LevelPlan::new(label, Phase::Measured, load)
        }
    };
    Plan {
        explain: Some(ExplainPlan {
            users: Some(64),
            users_max: 1_024,
            warm_up: Nanos::from_secs(45),
            think: ThinkTime::None,
            load: Some(Load::ConstantArrivalRate {
                rate: 7.5,
                duration: Nanos::from_secs(60),
                arrivals: Arrivals::Poisson,
                max_in_flight: 9,
                drop_late: false,
            }),
            of: vec![Explained { variant: "web-jar".to_owned(), level: Some("100".to_owned()) }],
        }),
        proof: Some(ProofPlan {
            variant: "web-jar".to_owned(),
            changes: vec![vec![
                Change { name: "-Xmx".to_owned(), from: Some("64m".to_owned()), to: "128m".to_owned() },
                Change { name: "limits.cpus".to_owned(), from: None, to: "2".to_owned() },
            ]],
        }),
        name: "greetings".to_owned(),
        title: "Tomcat \"or\" Netty — 톰캣".to_owned(),
        description: "# Why\n".to_owned(),
        source: Some("name: greetings\n".to_owned()),
        pace: Some("quick".to_owned()),
        variants: vec![VariantPlan {
            name: "web-jar".to_owned(),
            settings: BTreeMap::from([("packaging".to_owned(), "jar".to_owned())]),
            url: "http://127.0.0.1:1/".to_owned(),
            workers: Some(200),
            service_time: Some(Nanos::from_secs(1)),
            connections_per_route: Some(100),
            call_time: Some(Nanos::from_millis(270)),
            network: Some(NetworkPlan {
                between: Between::TargetUpstream,
                rtt: Nanos::from_millis(70),
                jitter: Nanos::from_millis(3),
                loss_percent: 0.1,
                bandwidth_bits_per_s: Some(100_000_000),
                by: NetworkBy::Relay,
            }),
            upstream: Some(UpstreamPlan { servers: Some(20), ..UpstreamPlan::default() }),
            server: Some(plimsoll_record::ServerSeen {
                process: "java".to_owned(),
                libraries: vec!["spring-boot-3.5.7".to_owned()],
            }),
        }],
        levels: vec![level("100", shared, vec![]), level("ramp", ramp, vec!["a".to_owned(), "b".to_owned()])],
        rounds: 3,
        until_decided: Some(plimsoll_record::UntilDecided { at_least: 3, error_per_look: 0.0124 }),
        seed: u64::MAX,
        segment: Some(Part { number: 2, count: 4 }),
        thresholds: vec!["p(99)<200ms".to_owned()],
        claims: vec![Claim { says: "s".to_owned(), expression: "1 < 2".to_owned(), line: Some(7) }],
        published: Some(Published {
            source: "a blog".to_owned(),
            levels: vec![PublishedLevel { level: "100".to_owned(), ..PublishedLevel::default() }],
            variants: vec![],
        }),
        line: Some(LinePlan {
            objectives: vec![ObjectivePlan { name: "strict".to_owned(), thresholds: vec!["p(99)<50ms".to_owned()] }],
            resolution: 0.1,
            at_most: Nanos::from_secs(300),
            from: None,
            to: Some(1e4),
            arrivals: Arrivals::Even,
            max_in_flight: 64,
            ..LinePlan::default()
        }),
    }
}

fn line_run() -> LineRun {
    LineRun {
        capacity: Some(CapacityFound { rate: 800.5, users: 64, is_steady: true }),
        found: vec![LineFound {
            outcome: "found".to_owned(),
            lower: Some(LineEndFound { rate: 712.5, seconds: 31.0, share_of_allowed: 0.25, dispersion: Some(760.0) }),
            upper: None,
        }],
        offered_most: Some(900.0),
        unrecovered: Some(Unrecovered { load: 900.0, is_users: false, waited_s: 30.0, restarts: 1, is_end: false }),
    }
}

fn part() -> MergedPart {
    let started_at = "2026-01-02T03:04:05.1Z".to_owned();
    let (status, machine) = (ExecutionStatus::Interrupted, Some("a-b".to_owned()));
    let clock = Some(PartClock { ahead_ns: -5, error: Nanos(3), late: Nanos(1) });
    MergedPart { number: 2, started_at, after: Nanos(7), status, machine, clock, lost_after: Some(Nanos(9)) }
}

fn environment() -> Environment {
    Environment {
        plimsoll: "0.1.0".to_owned(),
        command: "plimsoll run x.yaml".to_owned(),
        git_commit: Some("abc-dirty".to_owned()),
        cores: Some(2),
        memory_bytes: Some(1 << 40),
        versions: BTreeMap::from([("Spring Boot".to_owned(), "4.1.2".to_owned())]),
        merged: Some(Merged { count: 2, parts: vec![part()] }),
        clock: Some(PartClock::default()),
        ..Environment::default()
    }
}

fn sample(at_ms: u64, metric: &str, value: f64) -> Sample {
    Sample { at: Nanos::from_millis(at_ms), metric: metric.to_owned(), value }
}

/// Sent after so many milliseconds, or never, if that is even.
fn traced(at_ms: u64) -> TracedRequest {
    let sent = Some(Nanos::from_millis(at_ms)).filter(|_| at_ms % 2 == 1);
    TracedRequest {
        stage: 1,
        request: 1,
        intended: Nanos::from_millis(1),
        sent,
        first_byte: sent.map(|sent| sent + Nanos(3)),
        done: Nanos::from_millis(at_ms + 1),
        status: sent.map(|_| 503),
        error: Some(ErrorKind::Status5xx),
        server_timing: sent.map(|_| "connect;dur=3".to_owned()),
    }
}

fn score() -> Score {
    let value = |score| ScoreValue { score, error: Some(7.5), interval: Some([1.0, 2.0]), unit: "ms/op".to_owned() };
    Score {
        benchmark: "Batch.batch".to_owned(),
        mode: "avgt".to_owned(),
        params: BTreeMap::from([("calls".to_owned(), "50".to_owned())]),
        measured: value(1_035.498),
        raw: vec![vec![1.5, 2.5], vec![3.5]],
        secondary: BTreeMap::from([("gc.count".to_owned(), ScoreValue { error: None, interval: None, ..value(2.0) })]),
    }
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

fn census() -> Census {
    let awaited = Awaited { class: "java.lang.Object".to_owned(), id: u64::MAX, holder: Some(0) };
    let stack = Stack {
        group: "http-nio-8080-exec-*".to_owned(),
        count: 60,
        state: ThreadState::Blocked,
        frames: vec!["app.Orders.find(Orders.java:7)".to_owned()],
        awaited: Some(awaited),
        ..Stack::default()
    };
    let peer = Peer { side: Side::Outbound, port: 443, address: "10.0.0.1".to_owned(), open: 5, ..Peer::default() };
    let tasks = Tasks { group: "http-nio-8080-e".to_owned(), count: 60, cpu: Nanos(7), delay: Nanos(8) };
    let process = ProcessFacts { descriptors: Some(9), jvm: Some("JDK 25.0.3".to_owned()), ..ProcessFacts::default() };
    Census {
        at: Nanos::from_secs(9),
        window: Window::Full,
        dump: Nanos::from_millis(40),
        stacks: vec![stack],
        tasks: vec![tasks],
        peers: vec![peer],
        process,
        others: vec![OtherProcess { pid: 4711, name: "python3".to_owned(), cpu: Nanos(6) }],
        own_cpu: Nanos(5),
        own_delay: Nanos(6),
        own_throttled_periods: 3,
    }
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

/// Range of SQLite's signed integers.
const COUNT: std::ops::RangeInclusive<u64> = 0..=i64::MAX as u64;

fn histogram() -> impl Strategy<Value = Histogram> {
    prop::collection::vec(0..=Histogram::HIGHEST.0, 0..20).prop_map(|values| {
        let mut histogram = Histogram::new();
        values.into_iter().for_each(|value| histogram.record(Nanos(value)));
        histogram
    })
}

fn counts() -> impl Strategy<Value = Counts> {
    prop::array::uniform14(COUNT).prop_map(
        |[
            offered,
            sent,
            succeeded,
            failed,
            dropped,
            abandoned,
            iterations,
            connections_opened,
            connections_reused,
            tls_handshakes,
            tls_resumed,
            bytes_received,
            bytes_sent,
            generator_cpu_ns,
        ]| Counts {
            offered,
            sent,
            succeeded,
            failed,
            dropped,
            abandoned,
            iterations,
            connections_opened,
            connections_reused,
            tls_handshakes,
            tls_resumed,
            bytes_received,
            bytes_sent,
            generator_cpu_ns,
        },
    )
}

prop_compose! {
    fn interval()(
        times in (COUNT, COUNT, any::<u32>(), any::<u32>()),
        counts in counts(),
        ok in (histogram(), histogram()),
        failed in (histogram(), histogram()),
        others in prop::array::uniform8(histogram()),
        statuses in btree_map(any::<u16>(), any::<u64>(), 0..4),
        errors in btree_map(select(ErrorKind::ALL), (any::<u64>(), any::<String>()), 0..4),
        checks in btree_map(any::<String>(), (any::<u64>(), any::<u64>()), 0..3),
        arrivals in prop::collection::vec((any::<[u32; 4]>(), prop::collection::vec(any::<u32>(), 0..3)), 0..4),
        generator in (0..100_u8, any::<u64>(), prop::option::of(any::<u64>()), prop::option::of(any::<u64>())),
    ) -> Interval {
        let [send_lag, connection_wait, dns, connect, tls, first_byte, body, iteration] = others;
        Interval {
            start: Nanos(times.0),
            duration: Nanos(times.1),
            stage: times.2,
            request: times.3,
            counts,
            ok: Timings { response: ok.0, service: ok.1 },
            failed: Timings { response: failed.0, service: failed.1 },
            send_lag,
            connection_wait,
            dns,
            connect,
            tls,
            first_byte,
            body,
            iteration,
            statuses,
            errors: errors.into_iter().map(|(kind, (count, example))| (kind, ErrorCount { count, example })).collect(),
            checks: checks.into_iter().map(|(name, (passed, failed))| (name, CheckCount { passed, failed })).collect(),
            arrivals: arrivals
                .into_iter()
                .map(|([slot, offered, ended, failed], within)| ArrivalSlot { slot, offered, ended, failed, within })
                .collect(),
            generator: Generator {
                busiest_worker_percent: f64::from(generator.0),
                involuntary_switches: generator.1,
                descriptors_left: generator.2,
                ports_left: generator.3,
            },
            traced: Vec::new(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 8, ..ProptestConfig::default() })]

    #[test]
    fn every_interval_reads_back_as_it_was_written(mut intervals in prop::collection::vec(interval(), 0..6)) {
        let (_directory, mut store) = open();
        let execution = store.begin_execution(&plan(), &environment(), "").unwrap();
        let run = store.begin_run(execution, 0, 0, 0).unwrap();
        let level = store.begin_level(run.id, 0, Nanos::ZERO).unwrap();
        store.add_intervals(level, &intervals).unwrap();
        intervals.sort_by_key(|interval| (interval.start, interval.stage, interval.request));
        let read = store.read(execution).unwrap();
        prop_assert_eq!(&read.runs[0].levels[0].intervals, &intervals);
    }
}
