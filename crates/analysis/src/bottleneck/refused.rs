//! Refusals: responses with a status from 400 on.

use plimsoll_record::Interval;

/// The least status of a refusal.
const REFUSES: u16 = 400;

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
        let refused = all.statuses.iter().filter(|(status, _)| **status >= REFUSES);
        let (&status, &count) = refused.max_by_key(|(_, count)| **count)?;
        let share = count as f64 / (all.ended() as f64).max(1.0);
        Some(Self { status, share, response_ms: all.failed.response.mean_ns() / 1e6 })
    }
}
