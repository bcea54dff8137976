//! A part under load: it tells each second, and hears whether to go on.

use std::collections::VecDeque;

use plimsoll_record::Nanos;

use crate::{Answer, Message, Second, Turn, patience::Patience};

/// Wish of the collector that ends the load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// At once, for this reason.
    Abort(String),
    /// So long after its start nothing more is to be offered.
    Finish(Nanos),
}

/// A part that has nothing to tell says that it is alive.
const ALIVE_EVERY: Nanos = Nanos::from_millis(500);
/// A load that a search ends is to hear of it soon.
const ASK_EVERY: Nanos = Nanos::from_millis(100);
/// A part whose load has ended waits so long for a collector that does not answer.
const UNHEARD: Nanos = Nanos::from_secs(8);
/// Seconds that are kept for a collector that does not answer. Its record has all of them.
const UNTOLD_MOST: usize = 600;
/// Seconds in one message.
const TOLD_AT_ONCE: usize = 16;
/// Intervals of these seconds, unless one second has more: as many as surely fit into a message.
const INTERVALS_AT_ONCE: usize = 1_000;

/// A part whose load runs.
#[derive(Debug)]
pub struct Telling {
    /// The load of that order; none: the only one.
    load: Option<u64>,
    alive_every: Nanos,
    /// Messages of seconds that were taken.
    number: u64,
    untold: VecDeque<Second>,
    /// Seconds of the message that is under way.
    under_way: usize,
    next_at: Nanos,
    patience: Patience,
    abort: Option<String>,
    is_finishing: bool,
}

impl Telling {
    /// Begins at `now`. A collector that does not answer is asked again and again: the load goes on without it.
    pub fn new(now: Nanos) -> Self {
        Self {
            load: None,
            alive_every: ALIVE_EVERY,
            number: 0,
            untold: VecDeque::new(),
            under_way: 0,
            next_at: now,
            patience: Patience::new(Nanos::MAX, now),
            abort: None,
            is_finishing: false,
        }
    }

    /// The same of the load of that order, of which nothing may be left out.
    pub fn of_order(load: u64, now: Nanos) -> Self {
        Self { load: Some(load), alive_every: ASK_EVERY, ..Self::new(now) }
    }

    /// Adds a second that was measured, and is to be told.
    pub fn add(&mut self, second: Second) {
        if self.load.is_none() && self.untold.len() == UNTOLD_MOST {
            self.untold.pop_front();
            self.under_way = self.under_way.saturating_sub(1);
        }
        self.untold.push_back(second);
    }

    /// The message that is due at `now`, or when one will be.
    pub fn turn(&mut self, now: Nanos) -> Turn {
        let at = if self.untold.is_empty() { self.next_at } else { self.patience.again_at() };
        let at = at.max(self.patience.again_at());
        if at > now {
            return Turn::Pause(at);
        }
        // A message that is sent again holds the same: the collector may have taken it.
        if self.under_way == 0 {
            let mut intervals = 0;
            let fits = |second: &&Second| {
                intervals += second.intervals.len();
                intervals <= INTERVALS_AT_ONCE
            };
            let fitting = self.untold.iter().take(TOLD_AT_ONCE).take_while(fits).count();
            self.under_way = fitting.max(usize::from(!self.untold.is_empty()));
        }
        let seconds = self.untold.iter().take(self.under_way).cloned().collect();
        let number = self.number;
        Turn::Send(match self.load {
            Some(load) => Message::Told { load, number, seconds },
            None => Message::Seconds { number, seconds },
        })
    }

    /// Whether everything was told.
    pub fn is_told(&self) -> bool {
        self.untold.is_empty()
    }

    /// Whether the collector has been silent for so long that a part whose load has ended tells it no more.
    pub fn is_unheard(&self, now: Nanos) -> bool {
        self.silent_for(now) >= UNHEARD
    }

    /// How long the collector has been silent.
    pub fn silent_for(&self, now: Nanos) -> Nanos {
        self.patience.silent_for(now)
    }

    /// Takes an answer; how the load is to be ended, once.
    pub fn answered(&mut self, now: Nanos, answer: Answer) -> Option<Ending> {
        self.patience.restore(now);
        self.next_at = now + self.alive_every;
        let (next, ending) = match answer {
            Answer::GoOn { next } => (next, None),
            Answer::Abort { reason, next } => (next, Some(Ending::Abort(reason))),
            Answer::Finish { after, next } => (next, Some(Ending::Finish(after))),
            Answer::Dismissed { reason } => {
                let reason = reason.unwrap_or_else(|| "it is dismissed".to_owned());
                (self.number + 1, Some(Ending::Abort(reason)))
            }
            Answer::Refused { reason } if self.load.is_some() => (self.number + 1, Some(Ending::Abort(reason))),
            // One that knows nothing of this part is no collector of this load: the record will tell.
            _ => (self.number + 1, None),
        };
        if next > self.number {
            self.untold.drain(..self.under_way);
            self.number = next;
            self.under_way = 0;
        }
        match ending? {
            Ending::Abort(reason) if self.abort.is_none() => {
                self.abort = Some(reason.clone());
                Some(Ending::Abort(reason))
            }
            Ending::Finish(after) if !std::mem::replace(&mut self.is_finishing, true) => Some(Ending::Finish(after)),
            _ => None,
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

    fn second(second: u64) -> Second {
        Second { scenario: 0, second, intervals: Vec::new() }
    }

    fn sent(turn: Turn) -> (u64, Vec<u64>) {
        match turn {
            Turn::Send(Message::Seconds { number, seconds }) => (number, seconds.iter().map(|it| it.second).collect()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_second_is_told_once_and_again_only_as_it_was() {
        let now = Nanos::from_secs(1);
        let mut telling = Telling::new(now);
        assert_eq!(sent(telling.turn(now)), (0, vec![]), "it is alive");
        assert_eq!(telling.answered(now, Answer::GoOn { next: 0 }), None);
        assert_eq!(telling.turn(now), Turn::Pause(now + ALIVE_EVERY));
        telling.add(second(0));
        assert_eq!(sent(telling.turn(now)), (0, vec![0]));
        telling.add(second(1));
        telling.failed(now, "cut".to_owned());
        let later = match telling.turn(now) {
            Turn::Pause(until) => until,
            other => panic!("{other:?}"),
        };
        assert!(!telling.is_unheard(later) && telling.is_unheard(now + UNHEARD));
        assert_eq!(sent(telling.turn(later)), (0, vec![0]), "the same number holds the same");
        telling.answered(later, Answer::GoOn { next: 1 });
        assert_eq!(sent(telling.turn(later)), (1, vec![1]));
        assert!(!telling.is_told());
        let reason = telling.answered(later, Answer::Abort { reason: "enough".to_owned(), next: 2 });
        assert!(reason == Some(Ending::Abort("enough".to_owned())) && telling.is_told());
        let again = Answer::Abort { reason: "enough".to_owned(), next: 2 };
        assert_eq!(telling.answered(later, again), None, "it was said");
    }

    #[test]
    fn a_collector_that_is_gone_costs_bounded_memory() {
        let mut telling = Telling::new(Nanos::ZERO);
        (0..2_000).for_each(|number| telling.add(second(number)));
        assert_eq!(telling.untold.len(), UNTOLD_MOST);
        assert_eq!(sent(telling.turn(Nanos::ZERO)).1[0], 1_400);
        telling.add(second(2_000));
        telling.answered(Nanos::ZERO, Answer::GoOn { next: 1 });
        assert_eq!(sent(telling.turn(Nanos::ZERO)).1[0], 1_416);
    }
}
