//! A network in virtual time: it delays and loses, and says what happens next.

use std::{cmp::Reverse, collections::BinaryHeap};

use plimsoll_record::Nanos;

/// Time after which a part notices that a message or its answer was lost.
const NOTICED: Nanos = Nanos::from_secs(1);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// The other side looks at the time.
    Tick,
    /// A part looks at what there is to do.
    Acts(usize),
    /// A message of a part comes to the other side.
    Arrives(usize, String),
    /// An answer comes to a part, with the instant at which it had sent its message or that arrived.
    Answered(usize, Nanos, String),
    /// A part notices that it was not answered.
    Fails(usize),
}

pub struct Network {
    pub now: Nanos,
    queue: BinaryHeap<Reverse<(Nanos, u64, Event)>>,
    number: u64,
    random: u64,
    /// Messages, and answers, that are lost of 100 each.
    pub lost: u64,
}

impl Network {
    /// A network that begins with a tick.
    pub fn new(lost: u64) -> Self {
        let queue = BinaryHeap::new();
        let mut network = Self { now: Nanos::ZERO, queue, number: 0, random: 88_172_645_463_325_252, lost };
        network.at(Nanos::ZERO, Event::Tick);
        network
    }

    pub fn at(&mut self, at: Nanos, event: Event) {
        self.number += 1;
        self.queue.push(Reverse((at, self.number, event)));
    }

    /// Takes the next event; its instant is then the present.
    pub fn next_event(&mut self) -> Option<Event> {
        let Reverse((at, _, event)) = self.queue.pop()?;
        self.now = at;
        Some(event)
    }

    /// Has an event happen after the time that it takes, if it is not lost on its way.
    pub fn carry(&mut self, part: usize, takes: Nanos, event: Event) {
        match self.is_lost() {
            true => self.at(self.now + NOTICED, Event::Fails(part)),
            false => self.at(self.now + takes, event),
        }
    }

    /// Marsaglia's xorshift.
    fn is_lost(&mut self) -> bool {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % 100 < self.lost
    }
}
