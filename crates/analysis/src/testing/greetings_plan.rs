//! The plan and the environment of the greetings fixture.

use std::collections::BTreeMap;

use plimsoll_record::{
    Claim, Conditions, Environment, LevelPlan, Load, Nanos, Phase, Plan, PrintedFigure, Published, PublishedLevel,
    PublishedVariant, ServerSeen, Statistic, ThinkTime, VariantPlan,
};

use super::burst;

pub(super) fn plan(variants: Vec<VariantPlan>) -> Plan {
    let mut plan = super::plan(variants, levels(), 3);
    plan.name = "greetings".to_owned();
    plan.title = "Tomcat or Netty, platform or virtual threads".to_owned();
    plan.description = "Each request waits **1 s** and greets; see the [set-up](https://example.org/greetings).\n\n\
                        How many can wait *at once*?"
        .to_owned();
    plan.source = Some("name: greetings\nrounds: 3\n".to_owned());
    plan.claims = claims();
    plan.published = Some(published());
    plan
}

pub(super) fn variants() -> Vec<VariantPlan> {
    let variant = |name: &str, packaging: &str, threads: &str, workers: Option<u32>| VariantPlan {
        settings: settings(&[("packaging", packaging), ("threads", threads), ("wait", "1 s")]),
        workers,
        service_time: Some(Nanos::from_secs(1)),
        server: Some(ServerSeen {
            process: "java".to_owned(),
            libraries: ["spring-boot-4.1.1", "tomcat-embed-core-11.0.14"].map(str::to_owned).to_vec(),
        }),
        ..super::variant(name)
    };
    vec![
        variant("web-jar", "jar", "platform", Some(200)),
        variant("web-jar-vt", "jar", "virtual", None),
        variant("reactive-jar", "jar", "event loop", None),
        variant("web-native", "native", "platform", Some(200)),
        variant("<script>alert('web & \"co\"')</script>", "jar", "virtual", None),
    ]
}

fn settings(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
}

fn levels() -> Vec<LevelPlan> {
    let load = Load::ConstantVus { vus: 10, duration: Nanos::from_secs(3), think: ThinkTime::None };
    let warm_up = LevelPlan { phase: Phase::WarmUp, ..super::level_plan("warm-up", load) };
    [warm_up].into_iter().chain([100, 300, 900, 2_700].map(burst)).collect()
}

fn claims() -> Vec<Claim> {
    let claim = |line, says: &str, expression: &str| Claim {
        says: says.to_owned(),
        expression: expression.to_owned(),
        line: Some(line),
    };
    vec![
        claim(
            41,
            "Virtual threads lift throughput at 2,700 users at least 2.8 times",
            "throughput(web-jar-vt @ 2700) / throughput(web-jar @ 2700) >= 2.8",
        ),
        claim(
            43,
            "Platform threads cannot pass 200 requests a second at any level",
            "max(throughput(web-jar @ *)) <= 200/s",
        ),
        claim(45, "Netty starts faster than Tomcat", "startup(reactive-jar) < startup(web-jar)"),
        claim(47, "Virtual threads do not slow start-up down", "startup(web-jar-vt) / startup(web-jar) <= 1"),
        claim(49, "A native image starts within 0.1 s", "startup(web-native) < 100 ms"),
    ]
}

fn published() -> Published {
    Published {
        source: "Spring Boot 3.3.2, Java 21, on a 4-core laptop".to_owned(),
        levels: vec![
            published_level("web-jvm", "web-jar", "100", [1.291, 77.5, 1_279.0]),
            published_level("web-jvm", "web-jar", "2700", [14.2, 190.1, 7_417.0]),
            published_level("web-jvm-vt", "web-jar-vt", "100", [1.225, 81.6, 1_205.0]),
            published_level("web-jvm-vt", "web-jar-vt", "2700", [5.052, 534.4, 2_734.0]),
            // 2,700 users with a mean of 1.7 s make at most 1,584 requests a second.
            published_level("reactive-jvm", "reactive-jar", "2700", [1.800, 2_000.0, 1_705.0]),
        ],
        variants: vec![
            published_variant("web-jvm", Some("web-jar"), [1.778, 103.8, 281.1]),
            published_variant("web-jvm-vt", Some("web-jar-vt"), [1.808, 369.82, 389.8]),
            published_variant("web-native", Some("web-native"), [0.061, 21.53, 226.7]),
            published_variant("web-jvm-cds", None, [1.153, 142.01, 279.5]),
        ],
    }
}

fn published_level(variant: &str, ours: &str, level: &str, [total_s, throughput, mean_ms]: [f64; 3]) -> PublishedLevel {
    PublishedLevel {
        variant: variant.to_owned(),
        ours: Some(ours.to_owned()),
        level: level.to_owned(),
        figures: vec![
            printed(Statistic::Total, total_s, 0.001),
            printed(Statistic::Throughput, throughput, 0.1),
            printed(Statistic::Mean, mean_ms, 1.0),
        ],
        conditions: Conditions {
            vus: level.parse().ok(),
            requests: level.parse().ok(),
            workers: (variant == "web-jvm").then_some(200),
            service_time: Some(Nanos::from_secs(1)),
            ..Conditions::default()
        },
    }
}

fn published_variant(variant: &str, ours: Option<&str>, [startup_s, cpu, memory_mb]: [f64; 3]) -> PublishedVariant {
    PublishedVariant {
        variant: variant.to_owned(),
        ours: ours.map(str::to_owned),
        figures: vec![
            printed(Statistic::StartUp, startup_s, 0.001),
            printed(Statistic::PeakCpu, cpu, 0.01),
            printed(Statistic::PeakMemory, memory_mb, 0.1),
        ],
    }
}

fn printed(statistic: Statistic, value: f64, step: f64) -> PrintedFigure {
    PrintedFigure { statistic, value, step }
}

/// Where everything was made up.
pub fn environment() -> Environment {
    Environment {
        plimsoll: "0.1.0".to_owned(),
        command: "plimsoll run experiments/greetings.yaml".to_owned(),
        git_commit: Some("0123456789abcdef-dirty".to_owned()),
        cpu_model: Some("Example CPU @ 3.00GHz".to_owned()),
        cores: Some(2),
        machine: None,
        memory_bytes: Some(24 << 30),
        kernel: Some("6.8.0".to_owned()),
        os: Some("Ubuntu 24.04".to_owned()),
        cgroup: Some("v2".to_owned()),
        jdk: Some("Temurin 25.0.3+9".to_owned()),
        limits: Some("memory 1 GiB (cgroup v2, -XX:MaxRAM)".to_owned()),
        placement: Some("generator and target share 2 cores".to_owned()),
        versions: [("Spring Boot".to_owned(), "4.1.2".to_owned())].into(),
        making: [].into(),
        network_relay: None,
        merged: None,
        clock: None,
    }
}
