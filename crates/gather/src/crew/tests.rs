//! Answers of the other side of parts that stay to single messages.

use super::*;
use crate::{Enlist, PROTOCOL};

const SILENCE: Nanos = Nanos::from_secs(10);

fn ms(ms: u64) -> Nanos {
    Nanos::from_millis(ms)
}

fn say(crew: &mut Crew, at: Nanos, message: Message) -> Answered {
    crew.take(at, Envelope { session: "a".to_owned(), message })
}

/// A crew of one, with a load that starts at the instant that is given back.
fn begun() -> (Crew, Nanos) {
    let rules = Rules { parts: 1, version: "1".to_owned(), deadline: ms(60_000), silence: SILENCE, seed: 3 };
    let mut crew = Crew::new(rules);
    let enlist = Enlist { protocol: PROTOCOL, version: "1".to_owned(), ..Enlist::default() };
    assert!(matches!(say(&mut crew, ms(1), Message::Enlist(enlist)).0, Answer::Joined { part: 1, .. }));
    crew.begin(Value::Null, vec![Shape { start: Nanos::ZERO, stages: 1, requests: 1 }]);
    assert!(matches!(say(&mut crew, ms(2), Message::Idle).0, Answer::Load(_)));
    assert!(matches!(say(&mut crew, ms(3), Message::Prepared { load: 1 }).0, Answer::Starts { .. }));
    let start = crew.start().unwrap();
    (crew, start)
}

fn second(second: u64) -> Second {
    Second { scenario: 0, second, intervals: vec![Interval { start: Nanos::from_secs(second), ..Interval::default() }] }
}

#[test]
fn a_part_that_tells_of_the_future_is_lost() {
    let (mut crew, start) = begun();
    let told = |second_told| Message::Told { load: 1, number: 0, seconds: vec![second(second_told)] };
    let (answer, _) = say(&mut crew, start + ms(900), told(5));
    assert_eq!(answer, Answer::GoOn { next: 1 }, "clocks are imprecise");
    let (answer, effects) = say(&mut crew, start + ms(900), told(1_000_000));
    assert!(matches!(answer, Answer::Refused { .. }) && effects.iter().any(|it| matches!(it, CrewEffect::Lost(1, _))));
    assert_eq!(crew.end_load().map(|(outcome, _)| outcome.lost), Some(vec![1]));
}

#[test]
fn others_are_refused_with_the_reason() {
    let (mut crew, _) = begun();
    let mut refused = |session: &str, message| {
        let (answer, _) = crew.take(ms(9), Envelope { session: session.to_owned(), message });
        if let Answer::Refused { reason } = answer { reason } else { panic!("{answer:?}") }
    };
    let enlist = |version: &str| {
        Message::Enlist(Enlist { protocol: PROTOCOL, version: version.to_owned(), ..Enlist::default() })
    };
    assert!(refused("b", enlist("2")).contains("start both with the same"));
    assert!(refused("b", enlist("1")).contains("comes too late"));
    assert!(refused("b", Message::Join(Box::default())).contains("expected `plimsoll serve-part --join`"));
    assert!(refused("b", Message::Idle).contains("nobody knows of such a part"));
    assert!(refused("a", Message::Wait).contains("expected `plimsoll serve-part`"));
}

#[test]
fn a_load_that_a_part_cannot_offer_is_called_off() {
    let (mut crew, start) = begun();
    let failed = Some("no such file".to_owned());
    let over = Box::new(Over { failed: failed.clone(), ..Over::default() });
    assert_eq!(say(&mut crew, start, Message::Over { load: 1, over }).0, Answer::Done);
    let (outcome, _) = crew.end_load().unwrap();
    assert_eq!(outcome.failed, Some((1, "no such file".to_owned())));
    // Said again, since the answer was lost.
    let over = Box::new(Over { failed, ..Over::default() });
    assert_eq!(say(&mut crew, start, Message::Over { load: 1, over }).0, Answer::Done);
}

/// Nobody else would start without it.
#[test]
fn a_load_that_begins_after_a_loss_ends_at_once() {
    let rules = Rules { parts: 2, version: "1".to_owned(), deadline: ms(60_000), silence: SILENCE, seed: 3 };
    let mut crew = Crew::new(rules);
    let enlist = || Message::Enlist(Enlist { protocol: PROTOCOL, version: "1".to_owned(), ..Enlist::default() });
    for session in ["a", "b"] {
        crew.take(ms(1), Envelope { session: session.to_owned(), message: enlist() });
    }
    say(&mut crew, ms(9_000), Message::Idle);
    assert_eq!(crew.tick(ms(10_500)), [CrewEffect::Lost(2, "nothing is heard of it")]);
    crew.begin(Value::Null, vec![Shape { start: Nanos::ZERO, stages: 1, requests: 1 }]);
    assert!(matches!(say(&mut crew, ms(10_501), Message::Idle).0, Answer::Load(_)));
    assert!(matches!(say(&mut crew, ms(10_502), Message::Prepared { load: 1 }).0, Answer::Abort { .. }));
    let over = Box::new(Over { is_stopped: true, ..Over::default() });
    say(&mut crew, ms(10_503), Message::Over { load: 1, over });
    assert_eq!(crew.end_load().map(|(outcome, _)| outcome.lost), Some(vec![2]));
}
