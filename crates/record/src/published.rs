//! Figures that somebody else published, as they were printed: what stands beside ours, and what is audited.

use serde::{Deserialize, Serialize};

use crate::Nanos;

mod before;

/// Somebody's tables.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Published {
    /// Their author, and the machine, in one line.
    pub source: String,
    /// Figures of a variant at a level.
    pub levels: Vec<PublishedLevel>,
    /// Figures of a variant as a whole.
    pub variants: Vec<PublishedVariant>,
}

/// Published figures of one variant at one level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, from = "before::Level")]
pub struct PublishedLevel {
    /// The author's name of the variant.
    pub variant: String,
    /// Ours, if we run one that corresponds.
    pub ours: Option<String>,
    /// Label of the level.
    pub level: String,
    /// In the author's order.
    pub figures: Vec<PrintedFigure>,
    /// Known facts of the load and of the system.
    pub conditions: Conditions,
}

/// Published figures of one variant as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, from = "before::Variant")]
pub struct PublishedVariant {
    /// The author's name of the variant.
    pub variant: String,
    /// Ours, if we run one that corresponds.
    pub ours: Option<String>,
    /// In the author's order.
    pub figures: Vec<PrintedFigure>,
}

/// A figure with the digits it was printed with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrintedFigure {
    /// Its meaning.
    pub statistic: Statistic,
    /// As printed, in the statistic's unit.
    pub value: f64,
    /// How much one more in its last digit would be, in the same unit: the true value is nearer than that.
    pub step: f64,
}

/// Under which circumstances published figures were measured; what is not known is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Conditions {
    /// Virtual users, if the load was closed.
    pub vus: Option<f64>,
    /// Mean pause of a user between a response and the next request.
    #[serde(rename = "think_time_ns")]
    pub think_time: Option<Nanos>,
    /// Requests in all.
    pub requests: Option<u64>,
    /// Time over which the starts of the users, or of the requests, were spread.
    #[serde(rename = "ramp_up_ns")]
    pub ramp_up: Option<Nanos>,
    /// How long the level was held, if it was cut by time.
    #[serde(rename = "duration_ns")]
    pub duration: Option<Nanos>,
    /// Requests a second that were offered, if the load was open.
    pub offered_per_s: Option<f64>,
    /// Workers that serve requests.
    pub workers: Option<u32>,
    /// The least time that a request holds a worker.
    #[serde(rename = "service_time_ns")]
    pub service_time: Option<Nanos>,
    /// Connections that calls to another service share.
    pub pool: Option<u32>,
    /// The least time that a call holds one of them.
    #[serde(rename = "call_time_ns")]
    pub call_time: Option<Nanos>,
}

macro_rules! statistics {
    ($($(#[$meta:meta])* $statistic:ident = $name:tt in $unit:tt,)*) => {
        /// Kinds of published figures.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Statistic {
            $($(#[$meta])* $statistic,)*
        }

        impl Statistic {
            /// Its name in tables.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$statistic => $name,)* }
            }

            /// The unit of its values.
            pub const fn unit(self) -> &'static str {
                match self { $(Self::$statistic => $unit,)* }
            }
        }
    };
}

statistics! {
    /// How long the level took.
    Total = "total" in "s",
    /// Requests per second.
    Throughput = "throughput" in "/s",
    /// Mean response time.
    Mean = "mean" in "ms",
    /// 50th percentile of response times.
    Median = "median" in "ms",
    /// 90th percentile of response times.
    P90 = "p90" in "ms",
    /// 95th percentile of response times.
    P95 = "p95" in "ms",
    /// 99th percentile of response times.
    P99 = "p99" in "ms",
    /// Least response time.
    Min = "min" in "ms",
    /// Greatest response time.
    Max = "max" in "ms",
    /// Standard deviation of the mean's measurements.
    Stdev = "stdev" in "ms",
    /// Width of the mean's confidence interval.
    Interval = "interval" in "ms",
    /// Share of requests that failed.
    Errors = "errors" in "%",
    /// Data received per second.
    Received = "received" in "kB/s",
    /// Data sent per second.
    Sent = "sent" in "kB/s",
    /// From the spawn until it serves.
    StartUp = "start-up" in "s",
    /// Highest CPU, 100 = one core.
    PeakCpu = "peak CPU" in "%",
    /// Most memory, in 10⁶ bytes.
    PeakMemory = "peak memory" in "MB",
}
