//! Intervals of a level that count for its figures.

use std::collections::BTreeMap;

use plimsoll_record::{Interval, LevelData, Nanos, Phase};

/// Intervals of a level without its first second, in which connections are opened, and its last, which is cut off. If
/// the level did not come to its end, as when its target ended, those after the last answer are left out, too.
pub(super) fn steady(level: &LevelData) -> Vec<&Interval> {
    let second = Nanos::from_secs(1);
    // After the load requests in flight are awaited, which may take long.
    let is_whole =
        |it: &&Interval| it.start >= second && it.duration >= Nanos::from_millis(900) && it.counts.offered > 0;
    let answered = level.intervals.iter().filter(|it| it.counts.succeeded > 0);
    let end = answered.map(|it| it.start).max().filter(|_| level.plan.phase == Phase::Discarded);
    let all = || level.intervals.iter().filter(|it| end.is_none_or(|end| it.start <= end));
    let steady: Vec<&Interval> = all().filter(is_whole).collect();
    if steady.is_empty() { all().collect() } else { steady }
}

/// Requests that succeeded in these intervals, and the length of the intervals in seconds.
pub(super) fn whole_seconds(level: &LevelData) -> (f64, f64) {
    let steady = steady(level);
    let succeeded: u64 = steady.iter().map(|interval| interval.counts.succeeded).sum();
    let by_start: BTreeMap<Nanos, Nanos> = steady.iter().map(|it| (it.start, it.duration)).collect();
    (succeeded as f64, by_start.values().map(|it| it.as_secs_f64()).sum())
}
