//! One direction of a network: what leaves when, and what is dropped. Pure: time is an argument.
//!
//! A packet is first lost or not; then it waits for the wire, which carries one packet at a time; then it travels, each
//! for its own time, but none overtakes another. On real paths reordering is rare, and a TCP that meets it behaves as
//! if packets were lost: that would be another experiment. The price: where packets are dense, one that is slow
//! holds up those behind it, so their mean delay is above half the round trip.

use std::collections::VecDeque;

use plimsoll_record::{Nanos, NetworkPlan, seed_for};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use crate::counts::Counts;

/// Delay beyond its time after which a packet counts as late.
const LATE: Nanos = Nanos::from_millis(1);
/// A queue holds what comes within this time at least, as it has to where round trips are short.
const QUEUE_LEAST: Nanos = Nanos::from_millis(20);
/// Full packets that a queue holds at least: an initial window is to fit even on a slow wire (RFC 6928).
const QUEUE_PACKETS_LEAST: u64 = 10;
const PACKET_BYTES_MOST: usize = 1_500;

/// Properties of one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Mean time on the way.
    pub delay: Nanos,
    /// Jitter: the largest deviation from it either way, evenly distributed.
    pub jitter: Nanos,
    /// Share of packets, from 0 to 1.
    pub loss: f64,
    /// None: everything at once.
    pub bits_per_s: Option<u64>,
    /// Longest wait for the wire; packets that would wait longer are dropped.
    pub queue: Nanos,
}

impl Path {
    /// Either direction of `plan`. The queue before the wire holds what the wire carries in one round trip, the rule
    /// for routers' buffers.
    pub fn of(plan: &NetworkPlan) -> Self {
        let half = |time: Nanos| Nanos(time.0 / 2);
        let path = Self {
            delay: half(plan.rtt),
            jitter: half(plan.jitter.min(plan.rtt)),
            loss: (plan.loss_percent / 100.0).clamp(0.0, 1.0),
            bits_per_s: plan.bandwidth_bits_per_s,
            queue: plan.rtt.max(QUEUE_LEAST),
        };
        let burst = Nanos(path.transmission(PACKET_BYTES_MOST).0.saturating_mul(QUEUE_PACKETS_LEAST));
        Self { queue: path.queue.max(burst), ..path }
    }

    /// How long the wire is busy with `bytes`; rounded up, so that it never carries more than its bandwidth.
    fn transmission(&self, bytes: usize) -> Nanos {
        let Some(bits_per_s) = self.bits_per_s else { return Nanos::ZERO };
        let ns = (bytes as u128 * 8 * 1_000_000_000).div_ceil(u128::from(bits_per_s.max(1)));
        Nanos(u64::try_from(ns).unwrap_or(u64::MAX))
    }
}

/// Fate of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrives at this instant.
    Arrives(Nanos),
    /// Lost on the way.
    Lost,
    /// The queue was full.
    NoRoom,
}

/// One direction, with what is on its way.
#[derive(Debug)]
pub struct Link<P> {
    path: Path,
    random: Xoshiro256PlusPlus,
    /// When the wire has carried everything that waits for it.
    free: Nanos,
    /// When the last of `held` arrives.
    last: Nanos,
    held: VecDeque<Held<P>>,
    counts: Counts,
}

#[derive(Debug)]
struct Held<P> {
    due: Nanos,
    bytes: usize,
    packet: P,
}

impl<P> Link<P> {
    /// A link with nothing on its way; `seed` decides losses and jitter.
    pub fn new(path: Path, seed: u64) -> Self {
        Self {
            path,
            random: Xoshiro256PlusPlus::seed_from_u64(seed_for("network", seed)),
            free: Nanos::ZERO,
            last: Nanos::ZERO,
            held: VecDeque::new(),
            counts: Counts::default(),
        }
    }

    /// Takes a packet of `bytes` that came at `now`, which never goes back.
    pub fn offer(&mut self, now: Nanos, bytes: usize, packet: P) -> Fate {
        if self.random.random_bool(self.path.loss) {
            self.counts.lost += 1;
            return Fate::Lost;
        }
        if self.wait(now) > self.path.queue {
            self.counts.queue_full += 1;
            return Fate::NoRoom;
        }
        self.free = now.max(self.free) + self.path.transmission(bytes);
        let due = (self.free + self.travel()).max(self.last);
        self.last = due;
        self.held.push_back(Held { due, bytes, packet });
        Fate::Arrives(due)
    }

    /// How long a packet that came at `now` would wait for the wire.
    pub fn wait(&self, now: Nanos) -> Nanos {
        self.free - now
    }

    /// When the next packet arrives.
    pub fn next_due(&self) -> Option<Nanos> {
        self.held.front().map(|held| held.due)
    }

    /// The next packet that has arrived by `now`.
    pub fn take_due(&mut self, now: Nanos) -> Option<P> {
        let held = self.held.pop_front_if(|held| held.due <= now)?;
        let lateness = now - held.due;
        self.counts.packets += 1;
        self.counts.bytes += held.bytes as u64;
        self.counts.late += u64::from(lateness > LATE);
        self.counts.lateness_max = self.counts.lateness_max.max(lateness);
        Some(held.packet)
    }

    /// Counts so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    fn travel(&mut self) -> Nanos {
        let Path { delay, jitter, .. } = self.path;
        if jitter == Nanos::ZERO {
            return delay;
        }
        delay - jitter + Nanos(self.random.random_range(0..=2 * jitter.0))
    }
}

#[cfg(test)]
mod tests;
