//! Instants by which something of a slot must have happened: at most a few entries per slot, none per request.

use std::{cmp::Reverse, collections::BinaryHeap};

use plimsoll_record::Nanos;

/// The instants of many slots, earliest first. An entry may be out of date; whoever pops it compares it with what the
/// slot says now, which makes moving a deadline, as every request does, free.
#[derive(Debug, Default)]
pub(super) struct Deadlines {
    heap: BinaryHeap<Reverse<(Nanos, u32)>>,
}

impl Deadlines {
    /// Adds an entry.
    pub fn push(&mut self, at: Nanos, slot: u32) {
        self.heap.push(Reverse((at, slot)));
    }

    /// The earliest entry's instant.
    pub fn next(&self) -> Option<Nanos> {
        self.heap.peek().map(|Reverse((at, _))| *at)
    }

    /// Takes the earliest entry, if it is due.
    pub fn pop_due(&mut self, now: Nanos) -> Option<(Nanos, u32)> {
        self.next().filter(|&at| at <= now)?;
        self.heap.pop().map(|Reverse(entry)| entry)
    }
}
