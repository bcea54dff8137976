//! Seconds of a level, put together from the intervals of all its requests.

use plimsoll_record::{Interval, Nanos};

/// Joins intervals that come in order of time.
#[derive(Debug)]
pub struct Joined {
    is_single: bool,
    /// The second that is not complete.
    open: Option<Interval>,
}

impl Joined {
    /// Joins intervals of a level with so many requests.
    pub fn new(requests: usize) -> Self {
        Self { is_single: requests <= 1, open: None }
    }

    /// Takes in an interval. Returns the second that it completes.
    pub fn complete(&mut self, interval: Interval) -> Option<Interval> {
        // Scripts of several requests have an interval for each: a second is complete when the next one begins.
        match self.open.take() {
            None if self.is_single => Some(interval),
            None => {
                self.open = Some(interval);
                None
            }
            Some(mut open) if second(open.start) == second(interval.start) => {
                open.merge(&interval);
                self.open = Some(open);
                None
            }
            Some(open) => {
                self.open = Some(interval);
                Some(open)
            }
        }
    }

    /// The last second, once no more intervals come.
    pub fn finish(&mut self) -> Option<Interval> {
        self.open.take()
    }
}

/// Number of the second that begins at `start`. It is rounded, because each worker begins seconds a moment late.
fn second(start: Nanos) -> u64 {
    start.as_secs_f64().round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(start_ms: u64, request: u32, succeeded: u64) -> Interval {
        let start = Nanos::from_millis(start_ms);
        let mut interval = Interval { start, duration: Nanos::from_secs(1), request, ..Interval::default() };
        interval.counts.succeeded = succeeded;
        interval
    }

    #[test]
    fn a_second_has_all_its_requests() {
        let mut joined = Joined::new(2);
        let mut told = Vec::new();
        for each in [interval(0, 0, 70), interval(0, 1, 30), interval(1_001, 0, 60), interval(1_000, 1, 40)] {
            told.extend(joined.complete(each).map(|second| second.counts.succeeded));
        }
        assert_eq!(told, [100]);
        assert_eq!(joined.finish().map(|second| second.counts.succeeded), Some(100));
    }

    #[test]
    fn a_single_request_is_told_at_once() {
        let mut joined = Joined::new(1);
        assert_eq!(joined.complete(interval(0, 0, 70)).map(|second| second.counts.succeeded), Some(70));
        assert_eq!(joined.finish(), None);
    }
}
