//! The machine's monotonic clock. Lab, supervisor and the step before a target's `exec` read the same one, so their
//! instants compare.

use plimsoll_record::Nanos;
use rustix::time::{ClockId, clock_gettime};

/// Now, counted from an origin that is the same for all processes (`CLOCK_MONOTONIC`).
pub fn now() -> Nanos {
    let now = clock_gettime(ClockId::Monotonic);
    let (seconds, nanoseconds) = (u64::try_from(now.tv_sec), u64::try_from(now.tv_nsec));
    Nanos::from_secs(seconds.unwrap_or(0)) + Nanos(nanoseconds.unwrap_or(0))
}
