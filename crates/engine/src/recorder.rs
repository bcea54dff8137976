//! What one worker measures, cut into intervals.

use std::fmt;

use plimsoll_record::{Counts, ErrorKind, Interval, Nanos};

/// Records into the current interval.
#[derive(Debug)]
pub(crate) struct Recorder {
    /// One per stage that something happened in; the last one used is the last.
    stages: Vec<Interval>,
    start: Nanos,
    first_intended: Option<Nanos>,
    last_ended: Nanos,
}

/// The instants of a request that was sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instants {
    pub intended: Nanos,
    pub sent: Nanos,
    pub first_byte: Option<Nanos>,
    pub done: Nanos,
}

impl Recorder {
    pub fn new() -> Self {
        Self { stages: Vec::new(), start: Nanos::ZERO, first_intended: None, last_ended: Nanos::ZERO }
    }

    /// The interval of `stage`, to be counted in.
    #[inline]
    pub fn at(&mut self, stage: u32) -> &mut Interval {
        let at_hand = self.stages.last().is_some_and(|interval| interval.stage == stage);
        if !at_hand {
            match self.stages.iter().position(|interval| interval.stage == stage) {
                Some(index) => {
                    let last = self.stages.len() - 1;
                    self.stages.swap(index, last);
                }
                None => self.stages.push(Interval { start: self.start, stage, ..Interval::default() }),
            }
        }
        self.stages.last_mut().expect("it was found or pushed")
    }

    #[inline]
    pub fn counts(&mut self, stage: u32) -> &mut Counts {
        &mut self.at(stage).counts
    }

    /// A request's intended instant has come.
    pub fn offered(&mut self, stage: u32, intended: Nanos) {
        self.first_intended = Some(self.first_intended.map_or(intended, |first| first.min(intended)));
        self.counts(stage).offered += 1;
    }

    /// A request that was sent has succeeded.
    #[inline]
    pub fn succeeded(&mut self, stage: u32, status: u16, instants: Instants) {
        self.last_ended = self.last_ended.max(instants.done);
        let interval = self.at(stage);
        interval.counts.succeeded += 1;
        interval.ok.response.record(instants.done - instants.intended);
        interval.ok.service.record(instants.done - instants.sent);
        if let Some(first_byte) = instants.first_byte {
            interval.first_byte.record(first_byte - instants.sent);
        }
        *interval.statuses.entry(status).or_default() += 1;
    }

    /// A request has failed; `sent` gives its instants if it had been sent, `status` its response's if there was one.
    pub fn failed(
        &mut self,
        stage: u32,
        kind: ErrorKind,
        detail: &dyn fmt::Display,
        status: Option<u16>,
        ended: Nanos,
        sent: Option<Instants>,
    ) {
        self.last_ended = self.last_ended.max(ended);
        let interval = self.at(stage);
        interval.counts.failed += 1;
        let error = interval.errors.entry(kind).or_default();
        error.count += 1;
        if error.count == 1 {
            error.example = detail.to_string();
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

    /// Ends the interval: what was measured since the last call, per stage; without any request, an empty interval of
    /// `stage_now`. `generator_cpu_ns` is the CPU time of the worker in it.
    pub fn take(&mut self, now: Nanos, stage_now: u32, generator_cpu_ns: u64) -> Vec<Interval> {
        self.at(stage_now).counts.generator_cpu_ns += generator_cpu_ns;
        let mut intervals = std::mem::take(&mut self.stages);
        for interval in &mut intervals {
            interval.duration = now - interval.start;
        }
        intervals.sort_by_key(|interval| interval.stage);
        self.start = now;
        intervals
    }
}
