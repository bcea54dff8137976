//! Parts that stay and their other side in virtual time: clocks of their own, a network that delays and loses.

use super::*;
use crate::{
    Duty, Ending, Enlist, Farewell, PROTOCOL, Reply, Serving, Telling, Turn,
    network::{Event, Network},
};

const TICK: Nanos = Nanos::from_millis(20);
/// Each part offers a request so often.
const EVERY: Nanos = Nanos::from_millis(10);
/// Requests in flight at the end of a load take so long.
const IN_FLIGHT: Nanos = Nanos::from_millis(300);
const SILENCE: Nanos = Nanos::from_secs(10);

fn ms(ms: u64) -> Nanos {
    Nanos::from_millis(ms)
}

/// A load that a part offers.
struct Offered {
    telling: Telling,
    load: u64,
    /// By its own clock.
    start: Nanos,
    measured: u64,
    /// Since the start.
    end: Nanos,
    is_aborted: bool,
    is_measured: bool,
}

struct Part {
    serving: Serving,
    offered: Option<Offered>,
    ahead: Nanos,
    /// Time of a message, and of an answer.
    way: (Nanos, Nanos),
    killed_at: Nanos,
    /// By load: when it began, by the world's clock, and the requests that it has sent.
    begun: Vec<(Nanos, u64)>,
    farewell: Option<Farewell>,
}

struct World {
    network: Network,
    crew: Crew,
    parts: Vec<Part>,
    /// Seconds after which each load is to be ended, and how long it would be.
    loads: Vec<(u64, u64)>,
    /// Requests of each load by second, and how it ended.
    seen: Vec<Vec<u64>>,
    finishes: Vec<Option<Nanos>>,
    outcomes: Vec<Outcome>,
    effects: Vec<CrewEffect>,
}

impl World {
    fn new(parts: u32, loads: &[(u64, u64)]) -> Self {
        let rules = Rules { parts, version: "1".to_owned(), deadline: ms(60_000), silence: SILENCE, seed: 3 };
        Self {
            network: Network::new(0),
            crew: Crew::new(rules),
            parts: Vec::new(),
            loads: loads.to_vec(),
            seen: Vec::new(),
            finishes: Vec::new(),
            outcomes: Vec::new(),
            effects: Vec::new(),
        }
    }

    fn part(&mut self, at: Nanos, ahead: Nanos, way: (Nanos, Nanos)) {
        let enlist = Enlist { protocol: PROTOCOL, version: "1".to_owned(), ..Enlist::default() };
        let index = self.parts.len();
        self.parts.push(Part {
            serving: Serving::new(enlist, ms(20_000), at + ahead),
            offered: None,
            ahead,
            way,
            killed_at: Nanos::MAX,
            begun: Vec::new(),
            farewell: None,
        });
        self.network.at(at, Event::Acts(index));
    }

    fn run(&mut self) {
        while let Some(event) = self.network.next_event() {
            assert!(self.network.now < ms(3_600_000), "it never ends");
            match event {
                Event::Tick => self.tick(),
                Event::Acts(part) => self.act(part),
                Event::Fails(part) => self.fail(part),
                Event::Arrives(part, text) => self.arrive(part, &text),
                Event::Answered(part, sent, text) => self.answered(part, sent, &text),
            }
        }
    }

    /// The search: it begins loads, looks at their seconds, and ends them.
    fn tick(&mut self) {
        let effects = self.crew.tick(self.network.now);
        self.effects.extend(effects);
        let next = self.seen.len();
        if !self.crew.lost().is_empty() && self.crew.load.is_none() {
            self.crew.dismiss(Some("a part was lost".to_owned()));
        } else if self.crew.is_complete() && self.crew.load.is_none() {
            match self.loads.get(next) {
                Some(_) => {
                    let shape = Shape { start: Nanos::ZERO, stages: 1, requests: 1 };
                    self.crew.begin(Value::from(self.loads[next].1), vec![shape]);
                    self.seen.push(Vec::new());
                    self.finishes.push(None);
                }
                None => self.crew.dismiss(None),
            }
        }
        if let Some(load) = &self.crew.load {
            *self.finishes.last_mut().unwrap() = load.finish;
        }
        let mut seconds = self.crew.take_seconds();
        if let Some((outcome, last)) = self.crew.end_load() {
            self.outcomes.push(outcome);
            seconds.extend(last);
        }
        for (_, interval) in seconds {
            let seen = self.seen.last_mut().unwrap();
            let second = (interval.start.0 / 1_000_000_000) as usize;
            assert_eq!(second, seen.len(), "each second comes once, and in order");
            seen.push(interval.counts.sent);
        }
        if self.seen.last().is_some_and(|seen| seen.len() as u64 >= self.loads[self.seen.len() - 1].0) {
            self.crew.finish(self.network.now);
        }
        if !self.crew.has_dismissed_all() {
            self.network.at(self.network.now + TICK, Event::Tick);
        }
    }

    fn is_dead(&self, part: usize) -> bool {
        self.network.now >= self.parts[part].killed_at
    }

    fn act(&mut self, index: usize) {
        if self.is_dead(index) || self.parts[index].farewell.is_some() {
            return;
        }
        let part = &mut self.parts[index];
        let mine = self.network.now + part.ahead;
        let (message, pause) = match &mut part.offered {
            Some(offered) => offered.turn(mine, &mut part.begun),
            None => match part.serving.duty(mine) {
                Duty::Send(message) => (Some(message), None),
                Duty::Pause(until) => (None, Some(until)),
                Duty::Prepare(order) => {
                    part.serving.prepared(order.number, mine);
                    let end = Nanos::from_secs(order.work.as_u64().unwrap());
                    part.offered = None;
                    part.begun.push((Nanos(end.0), 0));
                    (None, Some(mine))
                }
                Duty::Start(start) => {
                    let (load, begun) = (part.begun.len() as u64, part.begun.last_mut().unwrap());
                    let end = std::mem::replace(&mut begun.0, start - part.ahead);
                    part.offered = Some(Offered {
                        telling: Telling::of_order(load, mine),
                        load,
                        start,
                        measured: 0,
                        end,
                        is_aborted: false,
                        is_measured: false,
                    });
                    (None, Some(mine))
                }
                Duty::End(farewell) => {
                    part.farewell = Some(farewell);
                    return;
                }
            },
        };
        if let Some(offered) = part.offered.take_if(|it| it.is_measured && it.telling.is_told()) {
            let clock = part.serving.clock(Nanos::ZERO);
            let over = Over { took: vec![offered.end], is_stopped: offered.is_aborted, clock, ..Over::default() };
            part.serving.over(offered.load, over, mine);
            self.network.at(self.network.now, Event::Acts(index));
            return;
        }
        let (ahead, there) = (part.ahead, part.way.0);
        if let Some(until) = pause {
            self.network.at((until - ahead).max(self.network.now), Event::Acts(index));
        }
        if let Some(message) = message {
            let text = serde_json::to_string(&Envelope { session: format!("s{index}"), message }).unwrap();
            self.network.carry(index, there, Event::Arrives(index, text));
        }
    }

    fn arrive(&mut self, index: usize, text: &str) {
        let (there, back) = self.parts[index].way;
        let (answer, effects) = self.crew.take(self.network.now, Envelope::read(text.as_bytes()).unwrap());
        self.effects.extend(effects);
        let text = serde_json::to_string(&Reply { clock: self.network.now, answer }).unwrap();
        self.network.carry(index, back, Event::Answered(index, self.network.now - there, text));
    }

    fn answered(&mut self, index: usize, sent: Nanos, text: &str) {
        let part = &mut self.parts[index];
        let (mine, sent) = (self.network.now + part.ahead, sent + part.ahead);
        let reply: Reply = serde_json::from_str(text).unwrap();
        match &mut part.offered {
            None => part.serving.answered(sent, mine, mine, reply),
            Some(offered) => match offered.telling.answered(mine, reply.answer) {
                Some(Ending::Finish(after)) => offered.end = after.max(mine - offered.start).min(offered.end),
                Some(Ending::Abort(_)) => {
                    offered.end = (mine - offered.start).min(offered.end);
                    offered.is_aborted = true;
                }
                None => {}
            },
        }
        self.act(index);
    }

    fn fail(&mut self, index: usize) {
        let part = &mut self.parts[index];
        let mine = self.network.now + part.ahead;
        match &mut part.offered {
            None => part.serving.failed(mine, "cut".to_owned()),
            Some(offered) => offered.telling.failed(mine, "cut".to_owned()),
        }
        self.act(index);
    }

    /// Requests of all parts in a load.
    fn sent(&self, load: usize) -> u64 {
        self.parts.iter().map(|part| part.begun[load].1).sum()
    }
}

impl Offered {
    /// Measures up to `mine`, and says what is to be sent, or when to look again.
    fn turn(&mut self, mine: Nanos, begun: &mut [(Nanos, u64)]) -> (Option<Message>, Option<Nanos>) {
        let in_flight = if self.is_aborted { Nanos::ZERO } else { IN_FLIGHT };
        let (age, over) = (mine - self.start, self.end + in_flight);
        loop {
            let (from, to) = (Nanos::from_secs(self.measured), Nanos::from_secs(self.measured + 1));
            let is_last = to >= over;
            if self.is_measured || age < to.min(over) {
                break;
            }
            // As many were intended within it, before the end.
            let before = |end: Nanos| end.min(self.end).0.div_ceil(EVERY.0);
            let sent = before(to) - before(from);
            let mut interval = Interval { start: from, duration: to.min(over) - from, ..Interval::default() };
            interval.counts.sent = sent;
            begun.last_mut().unwrap().1 += sent;
            self.telling.add(Second { scenario: 0, second: self.measured, intervals: vec![interval] });
            self.measured += 1;
            self.is_measured = is_last;
        }
        match self.telling.turn(mine) {
            _ if self.is_measured && self.telling.is_told() => (None, None),
            Turn::Send(message) => (Some(message), None),
            Turn::Pause(until) if self.is_measured => (None, Some(until)),
            Turn::Pause(until) => {
                let next = self.start + Nanos::from_secs(self.measured + 1).min(over);
                (None, Some(until.min(next).max(mine)))
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Three parts with clocks that are days apart, and ways of several lengths.
fn three(loads: &[(u64, u64)]) -> World {
    let mut world = World::new(3, loads);
    let days = |days: u64| Nanos::from_secs(days * 86_400);
    world.part(ms(5), days(0), (ms(1), ms(1)));
    world.part(ms(300), days(400), (ms(4), ms(4)));
    world.part(ms(90), days(7), (ms(1), ms(9)));
    world
}

#[test]
fn loads_start_and_end_on_all_parts_at_one_instant_one_after_the_other() {
    let mut world = three(&[(2, 60), (3, 60), (1, 60)]);
    world.run();
    assert_eq!(world.outcomes.len(), 3);
    for (load, outcome) in world.outcomes.iter().enumerate() {
        let finish = world.finishes[load].unwrap();
        assert_eq!(*outcome, Outcome { took: vec![finish], ..outcome.clone() });
        assert!(!outcome.is_stopped && outcome.lost.is_empty());
        // Each part has sent what was intended before the end, and no more; the search has seen all of it.
        assert_eq!(world.sent(load), 3 * finish.0.div_ceil(EVERY.0));
        assert_eq!(world.seen[load].iter().sum::<u64>(), world.sent(load));
        // The end is soon after the second by which it was decided.
        let decided = Nanos::from_secs(world.loads[load].0);
        assert!(finish > decided && finish < decided + ms(500), "{finish}");
        let starts: Vec<u64> = world.parts.iter().map(|part| part.begun[load].0.0).collect();
        let apart = starts.iter().max().unwrap() - starts.iter().min().unwrap();
        assert!(apart <= ms(4).0, "half the difference of the ways: {apart}");
    }
    assert!(world.parts.iter().all(|part| part.farewell == Some(Farewell::Dismissed(None))));
}

/// However many messages are lost, every second counts once, and no load overlaps another one.
#[test]
fn totals_are_exact_over_a_network_that_loses_messages() {
    for lost in [5, 10, 15] {
        let mut world = three(&[(2, 60), (1, 4), (3, 60), (9, 2)]);
        world.network.lost = lost;
        world.run();
        assert_eq!(world.outcomes.len(), 4, "{lost} %");
        for load in 0..4 {
            assert_eq!(world.seen[load].iter().sum::<u64>(), world.sent(load), "{lost} %, load {load}");
        }
        assert!(world.outcomes.iter().all(|it| it.lost.is_empty() && it.failed.is_none()));
        // The last load came to its own end.
        assert_eq!(world.outcomes[3].took, [Nanos::from_secs(2)]);
    }
}

/// The load ends by itself while it is told to end: each part is at its end once.
#[test]
fn ends_that_cross_on_the_wire_are_one_end() {
    for millis in [0, 100, 240, 250, 260, 300, 600] {
        let mut world = three(&[(2, 60), (1, 1)]);
        // The first load is to be ended after two seconds, and lasts so much longer.
        world.parts.iter_mut().for_each(|part| part.way.1 = part.way.1 + ms(millis / 3));
        world.loads[0].1 = 2;
        world.loads[1] = (2, 2);
        world.run();
        assert_eq!(world.outcomes.len(), 2, "{millis}");
        for load in 0..2 {
            assert_eq!(world.seen[load].iter().sum::<u64>(), world.sent(load));
            assert_eq!(world.sent(load), 3 * 200, "{millis}");
        }
    }
}

/// A second that one part tells late is not given out without it.
#[test]
fn seconds_wait_for_the_slowest_part() {
    let mut world = three(&[(2, 60)]);
    world.parts[1].way = (ms(1_400), ms(1_400));
    world.run();
    assert_eq!(world.outcomes.len(), 1);
    assert_eq!(&world.seen[0][..2], [300, 300]);
    assert_eq!(world.seen[0].iter().sum::<u64>(), world.sent(0));
}

fn lost(world: &World) -> Vec<u32> {
    world.effects.iter().filter_map(|it| if let CrewEffect::Lost(part, _) = it { Some(*part) } else { None }).collect()
}

#[test]
fn a_part_that_is_lost_within_a_load_ends_it_on_all() {
    let mut world = three(&[(30, 60), (1, 60)]);
    world.parts[1].killed_at = ms(3_500);
    world.run();
    assert_eq!(lost(&world).len(), 1);
    let [outcome] = &world.outcomes[..] else { panic!("{:?}", world.outcomes) };
    assert!(outcome.is_stopped && outcome.lost == lost(&world));
    let dismissed = Farewell::Dismissed(Some("a part was lost".to_owned()));
    assert!([0, 2].iter().all(|&part| world.parts[part].farewell == Some(dismissed.clone())));
}

#[test]
fn a_part_that_is_lost_between_loads_ends_the_next_one() {
    let mut world = three(&[(1, 60), (1, 60), (1, 60)]);
    world.run();
    // Just after the first load was over everywhere.
    let between = world.parts[0].begun[1].0 - ms(300);
    let mut world = three(&[(1, 60), (1, 60), (1, 60)]);
    world.parts[2].killed_at = between;
    world.run();
    assert_eq!((lost(&world).len(), world.outcomes.len()), (1, 2));
    assert!(world.outcomes[0].lost.is_empty() && world.outcomes[1].lost.len() == 1);
    assert!(world.parts[0].farewell.is_some() && world.parts[1].farewell.is_some());
}

#[test]
fn parts_that_never_come_are_named_and_nothing_is_sent() {
    let mut world = World::new(3, &[(1, 60)]);
    world.part(ms(5), Nanos::ZERO, (ms(1), ms(1)));
    world.part(ms(5), Nanos::ZERO, (ms(1), ms(1)));
    world.parts[1].killed_at = ms(400);
    world.run();
    assert!(world.effects.contains(&CrewEffect::Left(2)), "{:?}", world.effects);
    assert!(world.effects.contains(&CrewEffect::NeverCame(vec![2, 3])));
    let reason = "2/3 and 3/3 never came within 60.0 s: nothing was sent".to_owned();
    assert_eq!(world.parts[0].farewell, Some(Farewell::Dismissed(Some(reason))));
    assert!(world.outcomes.is_empty());
}

/// A search that is killed: parts end the load and themselves.
#[test]
fn a_part_ends_when_the_other_side_is_gone() {
    let mut serving = Serving::new(Enlist::default(), ms(5_000), Nanos::ZERO);
    let reply = Reply { clock: Nanos::ZERO, answer: Answer::Joined { part: 1, parts: 1, seed: 0 } };
    assert!(matches!(serving.duty(Nanos::ZERO), Duty::Send(Message::Enlist(_))));
    serving.answered(Nanos::ZERO, ms(1), ms(1), reply);
    let mut now = ms(1);
    let farewell = loop {
        match serving.duty(now) {
            Duty::Send(message) => {
                assert_eq!(message, Message::Idle);
                serving.failed(now, "connection refused".to_owned());
            }
            Duty::Pause(until) => now = until,
            Duty::End(farewell) => break farewell,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(farewell, Farewell::Lost("no answer: connection refused".to_owned()));
    assert!(now >= ms(5_001) && now <= ms(7_100), "{now}");
}
