//! A row of an audit: one variant at one level, be the figures somebody else's or ours.

use std::collections::BTreeMap;

use plimsoll_record::{Conditions, PublishedLevel, Statistic};

use super::bounds::Bounds;
use crate::results::Place;

/// With a greater share of failures, in percent, times and rates are not judged: those of failures are in no mean, or
/// are not those of answers.
pub(super) const FAILED_PERCENT: f64 = 1.0;

/// One variant at one level.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub variant: String,
    pub level: String,
    /// Figures, in the statistics' units.
    pub figures: BTreeMap<Statistic, Bounds>,
    pub conditions: Conditions,
    /// Whether rates and times are those of answers alone, as ours are; others count failures as well, or may.
    pub are_failures_apart: bool,
}

/// The number of requests that is assumed if none is printed.
const REQUESTS: f64 = 100.0;

impl Row {
    pub fn published(row: &PublishedLevel) -> Self {
        Self {
            variant: row.variant.clone(),
            level: row.level.clone(),
            figures: row.figures.iter().map(|it| (it.statistic, Bounds::printed(it))).collect(),
            conditions: row.conditions,
            are_failures_apart: false,
        }
    }

    /// The place of its findings, by the names of the table.
    pub fn place(&self) -> Place {
        Place::of_level(&self.variant, &self.level)
    }

    pub fn get(&self, statistic: Statistic) -> Option<Bounds> {
        self.figures.get(&statistic).copied()
    }

    /// Requests per second.
    pub fn throughput(&self) -> Option<Bounds> {
        self.get(Statistic::Throughput).filter(|it| it.low > 0.0)
    }

    /// Mean response time in seconds.
    pub fn mean_s(&self) -> Option<Bounds> {
        Some(self.get(Statistic::Mean)?.scaled(1e-3))
    }

    /// Known pause of users, in seconds.
    pub fn think_s(&self) -> f64 {
        self.conditions.think_time.map_or(0.0, |pause| pause.as_secs_f64())
    }

    /// The share of failures, in percent, among what rates and times count; none where none is known.
    pub fn failed_among(&self) -> Option<Bounds> {
        self.get(Statistic::Errors).filter(|_| !self.are_failures_apart)
    }

    /// The share of requests by which a percentile may be off: tools differ by one request in where they put it.
    pub fn percentile_slack(&self) -> f64 {
        1.0 / self.requests().map_or(REQUESTS, |it| it.low.max(1.0))
    }

    /// Whether users make more than one request each.
    pub fn is_looping(&self) -> bool {
        let Conditions { vus, requests, duration, .. } = self.conditions;
        duration.is_some() || requests.zip(vus).is_some_and(|(requests, users)| requests as f64 > users)
    }

    /// Number of requests behind the figures.
    pub fn requests(&self) -> Option<Bounds> {
        let held = || Some(self.throughput()?.scaled(self.conditions.duration?.as_secs_f64()));
        self.conditions.requests.map(|requests| Bounds::exact(requests as f64)).or_else(held)
    }

    /// From the first request to the end of the last, in seconds: as printed, else requests ÷ throughput. None for a
    /// level that ended by time, whose last requests end after it.
    pub fn total_s(&self) -> Option<Bounds> {
        let implied = || Some(Bounds::exact(self.conditions.requests? as f64).over(self.throughput()?));
        self.get(Statistic::Total).or_else(implied).filter(|_| self.conditions.duration.is_none())
    }

    /// True if all users come at the same time, each with one request.
    pub fn is_burst(&self) -> bool {
        let Conditions { vus, requests, ramp_up, .. } = self.conditions;
        ramp_up.is_none() && vus.is_some() && requests.map(|it| it as f64) == vus
    }
}
