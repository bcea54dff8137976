//! Texts with `{{…}}`: what is wrong is said, and what is sent is one request, whatever stands in them.

use plimsoll_engine::{
    Action, Established, Reuse, Script, ScriptText, Segment, Worker, WorkerOptions,
    script::{Body, FlowText, StepText},
};
use plimsoll_record::{Load, Nanos, ThinkTime};

/// Reads each line of `data` as part of a script: two variables, URL, header, body, capture, check; and sends the first
/// request. Whether the script is right.
///
/// # Panics
///
/// If an invariant is broken.
pub fn script(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let text = text_of(&mut text.split('\n').map(str::to_owned));
    match text.resolve(&"http://fuzz/".parse().expect("a URL")) {
        Ok(script) => {
            send(&script);
            true
        }
        Err(errors) => {
            assert!(!errors.is_empty(), "a script is refused without a reason");
            assert!(errors.iter().all(|error| !text.describe(error).is_empty()));
            false
        }
    }
}

fn text_of(lines: &mut impl Iterator<Item = String>) -> ScriptText {
    let mut next = || lines.next().unwrap_or_default();
    let variables = vec![("a".to_owned(), next()), ("b".to_owned(), next())];
    let (url, header) = (next(), next());
    let body = next();
    let body = match body.chars().next() {
        None => Body::None,
        Some('{' | '[') => Body::Json(body),
        Some('&') => Body::Form(vec![(body.clone(), body)]),
        Some(_) => Body::Text(body),
    };
    let some = |text: String| if text.is_empty() { Vec::new() } else { vec![text] };
    let captures = some(next()).into_iter().map(|source| ("c".to_owned(), source)).collect();
    let step = StepText {
        url,
        headers: vec![("X-Fuzz".to_owned(), header)],
        body,
        captures,
        checks: some(next()),
        ..StepText::default()
    };
    let flows = vec![FlowText { weight: 1.0, steps: vec![step] }];
    ScriptText { flows, variables, ..ScriptText::default() }
}

/// Sends the first request of a load, if values can be made for it: no value ends a header.
fn send(script: &Script) {
    let load = Load::SharedIterations { vus: 1, iterations: 1, max_duration: None, think: ThinkTime::None };
    let mut worker = Worker::new(&load, Segment::WHOLE, script, options());
    worker.tick(Nanos::ZERO);
    while let Some(action) = worker.next_action() {
        match action {
            Action::Connect(id) => worker.connected(id, Established::default(), Nanos::ZERO),
            Action::Send(id) => {
                let sent = worker.request_bytes(id);
                let head_end = sent.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head is whole");
                let head = String::from_utf8_lossy(&sent[..head_end]);
                let names = head.split("\r\n").skip(1).map(|line| line.split(": ").next().unwrap_or_default());
                assert!(names.clone().all(|name| KNOWN.contains(&name)), "a value has become a header: {head}");
                assert!(!head.replace("\r\n", "").contains(['\r', '\n']), "a value breaks a line: {head:?}");
                return;
            }
            Action::Close(_) => {}
        }
    }
}

/// Headers of a request.
const KNOWN: &[&str] = &["Host", "User-Agent", "Accept", "X-Fuzz", "Content-Type", "Content-Length", "Authorization"];

fn options() -> WorkerOptions {
    WorkerOptions {
        connect_timeout: Nanos::from_secs(1),
        response_timeout: Nanos::from_secs(1),
        max_redirects: 0,
        keep_alive: true,
        max_requests: u32::MAX,
        idle_time: Nanos::MAX,
        reuse: Reuse::default(),
        http2_streams: None,
        trace: 0,
        is_staggered: false,
        seed: 7,
        epoch: Nanos::ZERO,
    }
}
