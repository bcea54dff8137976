//! Parts and their collector in virtual time, with clocks of their own, over a network that delays, loses and cuts.

use plimsoll_record::{ExecutionStatus, Interval, LevelPlan, Load, Nanos, Phase, Plan, ThinkTime};
use sha2::{Digest, Sha256};

use crate::{
    Bytes, Collector, Effect, Ended, Envelope, Join, Joining, Message, Outcome, PROTOCOL, Reply, Rules, Second,
    Telling, Turn, Uploading, hexadecimal,
    network::{Event, Network},
};

const SECONDS: u64 = 5;
const TICK: Nanos = Nanos::from_millis(50);
const PATIENCE: Nanos = Nanos::from_secs(20);
const RECORD: usize = 600_000;

/// Stage of a part.
enum Stage {
    Joins(Box<Joining>),
    Tells(Telling, u64),
    Uploads(Uploading),
    /// For this reason, if it is not done.
    Over(Option<String>),
}

struct Part {
    stage: Stage,
    /// Its monotonic clock and its time of day, ahead of the world's.
    ahead: (Nanos, Nanos),
    /// Time of a message to the collector, and of an answer.
    way: (Nanos, Nanos),
    /// When its load started, by the world's clock.
    started: Option<Nanos>,
    offset: Option<(i64, Nanos)>,
    killed_at: Nanos,
    is_broken: bool,
}

struct World {
    network: Network,
    collector: Collector,
    parts: Vec<Part>,
    totals: Interval,
    effects: Vec<Effect>,
    records: Vec<Vec<u8>>,
    collector_killed_at: Nanos,
}

fn record(part: usize) -> Vec<u8> {
    (0..RECORD).map(|index| (index * (part + 3) / 7) as u8).collect()
}

fn plan() -> Plan {
    let load = Load::ConstantVus { vus: 9, duration: Nanos::from_secs(SECONDS), think: ThinkTime::None };
    Plan { levels: vec![LevelPlan::new("9", Phase::Measured, load)], ..Plan::default() }
}

impl World {
    fn new(parts: u32, lost: u64) -> Self {
        let deadline = Nanos::from_secs(60);
        let silence = Nanos::from_secs(10);
        let rules = Rules { parts, version: "1".to_owned(), deadline, silence, seed: 3 };
        Self {
            network: Network::new(lost),
            collector: Collector::new(rules),
            parts: Vec::new(),
            totals: Interval::default(),
            effects: Vec::new(),
            records: vec![Vec::new(); parts as usize + 1],
            collector_killed_at: Nanos::MAX,
        }
    }

    /// A part that joins at `at`, with clocks that are `ahead`, over ways that take so long.
    fn part(&mut self, at: Nanos, ahead: (Nanos, Nanos), way: (Nanos, Nanos)) {
        let join = Join { protocol: PROTOCOL, version: "1".to_owned(), plan: plan(), ..Join::default() };
        let stage = Stage::Joins(Box::new(Joining::new(join, PATIENCE, at + ahead.0)));
        let index = self.parts.len();
        self.parts.push(Part {
            stage,
            ahead,
            way,
            started: None,
            offset: None,
            killed_at: Nanos::MAX,
            is_broken: false,
        });
        self.network.at(at, Event::Acts(index));
    }

    fn run(&mut self) {
        while let Some(event) = self.network.next_event() {
            match event {
                Event::Tick => self.tick(),
                Event::Acts(part) => self.act(part),
                Event::Fails(part) => self.fail(part),
                Event::Arrives(part, text) => self.arrive(part, &text),
                Event::Answered(part, sent, text) => self.answered(part, sent, &text),
            }
        }
    }

    fn tick(&mut self) {
        if self.network.now >= self.collector_killed_at {
            return;
        }
        let effects = self.collector.tick(self.network.now);
        self.effects.extend(effects);
        for (_, interval) in self.collector.take_seconds(self.network.now) {
            self.totals.merge(&interval);
        }
        if !self.collector.is_over() {
            self.network.at(self.network.now + TICK, Event::Tick);
        }
    }

    fn is_dead(&self, part: usize) -> bool {
        self.network.now >= self.parts[part].killed_at
    }

    fn act(&mut self, index: usize) {
        if self.is_dead(index) {
            return;
        }
        let part = &mut self.parts[index];
        let mine = self.network.now + part.ahead.0;
        let (message, pause) = match &mut part.stage {
            Stage::Over(_) => return,
            Stage::Joins(joining) => match joining.turn(mine) {
                Turn::Send(message) => (Some(message), None),
                Turn::Pause(until) => (None, Some(until)),
                Turn::GiveUp(why) => {
                    part.stage = Stage::Over(Some(why));
                    return;
                }
                Turn::Start(at) => {
                    part.offset = joining.clocks().offset();
                    part.started = Some(at - part.ahead.0);
                    part.stage = Stage::Tells(Telling::new(at), 0);
                    (None, Some(at))
                }
            },
            Stage::Tells(telling, measured) => {
                let start = part.started.expect("it has started") + part.ahead.0;
                while *measured < SECONDS && mine >= start + Nanos::from_secs(*measured + 1) {
                    telling.add(second(index, *measured));
                    *measured += 1;
                }
                let has_ended = *measured == SECONDS;
                if has_ended && (telling.is_told() || telling.is_unheard(mine)) {
                    part.stage = Stage::Uploads(Uploading::new(ended(index), PATIENCE, mine));
                    (None, Some(mine))
                } else {
                    match telling.turn(mine) {
                        Turn::Send(message) => (Some(message), None),
                        // A thread that tells is woken by each second.
                        Turn::Pause(until) if has_ended => (None, Some(until)),
                        Turn::Pause(until) => (None, Some(until.min(start + Nanos::from_secs(*measured + 1)))),
                        other => panic!("{other:?}"),
                    }
                }
            }
            Stage::Uploads(uploading) => match uploading.turn(mine) {
                Outcome::Tell(ended) => (Some(Message::End(ended)), None),
                Outcome::Piece { offset, length } => {
                    let mut data = record(index)[offset as usize..offset as usize + length].to_vec();
                    // The network breaks a piece, once.
                    data[0] ^= u8::from(std::mem::take(&mut part.is_broken));
                    (Some(Message::Chunk { offset, data: Bytes(data) }), None)
                }
                Outcome::Pause(until) => (None, Some(until)),
                Outcome::Done => {
                    part.stage = Stage::Over(None);
                    return;
                }
                Outcome::Kept(why) => {
                    part.stage = Stage::Over(Some(why));
                    return;
                }
            },
        };
        let (ahead, there) = (part.ahead.0, part.way.0);
        if let Some(until) = pause {
            self.network.at((until - ahead).max(self.network.now), Event::Acts(index));
        }
        if let Some(message) = message {
            let envelope = Envelope { session: format!("s{index}"), message };
            let text = serde_json::to_string(&envelope).unwrap();
            self.network.carry(index, there, Event::Arrives(index, text));
        }
    }

    fn arrive(&mut self, index: usize, text: &str) {
        let (there, back) = self.parts[index].way;
        let sent = self.network.now - there;
        if self.network.now >= self.collector_killed_at {
            return self.network.at(self.network.now + back, Event::Fails(index));
        }
        let (answer, effects) = self.collector.take(self.network.now, Envelope::read(text.as_bytes()).unwrap());
        for effect in &effects {
            if let Effect::Bytes(part, offset, bytes) = effect {
                let record = &mut self.records[*part as usize];
                record.truncate(*offset as usize);
                record.extend(bytes);
            }
        }
        self.effects.extend(effects.into_iter().filter(|it| !matches!(it, Effect::Bytes(..) | Effect::Seconds(..))));
        let text = serde_json::to_string(&Reply { clock: self.network.now, answer }).unwrap();
        self.network.carry(index, back, Event::Answered(index, sent, text));
    }

    fn answered(&mut self, index: usize, sent: Nanos, text: &str) {
        if self.is_dead(index) {
            return;
        }
        let part = &mut self.parts[index];
        let (mine, sent, day) = (self.network.now + part.ahead.0, sent + part.ahead.0, self.network.now + part.ahead.1);
        let reply: Reply = serde_json::from_str(text).unwrap();
        match &mut part.stage {
            Stage::Joins(joining) => joining.answered(sent, mine, day, reply),
            Stage::Tells(telling, measured) => {
                if telling.answered(mine, reply.answer).is_some() {
                    *measured = SECONDS;
                }
            }
            Stage::Uploads(uploading) => uploading.answered(mine, reply.answer),
            Stage::Over(_) => {}
        }
        self.act(index);
    }

    fn fail(&mut self, index: usize) {
        let part = &mut self.parts[index];
        let mine = self.network.now + part.ahead.0;
        match &mut part.stage {
            Stage::Joins(joining) => joining.failed(mine, "cut".to_owned()),
            Stage::Tells(telling, _) => telling.failed(mine, "cut".to_owned()),
            Stage::Uploads(uploading) => uploading.failed(mine, "cut".to_owned()),
            Stage::Over(_) => {}
        }
        self.act(index);
    }

    /// Why a part is over; none if its record is collected.
    fn end_of(&self, part: usize) -> Option<&str> {
        match &self.parts[part].stage {
            Stage::Over(why) => why.as_deref(),
            _ => panic!("part {part} is not over"),
        }
    }

    fn has(&self, effect: &Effect) -> bool {
        self.effects.contains(effect)
    }
}

fn ms(ms: u64) -> Nanos {
    Nanos::from_millis(ms)
}

/// Counts that tell parts and seconds apart in any sum.
fn second(part: usize, second: u64) -> Second {
    let mut interval = Interval { start: Nanos::from_secs(second), duration: ms(1_000), ..Interval::default() };
    interval.counts.sent = 10_u64.pow(second as u32) * (part as u64 + 1);
    interval.ok.response.record(ms(second + 1));
    Second { scenario: 0, second, intervals: vec![interval] }
}

fn ended(part: usize) -> Ended {
    let sha256 = hexadecimal(&Sha256::digest(record(part)));
    Ended { status: ExecutionStatus::Done, bytes: RECORD as u64, sha256 }
}

/// Four parts with clocks that are days apart.
fn four(lost: u64) -> World {
    let mut world = World::new(4, lost);
    let days = |days: u64| Nanos::from_secs(days * 86_400);
    world.part(ms(5), (days(0), days(20_000)), (ms(1), ms(1)));
    world.part(ms(700), (days(400), days(3)), (ms(4), ms(4)));
    world.part(ms(90), (days(7), days(20_001)), (ms(1), ms(9)));
    world.part(ms(2_500), (days(30), days(1)), (ms(2), ms(1)));
    world
}

#[test]
fn clocks_that_are_days_apart_start_within_half_a_round_trip() {
    let mut world = four(0);
    world.run();
    let start = world.collector.start().unwrap();
    for part in &world.parts {
        let error = part.started.unwrap().0.abs_diff(start.0);
        let asymmetry = part.way.0.0.abs_diff(part.way.1.0) / 2;
        assert_eq!(error, asymmetry, "{:?}", part.way);
        let (ahead, uncertain) = part.offset.unwrap();
        assert_eq!(uncertain, Nanos((part.way.0 + part.way.1).0 / 2));
        assert!((ahead - part.ahead.1.0 as i64).unsigned_abs() <= uncertain.0, "{ahead}");
    }
    assert!((0..4).all(|part| world.end_of(part).is_none()));
}

/// However many messages are lost, every second counts once and every record is whole.
#[test]
fn totals_and_records_are_exact_over_a_network_that_loses_messages() {
    for lost in [0, 5, 10, 15] {
        let mut world = four(lost);
        world.parts[2].is_broken = true;
        world.run();
        assert_eq!(world.totals.counts.sent, 11_111 * (1 + 2 + 3 + 4), "{lost} % lost");
        assert_eq!(world.totals.ok.response.count(), 4 * SECONDS);
        let mut records: Vec<_> = world.records.drain(1..).collect();
        let mut expected: Vec<_> = (0..4).map(record).collect();
        records.sort();
        expected.sort();
        assert!(records == expected, "{lost} % lost");
        assert!((0..4).all(|part| world.end_of(part).is_none()) && world.collector.is_over());
    }
}

#[test]
fn a_part_that_is_killed_before_the_start_is_named_and_nothing_is_sent() {
    let mut world = four(0);
    world.parts[1].killed_at = ms(900);
    // The last part comes after its place was given up.
    world.parts[3].killed_at = ms(0);
    world.run();
    assert!(world.effects.iter().any(|effect| matches!(effect, Effect::NeverCame(parts) if parts.len() == 2)));
    assert!(world.parts.iter().all(|part| part.started.is_none()));
    assert!(world.end_of(0).unwrap().contains("never came") && world.end_of(2).unwrap().contains("nothing was sent"));
}

#[test]
fn a_part_that_is_killed_under_load_leaves_its_whole_seconds() {
    let mut world = four(0);
    let start = 2_504 + 1_000 + 400;
    world.parts[1].killed_at = ms(start + 3_200);
    world.run();
    let lost: Vec<u32> =
        world.effects.iter().filter_map(|it| if let Effect::Lost(part) = it { Some(*part) } else { None }).collect();
    assert_eq!(lost.len(), 1);
    let standing = |part: u32| world.collector.standing(part).unwrap();
    assert_eq!((standing(lost[0]).told, standing(lost[0]).is_whole), (3, false));
    assert_eq!((1..=4).filter(|&part| standing(part).is_whole).count(), 3);
    assert_eq!(world.totals.counts.sent, 11_111 * (1 + 3 + 4) + 111 * 2, "nothing is scaled up");
    assert!(world.collector.is_over() && [0, 2, 3].iter().all(|&part| world.end_of(part).is_none()));
}

#[test]
fn a_part_that_is_killed_after_its_load_has_told_all_and_has_no_record() {
    let mut world = four(0);
    let end = 2_504 + 1_000 + 400 + SECONDS * 1_000;
    world.parts[1].killed_at = ms(end + 20);
    world.run();
    let lost = (1..=4).filter_map(|part| world.collector.standing(part)).find(|it| it.is_lost).unwrap();
    assert_eq!((lost.told, lost.is_whole), (SECONDS, false));
    assert_eq!(world.totals.counts.sent, 11_111 * 10);
}

#[test]
fn a_collector_that_is_killed_ends_no_load_and_parts_keep_their_records() {
    let mut world = four(0);
    world.collector_killed_at = ms(2_504 + 1_000 + 400 + 2_500);
    world.run();
    for part in 0..4 {
        assert!(world.end_of(part).unwrap().starts_with("the collector does not answer"), "{:?}", world.end_of(part));
        assert!(world.parts[part].started.is_some());
    }
    // Killed before the start, it lets no load begin.
    let mut world = four(0);
    world.collector_killed_at = ms(2_000);
    world.run();
    assert!((0..4).all(|part| world.parts[part].started.is_none() && world.end_of(part).is_some()));
}

#[test]
fn an_abort_reaches_all_parts_within_their_next_message() {
    let mut world = four(0);
    world.collector.abort("interrupted");
    world.run();
    assert!((0..4).all(|part| world.end_of(part) == Some("interrupted")));
    assert!(!world.has(&Effect::Joined(1, None)), "nobody joins a load that is ended");
}
