//! Errors of faulty files: one clear error each, with place and remedy.

use std::{fs, path::Path};

use super::{LOAD, VARIANT, errors, read};
use crate::file::load;

macro_rules! prints {
    ($($test:ident: $text:expr;)*) => {$(
        #[test]
        fn $test() {
            insta::assert_snapshot!(errors($text));
        }
    )*};
}

fn with_load(text: &str) -> String {
    format!("{text}{LOAD}")
}

fn with_variant(text: &str) -> String {
    format!("{text}{VARIANT}{LOAD}")
}

prints! {
    unknown_keys: &with_load("nmae: x\nvariants:\n  web: {subject: greetings-web, pakaging: jar, jvmFlags: []}\n");
    wrong_types: &with_load("name: 5\nrounds: three\nvariants:\n  web: {subject: greetings-web, spring-aot: yes, jvm-flags: -Xmx1g, limits: 1 GiB}\nclaims: {says: x}\n");
    words_that_are_not_in_the_list: &with_load("order: randon\nvariants:\n  web: {subject: greetings-web, packaging: jra, threads: green}\n");
    units_missing_or_wrong: &with_load("request: {time-out: 30}\nvariants:\n  web: {subject: greetings-web, wait: 1 GiB, limits: {memory: 1024}}\n  b: {subject: greetings-web, wait: 5 sec, limits: {memory: 1s}}\n");
    absurd_quantities: &with_load("request: {time-out: 2h}\nvariants:\n  web: {subject: greetings-web, wait: -1s, limits: {memory: 1 B, cpus: 0}}\n  b: {subject: greetings-web, wait: 99999999999h, ready-time-out: 0s, limits: {memory: 99999999999 GiB, cpus: -1}}\n");
    a_variant_named_twice: &with_load("variants:\n  web: {subject: greetings-web}\n  other:\n    subject: greetings-web\n  web: {subject: greetings-reactive}\n");
    a_key_given_twice: &with_load("variants:\n  web:\n    subject: greetings-web\n    wait: 1s\n    limits: {cpus: 1, memory: 1 GiB, cpus: 2}\n  b: {subject: nope}\n");
    a_variant_also_made_by_a_matrix: &with_load("variants:\n  web-jar: {subject: greetings-web}\nmatrix:\n  name: web-{packaging}\n  axes: {packaging: [jar, cds]}\n  variant: {subject: greetings-web}\n");
    circular_extends: &with_load("variants:\n  a: {extends: b}\n  b: {extends: c}\n  c: {extends: a}\n  self: {extends: self}\n  outside: {extends: a}\n");
    extends_nothing: &with_load("variants:\n  web-jar: {subject: greetings-web}\n  b: {extends: web-jra}\n");
    a_matrix_that_expands_to_nothing: &with_load("matrix:\n  - {name: a, axes: {}}\n  - {name: \"a-{packaging}\", axes: {packaging: []}}\n  - {name: \"b-{packaging}\", axes: {packaging: [jar]}, exclude: [{packaging: jar}]}\n");
    a_matrix_with_wrong_names: &with_load("matrix:\n  - {name: \"a-{packging}\", axes: {packaging: [jar, cds]}}\n  - {name: \"b-{colour}\", axes: {colour: [red]}}\n  - {name: \"c-{packaging}\", axes: {packaging: [jar]}, exclude: [{threads: x}, {packaging: jra}]}\n");
    a_matrix_that_is_too_large: &with_load(&format!("matrix:\n  name: \"a{{wait}}{{packaging}}\"\n  axes:\n    packaging: [jar, cds]\n    wait: [{}]\n", (1..600).map(|n| format!("{n}s")).collect::<Vec<_>>().join(", ")));
    a_wrong_value_on_an_axis: &with_load("matrix:\n  name: \"web-{packaging}\"\n  axes: {packaging: [jar, csd]}\n  variant: {subject: greetings-web}\n");
    unknown_subject: &with_load("variants:\n  web: {subject: greeting-web}\n");
    a_wrong_value_that_many_inherit_is_one_error: &with_load("base: {wait: 1}\nvariants: {a: {subject: greetings-web}, b: {subject: greetings-web}}\n");
    neither_subject_nor_command: &with_load("variants:\n  web: {packaging: jar}\n");
    both_subject_and_command: &with_load("base: {subject: greetings-web}\nvariants:\n  web: {command: [serve]}\n");
    subject_settings_on_a_command: &with_load("variants:\n  mine: {command: [serve, \"{port}\"], threads: virtual, ready: \"http://127.0.0.1:{port}/\", url: \"http://127.0.0.1:{port}/\"}\n  web: {subject: greetings-web, port: 80}\n");
    a_command_without_urls: &with_load("variants:\n  mine: {command: []}\n");
    a_command_that_nobody_tells_its_port: &with_load("variants:\n  mine: {command: [serve], ready: \"http://127.0.0.1:{port}/\", url: \"http://127.0.0.1:{port}/\"}\n");
    threads_of_a_subject_that_has_none: &with_load("variants:\n  r: {subject: greetings-reactive, threads: virtual}\n");
    settings_that_a_subject_does_not_have: &with_load("variants:\n  g: {subject: gateway, upstream: {}, wait: 1s, properties: {gateway.pool.max-per-route: many}}\n  t: {subject: threads, wait: 1s, spring-aot: false, threads: virtual, packaging: cds}\n");
    native_without_spring_aot: &with_load("variants:\n  n: {subject: greetings-web, packaging: native, spring-aot: false}\n");
    properties_that_settings_decide: &with_load("variants:\n  w:\n    subject: greetings-web\n    properties: {greetings.wait: 2s, spring.threads.virtual.enabled: true, server.port: 8080, server.tomcat.threads.max: 0}\n");
    wrong_urls: &with_load("variants:\n  a: {subject: greetings-web, url: \"https:///x\", ready: \"http:///ready\"}\n  b: {subject: greetings-web, url: \"localhost:8080/x\", ready: \"ftp://h/\"}\n  c: {subject: greetings-web, url: \"http://127.0.0.1:8080/\", ready: \"http://a b:{port}/\"}\n");
    wrong_requests: &with_variant("request: {path: greetings, method: get it, headers: {\"a b\": c, d: \"e\\nf\"}, time-out: 0s}\n");
    wrong_connections: &with_variant("connection:\n  keep-alive: no\n  idle-time: 0s\n  max-requests-per-connection: 0\n  tls-min: 1.1\n  cert: client.pem\n  connect-to: [\"a:1:b\"]\n  dns: always\n  proxy: socks5://p:1\n  source: [127.0.0.1, here]\n");
    a_connection_with_files_that_are_not_there: &with_variant("connection: {cacert: no-such-ca.pem}\n");
    a_connection_that_contradicts_itself: &with_variant("connection: {unix-socket: a.sock, proxy: \"http://p:1\"}\n");
    wrong_networks: &with_load("base: {subject: greetings-web}\nvariants:\n  a: {network: {rtt: 70, jitter: 1ms}}\n  b: {network: {loss: 1 %}}\n  c: {network: {rtt: 11s, jitter: 12s, loss: 101 %, bandwidth: 10 bit/s}}\n  d: {network: {rtt: 1ms, bandwidth: 10 MB/s, by: relais}}\n  e: {network: {rtt: 1ms, loss: 1 %, by: relay, between: target-upstream}}\n");
    a_load_that_would_not_come_over_its_network: &with_load("base: {network: {rtt: 70ms}}\nvariants:\n  a: {command: [serve, \"{port}\"], ready: \"http://127.0.0.1:{port}/\", url: \"http://127.0.0.1:{port}/\"}\n  b: {command: [serve], port: 8080, ready: \"http://127.0.0.1:8080/\", url: \"http://{host}:8080/\"}\n  c: {subject: greetings-web, url: \"http://127.0.0.1:{port}/\"}\n");
    a_unix_socket_to_somewhere_else: &with_load("connection: {unix-socket: a.sock}\nvariants: {near: {subject: greetings-web}, far: {subject: greetings-web, network: {rtt: 1ms}}}\n");
    a_path_with_a_space: &with_variant("request: {path: /a b}\n");
    a_ramp_up_for_a_level_that_is_not_there: &format!("{VARIANT}load: {{model: per-vu-iterations, levels: [5], ramp-up: [1s, 2s]}}\n");
    no_rounds: &with_variant("rounds: 0\n");
    no_variants: &with_load("variants: {}\n");
    no_variants_at_all: LOAD;
    no_load: VARIANT;
    names_with_characters_that_mean_something: &with_load("name: a/b\nvariants:\n  \"web *\": {subject: greetings-web}\n  \"-a@b\": {subject: greetings-web}\n");
    published_figures_of_what_is_not_there: &with_variant("published:\n  source: x\n  levels: [{variant: a, ours: wbe, level: 101, total: 5, throughput: 5 s, errors: 1, received: 5 GB}]\n  variants: [{variant: a, ours: nothing, start-up: 1.5, peak-memory: 5 s}]\n");
    published_conditions_of_no_row: &with_variant("published:\n  source: x\n  conditions: [{level: 5, vus: 0}, {variant: [a, b], ramp-up: 3}, {users: 7}]\n  levels: [{variant: a, level: 100, total: 5 s}]\n");
    incomplete_claims: &with_variant("claims:\n  - {says: x}\n  - {claim: startup(web) < 5 s}\n  - just text\n");
    benchmarks_with_what_they_have_not: "variants:\n  a: {jmh: {benchmark: X}}\n  b: {jmh: {benchmarks: \" \", args: [-wi, 1, -rf, csv]}, url: \"http://h/\", ready-time-out: 1s, port: 80, threads: virtual, properties: {a: b}}\n  c: {jmh: {}, command: [serve]}\n  d: {jmh: {jar: [x]}, subject: gateway}\n";
    a_load_is_needed_where_not_all_are_benchmarks: "variants:\n  a: {jmh: {}}\n  b: {subject: threads}\n";
    metrics_that_cannot_be_watched: &with_load("variants:\n  a: {subject: gateway, metrics: {}}\n  b: {subject: gateway, metrics: {path: metrics, every: 10ms, keep: [x, x, \"x{y}\", \"1 2\"]}}\n  c: {jmh: {}, metrics: {keep: [x]}}\n  d: {subject: threads, ready: \"https://{host}:{port}/\", metrics: {keep: []}}\n");
    traces_that_cannot_be: &format!("{VARIANT}load: {{model: shared-iterations, levels: [1], trace: 0}}\n");
    keys_without_a_value: &with_variant("request:\nrounds:\n");
    text_that_is_not_yaml: "name: [x\nvariants: }\n";
    an_empty_file: "";
    a_list: "- a\n- b\n";
    two_documents: &format!("{VARIANT}{LOAD}---\n{VARIANT}{LOAD}");
    an_unknown_alias: "name: *nobody\n";
    a_tag_that_means_nothing_here: &with_variant("title: !secret x\n");
    a_line_that_is_too_long_to_print: &with_load(&format!("variants: {{web: {{subject: greetings-web, env: {{A: {}}}, wait: 1}}}}\n", "x".repeat(300)));
}

#[test]
fn alias_bombs_are_refused() {
    let bomb: String =
        (1..12).map(|n| format!("k{n}: &k{n} [{}]\n", vec![format!("*k{}", n - 1); 9].join(", "))).collect::<String>();
    let printed = errors(&format!("k0: &k0 [x, x, x]\n{bomb}"));
    assert!(printed.contains("simplify it"), "{printed}");
}

#[test]
fn deep_nesting_is_refused() {
    let printed = errors(&format!("name: {}{}\n", "[".repeat(5_000), "]".repeat(5_000)));
    assert!(printed.contains("recursion limit exceeded"), "{printed}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let printed = |name: &str| {
        let text = load(&folder.path().join(name), None, 0).unwrap_err().to_string();
        text.replace(&folder.path().display().to_string(), "FOLDER")
    };
    fs::write(folder.path().join("latin1.yaml"), b"name: x\ntitle: \xe9\n").unwrap();
    fs::write(folder.path().join("huge.yaml"), vec![b'#'; 2 << 20]).unwrap();
    let all = ["absent.yaml", ".", "latin1.yaml", "huge.yaml"].map(printed);
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn thresholds_are_checked_with_their_tags() {
    let text = |threshold: &str| with_variant(&format!("thresholds: [\"{threshold}\"]\n"));
    let first = |threshold: &str| errors(&text(threshold)).lines().next().unwrap_or_default().to_owned();
    assert_eq!(read(&text("p(99)<2s")).unwrap().experiment.plan.thresholds, ["p(99)<2s"]);
    assert!(first("p(99)<2x").contains("at character 8: expected a time such as"), "{}", first("p(99)<2x"));
    assert!(first("count{scenario:200}>1").contains("no scenario is called `200`; there are 100"));
    assert!(first("errors<1% abort").contains("only `plimsoll load` can abort"));
}

#[test]
fn errors_of_claims_are_printed_with_their_column() {
    let text = with_variant(
        "claims:\n  - {says: plain, claim: startup(wbe) < 5 s}\n  - says: quoted\n    claim: \"startup(wbe) < 5 s\"\n  \
         - says: block\n    claim: >-\n      startup(wbe) < 5 s\n  \
         - says: folded\n    claim: >-\n      startup(wbe)\n      < 5 s\n",
    );
    let file = read(&text).unwrap();
    let problems = (0..4).map(|claim| (claim, 9, "there is no variant `wbe` (did you mean `web`?)".to_owned()));
    insta::assert_snapshot!(file.claim_errors(problems).to_string());
    assert_eq!(file.experiment.plan.claims[1].line, Some(4));
}

#[test]
fn the_path_is_printed_as_it_was_given() {
    let errors = crate::file::parse("nmae: x\n", Path::new("a b/ü.yaml"), None, 0).unwrap_err();
    assert!(errors.to_string().starts_with("a b/ü.yaml:1:1: "), "{errors}");
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[a-z:{}\\[\\]&*!|>'\"#,0-9 \n-]{0,200}") {
        let _ = read(&text).map_err(|errors| errors.to_string());
    }
}
