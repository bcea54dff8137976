//! Results that reports are tested on: executions by `plimsoll_analysis::testing`, analysed.

use std::{collections::BTreeMap, sync::LazyLock};

use plimsoll_analysis::{
    Results, analyse, proof,
    testing::{
        Connection, Line, PLATFORM_THREADS, REACTIVE, Request, Service, VIRTUAL_THREADS, environment, execution,
        greetings, greetings_by, in_users, level, level_plan, lines, plan, recorded, run, samples, score, scores,
        traced, variant,
    },
};
use plimsoll_record::{
    Arrivals, Change, CheckCount, Claim, Environment, ErrorKind, LevelPlan, Load, Nanos, Plan, ProofPlan, RunData,
    Score, ScoreValue, ThinkTime, UpstreamPlan, VariantPlan,
    metric::{self, jvm, upstream},
};

/// Every sample by name, made once.
pub static ALL: [(&str, &LazyLock<Results>); 14] = [
    ("experiment", &EXPERIMENT),
    ("many", &MANY),
    ("calls", &CALLS),
    ("benchmarks", &BENCHMARKS),
    ("load", &LOAD),
    ("flow", &FLOW),
    ("scenarios", &SCENARIOS),
    ("lines", &LINES),
    ("line", &LINE),
    ("undecided", &UNDECIDED),
    ("users", &USERS),
    ("explanation", &EXPLANATION),
    ("explained", &EXPLAINED),
    ("proof", &PROOF),
];

/// Variants of which one cannot run here, some died, and one has a hostile name; claims, and a published table.
pub static EXPERIMENT: LazyLock<Results> = LazyLock::new(|| analyse(&greetings()));

/// Two levels of a variant, both explained after its run, and claims about them.
pub static EXPLAINED: LazyLock<Results> = LazyLock::new(|| {
    let mut data = recorded::explained();
    let claim =
        |says: &str, expression: &str| Claim { says: says.to_owned(), expression: expression.to_owned(), line: None };
    data.execution.plan.claims = vec![
        claim("A lock gives way first", "limit(a @ 16) = lock"),
        claim("More users do not find another limit", "limit(a @ 256) = lock"),
    ];
    analyse(&data)
});

/// As many variants as the full experiment has: 34.
pub static MANY: LazyLock<Results> = LazyLock::new(many);

/// Few calls of one user, traced, to a service that calls an upstream: cold, warmed up, and after a call of its own.
pub static CALLS: LazyLock<Results> = LazyLock::new(calls);

/// The published benchmark in our words: a batch of calls on ten processors and on two, three rounds each.
pub static BENCHMARKS: LazyLock<Results> = LazyLock::new(benchmarks);

/// A single load against a target that was running already.
pub static LOAD: LazyLock<Results> = LazyLock::new(|| {
    let (plan, run) = burst();
    analysed("plimsoll load -n 2700 -c 2700 http://127.0.0.1:8080/greetings", plan, vec![run])
});

/// A load over TLS at a rate, of a flow of three requests with checks.
pub static FLOW: LazyLock<Results> = LazyLock::new(|| {
    let (plan, run) = orders();
    analysed("plimsoll load --scenario orders.yaml", plan, vec![run])
});

/// Lines of three variants in three rounds, of which one was not found in the last; claims about them.
pub static LINES: LazyLock<Results> = LazyLock::new(|| {
    let open = Line { has_upper: false, ..Line::at(60.0) };
    let variants: [(&str, &[Line]); 3] = [
        ("web", &[50.0, 51.0, 49.5].map(Line::at)),
        ("web-vt", &[150.0, 154.0, 151.0].map(Line::at)),
        ("reactive", &[Line::at(62.0), Line::at(61.0), open]),
    ];
    let mut lines = lines(&variants, &[]);
    let web = &mut lines.execution.plan.variants[0];
    (web.workers, web.service_time) = (Some(5), Some(Nanos::from_millis(100)));
    analyse(&lines)
});

/// The line of one variant, searched once.
pub static LINE: LazyLock<Results> = LazyLock::new(|| analyse(&lines(&[("web", &[Line::at(50.0)])], &[])));

/// The same of virtual users.
pub static USERS: LazyLock<Results> =
    LazyLock::new(|| analyse(&in_users(lines(&[("web", &[Line::at(1_000.0)])], &[]), Nanos::from_secs(1))));

/// A test of one rate that did not tell on which side of the line it is.
pub static UNDECIDED: LazyLock<Results> = LazyLock::new(|| {
    let mut data = lines(&[("web", &[Line { has_upper: false, ..Line::at(50.0) }])], &[]);
    data.execution.plan.line.iter_mut().for_each(|line| line.at_least = Some(50.0));
    data.runs[0].run.line.iter_mut().flat_map(|line| &mut line.found).for_each(|found| found.lower = None);
    analyse(&data)
});

/// A first limit: 20 connections of a client, before which threads of Tomcat wait.
pub static EXPLANATION: LazyLock<Results> = LazyLock::new(|| analyse(&recorded::named("client-pool-25").data()));

/// Lines of one variant, and with three changes: one helps, one does nothing, one harms.
pub static PROOF: LazyLock<Results> = LazyLock::new(|| {
    let rates = [
        ("web", [50.0, 51.0, 49.5]),
        ("web, 400", [150.0, 154.0, 151.0]),
        ("web, 8", [50.5, 50.0, 50.0]),
        ("web, 100", [25.0, 26.0, 24.5]),
    ];
    proven(
        &rates,
        &[
            change("server.tomcat.threads.max", "200", "400"),
            change("spring.datasource.hikari.maximum-pool-size", "10", "8"),
            change("server.tomcat.threads.max", "200", "100"),
        ],
    )
});

/// The first of these variants compared with each other one, which has one change.
pub fn proven(rates: &[(&str, [f64; 3])], changes: &[Change]) -> Results {
    let of_rounds: Vec<[Line; 3]> = rates.iter().map(|(_, rounds)| rounds.map(Line::at)).collect();
    let variants: Vec<(&str, &[Line])> =
        rates.iter().zip(&of_rounds).map(|((name, _), rounds)| (*name, &rounds[..])).collect();
    let claims: Vec<String> = rates[1..].iter().map(|(after, _)| proof::claim(rates[0].0, after, None)).collect();
    let mut data = lines(&variants, &claims.iter().map(String::as_str).collect::<Vec<_>>());
    let changes = changes.iter().map(|change| vec![change.clone()]).collect();
    data.execution.plan.proof = Some(ProofPlan { variant: "web".to_owned(), changes });
    analyse(&data)
}

/// A change of a setting.
pub fn change(name: &str, from: &str, to: &str) -> Change {
    Change { name: name.to_owned(), from: Some(from.to_owned()), to: to.to_owned() }
}

/// Both at the same time.
pub static SCENARIOS: LazyLock<Results> = LazyLock::new(scenarios);

fn many() -> Results {
    const PACKAGINGS: [&str; 8] =
        ["jar", "extracted", "cds", "aot-cache", "native", "jar-aot", "cds-aot", "aot-cache-aot"];
    let mut variants = vec![
        (variant("mine"), Service::IDEAL),
        (variant("mine-with-a-very-long-name-that-somebody-thought-of"), Service::IDEAL),
    ];
    for (stack, threads, of_stack) in [
        ("web", "", PLATFORM_THREADS),
        ("web", "-vt", VIRTUAL_THREADS),
        ("reactive", "", REACTIVE),
        ("reactive", "-vt", REACTIVE),
    ] {
        for (nth, packaging) in (0_i32..).zip(PACKAGINGS) {
            let startup_ms = of_stack.startup_ms * 0.8_f64.powi(nth);
            let service = Service { startup_ms, rss_peak_mb: of_stack.rss_peak_mb - 9.0 * f64::from(nth), ..of_stack };
            variants.push((variant(&format!("{stack}-{packaging}{threads}")), service));
        }
    }
    variants.rotate_left(2);
    analyse(&greetings_by(variants))
}

fn calls() -> Results {
    let think = ThinkTime::Constant { pause: ms(110.0) };
    let load = Load::PerVuIterations { vus: 1, iterations: 15, ramp_up: Nanos::ZERO, max_duration: None, think };
    let level = LevelPlan { trace: 15, ..level_plan("1", load) };
    let caller = |name| VariantPlan {
        call_time: Some(ms(20.0)),
        connections_per_route: Some(500),
        upstream: Some(UpstreamPlan::default()),
        ..variant(name)
    };
    let mut plan = plan(["cold", "warm", "called"].map(caller).to_vec(), vec![level], 3);
    plan.name = "calls".to_owned();
    plan.title = "The first call of a process".to_owned();
    let claim =
        |says: &str, expression: &str| Claim { says: says.to_owned(), expression: expression.to_owned(), line: None };
    plan.claims = vec![
        claim("The first call takes ten times as long as the steady median", "first(cold @ 1) / rest(cold @ 1) >= 10"),
        claim("A call at start-up leaves nothing to pay", "first(called @ 1) <= 30 ms"),
    ];
    let of_variants = [
        Calls { first_ms: 480.0, classes: 1_234.0, connections: 1.0, fails: None },
        Calls { first_ms: 190.0, classes: 512.0, connections: 1.0, fails: Some(3) },
        Calls { first_ms: 44.0, classes: 31.0, connections: 0.0, fails: None },
    ];
    let runs = (0..3).flat_map(|round| {
        let of_variants = of_variants.iter().enumerate();
        of_variants.map(|(variant, calls)| calls.run(&plan, variant, round)).collect::<Vec<_>>()
    });
    let runs = runs.collect();
    analysed("plimsoll run calls.yaml", plan, runs)
}

/// How the calls of a variant go.
struct Calls {
    first_ms: f64,
    /// Loaded by the first call.
    classes: f64,
    /// Opened to the upstream while the calls are made.
    connections: f64,
    /// The call that is answered with 503.
    fails: Option<u32>,
}

impl Calls {
    fn run(&self, plan: &Plan, variant: usize, round: u32) -> RunData {
        const STARTUP_MS: u64 = 1_500;
        let noise = 1.0 + 0.02 * f64::from((variant as u32 + round) % 3);
        let first_ms = self.first_ms * noise;
        let (mut requests, mut now) = (Vec::new(), Nanos::ZERO);
        for call in 1..=15 {
            let done = now + ms(22.0 + (first_ms - 22.0) / f64::from(call * call));
            requests.push(match self.fails == Some(call) {
                true => Request::failed(now, done, ErrorKind::Status5xx),
                false => Request { ends: Some(now), ..Request::ok(now, done) },
            });
            now = done + ms(110.0);
        }
        requests[1..].iter_mut().for_each(|request| request.connection = Connection::Kept);
        let mut data = level(&plan.levels[0], Nanos::from_millis(STARTUP_MS), &requests);
        data.traced = requests.iter().map(|it| traced(it.intended, it.done - it.intended)).collect();
        for (traced, request) in data.traced.iter_mut().zip(&requests) {
            traced.error = request.error;
        }
        let [connect, tls] = [0.02, 0.11].map(|share| first_ms * share * self.connections);
        data.traced[0].server_timing = Some(format!("connect;dur={connect:.1}, tls;dur={tls:.1}"));
        let mut run = run(variant, round, Nanos::from_millis(STARTUP_MS), vec![data]);
        let (before, after) = (STARTUP_MS - 10, STARTUP_MS + first_ms as u64 + 60);
        let end = STARTUP_MS + (now.as_millis_f64() as u64) - 110;
        let classes = (self.classes * noise).round();
        let metrics = [
            (jvm::CLASSES_LOADED.name, [9_000.0, 9_000.0 + classes, 9_040.0 + classes]),
            (jvm::CLASS_LOAD_MS.name, [900.0, 900.0 + classes * 0.23, 905.0 + classes * 0.23]),
            (upstream::REQUESTS.name, [0.0, 1.0, 15.0]),
            (upstream::CONNECTIONS_OPENED.name, [1.0 - self.connections, 1.0, 1.0]),
            (upstream::CONNECTIONS_OPEN.name, [1.0 - self.connections, 1.0, 1.0]),
            (upstream::REQUESTS_PER_CONNECTION_MAX.name, [0.0, 1.0, 15.0]),
            (upstream::TLS_HANDSHAKES.name, [1.0 - self.connections, 1.0, 1.0]),
            (upstream::TLS_RESUMED.name, [0.0; 3]),
            (upstream::RESETS.name, [0.0; 3]),
            (upstream::WAITING.name, [0.0; 3]),
            (upstream::IN_SERVICE.name, [0.0, 1.0, 0.0]),
            (&metric::of_target("http_client_pool_leased"), [0.0, 1.0, 0.0]),
        ];
        let sampled = |(name, [a, b, c]): (&str, [f64; 3])| samples(name, &[(before, a), (after, b), (end, c)]);
        run.samples = metrics.into_iter().flat_map(sampled).collect();
        run
    }
}

fn benchmarks() -> Results {
    let mut plan = plan(vec![variant("ten"), variant("two")], Vec::new(), 3);
    plan.name = "batch".to_owned();
    plan.title = "A batch of calls on ten processors and on two".to_owned();
    let run = |round: u32, variant: usize, score_ms: f64, stdev_ms: f64, cpu_percent: f64| {
        let score_ms = score_ms * [1.0, 0.998, 1.002][(round as usize * (variant + 1)) % 3];
        // Ten iterations, half of them above and half below.
        let iterations = (0..10).map(|n| score_ms + if n % 2 == 0 { stdev_ms } else { -stdev_ms });
        let value = |score, unit: &str| ScoreValue { score, unit: unit.to_owned(), ..ScoreValue::default() };
        let error_ms = stdev_ms * 1.5;
        let score = Score {
            params: [("calls".to_owned(), "50".to_owned())].into(),
            measured: ScoreValue {
                error: Some(error_ms),
                interval: Some([score_ms - error_ms, score_ms + error_ms]),
                ..value(score_ms, "ms/op")
            },
            raw: vec![iterations.collect()],
            secondary: [
                ("gc.alloc.rate".to_owned(), value(12.5 + f64::from(round) / 8.0, "MB/sec")),
                ("gc.count".to_owned(), value(3.0, "counts")),
            ]
            .into(),
            ..score("plimsoll.jmh.WebClientBatch.batch", score_ms)
        };
        let mut run = scores(variant, round, vec![score]);
        run.samples = samples(metric::CPU_PERCENT.name, &[(500, cpu_percent)]);
        run.samples.extend(samples(metric::RSS_BYTES.name, &[(500, 2e8 + 1e6 * f64::from(round))]));
        run
    };
    let rounds =
        (0..3).flat_map(|round| [run(round, 0, 1_035.498, 7.496, 110.0), run(round, 1, 1_049.652, 18.554, 95.0)]);
    analysed("plimsoll run batch.yaml", plan, rounds.collect())
}

fn scenarios() -> Results {
    let ((mut plan, mut run), (orders, run_of_orders)) = (burst(), orders());
    plan.levels.extend(orders.levels);
    run.levels.extend(run_of_orders.levels);
    for (index, label) in ["browse", "buy"].into_iter().enumerate() {
        for level in [&mut plan.levels[index], &mut run.levels[index].plan] {
            level.label = label.to_owned();
            level.is_with_previous = index > 0;
        }
    }
    analysed("plimsoll load --scenario shop.yaml", plan, vec![run])
}

fn burst() -> (Plan, RunData) {
    let fails = |_, index| match index {
        1_000 | 1_700 | 2_400 => Some(ErrorKind::Status5xx),
        _ if index % 300 == 7 => Some(ErrorKind::Refused),
        _ => None,
    };
    let plan = of_load("GET http://127.0.0.1:8080/greetings", plimsoll_analysis::testing::burst(2_700));
    let mut run = Service::execute(plan.clone(), &[Service { fails, ..REACTIVE }]).runs.remove(0);
    run.run.startup = None;
    run.samples.clear();
    (plan, run)
}

/// Three hundred users a second for 3 s: each lists orders and adds to a basket, which sometimes comes back empty;
/// paying never succeeds.
fn orders() -> (Plan, RunData) {
    let load = Load::ConstantArrivalRate {
        rate: 300.0,
        duration: Nanos::from_secs(3),
        arrivals: Arrivals::Even,
        max_in_flight: Load::DEFAULT_MAX_IN_FLIGHT,
        drop_late: false,
    };
    let requests = ["list orders", "add to basket", "pay"].map(str::to_owned).to_vec();
    let plan = of_load("Orders", LevelPlan { requests, ..level_plan("300/s", load) });
    let mut data = level(&plan.levels[0], Nanos::ZERO, &(0..900).flat_map(order).collect::<Vec<_>>());
    for interval in &mut data.intervals {
        let [unchecked, empty] = [ErrorKind::Status5xx, ErrorKind::CheckFailed]
            .map(|kind| interval.errors.get(&kind).map_or(0, |error| error.count));
        let answered = interval.counts.succeeded + interval.counts.failed;
        let mut check = |name: &str, failed| {
            interval.checks.insert(name.to_owned(), CheckCount { passed: answered - failed, failed });
        };
        check("status is 200", unchecked);
        if interval.request == 1 {
            check("body has `id`", empty);
        }
    }
    let mut run = run(0, 0, Nanos::ZERO, vec![data]);
    run.run.startup = None;
    (plan, run)
}

fn order(user: u32) -> Vec<Request> {
    let begun = Nanos::from_secs_f64(f64::from(user) / 300.0);
    let is_new = user < 100;
    let (mut requests, mut now) = (Vec::new(), begun);
    for (request, took_ms) in (0..).zip([35.0, 48.0, 4.0]) {
        let took_ms = took_ms * (1.0 + f64::from(user * 7 % 50) / 100.0);
        let is_secured = is_new && request == 0;
        let sent = now + ms(if is_secured { 4.0 } else { 0.05 });
        let done = sent + ms(took_ms);
        let error = match request {
            1 if user % 150 == 149 => Some(ErrorKind::CheckFailed),
            2 => Some(ErrorKind::Status5xx),
            _ => None,
        };
        let connection = if is_secured { Connection::Secured } else { Connection::Kept };
        let ends = error.is_some().then_some(begun);
        requests.push(Request { sent, error, request, connection, ends, ..Request::ok(now, done) });
        if ends.is_some() {
            break;
        }
        now = done;
    }
    requests
}

fn of_load(title: &str, level: LevelPlan) -> Plan {
    Plan {
        name: "load".to_owned(),
        title: title.to_owned(),
        thresholds: ["p(99)<3s", "errors<0.1%", "checks>99%"].map(str::to_owned).to_vec(),
        ..plan(vec![variant("http://127.0.0.1:8080/greetings")], vec![level], 1)
    }
}

/// Without a JDK and limits: nothing of ours was launched.
fn analysed(command: &str, plan: Plan, runs: Vec<RunData>) -> Results {
    let mut data = execution(plan, runs);
    let (command, versions) = (command.to_owned(), BTreeMap::new());
    data.execution.environment = Environment { command, jdk: None, limits: None, versions, ..environment() };
    analyse(&data)
}

fn ms(ms: f64) -> Nanos {
    Nanos::from_secs_f64(ms / 1e3)
}
