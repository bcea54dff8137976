//! The result of a search.

use serde::{Deserialize, Serialize};

/// One end of the interval: a rate that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// Requests per second, or users.
    pub rate: f64,
    /// How long it was offered, in seconds, without the settling time of each trial.
    pub seconds: f64,
    /// The share of requests beyond a criterion, as a multiple of the share allowed; the greatest of all criteria.
    pub pressure: f64,
    /// The variance of the number of requests beyond a time near the limit, divided by its mean. None where no
    /// criterion has a limit, or the rate is beyond the capacity, where no queue is steady.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dispersion: Option<f64>,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The interval is as narrow as was wanted.
    Found,
    /// Time was up before; the interval holds what it promises, but is wider, or open on a side.
    TimeUp,
    /// The objectives do not even hold at the lowest rate.
    NeverHolds,
    /// The objectives hold at the highest rate that could be offered.
    AlwaysHolds,
}

/// The answer about one line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// How its search ended.
    pub outcome: Outcome,
    /// The highest rate that was carried; the line is surely not below it.
    pub lower: Option<End>,
    /// The lowest rate that was not; the line is surely not above it.
    pub upper: Option<End>,
}

impl Outcome {
    /// The name in records and in machine-readable reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::TimeUp => "time-up",
            Self::NeverHolds => "never-holds",
            Self::AlwaysHolds => "always-holds",
        }
    }

    /// The outcome of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Found, Self::TimeUp, Self::NeverHolds, Self::AlwaysHolds].into_iter().find(|it| it.as_str() == name)
    }
}

impl Answer {
    /// The upper end divided by the lower one, less 1.
    pub fn width(&self) -> Option<f64> {
        Some(self.upper?.rate / self.lower?.rate - 1.0)
    }

    /// Whether `line` lies within the interval; an open side holds everything.
    pub fn holds(&self, line: f64) -> bool {
        self.lower.is_none_or(|end| end.rate <= line) && self.upper.is_none_or(|end| line <= end.rate)
    }
}

/// Whether two ends are as near to each other as a `resolution` wants, 0.1 for 10 %, or of users, who are whole, as
/// they can be.
pub fn is_near(low: f64, high: f64, resolution: f64, of_users: bool) -> bool {
    // Rates are offered with four digits.
    (of_users && high - low <= 1.0) || high / low <= 1.0 + resolution * 1.001
}
