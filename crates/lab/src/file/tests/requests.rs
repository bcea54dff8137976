//! Requests: mixes, flows, scenarios, data; and errors of faulty ones.

use std::fs;

use plimsoll_drive::script::{Auth, Body, Order, PartContent};
use plimsoll_record::{Nanos, ThinkTime};

use super::{LOAD, VARIANT, folder, read_in};
use crate::file::{ExperimentFile, FileErrors, LoadFile, load_requests};

fn read(text: &str) -> ExperimentFile {
    read_in(folder().path(), text).unwrap_or_else(|errors| panic!("{errors}"))
}

const FLOWS: &str = r#"
cookies: true
feeders: {users: {file: users.csv, order: unique}, items: {file: items.jsonl}}
variables: {order: "{{$uuid}}", city: Ulm}
flows:
  - weight: 3
    steps:
      - name: login
        path: /login
        form: {user: "{{users.user}}", password: "{{password}}"}
        checks: [status == 2xx, "json $.token exists"]
        captures: {token: json $.token}
        pause: {min: 1s, max: 2s}
      - path: "/search?q={{city}}"
        auth: {bearer: "{{token}}"}
        headers: {X-Order: "{{order}}"}
  - steps:
      - {path: /, method: HEAD}
      - path: /upload
        auth: {user: ann, password: "{{$vu}}"}
        multipart: {title: 5, photo: {file: body.bin, content-type: image/png}}
      - {path: /json, json: {b: [1, 2.5, true, null], a: "{{id}}"}}
      - {path: /raw, body-file: body.bin}
"#;

#[test]
fn flows_have_all_that_is_written() {
    let file = read(&format!("{VARIANT}{FLOWS}load: {{model: shared-iterations, levels: [1, 2]}}\n"));
    let experiment = &file.experiment;
    let names = ["login", "GET /search?q={{city}}", "HEAD /", "POST /upload", "POST /json", "POST /raw"];
    assert!(experiment.plan.levels.iter().all(|level| level.requests == names), "{:?}", experiment.plan.levels);
    let [script, same] = experiment.scripts.as_slice() else { panic!("one per level") };
    assert!(script == same && script.cookies);
    assert_eq!(script.flows.iter().map(|flow| flow.weight).collect::<Vec<_>>(), [3.0, 1.0]);
    assert_eq!(
        script.feeders.iter().map(|feeder| feeder.order).collect::<Vec<_>>(),
        [Order::Unique, Order::Sequential]
    );
    let steps: Vec<_> = script.steps().collect();
    let (min, max) = (Nanos::from_secs(1), Nanos::from_secs(2));
    assert_eq!(steps[0].pause, ThinkTime::Uniform { min, max });
    assert_eq!(steps[0].captures, [("token".to_owned(), "json $.token".to_owned())]);
    assert_eq!(steps[1].auth, Some(Auth::Bearer("{{token}}".to_owned())));
    assert_eq!(steps[4].body, Body::Json(r#"{"b":[1,2.5,true,null],"a":"{{id}}"}"#.to_owned()));
    assert_eq!(steps[5].body, Body::Bytes(b"\x00{{raw}}".as_slice().into()));
    let Body::Multipart(parts) = &steps[3].body else { panic!("{:?}", steps[3].body) };
    assert_eq!(parts[0].content, PartContent::Text("5".to_owned()));
    assert_eq!(parts[1].content_type.as_deref(), Some("image/png"));
}

const SCENARIOS: &str = "
time-out: 5s
warmup: {vus: 1, duration: 1s}
scenarios:
  - name: browse
    load: {model: constant-vus, levels: [5], duration: 1s}
    requests: [{path: /a}, {path: /b, weight: 2}]
  - name: buy
    start: 10s
    load: {model: ramping-vus, stages: [{duration: 1s, target: 5}, {duration: 1s, target: 5}]}
    request: {path: /c}
";

#[test]
fn scenarios_are_levels_driven_together() {
    let file = read(&format!("{VARIANT}{SCENARIOS}"));
    let plan = &file.experiment.plan;
    assert_eq!(plan.level_groups(), [0..1, 1..3]);
    let [warmup, browse, buy] = plan.levels.as_slice() else { panic!("{plan:?}") };
    assert_eq!(warmup.requests, ["GET /a", "GET /b", "GET /c"]);
    assert_eq!(
        (browse.label.as_str(), &browse.requests[..]),
        ("browse", &["GET /a".to_owned(), "GET /b".to_owned()][..])
    );
    assert_eq!(
        (buy.start, &buy.stage_labels[..]),
        (Nanos::from_secs(10), &["buy.0-5".to_owned(), "buy.5".to_owned()][..])
    );
    assert_eq!(file.experiment.scripts.iter().map(|script| script.steps().count()).collect::<Vec<_>>(), [3, 2, 1]);
    assert_eq!(file.experiment.variants[0].response_timeout, Nanos::from_secs(5));
}

fn load_file(text: &str) -> Result<LoadFile, FileErrors> {
    let folder = folder();
    let path = folder.path().join("load.yaml");
    fs::write(&path, text).unwrap();
    load_requests(&path)
}

#[test]
fn a_file_can_say_of_a_load_what_it_likes() {
    let file = load_file("request: {path: /x, time-out: 2s}\nseed: 5\n").unwrap();
    assert_eq!((file.levels.len(), file.scripts.len(), file.seed), (0, 1, Some(5)));
    assert_eq!(
        (file.scripts[0].flows[0].steps[0].url.as_str(), file.response_timeout),
        ("/x", Some(Nanos::from_secs(2)))
    );
    let file = load_file(&format!("{VARIANT}{LOAD}")).unwrap();
    assert_eq!((file.levels.len(), file.levels[0].label.as_str()), (1, "100"));
    let several = load_file("load: {model: shared-iterations, levels: [1, 2, 4]}\n").unwrap();
    assert_eq!((several.levels.len(), several.scripts.len(), several.alternatives), (1, 1, 2));
}

#[test]
fn a_path_that_no_variant_takes_is_an_error() {
    let rest = format!("{LOAD}request: {{path: /orders}}\n");
    let running = "variants:\n  a: {url: \"http://127.0.0.1:8080/\"}\n  b: {url: \"http://127.0.0.1:8081/\"}\n";
    let errors = super::errors(&format!("{running}{rest}"));
    assert!(
        errors.contains("x.yaml:5:17: request.path: it would be ignored, since each variant has a `url`"),
        "{errors}"
    );
    let one_takes_it = "variants:\n  a: {subject: greetings-web, url: \"http://{host}:{port}/x\"}\n  \
                        b: {subject: greetings-web}\n";
    let one_takes_it = read(&format!("{one_takes_it}{rest}"));
    let urls: Vec<_> = one_takes_it.experiment.variants.iter().map(|variant| variant.url.as_str()).collect();
    assert_eq!(urls, ["http://{host}:{port}/x", "http://{host}:{port}/orders"]);
}

/// Scenarios share the data of the file, and each needs rows of what it uses alone.
#[test]
fn unique_rows_are_needed_where_they_are_used() {
    let folder = folder();
    let scenario = |name: &str, vus: u32, path: &str| {
        let load = format!("{{model: constant-vus, levels: [{vus}], duration: 1s}}");
        format!("  - {{name: {name}, load: {load}, request: {{path: {path}}}}}\n")
    };
    let of = |path: &str| {
        let (login, browse) = (scenario("login", 2, "'/{{user}}'"), scenario("browse", 3, path));
        let text =
            format!("{VARIANT}feeders: {{users: {{file: users.csv, order: unique}}}}\nscenarios:\n{login}{browse}");
        read_in(folder.path(), &text).map(drop).map_err(|errors| errors.to_string())
    };
    assert_eq!(of("/browse"), Ok(()));
    let needed = of("'/{{user}}'").expect_err("two rows for three users");
    assert!(needed.contains("`unique` needs a row for each of 3 virtual users, found 2"), "{needed}");
}

/// Warm-ups and searches send the same requests, with users of their own number.
#[test]
fn unique_rows_are_needed_for_all_that_is_offered() {
    let folder = folder();
    let of = |load: &str| {
        let request = "request: {path: '/{{user}}'}\nfeeders: {users: {file: users.csv, order: unique}}\n";
        read_in(folder.path(), &format!("{VARIANT}{load}{request}")).map(drop).map_err(|errors| errors.to_string())
    };
    let measured = "load: {model: constant-vus, levels: [2], duration: 1s}\n";
    let line = |most: u32| of(&format!("line: {{slo: 'p(99)<100ms', max-in-flight: {most}}}\n"));
    assert_eq!(of(measured), Ok(()));
    assert_eq!(line(2), Ok(()));
    let warmed_up = of(&format!("warmup: {{duration: 1s, vus: 3}}\n{measured}")).unwrap_err();
    assert!(warmed_up.contains("each of 3 virtual users, found 2"), "{warmed_up}");
    let searched = line(3).unwrap_err();
    assert!(searched.contains("each of 3 requests in flight at most, found 2"), "{searched}");
}
