//! A part that stays: it enlists, and takes one load after another until it is dismissed.

use plimsoll_record::{Nanos, PartClock};

use crate::{Answer, Clocks, Enlist, Message, Order, Over, Reply, Seat, patience::Patience};

/// Questions after the start is known: the fastest answer tells it best.
const QUESTIONS: u32 = 4;
const BETWEEN_QUESTIONS: Nanos = Nanos::from_millis(20);
/// Time before the start in which a part asks no more.
const SETTLED: Nanos = Nanos::from_millis(100);

/// Step that is due.
#[derive(Clone, Debug, PartialEq)]
pub enum Duty {
    /// To be sent now.
    Send(Message),
    /// Nothing until then.
    Pause(Nanos),
    /// A load is to be made ready: then [`Serving::prepared`], or [`Serving::over`] where it cannot be.
    Prepare(Box<Order>),
    /// The load starts then, by this side's monotonic clock. Its seconds are told as [`Telling`](crate::Telling) says,
    /// then follows [`Serving::over`].
    Start(Nanos),
    /// Nothing more is to be done.
    End(Farewell),
}

/// How a part ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Farewell {
    /// There are no more loads. Where there should have been: why.
    Dismissed(Option<String>),
    /// It never took part, for this reason.
    NotTaken(String),
    /// The other side is gone, or wants no more of it; why.
    Lost(String),
}

#[derive(Debug)]
enum Stage {
    Enlists,
    Idles,
    /// The order was given out.
    Prepares,
    /// Ready for the load of this number.
    Waits {
        load: u64,
        clocks: Clocks,
        questions: u32,
    },
    /// It offers it.
    Offers,
    /// The load is over, and that is to be told.
    Tells(u64, Box<Over>),
    Ends(Farewell),
}

/// A part that stays.
#[derive(Debug)]
pub struct Serving {
    enlist: Enlist,
    seat: Option<Seat>,
    joined: Option<(u32, u32)>,
    stage: Stage,
    /// An order that has not been given out.
    order: Option<Box<Order>>,
    /// Comparison of the times of day by all answers so far.
    apart: Clocks,
    again_at: Nanos,
    patience: Patience,
}

impl Serving {
    /// Begins at `now`; it gives up after `patience` without an answer.
    pub fn new(enlist: Enlist, patience: Nanos, now: Nanos) -> Self {
        Self {
            enlist,
            seat: None,
            joined: None,
            stage: Stage::Enlists,
            order: None,
            apart: Clocks::default(),
            again_at: now,
            patience: Patience::new(patience, now),
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

    /// This side's clock beside the other's, with how late a load began.
    pub fn clock(&self, late: Nanos) -> PartClock {
        let (ahead_ns, error) = self.apart.offset().unwrap_or_default();
        PartClock { ahead_ns, error, late }
    }

    /// The step that is due at `now`.
    pub fn duty(&mut self, now: Nanos) -> Duty {
        match &self.stage {
            Stage::Ends(farewell) => return Duty::End(farewell.clone()),
            Stage::Waits { clocks, questions, .. } => {
                if let Some(start) = clocks.start()
                    && (*questions >= QUESTIONS || now + SETTLED >= start)
                {
                    self.stage = Stage::Offers;
                    return Duty::Start(start);
                }
            }
            _ => {}
        }
        if let Some(order) = self.order.take() {
            self.stage = Stage::Prepares;
            return Duty::Prepare(order);
        }
        if let Some(why) = self.patience.is_at_its_end(now) {
            let why = format!("no answer: {why}");
            return Duty::End(if self.seat.is_some() { Farewell::Lost(why) } else { Farewell::NotTaken(why) });
        }
        let at = self.again_at.max(self.patience.again_at());
        if at > now {
            return Duty::Pause(at);
        }
        Duty::Send(match &self.stage {
            Stage::Enlists => Message::Enlist(self.enlist.clone()),
            Stage::Waits { load, .. } => Message::Prepared { load: *load },
            Stage::Tells(load, over) => Message::Over { load: *load, over: over.clone() },
            // While a load is prepared or offered, the question says that the part is alive.
            Stage::Idles | Stage::Prepares | Stage::Offers | Stage::Ends(_) => Message::Idle,
        })
    }

    /// The load of this number is ready to be started.
    pub fn prepared(&mut self, load: u64, now: Nanos) {
        self.stage = Stage::Waits { load, clocks: Clocks::default(), questions: 0 };
        self.again_at = now;
    }

    /// The load of this number is over, or could not be: that is to be told.
    pub fn over(&mut self, load: u64, over: Over, now: Nanos) {
        self.stage = Stage::Tells(load, Box::new(over));
        self.again_at = now;
        // Meanwhile somebody else has spoken.
        self.patience.restore(now);
    }

    /// Ends the part, since the other side has not heard all that was measured.
    pub fn lose(&mut self, why: String) {
        self.stage = Stage::Ends(Farewell::Lost(why));
    }

    /// Takes an answer to what was sent at `sent` and answered at `now`; `here` is this side's time of day at `now`.
    pub fn answered(&mut self, sent: Nanos, now: Nanos, here: Nanos, reply: Reply) {
        let round_trip = now - sent;
        self.patience.restore(now);
        self.apart.compare(round_trip, here - Nanos(round_trip.0 / 2), reply.clock);
        match (reply.answer, &mut self.stage) {
            (Answer::Joined { part, parts, seed }, Stage::Enlists) => {
                self.seat = Some(Seat { part, parts, seed });
                self.stage = Stage::Idles;
            }
            (Answer::Waiting { joined, parts, ask_again }, _) => {
                self.joined = Some((joined, parts));
                self.again_at = now + ask_again;
            }
            (Answer::Load(order), Stage::Idles) => self.order = Some(order),
            (Answer::Starts { within_ns }, Stage::Waits { clocks, questions, .. }) => {
                clocks.foretell(sent, round_trip, within_ns);
                *questions += 1;
                self.again_at = now + BETWEEN_QUESTIONS;
            }
            (Answer::Abort { .. }, Stage::Waits { load, .. }) => {
                self.stage = Stage::Tells(*load, Box::new(Over { is_stopped: true, ..Over::default() }));
            }
            (Answer::Done, Stage::Tells(..)) => self.stage = Stage::Idles,
            (Answer::Dismissed { reason }, _) => self.stage = Stage::Ends(Farewell::Dismissed(reason)),
            (Answer::Refused { reason }, _) => {
                let farewell = if self.seat.is_some() { Farewell::Lost(reason) } else { Farewell::NotTaken(reason) };
                self.stage = Stage::Ends(farewell);
            }
            _ => self.stage = Stage::Ends(Farewell::Lost("an answer to another question".to_owned())),
        }
    }

    /// A message found no answer.
    pub fn failed(&mut self, now: Nanos, why: String) {
        self.patience.fail(now, why);
    }
}
