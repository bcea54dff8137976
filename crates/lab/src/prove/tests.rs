use std::collections::BTreeMap;

use super::{
    setting::{CPUS, FILES},
    *,
};
use crate::{
    experiment::{Limits, Program},
    jvm::Jvm,
    packaging::Packaging,
};

fn launched(program: Program, env: &[(&str, &str)]) -> (Variant, VariantPlan) {
    let variant = Variant {
        program,
        env: texts(env),
        limits: Limits::default(),
        ready_timeout: Nanos::from_secs(1),
        ready_url: Some("http://127.0.0.1:{port}/".to_owned()),
        url: "http://127.0.0.1:{port}/".to_owned(),
        response_timeout: Nanos::from_secs(1),
        metrics: None,
        hooks: Default::default(),
        dependencies: Vec::new(),
    };
    (variant, VariantPlan { name: "mine".to_owned(), ..VariantPlan::default() })
}

fn texts(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn command(argv: &str, env: &[(&str, &str)]) -> (Variant, VariantPlan) {
    let argv = argv.split(' ').map(ToOwned::to_owned).collect();
    launched(Program::Command { argv, workdir: "/".into(), port: None }, env)
}

fn subject(name: &str, properties: &[(&str, &str)]) -> (Variant, VariantPlan) {
    launched(
        Program::Jvm(Jvm {
            jvm_flags: vec!["-Xmx256m".to_owned()],
            properties: texts(properties),
            ..Jvm::of_subject(name, Packaging::Jar)
        }),
        &[],
    )
}

fn with(variant: &(Variant, VariantPlan), name: &str, to: &str) -> (Variant, VariantPlan) {
    let change = Change { name: name.to_owned(), from: None, to: to.to_owned() };
    changed(&variant.0, &variant.1, &[change]).expect("a setting")
}

fn argv(variant: &(Variant, VariantPlan)) -> String {
    let Program::Command { argv, .. } = &variant.0.program else { panic!("a command") };
    argv.join(" ")
}

fn knob(settings: &[&str], has: f64, wants: f64) -> Knob {
    let settings = settings.iter().map(ToString::to_string).collect();
    Knob { settings, has: Some(has), wants: Some(wants), to: None }
}

fn shown(sets: &[Vec<Change>]) -> Vec<String> {
    sets.iter().map(|set| set.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")).collect()
}

#[test]
fn a_setting_is_changed_where_it_stands() {
    let java = command("java -Xmx64m -Dpool.max=4 -jar app.jar --server.tomcat.threads.max=20", &[("LANE_COUNT", "3")]);
    let argv_with = |name, to| argv(&with(&java, name, to));
    assert_eq!(argv_with("pool.max", "8"), "java -Xmx64m -Dpool.max=8 -jar app.jar --server.tomcat.threads.max=20");
    assert_eq!(
        argv_with("server.tomcat.threads.max", "400"),
        "java -Xmx64m -Dpool.max=4 -jar app.jar --server.tomcat.threads.max=400"
    );
    assert_eq!(argv_with("-Xmx", "128m"), "java -Xmx128m -Dpool.max=4 -jar app.jar --server.tomcat.threads.max=20");
    assert_eq!(with(&java, "lane.count", "6").0.env["LANE_COUNT"], "6");
    assert_eq!(with(&java, CPUS, "1.5").0.limits.cpus, Some(1.5));
    let more = with(&java, FILES, "4096");
    assert_eq!((more.0.limits.files, setting::value(&more.0, FILES)), (Some(4096), Some("4096".to_owned())));
}

/// Arguments come before the environment's variables, and Spring reads a name with and without its hyphens.
#[test]
fn a_setting_is_changed_in_the_place_and_spelling_that_counts() {
    let both = command("java -jar a.jar --server.tomcat.threads.max=200", &[("SERVER_TOMCAT_THREADS_MAX", "100")]);
    let changed = with(&both, "server.tomcat.threads.max", "400");
    assert_eq!(argv(&changed), "java -jar a.jar --server.tomcat.threads.max=400");
    assert_eq!(changed.0.env, both.0.env);
    let camel = command("java -jar a.jar --spring.datasource.hikari.maximumPoolSize=10", &[]);
    let changed = with(&camel, "spring.datasource.hikari.maximum-pool-size", "40");
    assert_eq!(argv(&changed), "java -jar a.jar --spring.datasource.hikari.maximumPoolSize=40");
    let variable = "SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE";
    let hyphens =
        with(&command("java -jar a.jar", &[(variable, "10")]), "spring.datasource.hikari.maximum-pool-size", "40");
    assert_eq!((argv(&hyphens).as_str(), hyphens.0.env[variable].as_str()), ("java -jar a.jar", "40"));
    let pattern = "resilience4j.bulkhead.instances.NAME.max-concurrent-calls";
    let own = command("java -jar a.jar --resilience4j.bulkhead.instances.orders.maxConcurrentCalls=5", &[]);
    let sets = candidates(&own.0, "semaphore", &knob(&[pattern], 7.0, 64.0));
    assert_eq!(shown(&sets), ["resilience4j.bulkhead.instances.orders.maxConcurrentCalls 5 → 60"]);
}

/// 2,000 in ten seconds.
#[test]
fn permits_of_a_period_rise_as_the_rate_shall() {
    let pattern = "resilience4j.ratelimiter.instances.NAME.limit-for-period";
    let own = command("java -jar a.jar --resilience4j.ratelimiter.instances.a.limit-for-period=2000", &[]);
    let sets = candidates(&own.0, "rate-limiter", &knob(&[pattern], 200.0, 800.0));
    assert_eq!(shown(&sets), ["resilience4j.ratelimiter.instances.a.limit-for-period 2000 → 8000"]);
}

#[test]
fn a_limit_that_cannot_be_read_is_refused() {
    let (variant, plan) = command("java -jar app.jar", &[]);
    for (name, to) in [(CPUS, "2500m"), (CPUS, "0"), (FILES, "8k"), ("limits.memory", "2GiB")] {
        let change = Change { name: name.to_owned(), from: None, to: to.to_owned() };
        let refused = changed(&variant, &plan, &[change]);
        assert!(refused.is_err_and(|why| why.starts_with(name)), "{name}={to}");
    }
}

#[test]
fn a_setting_that_stands_nowhere_is_added_where_the_program_looks_for_it() {
    let java = command("/opt/jdk/bin/java -jar app.jar", &[]);
    assert_eq!(
        argv(&with(&java, "server.tomcat.threads.max", "400")),
        "/opt/jdk/bin/java -Dserver.tomcat.threads.max=400 -jar app.jar"
    );
    let script = command("./run.sh", &[("JAVA_TOOL_OPTIONS", "-Xss512k")]);
    let changed = with(&script, "-Xmx", "1024m");
    assert_eq!(changed.0.env["JAVA_TOOL_OPTIONS"], "-Xss512k -Xmx1024m");
    assert_eq!(setting::value(&changed.0, "-Xmx").as_deref(), Some("1024m"));
    assert_eq!(with(&script, "WORKERS", "8").0.env["WORKERS"], "8");
}

#[test]
fn ceilings_follow_the_settings_of_a_subject() {
    let (variant, mut plan) = subject("caller", &[("caller.client", "feign-hc5")]);
    plan.workers = Some(200);
    let one = (variant, plan);
    let more = with(&one, "spring.cloud.openfeign.httpclient.max-connections-per-route", "150");
    assert_eq!(more.1.connections_per_route, Some(150));
    let more = with(&more, "server.tomcat.threads.max", "400");
    assert_eq!((more.1.workers, more.1.connections_per_route), (Some(400), Some(150)));
    let refused =
        changed(&more.0, &more.1, &[Change { name: "server.port".to_owned(), from: None, to: "1".to_owned() }]);
    assert!(refused.is_err_and(|why| why.starts_with("server.port cannot be set here")));
}

#[test]
fn what_the_framework_calls_it_comes_first_and_then_what_has_its_size() {
    let tuned = subject(
        "caller",
        &[
            ("caller.client", "feign-hc5"),
            ("spring.cloud.openfeign.httpclient.max-connections", "400"),
            ("spring.cloud.openfeign.httpclient.max-connections-per-route", "100"),
        ],
    );
    let settings = [
        "spring.cloud.openfeign.httpclient.max-connections-per-route",
        "spring.cloud.openfeign.httpclient.max-connections",
    ];
    let sets = candidates(&tuned.0, "client-pool", &knob(&settings, 100.0, 498.0));
    assert_eq!(
        shown(&sets)[0],
        "spring.cloud.openfeign.httpclient.max-connections-per-route 100 → 500, \
         spring.cloud.openfeign.httpclient.max-connections 400 → 500"
    );
    let own = command("java -Dorders.lanes.max=6 -Dhttp.port=6 -Dbatch=6 Main", &[("QUEUE_SIZE", "6")]);
    let sets = candidates(&own.0, "semaphore", &knob(&[], 6.0, 40.0));
    assert_eq!(
        shown(&sets),
        ["orders.lanes.max 6 → 40", "QUEUE_SIZE 6 → 40"],
        "what is a port or no size is left alone"
    );
    let sets = candidates(&own.0, "server-threads", &knob(&["server.tomcat.threads.max"], 200.0, 512.0));
    assert_eq!(shown(&sets), ["server.tomcat.threads.max → 600"]);
}

#[test]
fn a_size_is_at_least_doubled_and_never_made_less() {
    let own = command("java -Dpool.max=4 Main", &[]);
    let to = |wants| shown(&candidates(&own.0, "semaphore", &knob(&[], 4.0, wants)));
    assert_eq!([to(5.0), to(64.0)], [["pool.max 4 → 8"], ["pool.max 4 → 40"]]);
    let wide = subject("caller", &[("server.tomcat.threads.max", "1000")]);
    assert_eq!(
        shown(&candidates(&wide.0, "server-threads", &knob(&["server.tomcat.threads.max"], 200.0, 300.0))).len(),
        0
    );
    let heap = candidates(&wide.0, "gc", &knob(&["-Xmx"], f64::from(256 << 20), f64::from(512 << 20)));
    assert_eq!(shown(&heap), ["-Xmx 256m → 512m"]);
}

#[test]
fn a_comparison_has_the_variant_before_and_after_under_one_load() {
    let (variant, plan) = command("java -Dpool.max=4 Main", &[]);
    let experiment = Experiment {
        plan: Plan { name: "mine".to_owned(), variants: vec![plan], seed: 7, ..Plan::default() },
        variants: vec![variant],
        ..Experiment::default()
    };
    let sets = named(&experiment.variants[0], "pool.max", &["8".to_owned(), "16".to_owned()]);
    let compared = comparison(&experiment, &sets, 64, &WantedProof::default()).expect("settings");
    let names: Vec<&str> = compared.plan.variants.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["mine", "pool.max 4 → 8", "pool.max 4 → 16"]);
    assert_eq!(compared.variants.len(), 3);
    let levels: Vec<&str> = compared.plan.levels.iter().flat_map(LevelPlan::labels).map(String::as_str).collect();
    assert_eq!(levels, ["warm-up", "settling", "64"]);
    assert_eq!(compared.scripts.len(), 0, "the file has none");
    for claim in &compared.plan.claims {
        let parsed = plimsoll_analysis::claims::parse(&claim.expression).expect("a claim");
        assert_eq!(parsed.check(&names, &["64"]), Ok(()));
    }
    let wanted = WantedProof { slo: vec!["p(99)<200ms".to_owned()], ..WantedProof::default() };
    let compared = comparison(&experiment, &sets, 64, &wanted).expect("settings");
    assert!(compared.plan.levels.is_empty() && compared.plan.line.is_some());
    assert_eq!(compared.plan.claims[0].expression, "line('pool.max 4 → 8') / line('mine') >= 1.05");
}

/// 64 threads before a pool of 64.
fn tight() -> (Variant, VariantPlan) {
    command("java -Dweb.threads=64 -Dlanes.max=8 Main", &[])
}

#[test]
fn two_limits_that_are_equally_tight_are_moved_together() {
    let (variant, plan) = tight();
    let mut trials = Trials::default();
    let (threads, lanes) = (knob(&[], 64.0, 256.0), knob(&[], 8.0, 40.0));
    let first = trials.next(&variant, &plan, Some(("server-threads", &threads)));
    assert_eq!(shown(&first), ["web.threads 64 → 300"]);
    trials.add(first, false, Some(("semaphore", &lanes)));
    // Whether the threads are needed shows what is left without them.
    let joint = trials.next(&variant, &plan, Some(("server-threads", &threads)));
    assert_eq!(shown(&joint), ["web.threads 64 → 300, lanes.max 8 → 40", "lanes.max 8 → 40"]);
    trials.add(joint, false, Some(("server-threads", &threads)));
    assert_eq!(
        trials.next(&variant, &plan, Some(("server-threads", &threads))),
        Vec::<Vec<Change>>::new(),
        "a limit that was to be moved before is no other one"
    );
}

#[test]
fn a_change_that_helps_or_moves_nothing_is_joined_with_none() {
    let (variant, plan) = tight();
    let (threads, lanes) = (knob(&[], 64.0, 256.0), knob(&[], 8.0, 40.0));
    for (has_helped, then) in
        [(true, Some(("semaphore", &lanes))), (false, None), (false, Some(("server-threads", &threads)))]
    {
        let mut trials = Trials::default();
        let first = trials.next(&variant, &plan, Some(("server-threads", &threads)));
        trials.add(first, has_helped, then);
        assert_eq!(shown(&trials.next(&variant, &plan, Some(("semaphore", &lanes)))), ["lanes.max 8 → 40"]);
    }
}

#[test]
fn a_third_limit_joins_the_two_before_it() {
    let (variant, plan) = command("java -Dweb.threads=64 -Dlanes.max=8 -Ddb.pool.size=4 Main", &[]);
    let mut trials = Trials::default();
    let knobs = [knob(&[], 64.0, 256.0), knob(&[], 8.0, 40.0), knob(&[], 4.0, 32.0)];
    let kinds = ["server-threads", "semaphore", "database-pool"];
    let mut sets = Vec::new();
    for index in 0..3 {
        sets = trials.next(&variant, &plan, Some((kinds[0], &knobs[0])));
        let then = kinds.get(index + 1).map(|kind| (*kind, &knobs[index + 1]));
        trials.add(sets.clone(), false, then);
    }
    assert_eq!(
        shown(&sets),
        [
            "web.threads 64 → 300, lanes.max 8 → 40, db.pool.size 4 → 40",
            "lanes.max 8 → 40, db.pool.size 4 → 40",
            "web.threads 64 → 300, db.pool.size 4 → 40"
        ]
    );
}

#[test]
fn a_word_of_the_services_own_is_filled_in_from_the_file() {
    let pattern = "resilience4j.bulkhead.instances.NAME.max-concurrent-calls";
    let bulkhead = knob(&[pattern], 7.0, 64.0);
    let property = command("java -Dresilience4j.bulkhead.instances.orders.max-concurrent-calls=5 -jar app.jar", &[]);
    let expected = "resilience4j.bulkhead.instances.orders.max-concurrent-calls 5 → 60";
    assert_eq!(shown(&candidates(&property.0, "semaphore", &bulkhead)), [expected]);
    let variable = "RESILIENCE4J_BULKHEAD_INSTANCES_ORDERS_MAXCONCURRENTCALLS";
    let variable = command("java -jar app.jar", &[(variable, "5")]);
    assert_eq!(shown(&candidates(&variable.0, "semaphore", &bulkhead)).len(), 1);
    let none = command("java -jar app.jar --resilience4j.bulkhead.instances.max-concurrent-calls=1", &[]);
    assert_eq!(shown(&candidates(&none.0, "semaphore", &bulkhead)), [""; 0], "it has no such word");
}

#[test]
fn a_setting_that_is_no_size_is_given_its_value() {
    let own =
        command("java -Dhttp.no-delay=false -Dhttp.keep-alive=false -Dpool.max=300 Main", &[("TCP_NODELAY", "true")]);
    let to = |setting: &str, to| Knob { settings: vec![setting.to_owned()], has: None, wants: None, to: Some(to) };
    let sets = candidates(&own.0, "delayed-ack", &to("-Dsun.net.httpserver.nodelay", "true"));
    assert_eq!(shown(&sets), ["http.no-delay false → true", "-Dsun.net.httpserver.nodelay → true"]);
    assert_eq!(
        shown(&candidates(&own.0, "dns", &to("-Dsun.net.inetaddr.ttl", "300"))),
        ["-Dsun.net.inetaddr.ttl → 300"]
    );
    let never = command("java -Dsun.net.inetaddr.ttl=0 Main", &[]);
    let sets = candidates(&never.0, "dns", &to("-Dsun.net.inetaddr.ttl", "300"));
    assert_eq!(shown(&sets), ["-Dsun.net.inetaddr.ttl 0 → 300"]);
    assert_eq!(argv(&with(&never, "-Dsun.net.inetaddr.ttl", "300")), "java -Dsun.net.inetaddr.ttl=300 Main");
    let long = command("java -Dsun.net.inetaddr.ttl=600 Main", &[]);
    assert_eq!(shown(&candidates(&long.0, "dns", &to("-Dsun.net.inetaddr.ttl", "300"))), [""; 0], "never made less");
}

#[test]
fn the_bound_of_a_setting_is_raised_with_it() {
    let of = |env: &[(&str, &str)]| {
        let variant = command("java -jar app.jar --spring.task.execution.pool.core-size=4", env);
        let sets = candidates(&variant.0, "executor", &knob(&["spring.task.execution.pool.core-size"], 4.0, 16.0));
        sets[0].iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let raised = "spring.task.execution.pool.core-size 4 → 20";
    assert_eq!(of(&[]), [raised]);
    assert_eq!(of(&[("SPRING_TASK_EXECUTION_POOL_MAXSIZE", "64")]), [raised]);
    let bound = "spring.task.execution.pool.max-size 8 → 20";
    assert_eq!(of(&[("SPRING_TASK_EXECUTION_POOL_MAXSIZE", "8")]), [raised, bound]);
}
