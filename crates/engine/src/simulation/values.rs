//! Values that come from data and from responses and go into requests; checks; cookies.

use std::{collections::BTreeMap, sync::Arc};

use plimsoll_record::{Arrivals, CheckCount, ErrorKind, Load, Nanos, ThinkTime};
use proptest::prelude::*;

use super::{Reply, Simulation};
use crate::{
    Segment,
    script::{Auth, Body, Feeder, FlowText, Order, ScriptText, StepText, Table},
};

const MS: Nanos = Nanos::from_millis(1);

fn step(name: &str, url: &str) -> StepText {
    StepText { name: name.to_owned(), url: url.to_owned(), ..StepText::default() }
}

fn pair(name: &str, text: &str) -> (String, String) {
    (name.to_owned(), text.to_owned())
}

fn feeder(name: &str, order: Order, rows: usize) -> Feeder {
    let rows = (0..rows).map(|row| vec![format!("user{row}"), format!("pa&s{row}")]).collect();
    let table = Table { columns: vec!["user".to_owned(), "password".to_owned()], rows };
    Feeder { name: name.to_owned(), table: Arc::new(table), order }
}

/// Logs in with a row of a feeder, and shows the token that it is given.
fn login(order: Order, rows: usize) -> ScriptText {
    let fields = vec![pair("name", "{{user}}"), pair("password", "{{users.password}}")];
    let login = StepText {
        body: Body::Form(fields),
        captures: vec![pair("token", "json $.token"), pair("next", "header Location")],
        checks: vec!["status == 201".to_owned(), "body contains token".to_owned()],
        ..step("login", "/login")
    };
    let search = StepText {
        auth: Some(Auth::Bearer("{{token}}".to_owned())),
        checks: vec!["status == 2xx".to_owned()],
        ..step("search", "{{next}}?q={{$iteration}}")
    };
    ScriptText {
        flows: vec![FlowText { weight: 1.0, steps: vec![login, search] }],
        feeders: vec![feeder("users", order, rows)],
        ..ScriptText::default()
    }
}

fn simulation(script: &ScriptText) -> Simulation {
    let script = script.resolve(&"http://sim/".parse().unwrap()).unwrap_or_else(|errors| panic!("{errors:?}"));
    Simulation { script, ..Simulation::default() }
}

fn iterations(vus: u32, iterations: u64) -> Load {
    Load::SharedIterations { vus, iterations, max_duration: None, think: ThinkTime::None }
}

fn answer(head: &str, body: &str) -> Reply {
    Reply::Bytes(format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

/// The user who logs in, and the answer to it.
fn serve_login(request: &str) -> Option<(String, Reply)> {
    let form = request.strip_prefix("POST /login ")?.split("\r\n\r\n").nth(1)?;
    let fields: BTreeMap<String, String> = url::form_urlencoded::parse(form.as_bytes()).into_owned().collect();
    assert_eq!(fields["password"], fields["name"].replace("user", "pa&s"), "{form}");
    assert!(request.contains("Content-Type: application/x-www-form-urlencoded\r\n"), "{request}");
    let user = fields["name"].clone();
    let reply = answer(&format!("201 Created\r\nLocation: /of/{user}"), &format!(r#"{{"token": "T-{user}"}}"#));
    Some((user, reply))
}

#[test]
fn what_a_response_says_goes_into_the_next_request() {
    let mut searches = Vec::new();
    let simulated = simulation(&login(Order::Sequential, 10)).run(&iterations(2, 10), &mut |at, request| {
        let reply = serve_login(request).map(|(_, reply)| reply).unwrap_or_else(|| {
            let path = request.split(' ').nth(1).unwrap();
            let user = path.strip_prefix("/of/").and_then(|rest| rest.split('?').next()).unwrap();
            assert!(request.contains(&format!("Authorization: Bearer T-{user}\r\n")), "{request}");
            searches.push(path.to_owned());
            answer("200 OK", "")
        });
        vec![(at + MS, reply)]
    });
    assert_eq!((simulated.total.counts.succeeded, simulated.total.counts.failed), (20, 0));
    searches.sort();
    let users: Vec<&str> = searches.iter().filter_map(|path| path.split(['/', '?']).nth(2)).collect();
    assert_eq!(users, (0..10).map(|row| format!("user{row}")).collect::<Vec<_>>());
    let checks = &simulated.total.checks;
    assert_eq!(checks["status == 201"], CheckCount { passed: 10, failed: 0 });
    assert_eq!(checks["body contains token"], CheckCount { passed: 10, failed: 0 });
    assert_eq!(checks["status == 2xx"], CheckCount { passed: 10, failed: 0 });
}

#[test]
fn a_capture_that_finds_nothing_fails_the_request_and_ends_the_iteration() {
    let simulated = simulation(&login(Order::Random, 3)).run(&iterations(1, 4), &mut |at, request| {
        assert!(request.starts_with("POST /login"), "the second step is never reached");
        vec![(at + MS, answer("201 Created", r#"{"error": "no token for you"}"#))]
    });
    assert_eq!((simulated.errors(ErrorKind::CaptureFailed), simulated.total.counts.offered), (4, 4));
    let example = &simulated.total.errors[&ErrorKind::CaptureFailed].example;
    assert_eq!(example, "`token` from `json $.token`: nothing found in (masked)");
}

#[test]
fn checks_fail_requests_and_are_counted() {
    let mut text = step("a", "/");
    text.checks = vec!["status == 404".to_owned(), "time < 5ms".to_owned(), "body contains yes".to_owned()];
    let mut served = 0;
    let simulated = simulation(&ScriptText::of(text)).run(&iterations(1, 10), &mut |at, _| {
        served += 1;
        let delay = if served % 2 == 0 { 10 } else { 1 };
        vec![(at + Nanos::from_millis(delay), answer("404 Not Found", if served > 8 { "no" } else { "yes" }))]
    });
    assert_eq!((simulated.total.counts.succeeded, simulated.errors(ErrorKind::CheckFailed)), (4, 6));
    let count = |name: &str| (simulated.total.checks[name].passed, simulated.total.checks[name].failed);
    assert_eq!((count("status == 404"), count("time < 5ms"), count("body contains yes")), ((10, 0), (5, 5), (8, 2)));
    let example = &simulated.total.errors[&ErrorKind::CheckFailed].example;
    assert_eq!(example, "`time < 5ms`: found 10.0 ms");
}

#[test]
fn chunked_bodies_and_those_in_many_pieces_are_looked_at() {
    let mut text = step("a", "/");
    text.checks = vec!["body == \"hello world\"".to_owned()];
    let pieces =
        ["HTTP/1.1 200 OK\r\nTransfer-Enc", "oding: chunked\r\n\r\n5\r\nhel", "lo\r\n6\r\n world\r\n0\r\n\r\n"];
    let simulated = simulation(&ScriptText::of(text)).run(&iterations(2, 6), &mut |at, _| {
        let piece = |(k, text): (u64, &str)| (at + Nanos::from_millis(k), Reply::Bytes(text.as_bytes().to_vec()));
        (1..).zip(pieces).map(piece).collect()
    });
    assert_eq!(simulated.total.counts.succeeded, 6, "{:?}", simulated.total.errors);
}

#[test]
fn cookies_stay_with_their_virtual_user_and_go_along_redirects() {
    let script = ScriptText { cookies: true, ..ScriptText::of(step("a", "/in?vu={{$vu}}")) };
    let mut simulation = simulation(&script);
    simulation.options.max_redirects = 1;
    let mut sent = Vec::new();
    let simulated = simulation.run(&iterations(3, 30), &mut |at, request| {
        let cookie = request.lines().find_map(|line| line.strip_prefix("Cookie: ")).unwrap_or("none").to_owned();
        let vu = request.split(['=', ' ']).nth(2).unwrap_or_default().to_owned();
        let reply = if request.starts_with("GET /in") {
            sent.push((vu.clone(), cookie));
            answer(&format!("302 Found\r\nLocation: /home\r\nSet-Cookie: id={vu}; Path=/"), "")
        } else {
            assert!(cookie.starts_with("id="), "{request}");
            answer("200 OK", "")
        };
        vec![(at + MS, reply)]
    });
    assert_eq!(simulated.total.counts.succeeded, 30);
    let first = sent.iter().filter(|(_, cookie)| cookie == "none").count();
    assert_eq!(first, 3, "each has none but in its first request: {sent:?}");
    assert!(sent.iter().all(|(vu, cookie)| cookie == "none" || *cookie == format!("id={vu}")), "{sent:?}");
}

#[test]
fn a_cookie_of_the_request_itself_goes_along_redirects() {
    let headers = vec![("Cookie".to_owned(), "lang=en".to_owned())];
    let script = ScriptText { cookies: true, ..ScriptText::of(StepText { headers, ..step("a", "/in") }) };
    let mut simulation = simulation(&script);
    simulation.options.max_redirects = 1;
    let simulated = simulation.run(&iterations(1, 2), &mut |at, request| {
        let cookies: Vec<&str> = request.lines().filter_map(|line| line.strip_prefix("Cookie: ")).collect();
        let reply = if request.starts_with("GET /in") {
            assert!(["lang=en", "lang=en; id=1"].contains(&cookies.join("|").as_str()), "{request}");
            answer("302 Found\r\nLocation: /home\r\nSet-Cookie: id=1; Path=/", "")
        } else {
            assert_eq!(cookies, ["lang=en; id=1"], "{request}");
            answer("200 OK", "")
        };
        vec![(at + MS, reply)]
    });
    assert_eq!(simulated.total.counts.succeeded, 2);
}

#[test]
fn a_url_that_leaves_the_target_is_never_sent() {
    let mut first = step("a", "/");
    first.captures = vec![pair("next", "header Location")];
    let flow = FlowText { weight: 1.0, steps: vec![first, step("b", "{{next}}")] };
    let script = ScriptText { flows: vec![flow], ..ScriptText::default() };
    let simulated = simulation(&script)
        .run(&iterations(1, 5), &mut |at, _| vec![(at + MS, answer("200 OK\r\nLocation: http://elsewhere/", ""))]);
    assert_eq!((simulated.total.counts.succeeded, simulated.errors(ErrorKind::CaptureFailed)), (5, 5));
    assert_eq!(simulated.total.counts.sent, 5);
    assert_eq!(simulated.total.counts.connections_opened, 1, "the connection that was not asked for it is kept");
    let example = &simulated.total.errors[&ErrorKind::CaptureFailed].example;
    assert!(example.contains("`http://elsewhere/` leaves http://sim"), "{example}");
}

/// A target must not get its secrets into a report by a check or a capture that fails.
#[test]
fn secrets_of_the_target_are_not_shown() {
    let said = |checks: &[&str], captures: &[(&str, &str)]| {
        let mut text = step("a", "/");
        text.checks = checks.iter().map(|&check| check.to_owned()).collect();
        text.captures = captures.iter().map(|(name, source)| pair(name, source)).collect();
        let note = format!("{}learned-s3cr3t", "x ".repeat(36));
        let head = format!("200 OK\r\nSet-Cookie: sid=s3cr3t\r\nX-Api-Key: s3cr3t\r\nX-Color: red\r\nX-Note: {note}");
        let body = r#"{"access_token": "s3cr3t", "user": "ann"}"#;
        let simulated =
            simulation(&ScriptText::of(text)).run(&iterations(1, 1), &mut |at, _| vec![(at + MS, answer(&head, body))]);
        simulated.total.errors.into_values().next().unwrap().example
    };
    assert_eq!(said(&["cookie sid == 1"], &[]), "`cookie sid == 1`: found (masked)");
    assert_eq!(said(&["header X-Api-Key == 1"], &[]), "`header X-Api-Key == 1`: found (masked)");
    assert_eq!(said(&["json $.access_token == 1"], &[]), "`json $.access_token == 1`: found (masked)");
    assert_eq!(said(&["header X-Color == blue"], &[]), "`header X-Color == blue`: found `red`");
    plimsoll_secrets::learn(["learned-s3cr3t".to_owned()]);
    let note = said(&["header X-Note == 1"], &[]);
    assert!(note.ends_with("x (masked)`"), "masked before it is cut: {note}");
    let body = r#"found `{"access_token": "(masked)", "user": "ann"}`"#;
    assert_eq!(said(&["body contains bob"], &[]), format!("`body contains bob`: {body}"));
    assert_eq!(
        said(&["json $.name == bob"], &[]),
        format!("`json $.name == bob`: {}", body.replace("found", "found nothing in"))
    );
    assert_eq!(said(&[], &[("token", "json $.id")]), "`token` from `json $.id`: nothing found in (masked)");
    assert!(said(&[], &[("name", "json $.name")]).ends_with(&body[6..]));
}

#[test]
fn a_captured_value_has_an_end() {
    let captured = |bytes: usize| {
        let mut text = step("a", "/");
        text.captures = vec![pair("value", "body")];
        let simulated = simulation(&ScriptText::of(text))
            .run(&iterations(1, 1), &mut |at, _| vec![(at + MS, answer("200 OK", &"x".repeat(bytes)))]);
        simulated.total.errors.get(&ErrorKind::CaptureFailed).map(|error| error.example.clone())
    };
    assert_eq!(captured(64 * 1024), None);
    let words = captured(64 * 1024 + 1).unwrap();
    assert_eq!(words, "`value` from `body`: found 65,537 bytes, more than 64 KiB");
}

#[test]
fn unique_rows_stay_with_their_virtual_user() {
    let mut text = step("a", "/{{$vu}}/{{user}}");
    text.name = "a".to_owned();
    let script = ScriptText { feeders: vec![feeder("users", Order::Unique, 4)], ..ScriptText::of(text) };
    let simulation = simulation(&script);
    assert!(simulation.script.check_load(&iterations(5, 5)).unwrap_err().contains("each of 5 virtual users, found 4"));
    assert!(simulation.script.check_load(&iterations(4, 5)).is_ok());
    simulation.run(&iterations(4, 40), &mut |at, request| {
        let mut parts = request.split(['/', ' ']).skip(2);
        let (vu, user) = (parts.next().unwrap(), parts.next().unwrap());
        assert_eq!(format!("user{}", vu.parse::<u32>().unwrap() - 1), user);
        vec![(at + MS, answer("200 OK", ""))]
    });
}

#[test]
fn the_same_seed_fills_in_the_same() {
    let script = ScriptText {
        variables: vec![pair("id", "{{$uuid}}"), pair("both", "{{id}}-{{$randomInt 0 1000000}}")],
        ..ScriptText::of(step("a", "/{{id}}/{{both}}/{{$uuid}}"))
    };
    let paths = |seed| {
        let mut simulation = simulation(&script);
        simulation.options.seed = seed;
        let mut paths = Vec::new();
        simulation.run(&iterations(1, 20), &mut |at, request| {
            paths.push(request.split(' ').nth(1).unwrap().to_owned());
            vec![(at + MS, answer("200 OK", ""))]
        });
        paths
    };
    let first = paths(1);
    assert_eq!(first, paths(1));
    assert_ne!(first, paths(2));
    let parts: Vec<&str> = first[0].split('/').collect();
    assert!(parts[2].starts_with(parts[1]) && parts[3] != parts[1], "a variable is made once an iteration: {first:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 16, ..ProptestConfig::default() })]

    #[test]
    fn segments_take_disjoint_rows_of_the_whole_load(segments in 1_u32..5, rate in 10_u32..60) {
        let load = Load::ConstantArrivalRate {
            rate: f64::from(rate),
            duration: Nanos::from_secs(2),
            arrivals: Arrivals::Even,
            max_in_flight: 1_000,
            drop_late: false,
        };
        let mut users = Vec::new();
        for index in 0..segments {
            let mut simulation = simulation(&login(Order::Sequential, 200));
            simulation.segment = Segment { index, count: segments };
            simulation.run(&load, &mut |at, request| {
                let reply = match serve_login(request) {
                    Some((user, reply)) => {
                        users.push(user);
                        reply
                    }
                    None => answer("200 OK", ""),
                };
                vec![(at + MS, reply)]
            });
        }
        let taken = users.len();
        users.sort();
        users.dedup();
        prop_assert_eq!(taken, users.len(), "no row is taken twice");
        prop_assert_eq!(taken as u32, rate * 2);
    }
}

#[test]
fn what_is_wrong_with_a_script_is_said_with_its_place() {
    let mut wrong = step("a", "/{{usre}}");
    wrong.headers = vec![pair("X-A", "{{token}}")];
    wrong.checks = vec!["status == 200".to_owned(), "status is 200".to_owned()];
    wrong.captures = vec![pair("user", "json $.a"), pair("token", "xml /a")];
    let away = StepText { body: Body::Json("{{nothing".to_owned()), ..step("b", "https://sim/") };
    let script = ScriptText {
        flows: vec![FlowText { weight: 1.0, steps: vec![wrong, away] }],
        variables: vec![pair("v", "{{w}}")],
        feeders: vec![feeder("users", Order::Random, 1)],
        ..ScriptText::default()
    };
    let errors = script.resolve(&"http://sim/".parse().unwrap()).unwrap_err();
    let said: Vec<String> = errors.iter().map(|error| script.describe(error)).collect();
    let expected = [
        "variable `v`: nothing here is called `w`",
        "request `a`: URL `/{{usre}}`: nothing here is called `usre` (did you mean `user`?)",
        "request `a`: header `X-A`: nothing here is called `token`",
        "request `a`: check `status is 200`: expected `==`",
        "request `a`: capture `user`: the name `user` stands for something else already",
        "request `a`: capture `token`: expected `status`, `time`",
        "request `b`: URL `https://sim/`: the requests of a load go to one scheme, host and port: http://sim, not https://sim",
        "request `b`: body: `{{nothing` is never closed",
    ];
    assert_eq!(said.len(), expected.len(), "{said:#?}");
    for (said, expected) in said.iter().zip(expected) {
        assert!(said.starts_with(expected), "{said}\n{expected}");
    }
}
