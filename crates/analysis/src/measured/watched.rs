//! Samples beside one level of one run: growth of counters, peaks and means.

use std::collections::BTreeMap;

use plimsoll_record::{
    Nanos, Sample,
    metric::{target_series, tcp},
};

/// When a level was driven, since the spawn of the target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub start: Nanos,
    pub end: Nanos,
    /// When the next level began, if there is one: changes from then on do not belong to this one.
    pub next: Option<Nanos>,
}

/// One metric in one window.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Metric {
    growth: Option<f64>,
    peak: Option<f64>,
    mean: Option<f64>,
    /// Samples within the window.
    samples: usize,
}

/// Every metric that was sampled, in one window.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched {
    metrics: BTreeMap<String, Metric>,
    peak_time_wait: Option<f64>,
}

impl Watched {
    pub(crate) fn of(samples: &[Sample], window: Window) -> Self {
        let mut by_metric: BTreeMap<&str, Vec<&Sample>> = BTreeMap::new();
        for sample in samples {
            by_metric.entry(&sample.metric).or_default().push(sample);
        }
        let of = |name: &str, row: &[&Sample]| match target_series(name) {
            Some(_) => target_metric(row, window),
            None => metric(row, window),
        };
        let metrics = by_metric.iter().map(|(name, row)| ((*name).to_owned(), of(name, row)));
        Self { metrics: metrics.collect(), peak_time_wait: peak_time_wait(&by_metric, window) }
    }

    /// The same over a whole run.
    pub(crate) fn throughout(samples: &[Sample]) -> Self {
        Self::of(samples, Window { start: Nanos::ZERO, end: Nanos(u64::MAX), next: None })
    }

    /// Growth: increase of a counter during the level.
    pub(crate) fn growth(&self, metric: &str) -> Option<f64> {
        self.metrics.get(metric)?.growth
    }

    /// Everything that was sampled.
    pub(crate) fn metrics(&self) -> impl Iterator<Item = &str> {
        self.metrics.keys().map(String::as_str)
    }

    /// The mean of the samples within; without one, the value at the start.
    pub(crate) fn mean(&self, metric: &str) -> Option<f64> {
        self.metrics.get(metric)?.mean
    }

    /// The mean over the samples of another metric, in which this one is zero where it was not sampled.
    pub(crate) fn mean_over(&self, metric: &str, other: &str) -> Option<f64> {
        let (metric, other) = (self.metrics.get(metric)?, self.metrics.get(other)?);
        Some(metric.mean? * metric.samples as f64 / other.samples as f64).filter(|it| it.is_finite())
    }

    /// The highest value.
    pub(crate) fn peak(&self, metric: &str) -> Option<f64> {
        self.metrics.get(metric)?.peak
    }

    /// The most connections in `TIME_WAIT` at one instant, of both sides together.
    pub(crate) fn peak_time_wait(&self) -> Option<f64> {
        self.peak_time_wait
    }
}

/// The metric of `row`, whose samples ascend. Growth from the last sample before the level to the first one after it is
/// the level's, unless the next level has begun: a burst at the edge counts, and none is counted twice.
fn metric(row: &[&Sample], window: Window) -> Metric {
    let from = before(row, window.start).unwrap_or(0.0);
    let after = row.iter().find(|it| it.at >= window.end).or(row.last());
    let after = match (after, window.next) {
        (Some(after), Some(next)) if after.at > next => before(row, next).unwrap_or(from),
        (Some(after), _) => after.value,
        (None, _) => from,
    };
    let within = within(row, window);
    let peak = before(row, window.start).into_iter().chain(within.iter().copied()).reduce(f64::max).unwrap_or(0.0);
    Metric {
        growth: Some((after - from).max(0.0)),
        peak: Some(peak),
        mean: Some(mean(&within).unwrap_or(from)),
        samples: within.len(),
    }
}

/// A metric of the target's own. These are read less often, and not while it is too busy, so that nothing is
/// interpolated: only readings within count for the mean and peak, and growth needs a reading from before.
fn target_metric(row: &[&Sample], window: Window) -> Metric {
    let within = within(row, window);
    Metric {
        growth: before(row, window.start).and(metric(row, window).growth),
        peak: within.iter().copied().reduce(f64::max),
        mean: mean(&within),
        samples: within.len(),
    }
}

fn within(row: &[&Sample], window: Window) -> Vec<f64> {
    row.iter().filter(|it| (window.start..=window.end).contains(&it.at)).map(|it| it.value).collect()
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The value at an instant: that of the last sample until then.
fn before(row: &[&Sample], at: Nanos) -> Option<f64> {
    row.iter().take_while(|it| it.at <= at).last().map(|it| it.value)
}

fn peak_time_wait(by_metric: &BTreeMap<&str, Vec<&Sample>>, window: Window) -> Option<f64> {
    let sides = [tcp::INBOUND_TIME_WAIT, tcp::OUTBOUND_TIME_WAIT];
    let rows: Vec<&Vec<&Sample>> = sides.iter().filter_map(|name| by_metric.get(name)).collect();
    let instants = rows.iter().flat_map(|row| row.iter()).map(|it| it.at);
    let instants = instants.filter(|at| (window.start..=window.end).contains(at)).chain([window.start]);
    let sum = |at: Nanos| rows.iter().filter_map(|row| before(row, at)).sum::<f64>();
    if rows.is_empty() { None } else { instants.map(sum).reduce(f64::max) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    fn row(metric: &str, values: &[(u64, f64)]) -> Vec<Sample> {
        values.iter().map(|&(at, value)| Sample { at: ms(at), metric: metric.to_owned(), value }).collect()
    }

    #[test]
    fn what_was_not_read_of_the_target_is_not_made_up() {
        let samples = row("target:pool", &[(1_500, 7.0), (1_800, 9.0)]);
        let of = |start, end| {
            let watched = Watched::of(&samples, Window { start: ms(start), end: ms(end), next: None });
            [watched.growth("target:pool"), watched.peak("target:pool"), watched.mean("target:pool")]
        };
        assert_eq!(of(1_000, 2_000), [None, Some(9.0), Some(8.0)]);
        assert_eq!(of(1_600, 2_000), [Some(2.0), Some(9.0), Some(9.0)]);
        assert_eq!(of(2_000, 3_000), [Some(0.0), None, None]);
    }

    #[test]
    fn every_step_of_a_counter_is_in_one_level() {
        // Bursts at 1,000 and 2,000, each seen 40 ms later; equal samples in between are left out.
        let samples = row("c", &[(40, 0.0), (940, 0.0), (1_040, 5.0), (1_940, 5.0), (2_040, 9.0), (3_040, 9.0)]);
        let growth = |start, end, next: Option<u64>| {
            let window = Window { start: ms(start), end: ms(end), next: next.map(ms) };
            Watched::of(&samples, window).growth("c").unwrap()
        };
        assert_eq!(growth(1_000, 2_000, Some(2_000)), 5.0);
        assert_eq!(growth(2_000, 3_000, None), 4.0);
        assert_eq!(growth(1_000, 3_000, None), 9.0);
        assert_eq!(growth(1_000, 1_005, Some(2_000)), 5.0, "a level that ends before the next sample");
        assert_eq!(growth(0, 900, Some(1_000)), 0.0);
    }

    #[test]
    fn a_peak_holds_from_before_the_level_until_it_changes() {
        let samples = row("q", &[(0, 7.0), (1_900, 7.0), (2_000, 3.0), (9_000, 3.0)]);
        let peak = |start, end| {
            let window = Window { start: ms(start), end: ms(end), next: None };
            Watched::of(&samples, window).peak("q").unwrap()
        };
        assert_eq!((peak(1_000, 1_500), peak(1_950, 4_000), peak(2_500, 4_000)), (7.0, 7.0, 3.0));
    }

    #[test]
    fn time_wait_of_both_sides_is_added_instant_by_instant() {
        let mut samples = row(tcp::INBOUND_TIME_WAIT, &[(0, 100.0), (1_000, 100.0), (1_100, 0.0), (5_000, 0.0)]);
        samples.extend(row(tcp::OUTBOUND_TIME_WAIT, &[(0, 0.0), (2_000, 0.0), (2_100, 60.0), (5_000, 60.0)]));
        let window = Window { start: ms(500), end: ms(4_000), next: None };
        assert_eq!(Watched::of(&samples, window).peak_time_wait(), Some(100.0), "never both at once");
        assert_eq!(Watched::of(&[], window).peak_time_wait(), None);
    }
}
