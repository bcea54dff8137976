//! Measurements of one worker, cut into intervals.

use std::fmt;

use plimsoll_record::{ArrivalSlot, Counts, ErrorKind, Generator, Interval, Nanos};

use super::{
    action::Established,
    exchange::{Exchange, Instants, Key},
};

/// Characters of an error that are kept: a target may be the author of its words.
const EXAMPLE_CHARS_MAX: usize = 500;

/// Records into the current interval.
#[derive(Debug)]
pub(super) struct Recorder {
    /// One per key that something happened under.
    intervals: Vec<Interval>,
    /// Their keys, in the same order.
    keys: Vec<Key>,
    /// The one used last.
    last: usize,
    start: Nanos,
    first_intended: Option<Nanos>,
    last_ended: Nanos,
    /// Response times within which requests are counted by the instant at which they were intended; mostly none.
    limits: Box<[Nanos]>,
}

impl Recorder {
    pub fn new() -> Self {
        Self {
            intervals: Vec::new(),
            keys: Vec::new(),
            last: 0,
            start: Nanos::ZERO,
            first_intended: None,
            last_ended: Nanos::ZERO,
            limits: Box::default(),
        }
    }

    /// Counts requests within these response times by the instant at which they were intended.
    pub fn count_within(&mut self, limits: &[Nanos]) {
        self.limits = limits.into();
    }

    #[inline]
    fn counts_arrivals(&self) -> bool {
        !self.limits.is_empty()
    }

    /// The counts of the slot in which `intended` lies.
    fn slot(&mut self, key: Key, intended: Nanos) -> &mut ArrivalSlot {
        let limits = self.limits.len();
        self.at(key).arrivals.slot(ArrivalSlot::at(intended), limits)
    }

    /// The interval of `key`, to be counted in.
    #[inline]
    pub fn at(&mut self, key: Key) -> &mut Interval {
        let index = self.index(key);
        &mut self.intervals[index]
    }

    #[inline]
    fn index(&mut self, key: Key) -> usize {
        if self.keys.get(self.last) != Some(&key) {
            self.last = self.find(key);
        }
        self.last
    }

    fn find(&mut self, key: Key) -> usize {
        self.keys.iter().position(|&known| known == key).unwrap_or_else(|| {
            let Key { stage, request } = key;
            self.keys.push(key);
            self.intervals.push(Interval { start: self.start, stage, request, ..Interval::default() });
            self.keys.len() - 1
        })
    }

    #[inline]
    pub fn counts(&mut self, key: Key) -> &mut Counts {
        &mut self.at(key).counts
    }

    /// A request's intended instant has come.
    pub fn offered(&mut self, key: Key, intended: Nanos) {
        self.first_intended = Some(self.first_intended.map_or(intended, |first| first.min(intended)));
        self.counts(key).offered += 1;
        if self.counts_arrivals() {
            let slot = self.slot(key, intended);
            slot.offered = slot.offered.saturating_add(1);
        }
    }

    /// A connection was opened for a request.
    pub fn connected(&mut self, key: Key, established: Established) {
        let interval = self.at(key);
        interval.counts.connections_opened += 1;
        interval.connect.record(established.connect);
        if let Some(dns) = established.dns {
            interval.dns.record(dns);
        }
        if let Some(tls) = established.tls {
            interval.tls.record(tls);
            interval.counts.tls_handshakes += 1;
            interval.counts.tls_resumed += u64::from(established.is_resumed);
        }
    }

    /// A request that was sent has succeeded.
    #[inline]
    pub fn succeeded(&mut self, key: Key, status: u16, instants: Instants) {
        self.last_ended = self.last_ended.max(instants.done);
        let interval = self.at(key);
        interval.counts.succeeded += 1;
        interval.ok.response.record(instants.done - instants.intended);
        interval.ok.service.record(instants.done - instants.sent);
        if let Some(first_byte) = instants.first_byte {
            interval.first_byte.record(first_byte - instants.sent);
            interval.body.record(instants.done - first_byte);
        }
        *interval.statuses.entry(status).or_default() += 1;
        if self.counts_arrivals() {
            self.arrival_succeeded(key, instants);
        }
    }

    fn arrival_succeeded(&mut self, key: Key, Instants { intended, done, .. }: Instants) {
        let index = self.index(key);
        let Self { intervals, limits, .. } = self;
        let slot = intervals[index].arrivals.slot(ArrivalSlot::at(intended), limits.len());
        slot.ended = slot.ended.saturating_add(1);
        for (within, &limit) in slot.within.iter_mut().zip(limits.iter()) {
            *within = within.saturating_add(u32::from(done - intended <= limit));
        }
    }

    /// A check was made.
    pub fn checked(&mut self, key: Key, name: &str, holds: bool) {
        let checks = &mut self.at(key).checks;
        // Most names are known: only the first of an interval is to be copied.
        let count = match checks.get_mut(name) {
            Some(count) => count,
            None => checks.entry(name.to_owned()).or_default(),
        };
        if holds { count.passed += 1 } else { count.failed += 1 }
    }

    /// The request of `exchange` has failed at `ended`; `status` is its response's if there was one.
    pub fn failed(
        &mut self,
        exchange: &Exchange,
        kind: ErrorKind,
        detail: &dyn fmt::Display,
        status: Option<u16>,
        ended: Nanos,
    ) {
        let (key, sent) = (exchange.key, exchange.instants(ended));
        self.last_ended = self.last_ended.max(ended);
        if self.counts_arrivals() {
            let slot = self.slot(key, exchange.intended);
            slot.ended = slot.ended.saturating_add(1);
            slot.failed = slot.failed.saturating_add(1);
        }
        let interval = self.at(key);
        interval.counts.failed += 1;
        let error = interval.errors.entry(kind).or_default();
        error.count += 1;
        if error.count == 1 {
            error.example = example(detail);
        }
        if let Some(status) = status {
            *interval.statuses.entry(status).or_default() += 1;
        }
        let Some(instants) = sent else { return };
        interval.failed.response.record(ended - instants.intended);
        interval.failed.service.record(ended - instants.sent);
        if let Some(first_byte) = instants.first_byte {
            interval.first_byte.record(first_byte - instants.sent);
        }
    }

    /// The first instant that a request was intended at and the last one that any ended at.
    pub fn span(&self) -> Option<(Nanos, Nanos)> {
        self.first_intended.map(|first| (first, self.last_ended.max(first)))
    }

    /// An iteration that was intended at `intended` has ended; `key` is that of its last request.
    pub fn iteration_ended(&mut self, key: Key, intended: Nanos, now: Nanos, is_of_several: bool) {
        let interval = self.at(key);
        interval.counts.iterations += 1;
        if is_of_several {
            interval.iteration.record(now - intended);
        }
    }

    /// Ends the interval: what was measured since the last call, per stage and request; without any request, an empty
    /// interval of `stage_now`. `generator_cpu_ns` is the CPU time of the worker in it, `generator` how it was.
    pub fn take(&mut self, now: Nanos, stage_now: u32, generator_cpu_ns: u64, generator: &Generator) -> Vec<Interval> {
        if !self.keys.iter().any(|key| key.stage == stage_now) {
            self.find(Key { stage: stage_now, request: 0 });
        }
        let mut intervals = std::mem::take(&mut self.intervals);
        self.keys.clear();
        for interval in &mut intervals {
            interval.duration = now - interval.start;
        }
        intervals.sort_by_key(|interval| (interval.stage, interval.request));
        if let Some(interval) = intervals.iter_mut().find(|interval| interval.stage == stage_now) {
            interval.counts.generator_cpu_ns = generator_cpu_ns;
            interval.generator = *generator;
        }
        self.start = now;
        intervals
    }
}

/// The words of an error, as they are kept: without secrets, half of which would not be known as such any more.
fn example(detail: &dyn fmt::Display) -> String {
    let mut words = plimsoll_secrets::mask(&detail.to_string());
    if let Some((end, _)) = words.char_indices().nth(EXAMPLE_CHARS_MAX) {
        let last = words[..end].char_indices().next_back().map_or(0, |(at, _)| at);
        words.truncate(last);
        words.push('…');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_kept_in_so_many_characters() {
        let whole = "é".repeat(EXAMPLE_CHARS_MAX);
        assert_eq!(example(&whole), whole);
        let cut = example(&format!("{whole}é"));
        assert_eq!((cut.chars().count(), cut.ends_with("é…")), (EXAMPLE_CHARS_MAX, true));
    }

    #[test]
    fn a_secret_is_masked_before_an_error_is_cut() {
        plimsoll_secrets::learn(["secret-of-an-error".to_owned()]);
        let cut = example(&format!("{}secret-of-an-error", "é".repeat(EXAMPLE_CHARS_MAX - 9)));
        assert!(cut.ends_with("é(masked)"), "{cut}");
        let cut = example(&format!("{}secret-of-an-error", "é".repeat(EXAMPLE_CHARS_MAX - 5)));
        assert!(cut.ends_with("é(mas…"), "{cut}");
    }
}
