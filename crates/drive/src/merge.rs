//! Joins what the workers report, second by second.

use std::collections::{BTreeMap, btree_map::Entry};

use plimsoll_record::{Interval, Nanos};

use crate::{DriveError, Report};

/// Holds back each second until every worker has reported it or has ended.
pub(crate) struct Merge {
    /// The second that each worker reported last; none once it has ended.
    at: Vec<Option<Option<u64>>>,
    /// By second, stage and request.
    held: BTreeMap<(u64, u32, u32), Interval>,
    span: Option<(Nanos, Nanos)>,
    error: Option<DriveError>,
    is_spread: bool,
    late: Nanos,
}

impl Merge {
    pub fn new(workers: usize) -> Self {
        Self {
            at: vec![Some(None); workers],
            held: BTreeMap::new(),
            span: None,
            error: None,
            is_spread: false,
            late: Nanos::ZERO,
        }
    }

    /// Takes a report. Returns the intervals that it completes, in order of time.
    pub fn take(&mut self, report: Report) -> Vec<Interval> {
        match report {
            Report::Second { worker, second, intervals } => {
                self.at[worker] = Some(Some(second));
                intervals.into_iter().for_each(|interval| self.hold(second, interval));
            }
            Report::Finished { worker, ended } => {
                self.at[worker] = None;
                self.span = join(self.span, ended.span);
                self.error = self.error.take().or(ended.error);
                self.is_spread |= ended.is_spread;
                self.late = self.late.max(ended.late);
            }
        }
        self.complete()
    }

    /// Whether any worker's connections came from several addresses though none was asked for.
    pub fn is_spread(&self) -> bool {
        self.is_spread
    }

    /// How late the last worker began.
    pub fn late(&self) -> Nanos {
        self.late
    }

    /// How long the whole load took: from the first request intended to the last one ended.
    pub fn finish(self) -> Result<Nanos, DriveError> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.span.map_or(Nanos::ZERO, |(first, last)| last - first)),
        }
    }

    fn hold(&mut self, second: u64, interval: Interval) {
        match self.held.entry((second, interval.stage, interval.request)) {
            Entry::Occupied(mut held) => held.get_mut().merge(&interval),
            Entry::Vacant(place) => drop(place.insert(interval)),
        }
    }

    /// Everything of the seconds that no worker can still add to.
    fn complete(&mut self) -> Vec<Interval> {
        let open_from = self.at.iter().flatten().map(|last| last.map_or(0, |second| second + 1)).min();
        let still_open = open_from.map(|second| self.held.split_off(&(second, 0, 0))).unwrap_or_default();
        std::mem::replace(&mut self.held, still_open).into_values().collect()
    }
}

fn join(a: Option<(Nanos, Nanos)>, b: Option<(Nanos, Nanos)>) -> Option<(Nanos, Nanos)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event_loop::Ended;

    fn second(worker: usize, second: u64, stage: u32, sent: u64) -> Report {
        let mut interval = Interval { start: Nanos::from_secs(second), stage, ..Interval::default() };
        interval.counts.sent = sent;
        Report::Second { worker, second, intervals: vec![interval] }
    }

    fn finished(worker: usize, first: u64, last: u64) -> Report {
        let ended =
            Ended { span: Some((Nanos(first), Nanos(last))), error: None, is_spread: false, late: Nanos(first) };
        Report::Finished { worker, ended }
    }

    fn sent(intervals: &[Interval]) -> Vec<u64> {
        intervals.iter().map(|interval| interval.counts.sent).collect()
    }

    #[test]
    fn a_second_is_given_out_when_all_workers_have_reported_it() {
        let mut merge = Merge::new(2);
        assert!(merge.take(second(0, 0, 0, 1)).is_empty());
        assert!(merge.take(second(0, 1, 1, 2)).is_empty());
        assert_eq!(sent(&merge.take(second(1, 0, 0, 10))), [11]);
        assert!(merge.take(finished(0, 5, 50)).is_empty());
        assert_eq!(sent(&merge.take(second(1, 1, 0, 20))), [20, 2], "stages stay apart");
        assert_eq!(sent(&merge.take(second(1, 2, 0, 30))), [30], "only one worker is left");
        assert!(merge.take(finished(1, 7, 70)).is_empty());
        assert_eq!((merge.late(), merge.finish().unwrap()), (Nanos(7), Nanos(65)));
    }
}
