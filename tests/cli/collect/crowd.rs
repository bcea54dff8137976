//! A thousand parts, all of them this process.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
};

use plimsoll_gather::{Answer, Envelope, Join, Message, PROTOCOL, Reply, Second};
use plimsoll_record::{Interval, LevelPlan, Load, Nanos, Phase, Plan, ThinkTime, VariantPlan};
use serde_json::Value;

use super::{session::Collecting, sum};
use crate::plimsoll::Project;

const PARTS: u32 = 1_000;
const SECONDS: u64 = 2;

/// One connection, on which all parts speak in turn.
struct Voice(BufReader<TcpStream>);

impl Voice {
    fn connect(collecting: &Collecting) -> Self {
        let stream = TcpStream::connect(collecting.address()).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(super::session::DEADLINE)).unwrap();
        Self(BufReader::new(stream))
    }

    fn say(&mut self, part: u32, message: Message) -> Answer {
        let body = serde_json::to_string(&Envelope { session: format!("part {part}"), message }).unwrap();
        let head = format!("POST /part HTTP/1.1\r\nHost: h\r\nContent-Length: {}\r\n\r\n", body.len());
        self.0.get_mut().write_all((head + &body).as_bytes()).unwrap();
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).unwrap();
            let line = line.trim().to_ascii_lowercase();
            length = line.strip_prefix("content-length: ").map_or(length, |it| it.parse().unwrap());
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        serde_json::from_slice::<Reply>(&body).unwrap().answer
    }
}

fn plan() -> Plan {
    let load = Load::ConstantVus { vus: PARTS, duration: Nanos::from_secs(SECONDS), think: ThinkTime::None };
    let variant = VariantPlan { name: "v".to_owned(), url: "http://h/".to_owned(), ..VariantPlan::default() };
    let levels = vec![LevelPlan::new(PARTS.to_string(), Phase::Measured, load)];
    Plan { name: "load".to_owned(), variants: vec![variant], levels, rounds: 1, ..Plan::default() }
}

/// A second of a part: as many requests as its number.
fn second(part: u32, second: u64) -> Second {
    let start = Nanos::from_secs(second);
    let mut interval = Interval { start, duration: Nanos::from_secs(1), ..Interval::default() };
    interval.counts.offered = u64::from(part);
    interval.counts.sent = u64::from(part);
    interval.counts.succeeded = u64::from(part);
    (0..part).for_each(|request| interval.ok.response.record(Nanos::from_micros(u64::from(request * 50 + part))));
    interval.ok.service = interval.ok.response.clone();
    Second { scenario: 0, second, intervals: vec![interval] }
}

#[test]
fn a_thousand_parts_join_and_their_sums_are_exact() {
    let project = Project::new();
    let collecting = Collecting::start(&project, PARTS, &["--silence", "3s"]);
    let mut voice = Voice::connect(&collecting);
    for part in 1..=PARTS {
        let join = Join {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            plan: plan(),
            part: Some(part),
            ..Join::default()
        };
        let joined = voice.say(part, Message::Join(Box::new(join)));
        assert!(matches!(joined, Answer::Joined { part: number, parts: PARTS, .. } if number == part), "{joined:?}");
    }
    assert!(matches!(voice.say(1, Message::Wait), Answer::Starts { .. }));
    for number in 0..SECONDS {
        for part in 1..=PARTS {
            let answer = voice.say(part, Message::Seconds { number, seconds: vec![second(part, number)] });
            assert_eq!(answer, Answer::GoOn { next: number + 1 });
        }
    }
    // They say nothing more: all are lost, with whole seconds.
    let finished = collecting.wait();
    assert_eq!(finished.code, Some(3), "{}", finished.stderr);
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    let requests = SECONDS * u64::from(PARTS) * u64::from(PARTS + 1) / 2;
    for count in ["offered", "sent", "succeeded"] {
        assert_eq!(sum(&report, count), requests, "{count}");
    }
    assert_eq!(report["environment"]["merged"]["parts"].as_array().unwrap().len(), PARTS as usize);
}
