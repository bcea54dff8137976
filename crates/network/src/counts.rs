//! Counts of a network, and its exactness.

use plimsoll_record::{Nanos, metric, metric::Metric};
use serde::{Deserialize, Serialize};

/// Counts since the start, both directions together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Packets that arrived; by a relay: pieces of data.
    pub packets: u64,
    /// Their bytes, headers included; by a relay: those of the data.
    pub bytes: u64,
    /// Packets that the loss took.
    pub lost: u64,
    /// Packets for which the queue before the wire had no room.
    pub queue_full: u64,
    /// Packets that arrived more than 1 ms after their time, because the machine was busy.
    pub late: u64,
    /// The longest lateness.
    pub lateness_max: Nanos,
    /// Packets that the kernel dropped because the router did not take them in time.
    pub overflowed: u64,
}

impl Counts {
    /// Sum of both directions.
    pub fn plus(self, other: Self) -> Self {
        Self {
            packets: self.packets + other.packets,
            bytes: self.bytes + other.bytes,
            lost: self.lost + other.lost,
            queue_full: self.queue_full + other.queue_full,
            late: self.late + other.late,
            lateness_max: self.lateness_max.max(other.lateness_max),
            overflowed: self.overflowed + other.overflowed,
        }
    }

    /// The counts as metrics of the record.
    pub fn metrics(&self) -> [(Metric, f64); 7] {
        [
            (metric::NETWORK_PACKETS, self.packets as f64),
            (metric::NETWORK_BYTES, self.bytes as f64),
            (metric::NETWORK_LOST, self.lost as f64),
            (metric::NETWORK_QUEUE_FULL, self.queue_full as f64),
            (metric::NETWORK_LATE, self.late as f64),
            (metric::NETWORK_LATENESS_MS_MAX, self.lateness_max.as_millis_f64()),
            (metric::NETWORK_OVERFLOWED, self.overflowed as f64),
        ]
    }
}
