//! A part before its load: it joins, waits for the others, and learns when to start.

use plimsoll_record::Nanos;

use crate::{Answer, Clocks, Join, Message, Reply, patience::Patience};

/// Questions after the start is known: the fastest answer tells it best.
const QUESTIONS: u32 = 12;
const BETWEEN_QUESTIONS: Nanos = Nanos::from_millis(30);
/// Time before the start in which a part asks no more.
const SETTLED: Nanos = Nanos::from_millis(300);

/// The place of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// From 1.
    pub part: u32,
    /// Parts of the load.
    pub parts: u32,
    /// The seed of all parts.
    pub seed: u64,
}

/// Step that is due.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// To be sent now.
    Send(Message),
    /// Nothing until then.
    Pause(Nanos),
    /// The load starts then, by this side's monotonic clock.
    Start(Nanos),
    /// It does not, for this reason.
    GiveUp(String),
}

/// A part that has not begun.
#[derive(Debug)]
pub struct Joining {
    join: Join,
    seat: Option<Seat>,
    /// Parts that are there, and all.
    joined: Option<(u32, u32)>,
    clocks: Clocks,
    questions: u32,
    again_at: Nanos,
    patience: Patience,
    refused: Option<String>,
}

impl Joining {
    /// Begins at `now`; it gives up after `patience` without an answer.
    pub fn new(join: Join, patience: Nanos, now: Nanos) -> Self {
        Self {
            join,
            seat: None,
            joined: None,
            clocks: Clocks::default(),
            questions: 0,
            again_at: now,
            patience: Patience::new(patience, now),
            refused: None,
        }
    }

    /// Its place, once it has one.
    pub fn seat(&self) -> Option<Seat> {
        self.seat
    }

    /// How many parts are there, and how many are to be.
    pub fn joined(&self) -> Option<(u32, u32)> {
        self.joined
    }

    /// Comparison of the clocks so far.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// The step that is due at `now`.
    pub fn turn(&self, now: Nanos) -> Turn {
        if let Some(reason) = &self.refused {
            return Turn::GiveUp(reason.clone());
        }
        if let Some(start) = self.clocks.start()
            && (self.questions >= QUESTIONS || now + SETTLED >= start)
        {
            return Turn::Start(start);
        }
        if let Some(why) = self.patience.is_at_its_end(now) {
            return Turn::GiveUp(format!("the collector does not answer: {why}"));
        }
        let at = self.again_at.max(self.patience.again_at());
        match &self.seat {
            _ if at > now => Turn::Pause(at),
            None => Turn::Send(Message::Join(Box::new(self.join.clone()))),
            Some(_) => Turn::Send(Message::Wait),
        }
    }

    /// Takes an answer to what was sent at `sent` and answered at `now`; `here` is this side's time of day at `now`.
    pub fn answered(&mut self, sent: Nanos, now: Nanos, here: Nanos, reply: Reply) {
        let round_trip = now - sent;
        self.patience.restore(now);
        self.clocks.compare(round_trip, here - Nanos(round_trip.0 / 2), reply.clock);
        match reply.answer {
            Answer::Joined { part, parts, seed } => self.seat = Some(Seat { part, parts, seed }),
            Answer::Waiting { joined, parts, ask_again } => {
                self.joined = Some((joined, parts));
                self.again_at = now + ask_again;
            }
            Answer::Starts { within_ns } => {
                self.clocks.foretell(sent, round_trip, within_ns);
                self.questions += 1;
                self.again_at = now + BETWEEN_QUESTIONS;
            }
            Answer::Refused { reason } | Answer::Abort { reason, .. } => self.refused = Some(reason),
            _ => {
                self.refused = Some("the collector gave an answer to another question".to_owned());
            }
        }
    }

    /// A message found no answer.
    pub fn failed(&mut self, now: Nanos, why: String) {
        self.patience.fail(now, why);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::until;

    fn reply(answer: Answer) -> Reply {
        Reply { clock: Nanos::ZERO, answer }
    }

    fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    #[test]
    fn it_gives_up_where_nobody_answers_and_says_why() {
        let mut joining = Joining::new(Join::default(), Nanos::from_secs(5), Nanos::ZERO);
        let mut now = Nanos::ZERO;
        let reason = loop {
            match joining.turn(now) {
                Turn::Send(message) => {
                    assert!(matches!(message, Message::Join(_)));
                    joining.failed(now, "refused".to_owned());
                }
                Turn::Pause(until) => now = until,
                Turn::GiveUp(reason) => break reason,
                Turn::Start(_) => panic!("nobody said so"),
            }
        };
        assert_eq!(reason, "the collector does not answer: refused");
        assert!(now >= Nanos::from_secs(5) && now <= Nanos::from_secs(7), "{now}");
    }

    #[test]
    fn it_waits_however_long_others_take_and_asks_more_often_before_the_start() {
        let mut joining = Joining::new(Join::default(), Nanos::from_secs(5), Nanos::ZERO);
        joining.answered(ms(0), ms(1), ms(1), reply(Answer::Joined { part: 2, parts: 3, seed: 9 }));
        assert_eq!(joining.seat(), Some(Seat { part: 2, parts: 3, seed: 9 }));
        let mut now = ms(1);
        for _ in 0..60 {
            assert_eq!(joining.turn(now), Turn::Send(Message::Wait));
            let waiting = Answer::Waiting { joined: 2, parts: 3, ask_again: ms(200) };
            joining.answered(now, now + ms(1), now, reply(waiting));
            assert_eq!(joining.joined(), Some((2, 3)));
            now = now + ms(1);
            assert_eq!(joining.turn(now), Turn::Pause(now + ms(200)));
            now = now + ms(200);
        }
        let start = now + ms(1_500);
        let mut asked = 0;
        let at = loop {
            match joining.turn(now) {
                Turn::Send(_) => {
                    // Every answer takes another way and time; the third is the fastest.
                    let back = if asked == 2 { ms(2) } else { ms(20 + asked) };
                    let given = now + if asked == 2 { ms(1) } else { ms(3) };
                    joining.answered(now, now + back, now, reply(Answer::Starts { within_ns: until(start, given) }));
                    (now, asked) = (now + back, asked + 1);
                }
                Turn::Pause(until) => now = until,
                Turn::Start(at) => break at,
                Turn::GiveUp(why) => panic!("{why}"),
            }
        };
        assert_eq!((at, asked), (start, u64::from(QUESTIONS)));
    }

    #[test]
    fn a_refusal_is_final() {
        let mut joining = Joining::new(Join::default(), Nanos::from_secs(5), Nanos::ZERO);
        joining.answered(ms(0), ms(1), ms(1), reply(Answer::Refused { reason: "another load".to_owned() }));
        assert_eq!(joining.turn(ms(1)), Turn::GiveUp("another load".to_owned()));
    }
}
