//! The user's pauses in a recording.

use jiff::Timestamp;
use plimsoll_record::Nanos;

/// Knows when everything before had ended.
#[derive(Default)]
pub(super) struct Clock {
    ended: Option<Timestamp>,
}

impl Clock {
    /// From the end of all requests before to the start of this one; zero if it overlaps one of them, none if the
    /// recording does not tell.
    pub fn pause_before(&mut self, started: &str, time_ms: f64) -> Option<Nanos> {
        let started: Timestamp = started.parse().ok()?;
        let length_ms = if time_ms.is_finite() { time_ms.clamp(0.0, 86_400_000.0) } else { 0.0 };
        let length = jiff::SignedDuration::from_secs_f64(length_ms / 1e3);
        let before = self.ended;
        let ended = started.checked_add(length).unwrap_or(started);
        self.ended = Some(before.map_or(ended, |before| before.max(ended)));
        let pause = started.duration_since(before?);
        Some(Nanos(u64::try_from(pause.as_nanos()).unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_from_the_last_end_to_the_next_start() {
        let mut clock = Clock::default();
        let mut pause = |started: &str, time_ms| clock.pause_before(&format!("2026-01-01T00:00:{started}Z"), time_ms);
        assert_eq!(pause("00.000", 500.0), None);
        assert_eq!(pause("00.100", 100.0), Some(Nanos::ZERO), "it overlaps the first");
        assert_eq!(pause("02.000", f64::NAN), Some(Nanos::from_millis(1_500)));
        assert_eq!(pause("never", 1.0), None);
        assert_eq!(pause("03.000", -5.0), Some(Nanos::from_secs(1)));
    }
}
