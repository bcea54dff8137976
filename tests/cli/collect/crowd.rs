//! A thousand parts, all of them this process.

use plimsoll_gather::{Answer, Join, Message, PROTOCOL, Second};
use plimsoll_record::{Interval, LevelPlan, Load, Nanos, Phase, Plan, ThinkTime, VariantPlan};
use serde_json::Value;

use super::{session::Collecting, sum, voice::Voice};
use crate::plimsoll::Project;

const PARTS: u32 = 1_000;
const SECONDS: u64 = 2;

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
    let collecting = Collecting::start(&project, PARTS, &["--silence", "30s"]);
    let mut voice = Voice::connect(&collecting.address());
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
        // On a busy machine those that came first would be silent for too long.
        if part % 250 == 0 {
            (1..part).for_each(|before| drop(voice.say(before, Message::Wait)));
        }
    }
    assert!(matches!(voice.say(1, Message::Wait), Answer::Starts { .. }));
    for number in 0..SECONDS {
        for part in 1..=PARTS {
            let answer = voice.say(part, Message::Seconds { number, seconds: vec![second(part, number)] });
            assert_eq!(answer, Answer::GoOn { next: number + 1 });
        }
    }
    // They leave before the end: all are lost, with whole seconds.
    (1..=PARTS).for_each(|part| drop(voice.say(part, Message::Leave)));
    let finished = collecting.wait();
    assert_eq!(finished.code, Some(3), "{}", finished.stderr);
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    let requests = SECONDS * u64::from(PARTS) * u64::from(PARTS + 1) / 2;
    for count in ["offered", "sent", "succeeded"] {
        assert_eq!(sum(&report, count), requests, "{count}");
    }
    assert_eq!(report["environment"]["merged"]["parts"].as_array().unwrap().len(), PARTS as usize);
}
