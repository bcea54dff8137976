//! Variants as they resolve: defaults, inheritance, matrices.

use std::path::Path;

use plimsoll_drive::script::Body;
use plimsoll_record::{Between, Nanos, NetworkBy, NetworkPlan};

use super::{LOAD, SEED_IF_ABSENT, errors, plan, read, variant};
use crate::{
    experiment::{Kept, Limits, Order, Program},
    jvm::{Jvm, Source},
    packaging::Packaging,
    subject::SUBJECTS,
};

#[test]
fn defaults_are_those_of_the_reference() {
    let file = read(&format!("variants: {{web: {{subject: greetings-web}}}}\n{LOAD}")).unwrap();
    let experiment = &file.experiment;
    let plan = &experiment.plan;
    assert_eq!((plan.name.as_str(), plan.title.as_str(), plan.rounds), ("x", "x", 3));
    assert_eq!((plan.seed, experiment.order), (SEED_IF_ABSENT, Order::Random));
    assert_eq!(plan.variants[0].url, "http://{host}:{port}/greetings?name=plimsoll");
    assert_eq!((plan.variants[0].workers, plan.variants[0].service_time), (Some(200), Some(Nanos::from_secs(1))));
    let variant = &experiment.variants[0];
    assert_eq!(variant.ready_url.as_deref(), Some("http://{host}:{port}/ready"));
    assert_eq!(variant.ready_timeout, Nanos::from_secs(120));
    assert_eq!(variant.response_timeout, Nanos::from_secs(30));
    let Program::Jvm(Jvm { packaging, spring_aot, properties, .. }) = &variant.program else { panic!("{variant:?}") };
    assert_eq!((*packaging, *spring_aot), (Packaging::Jar, false));
    assert_eq!(properties["greetings.wait"], "1s");
    assert_eq!(properties["spring.threads.virtual.enabled"], "false");
}

#[test]
fn the_text_is_kept_as_it_was() {
    let text = format!("# why\nvariants: {{web: {{subject: greetings-web}}}}\n{LOAD}");
    assert_eq!(plan(&text).source.as_deref(), Some(text.as_str()));
}

#[test]
fn a_seed_in_the_file_wins() {
    assert_eq!(
        plan(&format!("variants: {{web: {{subject: greetings-web}}}}\n{LOAD}seed: 18446744073709551615\n")).seed,
        u64::MAX
    );
}

#[test]
fn workers_follow_the_property_of_tomcat_and_end_with_virtual_threads() {
    let workers = |settings: &str| {
        plan(&format!("variants: {{web: {{subject: greetings-web, {settings}}}}}\n{LOAD}")).variants[0].workers
    };
    assert_eq!(workers("properties: {server.tomcat.threads.max: 400}"), Some(400));
    assert_eq!(workers("threads: virtual"), None);
    assert_eq!(workers("threads: virtual, properties: {server.tomcat.threads.max: 400}"), None);
}

#[test]
fn the_gateway_calls_its_upstream_and_has_so_many_connections() {
    let settings = "upstream: {latency: 250ms}, properties: {gateway.pool.max-per-route: 100, \
                    server.tomcat.threads.max: 400}";
    let plan = plan(&format!("variants: {{g: {{subject: gateway, {settings}}}}}\n{LOAD}")).variants.remove(0);
    assert_eq!((plan.workers, plan.connections_per_route, plan.service_time), (Some(400), Some(100), None));
    assert_eq!(plan.url, "http://{host}:{port}/call?url={upstream}/");
    assert_eq!(plan.call_time, Some(Nanos::from_millis(250)));
}

#[test]
fn the_thread_servers_are_told_their_properties_and_nothing_of_spring() {
    let text = format!("variants: {{t: {{subject: threads, properties: {{threads.mode: pool}}}}}}\n{LOAD}");
    let Program::Jvm(Jvm { properties, spring_aot, .. }) = variant(&text).program else { panic!("no subject") };
    assert_eq!(
        (properties.into_iter().collect::<Vec<_>>(), spring_aot),
        (vec![("threads.mode".into(), "pool".into())], false)
    );
    let shown = plan(&text).variants.remove(0).settings.into_keys().collect::<Vec<_>>();
    assert_eq!(shown, ["packaging", "subject", "threads.mode"]);
}

#[test]
fn metrics_are_read_from_where_the_target_is_asked_whether_it_is_ready() {
    let metrics = |more: &str| {
        variant(&format!("variants: {{g: {{subject: greetings-web, metrics: {{keep: [a_b]{more}}}}}}}\n{LOAD}"))
            .metrics
            .unwrap()
    };
    let default = metrics("");
    assert_eq!(default.url.as_deref(), Some("http://{host}:{port}/actuator/prometheus"));
    assert_eq!((default.every, default.keep.names()[0]), (Nanos::from_millis(500), "a_b"));
    assert_eq!(metrics(", path: /m, every: 1s").url.as_deref(), Some("http://{host}:{port}/m"));
    let meters = metrics(", from: actuator");
    assert!(
        meters.url.as_deref().is_some_and(|url| url.ends_with("/actuator/metrics"))
            && matches!(meters.keep, Kept::Actuator(_))
    );
}

#[test]
fn attributes_of_jmx_are_asked_of_the_jvm_and_have_no_page() {
    let text = |metrics: &str| format!("variants: {{g: {{subject: greetings-web, metrics: {metrics}}}}}\n{LOAD}");
    let threads = "{from: jmx, keep: ['java.lang:type=Threading/ThreadCount']}";
    let file = read(&text(threads)).unwrap_or_else(|errors| panic!("{errors}")).experiment;
    let metrics = file.variants[0].metrics.clone().unwrap();
    assert_eq!((metrics.url, metrics.keep.names()), (None, vec!["java.lang:type=Threading/ThreadCount"]));
    assert!(file.plan.variants[0].settings["metrics"].contains("JVM"), "its cost is in the record");
    let refused = |metrics: &str, why: &str| {
        let errors = read(&text(metrics)).unwrap_err().to_string();
        assert!(errors.contains(why), "{errors}");
    };
    refused("{from: jmx, path: /m, keep: ['a:b=c/D']}", "JMX has no page: remove `path`");
    refused("{from: jmx, keep: [ThreadCount]}", "expected an MBean, `/` and its attribute");
}

#[test]
fn benchmarks_need_no_load_and_become_arguments_of_jmh() {
    let text = "base:\n  jmh: {jar: ../app/b.jar, benchmarks: Batch, params: {before: [NOTHING, WARMUP], calls: 50}, args: [-f, 1]}\n\
                variants:\n  two: {jvm-flags: [\"-XX:ActiveProcessorCount=2\"]}\n";
    let file = read(text).unwrap_or_else(|errors| panic!("{errors}")).experiment;
    assert!(file.plan.levels.is_empty());
    let Program::Benchmarks { jar, jvm_flags, arguments } = &file.variants[0].program else { panic!("no benchmarks") };
    assert_eq!(jar.as_deref(), Some(Path::new("experiments/../app/b.jar")));
    assert_eq!(jvm_flags, &["-XX:ActiveProcessorCount=2"]);
    assert_eq!(arguments, &["Batch", "-p", "before=NOTHING,WARMUP", "-p", "calls=50", "-f", "1"]);
    assert_eq!(file.plan.variants[0].settings["params"], "before=NOTHING,WARMUP calls=50");
    let bundled = variant("variants: {a: {jmh: {}}}\n").program;
    assert_eq!(bundled, Program::Benchmarks { jar: None, jvm_flags: Vec::new(), arguments: Vec::new() });
}

#[test]
fn what_a_variant_says_wins_over_what_it_extends_and_that_over_base() {
    let text = format!(
        "base: {{wait: 3s, limits: {{memory: 1 GiB, cpus: 2, files: 4096}}, env: {{A: base, B: base}}}}\n\
         variants:\n  top: {{extends: middle, env: {{C: top}}}}\n  \
         middle: {{extends: bottom, limits: {{memory: 512 MiB}}, \
         env: {{B: middle}}}}\n  bottom: {{subject: greetings-web, wait: 250 ms}}\n{LOAD}"
    );
    let file = read(&text).unwrap();
    let top = &file.experiment.variants[0];
    assert_eq!(top.limits, Limits { memory_bytes: Some(512 << 20), cpus: Some(2.0), files: Some(4096) });
    assert_eq!(file.experiment.plan.variants[0].settings["files"], "4096");
    assert_eq!(file.experiment.plan.variants[0].service_time, Some(Nanos::from_millis(250)));
    let env: Vec<(&str, &str)> = top.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(env, [("A", "base"), ("B", "middle"), ("C", "top")]);
}

#[test]
fn settings_are_what_reports_show() {
    let text = format!(
        "variants: {{r: {{subject: greetings-reactive, packaging: native, jvm-flags: [-Xmx1g], settings: {{colour: red}}}}}}\n{LOAD}"
    );
    let settings = plan(&text).variants.remove(0).settings;
    let shown: Vec<String> = settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(
        shown,
        [
            "colour=red",
            "jvm-flags=-Xmx1g",
            "packaging=native",
            "spring-aot=yes",
            "subject=greetings-reactive",
            "wait=1s"
        ]
    );
}

/// The file of one subject packaged in one way, with more settings.
fn packaged(subject: &str, packaging: &str, more: &str) -> String {
    let upstream = if ["caller", "gateway"].contains(&subject) { "upstream: {latency: 1ms}, " } else { "" };
    format!("variants:\n  a: {{subject: {subject}, {upstream}\n    packaging: {packaging}{more}}}\n{LOAD}")
}

#[test]
fn every_subject_in_every_packaging_is_taken_or_refused_with_its_line() {
    let every = ["jar", "extracted", "cds", "aot-cache", "native"];
    let possible = |subject: &str| match subject {
        "greetings-web" | "greetings-reactive" => every.len(),
        "caller" | "gateway" => 4,
        _ => 1,
    };
    for subject in SUBJECTS.iter().map(|subject| subject.name) {
        for (index, packaging) in every.into_iter().enumerate() {
            let text = packaged(subject, packaging, "");
            match read(&text) {
                Ok(_) => assert!(index < possible(subject), "{text}"),
                Err(errors) => {
                    let errors = errors.to_string();
                    assert!(index >= possible(subject), "{errors}");
                    assert!(errors.starts_with("experiments/x.yaml:3:16: variants.a.packaging: "), "{errors}");
                }
            }
        }
    }
    let gateway = errors(&packaged("gateway", "native", ""));
    let why = "`gateway` cannot be packaged as `native`, for its POM has no such build; there are `jar`, `extracted`, `cds`, \
               `aot-cache`";
    assert!(gateway.contains(why), "{gateway}");
}

#[test]
fn a_native_image_takes_flags_of_its_own() {
    let flags = |more: &str| match variant(&packaged("greetings-web", "native", more)).program {
        Program::Jvm(Jvm { jvm_flags, source: Source::Subject { native_flags, .. }, .. }) => (jvm_flags, native_flags),
        other => panic!("{other:?}"),
    };
    let (run_time, build) =
        flags(", jvm-flags: [-Xmx64m, \"-XX:ActiveProcessorCount=1\", -Da=b], native-flags: [-O1, -J-Xmx3g]");
    assert_eq!(run_time, ["-Xmx64m", "-XX:ActiveProcessorCount=1", "-Da=b"]);
    assert_eq!(build, ["-O1", "-J-Xmx3g"]);
    let gc = errors(&packaged("greetings-web", "native", ", jvm-flags: [-Xmx64m, \"-XX:+UseZGC\"]"));
    assert!(
        gc.starts_with("experiments/x.yaml:3:35: variants.a.jvm-flags: a native image does not take `-XX:+UseZGC`"),
        "{gc}"
    );
    let two = errors(&packaged("greetings-web", "native", ", native-flags: [\"-H:Name x\"]"));
    assert!(two.contains("expected one option without white space"), "{two}");
    let jar = errors(&packaged("greetings-web", "jar", ", native-flags: [-O1]"));
    assert!(jar.contains("options of the build of a native image: add `packaging: native`"), "{jar}");
}

#[test]
fn a_command_runs_beside_its_file_and_keeps_scalars_as_they_are_written() {
    let text = format!(
        "variants:\n  mine:\n    command: [java, -jar, app.jar, \"--server.port={{port}}\", 007]\n    env: {{A: yes, B: 1.50}}\n    \
         workdir: ../app\n    ready: \"http://127.0.0.1:{{port}}/health\"\n    \
         url: \"http://127.0.0.1:{{port}}/hello\"\n    \
         ready-time-out: 3min\n{LOAD}"
    );
    let variant = variant(&text);
    let Program::Command { argv, workdir, port } = &variant.program else { panic!("{variant:?}") };
    assert_eq!(argv, &["java", "-jar", "app.jar", "--server.port={port}", "007"]);
    assert_eq!((workdir.as_path(), *port), (Path::new("experiments/../app"), None));
    assert_eq!((variant.env["A"].as_str(), variant.env["B"].as_str()), ("yes", "1.50"));
    assert_eq!(variant.url, "http://127.0.0.1:{port}/hello");
    assert_eq!(variant.ready_timeout, Nanos::from_secs(180));
}

#[test]
fn a_port_that_is_fixed_is_found() {
    let port = |more: &str, port: &str| {
        let text = format!(
            "variants: {{mine: {{command: [serve], {more}ready: \"http://127.0.0.1:{port}/\", url: \"http://127.0.0.1:{port}/\"}}}}\n{LOAD}"
        );
        match variant(&text).program {
            Program::Command { port, .. } => port,
            _ => None,
        }
    };
    assert_eq!(port("", "8080"), Some(8080));
    assert_eq!(port("port: 9090, ", "{port}"), Some(9090));
}

/// Its management has another port than what is loaded.
#[test]
fn the_port_is_that_of_the_url() {
    let port = |command: &str, ready: &str, url: &str| {
        let text = format!("variants: {{mine: {{command: {command}, ready: \"{ready}\", url: \"{url}\"}}}}\n{LOAD}");
        match variant(&text).program {
            Program::Command { port, .. } => port,
            _ => None,
        }
    };
    let management = "http://127.0.0.1:9090/health";
    assert_eq!(port("[serve]", management, "http://127.0.0.1:8080/"), Some(8080));
    assert_eq!(port("[serve, \"{port}\"]", management, "http://127.0.0.1:{port}/"), None, "any that is free");
}

#[test]
fn a_request_is_what_it_says() {
    let text = format!(
        "variants: {{web: {{subject: greetings-web}}}}\n{LOAD}request: {{path: /x, method: POST, headers: {{X-N: 5}}, body: hi, \
         time-out: 5s}}\n"
    );
    let experiment = read(&text).unwrap_or_else(|errors| panic!("{errors}")).experiment;
    let (variant, step) = (&experiment.variants[0], &experiment.scripts[0].flows[0].steps[0]);
    assert_eq!((variant.url.as_str(), step.method()), ("http://{host}:{port}/x", "POST"));
    assert_eq!(step.headers, [("X-N".to_owned(), "5".to_owned())]);
    assert_eq!((&step.body, variant.response_timeout), (&Body::Text("hi".to_owned()), Nanos::from_secs(5)));
}

#[test]
fn a_matrix_expands_with_its_last_axis_fastest_and_without_what_is_excluded() {
    let text = format!(
        "matrix:\n  name: \"w{{wait}}-{{packaging}}{{threads}}\"\n  axes:\n    wait: [1s, 100ms]\n    packaging: [jar, cds]\n    \
         threads: {{\"\": {{threads: platform}}, \"-vt\": {{threads: virtual}}}}\n  \
         variant: {{subject: greetings-web}}\n  \
         exclude: [{{packaging: cds, threads: \"-vt\"}}, {{wait: 100ms, threads: \"\"}}]\n{LOAD}"
    );
    let plan = plan(&text);
    let names: Vec<&str> = plan.variants.iter().map(|variant| variant.name.as_str()).collect();
    assert_eq!(names, ["w1s-jar", "w1s-jar-vt", "w1s-cds", "w100ms-jar-vt"]);
    assert_eq!(plan.variants[3].service_time, Some(Nanos::from_millis(100)));
    assert_eq!(plan.variants[3].settings["threads"], "virtual");
}

#[test]
fn a_network_is_put_together_key_by_key_and_shown() {
    let text = format!(
        "base: {{subject: greetings-web, network: {{rtt: 70ms, jitter: 3ms, bandwidth: 10 Mbit/s}}}}\n\
         variants:\n  a: {{}}\n  b: {{network: {{loss: 0.5 %, jitter: 0s}}}}\n  \
         c: {{network: {{rtt: 0s, jitter: 0s, by: relay}}, url: \"http://{{host}}:{{port}}/x\"}}\n{LOAD}"
    );
    let variants = plan(&text).variants;
    let [a, b, c] = [0, 1, 2].map(|index: usize| variants[index].network.expect("from the base"));
    let expected = NetworkPlan {
        between: Between::GeneratorTarget,
        rtt: Nanos::from_millis(70),
        jitter: Nanos::from_millis(3),
        loss_percent: 0.0,
        bandwidth_bits_per_s: Some(10_000_000),
        by: NetworkBy::Namespaces,
    };
    assert_eq!(a, expected);
    assert_eq!(b, NetworkPlan { jitter: Nanos::ZERO, loss_percent: 0.5, ..expected });
    assert_eq!((c.rtt, c.by), (Nanos::ZERO, NetworkBy::Relay));
    let shown = &variants[1].settings["network"];
    assert_eq!(shown, "70 ms RTT, 0.5 % loss, 10 Mbit/s between generator and target");
}

#[test]
fn anchors_and_merge_keys_of_yaml_work() {
    let text =
        format!("variants:\n  a: &a {{subject: greetings-web, wait: 2s}}\n  b: {{<<: *a, threads: virtual}}\n{LOAD}");
    let plan = plan(&text);
    assert_eq!(plan.variants[1].service_time, Some(Nanos::from_secs(2)));
}
