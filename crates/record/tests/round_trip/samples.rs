//! Something in every field of a record.

use std::collections::BTreeMap;

use plimsoll_record::{
    Arrivals, Awaited, Between, CapacityFound, Census, Change, Claim, Environment, ErrorKind, ExecutionStatus,
    ExplainPlan, Explained, HeapLook, LevelPlan, LineEndFound, LineFound, LinePlan, LineRun, Load, Merged, MergedPart,
    Nanos, NetworkBy, NetworkPlan, ObjectivePlan, Objects, OtherProcess, Part, PartClock, Peer, Phase, Plan,
    ProcessFacts, ProofPlan, Published, PublishedLevel, Sample, Score, ScoreValue, Side, Stack, Stage, Tasks,
    ThinkTime, Thread, ThreadState, TracedRequest, Unrecovered, UpstreamPlan, VariantPlan, Window,
};

pub fn plan() -> Plan {
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

pub fn line_run() -> LineRun {
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

pub fn environment() -> Environment {
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

pub fn sample(at_ms: u64, metric: &str, value: f64) -> Sample {
    Sample { at: Nanos::from_millis(at_ms), metric: metric.to_owned(), value }
}

/// Sent after so many milliseconds, or never, if that is even.
pub fn traced(at_ms: u64) -> TracedRequest {
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

pub fn score() -> Score {
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

pub fn census() -> Census {
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
    let tasks = Tasks { group: "http-nio-8080-e".to_owned(), count: 60, cpu: Nanos(7), delay: Nanos(8), at_disk: 3 };
    let thread =
        Thread { pid: 42, tid: 43, group: "nginx".to_owned(), cpu: Nanos(9), delay: Nanos(10), is_at_disk: true };
    let process = ProcessFacts { descriptors: Some(9), jvm: Some("JDK 25.0.3".to_owned()), ..ProcessFacts::default() };
    Census {
        at: Nanos::from_secs(9),
        window: Window::Full,
        dump: Nanos::from_millis(40),
        stacks: vec![stack],
        tasks: vec![tasks],
        busiest: vec![thread],
        peers: vec![peer],
        process,
        others: vec![OtherProcess { pid: 4711, name: "python3".to_owned(), cpu: Nanos(6) }],
        own_cpu: Nanos(5),
        own_delay: Nanos(6),
        own_quota_periods: 7,
        own_throttled_periods: 3,
        heap: Some(HeapLook { took: Nanos(11), grown: vec![Objects { class: "app.Order".to_owned(), more: 60 }] }),
    }
}
