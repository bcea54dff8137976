use plimsoll_record::{LevelPlan, Load, Phase, ThinkTime};

use super::*;
use crate::{Bytes, Join, PROTOCOL};

fn ms(ms: u64) -> Nanos {
    Nanos::from_millis(ms)
}

fn rules(parts: u32) -> Rules {
    Rules { parts, version: "1.0".to_owned(), deadline: ms(60_000), silence: ms(10_000), seed: 7 }
}

fn plan(vus: u32) -> Plan {
    let load = Load::ConstantVus { vus, duration: Nanos::from_secs(9), think: ThinkTime::None };
    Plan { levels: vec![LevelPlan::new("x", Phase::Measured, load)], ..Plan::default() }
}

fn offer() -> Join {
    Join { protocol: PROTOCOL, version: "1.0".to_owned(), plan: plan(4), digest: "d".to_owned(), ..Join::default() }
}

fn say(collector: &mut Collector, at: Nanos, session: &str, message: Message) -> Answered {
    collector.take(at, Envelope { session: session.to_owned(), message })
}

fn join(collector: &mut Collector, at: Nanos, session: &str, join: Join) -> Answer {
    say(collector, at, session, Message::Join(Box::new(join))).0
}

/// A collector whose parts `a`, `b` … have joined at 0.
fn with_parts(parts: u32, sessions: &[&str]) -> Collector {
    let mut collector = Collector::new(rules(parts));
    for session in sessions {
        assert!(matches!(join(&mut collector, Nanos::ZERO, session, offer()), Answer::Joined { .. }));
    }
    collector
}

fn refused(answer: Answer) -> String {
    match answer {
        Answer::Refused { reason } => reason,
        other => panic!("{other:?}"),
    }
}

fn second(second: u64, sent: u64) -> Second {
    let mut interval = Interval { start: Nanos::from_secs(second), duration: ms(1_000), ..Interval::default() };
    interval.counts.sent = sent;
    Second { scenario: 0, second, intervals: vec![interval] }
}

fn tell(collector: &mut Collector, at: Nanos, session: &str, number: u64, seconds: Vec<Second>) -> Answered {
    say(collector, at, session, Message::Seconds { number, seconds })
}

#[test]
fn the_load_starts_on_all_at_one_instant_once_all_are_there() {
    let mut collector = with_parts(3, &["a", "b"]);
    assert_eq!(
        say(&mut collector, ms(500), "a", Message::Wait).0,
        Answer::Waiting { joined: 2, parts: 3, ask_again: ASK_AGAIN_LEAST }
    );
    let (answer, effects) = say(&mut collector, ms(700), "c", Message::Join(Box::new(offer())));
    assert_eq!(answer, Answer::Joined { part: 3, parts: 3, seed: 7 });
    let start = ms(700) + LEAD + ASK_AGAIN_LEAST + ASK_AGAIN_LEAST;
    assert_eq!(effects, [Effect::Joined(3, None), Effect::Starts(start)]);
    for (session, at) in [("a", ms(800)), ("b", ms(900)), ("c", ms(1_000))] {
        assert_eq!(say(&mut collector, at, session, Message::Wait).0, Answer::Starts { within_ns: until(start, at) });
    }
    // One that was not heard of for a while starts late, and knows it.
    let late = say(&mut collector, start + ms(300), "b", Message::Wait).0;
    assert_eq!(late, Answer::Starts { within_ns: -300_000_000 });
    assert!(refused(join(&mut collector, ms(1_100), "d", offer())).contains("comes too late"));
}

#[test]
fn a_number_is_given_once_and_a_repeated_message_changes_nothing() {
    let mut collector = Collector::new(rules(3));
    let wants = |part| Join { part: Some(part), host: Some("m1".to_owned()), ..offer() };
    assert!(matches!(join(&mut collector, ms(0), "a", wants(2)), Answer::Joined { part: 2, .. }));
    assert!(matches!(join(&mut collector, ms(1), "a", wants(2)), Answer::Joined { part: 2, .. }), "sent again");
    let double = refused(join(&mut collector, ms(2), "b", wants(2)));
    assert_eq!(double, "part 2/3 has joined already on m1: each number may join once");
    assert!(refused(join(&mut collector, ms(2), "b", wants(4))).contains("--part 1 to 3, found 4"));
    assert!(matches!(join(&mut collector, ms(3), "b", offer()), Answer::Joined { part: 1, .. }));
    assert!(matches!(join(&mut collector, ms(3), "c", offer()), Answer::Joined { part: 3, .. }));
    assert!(refused(say(&mut collector, ms(4), "x", Message::Wait).0).contains("knows no such part"));
}

#[test]
fn another_load_or_version_is_refused_with_both() {
    let mut collector = with_parts(3, &["a"]);
    let mut refuse = |join: Join| {
        let message = Message::Join(Box::new(join));
        refused(say(&mut collector, ms(1), "b", message).0)
    };
    let other = refuse(Join { version: "2.0".to_owned(), ..offer() });
    assert_eq!(other, "the part has version 2.0 of Plimsoll and the collector has 1.0: start both with the same");
    assert!(refuse(Join { protocol: PROTOCOL + 1, ..offer() }).contains("start both with the same"));
    let other = refuse(Join { plan: plan(5), ..offer() });
    assert!(other.contains("that of part 1: `levels[0].load.vus` is 5 in this one and 4 in that one"), "{other}");
    assert!(refuse(Join { digest: "e".to_owned(), ..offer() }).contains("headers, bodies"));
    assert!(refuse(Join { seed: Some(8), ..offer() }).contains("--seed 8 is not that of part 1, 7"));
    assert!(matches!(join(&mut collector, ms(1), "b", Join { seed: Some(7), ..offer() }), Answer::Joined { .. }));
    let own_seed = Plan { seed: 99, ..plan(4) };
    let joined = join(&mut collector, ms(1), "c", Join { plan: own_seed, ..offer() });
    assert_eq!(joined, Answer::Joined { part: 3, parts: 3, seed: 7 }, "a seed that was drawn is replaced");
}

#[test]
fn parts_that_never_came_are_named_at_the_deadline_and_the_others_hear_it() {
    let mut collector = with_parts(4, &["a", "b"]);
    for at in (0..60).map(Nanos::from_secs) {
        say(&mut collector, at, "a", Message::Wait);
        say(&mut collector, at, "b", Message::Wait);
        assert_eq!(collector.tick(at), []);
    }
    assert_eq!(collector.tick(ms(60_000)), [Effect::NeverCame(vec![3, 4])]);
    assert!(collector.tick(ms(60_001)).is_empty() && !collector.is_over());
    assert!(refused(join(&mut collector, ms(60_010), "c", offer())).contains("3/4 and 4/4 never came within 60.0 s"));
    for session in ["a", "b"] {
        let (answer, _) = say(&mut collector, ms(60_100), session, Message::Wait);
        assert!(matches!(answer, Answer::Abort { reason, .. } if reason.contains("nothing was sent")));
    }
    assert!(collector.is_over() && collector.start().is_none());
}

#[test]
fn a_part_that_is_lost_before_the_start_makes_room_for_another() {
    let mut collector = with_parts(2, &["a"]);
    assert_eq!(collector.tick(ms(9_999)), []);
    assert_eq!(collector.tick(ms(10_000)), [Effect::Left(1)]);
    assert!(refused(say(&mut collector, ms(10_001), "a", Message::Wait).0).contains("no such part"));
    // All are gone: the load may be another one.
    assert!(matches!(
        join(&mut collector, ms(11_000), "b", Join { plan: plan(9), ..offer() }),
        Answer::Joined { part: 1, .. }
    ));
    assert_eq!(say(&mut collector, ms(11_001), "b", Message::Leave), (Answer::Done, vec![Effect::Left(1)]));
    assert!(!collector.is_over(), "the deadline has not passed");
}

#[test]
fn seconds_count_once_and_are_given_out_when_all_have_told_them() {
    let mut collector = with_parts(2, &["a", "b"]);
    let start = collector.start().unwrap();
    let at = |ms: u64| start + Nanos::from_millis(ms);
    let (answer, effects) = tell(&mut collector, at(1_010), "a", 0, vec![second(0, 5)]);
    assert_eq!((answer, effects.len()), (Answer::GoOn { next: 1 }, 1));
    let again = tell(&mut collector, at(1_020), "a", 0, vec![second(0, 5)]);
    assert_eq!(again, (Answer::GoOn { next: 1 }, vec![]), "its answer was lost");
    assert!(collector.take_seconds(at(1_500)).is_empty(), "the other has not told it");
    tell(&mut collector, at(1_600), "b", 0, vec![second(0, 7)]);
    let due = collector.take_seconds(at(1_600));
    assert_eq!(due.iter().map(|(_, it)| it.counts.sent).collect::<Vec<_>>(), [12]);
    let beyond = Second { scenario: 1, ..second(1, 1) };
    let mut of_no_request = second(1, 1);
    of_no_request.intervals[0].request = 3;
    for wrong in [beyond, of_no_request, second(u64::MAX, 1)] {
        assert!(refused(tell(&mut collector, at(2_000), "a", 1, vec![wrong]).0).contains("does not have"));
    }
    collector.abort("enough");
    let (answer, _) = tell(&mut collector, at(2_100), "a", 1, vec![second(1, 1)]);
    assert_eq!(answer, Answer::Abort { reason: "enough".to_owned(), next: 2 });
    collector.abort("later reasons do not count");
    let (answer, _) = tell(&mut collector, at(2_200), "b", 1, vec![]);
    assert_eq!(answer, Answer::Abort { reason: "enough".to_owned(), next: 1 }, "one without seconds does not count");
}

#[test]
fn a_part_that_is_silent_is_lost_and_may_come_back() {
    let mut collector = with_parts(2, &["a", "b"]);
    let start = collector.start().unwrap();
    let at = |s: u64| start + Nanos::from_secs(s);
    tell(&mut collector, at(1), "a", 0, vec![second(0, 1)]);
    for number in 0..14 {
        tell(&mut collector, at(1 + number), "b", number, vec![second(number, 1)]);
    }
    assert_eq!(collector.tick(at(10)), []);
    assert_eq!(collector.tick(at(11)), [Effect::Lost(1)]);
    let standing = collector.standing(1).unwrap();
    assert!(standing.is_lost && standing.told == 1 && standing.status.is_none());
    assert!(!collector.is_over(), "the other goes on");
    assert!(collector.take_seconds(at(12)).len() >= 11, "nobody waits for it");
    let (_, effects) = tell(&mut collector, at(13), "a", 1, vec![second(1, 1)]);
    assert_eq!(effects[0], Effect::Back(1));
    assert!(!collector.standing(1).unwrap().is_lost);
}

/// Something stopped it for half a minute: what parts said meanwhile is still to be read.
#[test]
fn a_collector_that_stood_still_has_lost_nobody() {
    let mut collector = with_parts(2, &["a", "b"]);
    let start = collector.start().unwrap();
    let at = |ms: u64| start + Nanos::from_millis(ms);
    tell(&mut collector, at(1_000), "a", 0, vec![second(0, 1)]);
    tell(&mut collector, at(1_000), "b", 0, vec![second(0, 1)]);
    assert_eq!(collector.tick(at(1_050)), []);
    assert_eq!(collector.tick(at(31_050)), [], "half a minute that nobody could be heard in");
    tell(&mut collector, at(31_060), "b", 1, vec![second(1, 1)]);
    for now in (31_100..41_000).step_by(50) {
        assert_eq!(collector.tick(at(now)), []);
    }
    assert_eq!(collector.tick(at(41_000)), [Effect::Lost(1)], "it says nothing afterwards either");
}

#[test]
fn a_record_is_asked_for_until_it_is_whole() {
    let mut collector = with_parts(1, &["a"]);
    let at = collector.start().unwrap() + Nanos::from_secs(9);
    let record = vec![7_u8; CHUNK + 3];
    let sha256 = crate::hexadecimal(&<sha2::Sha256 as sha2::Digest>::digest(&record));
    let ended = Ended { status: ExecutionStatus::Done, bytes: record.len() as u64, sha256 };
    let piece = |from: usize, to: usize| Message::Chunk { offset: from as u64, data: Bytes(record[from..to].to_vec()) };
    assert!(refused(say(&mut collector, at, "a", piece(0, 1)).0).contains("whose end was not told"));
    let (answer, effects) = say(&mut collector, at, "a", Message::End(ended.clone()));
    assert_eq!((answer, effects), (Answer::Send { offset: 0 }, vec![Effect::Ended(1, ExecutionStatus::Done)]));
    say(&mut collector, at, "a", piece(0, CHUNK));
    // The answer was lost, and the part asks how much is there.
    let (answer, effects) = say(&mut collector, at, "a", Message::End(ended.clone()));
    assert_eq!((answer, effects), (Answer::Send { offset: CHUNK as u64 }, vec![]));
    assert!(!collector.is_over());
    let (answer, effects) = say(&mut collector, at, "a", piece(CHUNK, CHUNK + 3));
    assert_eq!(answer, Answer::Done);
    assert_eq!(effects, [Effect::Bytes(1, CHUNK as u64, vec![7; 3]), Effect::Whole(1)]);
    assert_eq!(say(&mut collector, at, "a", Message::End(ended)).0, Answer::Done);
    assert!(collector.is_over() && collector.standing(1).unwrap().is_whole);
    assert_eq!(collector.tick(at + Nanos::from_secs(99)), [], "one that is whole is not lost");
}

const CHUNK: usize = 1_000;

#[test]
fn a_thousand_parts_join_and_ask_less_often() {
    let mut collector = Collector::new(rules(1_000));
    for number in 0..1_000_u32 {
        let joined = join(&mut collector, ms(u64::from(number)), &format!("s{number}"), offer());
        assert!(matches!(joined, Answer::Joined { part, .. } if part == number + 1));
        if number == 500 {
            let (answer, _) = say(&mut collector, ms(600), "s3", Message::Wait);
            assert_eq!(answer, Answer::Waiting { joined: 501, parts: 1_000, ask_again: ms(1_000) });
        }
    }
    let start = collector.start().unwrap();
    assert!(start >= ms(999) + LEAD + ms(2_000), "each asks twice before it");
}

/// One with the secret could make the collector keep seconds of years to come.
#[test]
fn a_part_that_tells_of_the_future_is_given_up() {
    let mut collector = with_parts(2, &["a", "b"]);
    let start = collector.start().unwrap();
    let (answer, _) = tell(&mut collector, start + ms(900), "a", 0, vec![second(5, 1)]);
    assert_eq!(answer, Answer::GoOn { next: 1 }, "clocks are imprecise");
    let (answer, effects) = tell(&mut collector, start + ms(900), "a", 1, vec![second(7, 1)]);
    assert!(refused(answer).contains("has not come yet"));
    assert_eq!(effects, [Effect::Hopeless(1, NOT_TRUSTED)]);
    // Nothing more is taken of it, its record neither.
    let ended = Ended { status: ExecutionStatus::Done, bytes: 1, sha256: "ab".to_owned() };
    assert!(refused(say(&mut collector, start + ms(950), "a", Message::End(ended)).0).contains("has not come yet"));
    let standing = collector.standing(1).unwrap();
    assert_eq!((standing.told, standing.status, standing.is_whole), (6, None, false));
    assert!(matches!(tell(&mut collector, start + ms(1_000), "b", 0, vec![second(0, 1)]).0, Answer::GoOn { .. }));
}
