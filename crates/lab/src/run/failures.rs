//! Failures of a load, by which its target may have died.

use std::time::Duration;

use plimsoll_record::{ErrorKind, Interval, Nanos};

/// How long the report of a target's death may take after its last requests failed.
const LAST_MOMENTS: Duration = Duration::from_millis(300);
/// The same where its connections broke or were refused in the last second, as those of a dead one do: on a starved
/// machine its supervisor waits for a processor.
const LAST_MOMENTS_UNREACHED: Duration = Duration::from_secs(1);

/// Failures so far.
#[derive(Debug, Default)]
pub(super) struct Failures {
    count: u64,
    /// The last second, and whether the target could not be reached in it.
    last: Nanos,
    is_unreached: bool,
}

impl Failures {
    /// Takes in what was measured.
    pub fn add(&mut self, interval: &Interval) {
        self.count += interval.counts.failed;
        if interval.start > self.last {
            (self.last, self.is_unreached) = (interval.start, false);
        }
        let of_connections = [ErrorKind::Refused, ErrorKind::Reset, ErrorKind::ClosedBeforeResponse];
        self.is_unreached |= of_connections.iter().any(|kind| interval.errors.contains_key(kind));
    }

    /// How long the target's death is waited for; none where nothing failed.
    pub fn patience(&self) -> Option<Duration> {
        let patience = if self.is_unreached { LAST_MOMENTS_UNREACHED } else { LAST_MOMENTS };
        (self.count > 0).then_some(patience)
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Counts, ErrorCount};

    use super::*;

    fn second(start_s: u64, kind: Option<ErrorKind>) -> Interval {
        let errors = kind.map(|kind| (kind, ErrorCount::default())).into_iter().collect();
        let counts = Counts { failed: u64::from(kind.is_some()), ..Counts::default() };
        Interval { start: Nanos::from_secs(start_s), counts, errors, ..Interval::default() }
    }

    fn patience(seconds: &[Interval]) -> Option<Duration> {
        let mut failures = Failures::default();
        seconds.iter().for_each(|second| failures.add(second));
        failures.patience()
    }

    #[test]
    fn death_is_waited_for_longer_where_nobody_is_reached_at_the_end() {
        let (well, status) = (second(1, None), second(1, Some(ErrorKind::Status5xx)));
        let refused = |start_s| second(start_s, Some(ErrorKind::Refused));
        assert_eq!(patience(std::slice::from_ref(&well)), None);
        assert_eq!(patience(&[refused(0), status]), Some(LAST_MOMENTS));
        assert_eq!(patience(&[well.clone(), refused(1), well]), Some(LAST_MOMENTS_UNREACHED), "of several requests");
    }
}
