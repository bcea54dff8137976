//! Seconds of all parts, joined while the load runs.

use std::collections::{BTreeMap, btree_map::Entry};

use plimsoll_record::{Interval, Nanos};

use crate::Second;

const SECOND: Nanos = Nanos::from_secs(1);
/// Time after which a second is given out even if a part has not told it. Later news count all the same.
const PATIENCE: Nanos = Nanos::from_secs(2);

/// Seconds that are not given out yet. Counts add, histograms merge.
#[derive(Debug, Default)]
pub struct Totals {
    /// Sums by second of the load, scenario, stage and request.
    held: BTreeMap<(u64, usize, u32, u32), Interval>,
}

impl Totals {
    /// Adds a second of a part, of a scenario that starts so long after the load.
    pub fn add(&mut self, second: &Second, start: Nanos) {
        let number = start.0 / SECOND.0 + second.second;
        for interval in &second.intervals {
            match self.held.entry((number, second.scenario, interval.stage, interval.request)) {
                Entry::Occupied(mut held) => held.get_mut().merge(interval),
                Entry::Vacant(place) => drop(place.insert(interval.clone())),
            }
        }
    }

    /// Seconds, with their scenarios, that are due once all parts have told `told` seconds of the load, or the load is
    /// so old.
    pub fn take_due(&mut self, told: u64, age: Nanos) -> Vec<(usize, Interval)> {
        let late = (age - PATIENCE).0 / SECOND.0;
        let later = self.held.split_off(&(told.max(late), 0, 0, 0));
        let due = std::mem::replace(&mut self.held, later);
        due.into_iter().map(|((_, scenario, ..), interval)| (scenario, interval)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(scenario: usize, second: u64, sent: u64) -> Second {
        let mut interval = Interval { start: Nanos::from_secs(second), ..Interval::default() };
        interval.counts.sent = sent;
        interval.ok.response.record(Nanos(sent));
        Second { scenario, second, intervals: vec![interval] }
    }

    fn sent(due: &[(usize, Interval)]) -> Vec<(usize, u64)> {
        due.iter().map(|(scenario, interval)| (*scenario, interval.counts.sent)).collect()
    }

    #[test]
    fn a_second_is_given_out_when_all_have_told_it_or_it_is_old() {
        let mut totals = Totals::default();
        totals.add(&second(0, 0, 1), Nanos::ZERO);
        assert!(totals.take_due(0, Nanos::from_millis(1_500)).is_empty());
        totals.add(&second(0, 0, 2), Nanos::ZERO);
        totals.add(&second(0, 1, 7), Nanos::ZERO);
        // A scenario that starts later.
        totals.add(&second(1, 0, 9), Nanos::from_secs(1));
        let due = totals.take_due(1, Nanos::from_millis(1_600));
        assert_eq!(sent(&due), [(0, 3)]);
        assert_eq!(due[0].1.ok.response.count(), 2);
        assert!(totals.take_due(1, Nanos::from_millis(3_900)).is_empty());
        assert_eq!(sent(&totals.take_due(1, Nanos::from_secs(4))), [(0, 7), (1, 9)]);
        totals.add(&second(0, 0, 5), Nanos::ZERO);
        assert_eq!(sent(&totals.take_due(1, Nanos::from_secs(4))), [(0, 5)], "late, and counted");
    }
}
