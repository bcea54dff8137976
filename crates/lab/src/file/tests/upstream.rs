//! The `upstream` of variants, and what is named of it.

use plimsoll_record::{Distribution, KeepAlive, Nanos, StatusShare, UpstreamPlan, UpstreamTls};

use super::{LOAD, errors, plan, read};

fn with(upstream: &str) -> UpstreamPlan {
    let text = format!("variants: {{web: {{subject: greetings-web, upstream: {{{upstream}}}}}}}\n{LOAD}");
    plan(&text).variants.remove(0).upstream.expect("an upstream")
}

#[test]
fn every_key_has_its_effect() {
    assert_eq!(with(""), UpstreamPlan::default());
    let all = "latency: uniform 100ms..300ms, body-time: 1s, servers: 20, freeze: 1s every 10s, size: 2kB, \
               status: '200:99,503:1', idle-time: 5s, max-requests-per-connection: 100, announce-keep-alive: true, \
               announced-idle-time: 60s, close-without-notice: true, max-connections: 50, backlog: 10, \
               mutual-tls: true, tls-resumption: false, http2: true, port: 9000, by-name: true";
    let shares = [(200, 99.0), (503, 1.0)].map(|(status, weight)| StatusShare { status, weight });
    let expected = UpstreamPlan {
        latency: Distribution::Uniform { min: Nanos::from_millis(100), max: Nanos::from_millis(300) },
        body_time: Distribution::Constant(Nanos::from_secs(1)),
        servers: Some(20),
        freeze: Some(plimsoll_record::Freeze { length: Nanos::from_secs(1), every: Nanos::from_secs(10) }),
        answer_bytes: Distribution::Constant(2_000),
        statuses: shares.to_vec(),
        keep_alive: KeepAlive {
            enabled: true,
            idle_time: Some(Nanos::from_secs(5)),
            is_announced: true,
            announced_idle_time: Some(Nanos::from_secs(60)),
            requests_max: Some(100),
            closes_silently: true,
        },
        connections_max: Some(50),
        backlog: 10,
        tls: Some(UpstreamTls { is_mutual: true, resumption: false }),
        http2: true,
        port: 9_000,
        by_name: true,
        ..UpstreamPlan::default()
    };
    assert_eq!(with(all), expected);
    assert!(!with("keep-alive: false").keep_alive.enabled);
    assert!(with("announced-idle-time: 60s").keep_alive.is_announced);
}

#[test]
fn it_is_merged_key_by_key_and_shown_among_the_settings() {
    let matrix = "matrix: {name: 'a-{upstream}', axes: {upstream: {plain: {}, tls: {upstream: {tls: true}}}}, variant: \
                  {subject: greetings-web}}";
    let plan = plan(&format!("base: {{upstream: {{latency: 200ms}}}}\n{matrix}\n{LOAD}"));
    let shown: Vec<&str> = plan.variants.iter().map(|variant| variant.settings["upstream"].as_str()).collect();
    assert_eq!(shown, ["200 ms", "200 ms, TLS"]);
}

#[test]
fn requests_know_where_it_is() {
    let text = format!(
        "base: {{upstream: {{}}}}\nvariants: {{g: {{subject: gateway}}}}\n\
         request: {{path: \"/call?url={{{{upstream}}}}/x\", headers: {{X-Port: \"{{{{upstream-port}}}}\"}}}}\n{LOAD}"
    );
    let script = read(&text).unwrap_or_else(|errors| panic!("{errors}")).experiment.scripts.remove(0);
    let names: Vec<&str> = script.variables.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["upstream", "upstream-host", "upstream-port"]);
    assert_eq!(script.flows[0].steps[0].url, "/call?url={{upstream}}/x");
}

#[test]
fn requests_that_need_it_need_it_everywhere() {
    let request = "request: {path: '/?url={{upstream}}'}\n";
    let none = errors(&format!("variants: {{a: {{subject: greetings-web}}}}\n{request}{LOAD}"));
    assert!(none.contains("upstream"), "{none}");
    let gateway = errors(&format!("variants: {{g: {{subject: gateway}}}}\n{LOAD}"));
    assert!(gateway.contains("variant `g` calls an upstream and has none"), "{gateway}");
    let caller = errors(&format!("variants: {{c: {{subject: caller}}}}\nrequest: {{path: /call}}\n{LOAD}"));
    assert!(caller.contains("variant `c` calls an upstream and has none"), "{caller}");
}
