//! Refusals, as an explanation sees them.

use plimsoll_record::Interval;

use crate::refusals::most_frequent;

/// Refusals, by the status of most of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Refused {
    pub status: u16,
    /// Share of the requests that ended.
    pub share: f64,
    /// Mean response time.
    pub response_ms: f64,
}

impl Refused {
    pub fn of(all: &Interval) -> Option<Self> {
        let (status, count) = most_frequent(&all.statuses)?;
        let share = count as f64 / (all.ended() as f64).max(1.0);
        Some(Self { status, share, response_ms: all.failed.response.mean_ns() / 1e6 })
    }
}
