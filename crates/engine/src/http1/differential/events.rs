//! Events that a parser makes of bytes, and where two of them part.

use serde_json::Value;

use super::super::{
    LastHead, Progress,
    response::{ResponseObserver, ResponseParser},
};

/// An event, as a client sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A complete response, and where it ends.
    Response { status: u64, body: u64, keep_alive: bool, end: u64 },
    /// A response that the end of the connection completes.
    UntilClose { status: u64, body: u64 },
    /// Nothing, or the beginning of a response.
    Incomplete,
    /// The connection is no longer one of HTTP/1.
    Upgrade,
    /// Bytes that are no response: why, and where, if that is known.
    Error { why: String, at: Option<usize> },
}

impl Event {
    /// Whether both mean the same. All errors do: codes say different things of the same fault.
    fn is_like(&self, other: &Self) -> bool {
        let are_errors = matches!((self, other), (Self::Error { .. }, Self::Error { .. }));
        are_errors || self == other
    }

    /// Whether a client goes on reading after it.
    fn is_followed(&self) -> bool {
        matches!(self, Self::Response { keep_alive: true, .. })
    }
}

/// The first events that differ.
pub fn difference(ours: Vec<Event>, theirs: Vec<Event>) -> Option<(Event, Event)> {
    for (ours, theirs) in ours.into_iter().zip(theirs) {
        if !ours.is_like(&theirs) {
            return Some((ours, theirs));
        }
        if !ours.is_followed() {
            break;
        }
    }
    None
}

/// The events of Plimsoll's parser.
pub fn ours(data: &[u8], to_head: bool) -> Vec<Event> {
    let mut events = Vec::new();
    let mut parser = ResponseParser::default();
    let mut at = 0;
    loop {
        let mut body = Length(0);
        let progress = parser.feed_observed(&mut body, &mut LastHead::default(), &data[at..], to_head);
        let status = u64::from(parser.status());
        match progress {
            Ok(Progress::Complete(used)) => {
                at += used;
                let keep_alive = parser.keep_alive();
                events.push(Event::Response { status, body: body.0, keep_alive, end: at as u64 });
                if !keep_alive {
                    return events;
                }
                parser.reset();
            }
            Ok(Progress::Incomplete) => {
                let until_close = Event::UntilClose { status, body: body.0 };
                events.push(if parser.ends_with_connection() { until_close } else { Event::Incomplete });
                return events;
            }
            Err(error) => {
                events.push(Event::Error { why: error.0.to_owned(), at: None });
                return events;
            }
        }
    }
}

/// The length of a body.
struct Length(u64);

impl ResponseObserver for Length {
    fn sees_headers(&self) -> bool {
        false
    }

    fn header(&mut self, _: &str, _: &[u8]) {}

    fn data(&mut self, data: &[u8]) {
        self.0 += data.len() as u64;
    }
}

/// The events of llhttp, from the line that `llhttp.js` printed. Interim responses are left out: a client passes over
/// them.
pub fn theirs(line: &str) -> Vec<Event> {
    let found: Value = serde_json::from_str(line).unwrap();
    let number = |value: &Value, key: &str| value[key].as_u64().unwrap();
    let responses = found["responses"].as_array().unwrap().iter();
    let last = if let Some(error) = found.get("error") {
        let why = format!("{}: {}", error["code"].as_str().unwrap(), error["reason"].as_str().unwrap_or_default());
        Event::Error { why, at: Some(number(error, "at") as usize) }
    } else if found.get("upgrade").is_some() {
        Event::Upgrade
    } else if let Some(close) = found.get("close") {
        Event::UntilClose { status: number(close, "status"), body: number(close, "body") }
    } else {
        Event::Incomplete
    };
    let responses = responses.filter(|it| !matches!(number(it, "status"), 100 | 102..200)).map(|it| Event::Response {
        status: number(it, "status"),
        body: number(it, "body"),
        keep_alive: it["keepAlive"].as_bool().unwrap(),
        end: number(it, "end"),
    });
    responses.chain([last]).collect()
}
