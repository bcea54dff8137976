//! Thresholds: limits that a load must keep, in k6's grammar, e.g. `p(99)<200ms` or `errors{request:buy}<0.1%`.
//!
//! ```text
//! threshold = metric [ "{" tag { "," tag } "}" ] comparison number [unit] [ "abort" [ "after" duration ] ]
//! metric    = [ "service." ] ( "avg" | "min" | "med" | "max" | "p(" number ")" )      of requests that succeeded
//!           | "errors" | "checks" | "throughput" | "count" | "dropped"
//! tag       = ( "scenario" | "request" ) ":" name
//! comparison = "<" | "<=" | ">" | ">=" | "==" | "!="
//! ```
//!
//! Times are response times, unless `service.` says otherwise; a time without a unit is in milliseconds, as in k6.

mod judge;
mod parser;
#[cfg(test)]
mod tests;
mod watch;

use std::{fmt, str::FromStr};

use plimsoll_record::{Comparison, LevelPlan, Nanos};
use plimsoll_search::Criterion;

pub(crate) use self::judge::judge_all;
pub use self::watch::Watch;

/// A limit that a load must keep.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    text: String,
    metric: Metric,
    /// Only requests of this scenario.
    scenario: Option<String>,
    /// Only requests of this name.
    request: Option<String>,
    relation: Relation,
    /// The limit in the metric's unit.
    limit: f64,
    abort_after: Option<Nanos>,
}

impl Threshold {
    /// The time since the start of the load from which on it is aborted if the limit is exceeded; none if it never is.
    pub fn abort_after(&self) -> Option<Nanos> {
        self.abort_after
    }

    /// Reads a threshold of these levels.
    ///
    /// # Errors
    ///
    /// The text is no threshold, or names a scenario or request that is not there.
    pub fn of_levels(text: &str, levels: &[LevelPlan]) -> Result<Self, ThresholdError> {
        let threshold: Self = text.parse()?;
        let scenarios: Vec<&str> = levels.iter().map(|level| level.label.as_str()).collect();
        let requests: Vec<&str> = levels.iter().flat_map(|level| &level.requests).map(String::as_str).collect();
        threshold.check_tag("scenario", threshold.scenario.as_deref(), &scenarios)?;
        threshold.check_tag("request", threshold.request.as_deref(), &requests)?;
        Ok(threshold)
    }

    /// The character at which the value of a tag begins.
    fn column_of(&self, tag: &str, value: &str) -> usize {
        let after = |from: usize, part: &str| Some(from + self.text[from..].find(part)? + part.len());
        let end = ["{", tag, ":", value].into_iter().try_fold(0, after);
        self.text[..end.map_or(0, |end| end - value.len())].chars().count() + 1
    }

    fn check_tag(&self, tag: &str, wanted: Option<&str>, known: &[&str]) -> Result<(), ThresholdError> {
        let Some(wanted) = wanted.filter(|wanted| !known.contains(wanted)) else { return Ok(()) };
        let column = self.column_of(tag, wanted);
        let there = if known.is_empty() {
            format!("the load has no {tag}s with names of their own")
        } else {
            format!("there are {}", known.join(", "))
        };
        Err(ThresholdError { column, message: format!("no {tag} is called `{wanted}`; {there}") })
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Threshold {
    /// The criterion of a search: the share of requests that may be beyond a limit.
    ///
    /// # Errors
    ///
    /// A message if the threshold is no limit of such a share, with thresholds that are.
    pub fn criterion(&self) -> Result<Criterion, String> {
        const EXPECTED: &str = "expected a percentile such as `p(99)<200ms`, `errors<0.1%` or `checks>99%`, since the \
                                search counts the share of requests beyond it";
        let is_below = matches!(self.relation, Relation::Compares(Comparison::Less | Comparison::AtMost));
        let is_above = matches!(self.relation, Relation::Compares(Comparison::Greater | Comparison::AtLeast));
        let criterion = match self.metric {
            _ if self.request.is_some() || self.scenario.is_some() => {
                return Err(format!("{EXPECTED}, of all requests"));
            }
            Metric::Time { is_service: false, statistic: Statistic::Quantile(quantile) } if is_below => {
                Criterion::percentile(quantile, self.limit / 1e3)
            }
            Metric::Errors if is_below => Criterion::errors(self.limit / 100.0),
            Metric::Checks if is_above => Criterion::errors(1.0 - self.limit / 100.0),
            _ => return Err(EXPECTED.to_owned()),
        };
        let is_share = criterion.share > 1e-6 && criterion.share < 1.0;
        is_share.then_some(criterion).ok_or_else(|| format!("{EXPECTED}; a share of 0 or of all has no line"))
    }
}

impl FromStr for Threshold {
    type Err = ThresholdError;

    fn from_str(text: &str) -> Result<Self, ThresholdError> {
        parser::parse(text)
    }
}

/// The reason why a text is not a threshold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {column}: {message}")]
pub struct ThresholdError {
    /// Where, from 1, in characters.
    pub column: usize,
    /// The text: expected and found.
    pub message: String,
}

/// The figure that is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Metric {
    /// Response times, or service times.
    Time { is_service: bool, statistic: Statistic },
    /// Share of ended requests that failed.
    Errors,
    /// Share of checks that held.
    Checks,
    /// Requests that succeeded, per second.
    Throughput,
    /// Requests that ended.
    Count,
    /// Requests given up before they were sent.
    Dropped,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Statistic {
    Mean,
    Least,
    /// A quantile, from 0 to 1.
    Quantile(f64),
    Greatest,
}

impl Metric {
    /// The symbol after a value.
    const fn unit(self) -> &'static str {
        match self {
            Self::Time { .. } => "ms",
            Self::Errors | Self::Checks => "%",
            Self::Throughput => "/s",
            Self::Count | Self::Dropped => "",
        }
    }
}

/// How a value stands to its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Relation {
    Compares(Comparison),
    Equals,
    Differs,
}

impl Relation {
    fn holds(self, value: f64, limit: f64) -> bool {
        match self {
            Self::Compares(comparison) => comparison.holds(value, limit),
            Self::Equals => value == limit,
            Self::Differs => value != limit,
        }
    }
}
