//! Measurements of one worker in one interval of a load. The sums over all intervals are the run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Histogram, Nanos, arrivals::ArrivalCounts, error_kind::ErrorKind, traced::TracedRequest};

/// One interval of one level. Intervals are never averaged: counts add and histograms merge, so any sum over
/// them (a level, a run, all rounds) is exact.
///
/// A request belongs to the interval in which it *ended* and to the stage in which it was *intended*.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Interval {
    /// Start, counted from the start of the load.
    #[serde(rename = "start_ns")]
    pub start: Nanos,
    /// Length; one second, but for the last.
    #[serde(rename = "duration_ns")]
    pub duration: Nanos,
    /// Stage of the load (0 unless it ramps).
    pub stage: u32,
    /// Index into [`LevelPlan::requests`](crate::LevelPlan::requests); 0 if all requests of the level are alike.
    pub request: u32,
    /// Counts.
    pub counts: Counts,
    /// Times of requests that succeeded.
    pub ok: Timings,
    /// Times of requests that failed after they were sent.
    pub failed: Timings,
    /// From intended until the generator acted, by connecting or by sending: how late it was, or how long a limit of
    /// requests in flight held the request back. The time that a connect takes is not in it.
    #[serde(skip_serializing_if = "Histogram::is_empty")]
    pub send_lag: Histogram,
    /// From the instant the generator acted until a connection could take the request, for those that had to wait: name
    /// resolution, connect and TLS handshake, or a stream of an HTTP/2 connection.
    #[serde(skip_serializing_if = "Histogram::is_empty")]
    pub connection_wait: Histogram,
    /// Name resolution, where it is made for each connection.
    #[serde(skip_serializing_if = "Histogram::is_empty")]
    pub dns: Histogram,
    /// From the start of a connect to its end, for connections opened; without name resolution and TLS.
    #[serde(skip_serializing_if = "Histogram::is_empty")]
    pub connect: Histogram,
    /// TLS handshakes.
    #[serde(skip_serializing_if = "Histogram::is_empty")]
    pub tls: Histogram,
    /// From sent to the first byte of the response, for all responses.
    #[serde(skip_serializing_if = "Histogram::is_empty")]
    pub first_byte: Histogram,
    /// From the first byte of the response to its last, for all whole responses.
    #[serde(skip_serializing_if = "Histogram::is_empty")]
    pub body: Histogram,
    /// From the instant an iteration was intended to its end, pauses included; only where iterations have several
    /// requests.
    #[serde(skip_serializing_if = "Histogram::is_empty")]
    pub iteration: Histogram,
    /// Responses by status.
    pub statuses: BTreeMap<u16, u64>,
    /// Failures by kind.
    pub errors: BTreeMap<ErrorKind, ErrorCount>,
    /// Checks by name.
    pub checks: BTreeMap<String, CheckCount>,
    /// Requests by the instant at which they were intended, as far as something happened to them in this interval;
    /// empty where the level has no [`limits`](crate::LevelPlan::limits).
    ///
    /// An interval of second *n* of a load that goes on holds all that happened until the start of second *n* + 1: with
    /// it, every slot is known whose end and the limit lie before.
    pub arrivals: ArrivalCounts,
    /// How the generator itself was.
    pub generator: Generator,
    /// The level's first requests, if traced, as far as they ended in this interval.
    pub traced: Vec<TracedRequest>,
}

impl Interval {
    /// Adds what another worker, or another interval of the same stage, measured. Start and duration become those
    /// that cover both.
    pub fn merge(&mut self, other: &Self) {
        let end = (self.start + self.duration).max(other.start + other.duration);
        self.start = self.start.min(other.start);
        self.duration = end - self.start;
        self.counts.add(&other.counts);
        self.ok.merge(&other.ok);
        self.failed.merge(&other.failed);
        for (mine, others) in self.times_mut().into_iter().zip(other.times()) {
            mine.merge(others);
        }
        for (&status, &count) in &other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        for (&kind, error) in &other.errors {
            self.errors.entry(kind).or_default().merge(error);
        }
        for (name, check) in &other.checks {
            self.checks.entry(name.clone()).or_default().add(*check);
        }
        self.arrivals.merge(&other.arrivals);
        self.generator.merge(&other.generator);
        self.traced.extend_from_slice(&other.traced);
    }

    /// Every histogram but those of [`Timings`], in the order of [`Interval::times_mut`].
    fn times(&self) -> [&Histogram; 8] {
        let Self { send_lag, connection_wait, dns, connect, tls, first_byte, body, iteration, .. } = self;
        [send_lag, connection_wait, dns, connect, tls, first_byte, body, iteration]
    }

    fn times_mut(&mut self) -> [&mut Histogram; 8] {
        let Self { send_lag, connection_wait, dns, connect, tls, first_byte, body, iteration, .. } = self;
        [send_lag, connection_wait, dns, connect, tls, first_byte, body, iteration]
    }

    /// Keeps each histogram in its encoding: a hundredth of the memory, where many are only read.
    pub fn compact(&mut self) {
        let Timings { response, service } = &mut self.ok;
        let of_failed = [&mut self.failed.response, &mut self.failed.service];
        [response, service].into_iter().chain(of_failed).for_each(Histogram::compact);
        self.times_mut().into_iter().for_each(Histogram::compact);
    }

    /// Requests that ended: succeeded or failed.
    pub fn ended(&self) -> u64 {
        self.counts.succeeded + self.counts.failed
    }
}

/// Counts of one interval. All add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Requests whose intended instant came.
    pub offered: u64,
    /// Requests written to a connection.
    pub sent: u64,
    /// Requests that ended well.
    pub succeeded: u64,
    /// Requests that ended otherwise; the sum of `errors`.
    pub failed: u64,
    /// Requests given up before they were sent: held back with `drop_late`, or still waiting at the end.
    pub dropped: u64,
    /// Requests sent whose response was not awaited because the load was stopped.
    pub abandoned: u64,
    /// Iterations that ended, each of one or several requests.
    pub iterations: u64,
    /// Connections established.
    pub connections_opened: u64,
    /// Requests sent on a connection that had already carried one.
    pub connections_reused: u64,
    /// TLS handshakes completed.
    pub tls_handshakes: u64,
    /// TLS handshakes that resumed a session.
    pub tls_resumed: u64,
    /// Bytes received, headers included.
    pub bytes_received: u64,
    /// Bytes sent, headers included.
    pub bytes_sent: u64,
    /// CPU time the worker used, user and system.
    pub generator_cpu_ns: u64,
}

impl Counts {
    /// Adds every count of `other`.
    pub fn add(&mut self, other: &Self) {
        self.offered += other.offered;
        self.sent += other.sent;
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.dropped += other.dropped;
        self.abandoned += other.abandoned;
        self.iterations += other.iterations;
        self.connections_opened += other.connections_opened;
        self.connections_reused += other.connections_reused;
        self.tls_handshakes += other.tls_handshakes;
        self.tls_resumed += other.tls_resumed;
        self.bytes_received += other.bytes_received;
        self.bytes_sent += other.bytes_sent;
        self.generator_cpu_ns += other.generator_cpu_ns;
    }
}

/// How often a check held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CheckCount {
    /// Responses for which it held.
    pub passed: u64,
    /// Responses for which it did not.
    pub failed: u64,
}

impl CheckCount {
    /// Adds the counts of `other`.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// How the generator was in an interval: whether it can have been the limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Generator {
    /// CPU of the busiest worker, 100 = one core all the time; of several intervals the highest.
    pub busiest_worker_percent: f64,
    /// How often the kernel took a core from a worker that wanted to go on.
    pub involuntary_switches: u64,
    /// File descriptors that were left; of several intervals the fewest.
    pub descriptors_left: Option<u64>,
    /// Local ports that were left for connections to the target; of several intervals the fewest.
    pub ports_left: Option<u64>,
}

impl Generator {
    /// Adds what another worker, or another interval, saw.
    pub fn merge(&mut self, other: &Self) {
        let fewest = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        self.busiest_worker_percent = self.busiest_worker_percent.max(other.busiest_worker_percent);
        self.involuntary_switches += other.involuntary_switches;
        self.descriptors_left = fewest(self.descriptors_left, other.descriptors_left);
        self.ports_left = fewest(self.ports_left, other.ports_left);
    }
}

/// The two times of a request, never one under the other's name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Timings {
    /// Response time: done − intended, the wait of a user.
    #[serde(skip_serializing_if = "Histogram::is_empty")]
    pub response: Histogram,
    /// Service time: done − sent, the time that the target took.
    #[serde(skip_serializing_if = "Histogram::is_empty")]
    pub service: Histogram,
}

impl Timings {
    /// Adds all values of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.response.merge(&other.response);
        self.service.merge(&other.service);
    }
}

/// How often a kind of error occurred, and the first one in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorCount {
    /// How often.
    pub count: u64,
    /// The first occurrence in words, e.g. `connect to 127.0.0.1:8080: Connection refused (os error 111)`.
    pub example: String,
}

impl ErrorCount {
    /// Adds the count of `other`; keeps the older example.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        if self.example.is_empty() {
            self.example.clone_from(&other.example);
        }
    }
}
