//! The view of a running load: a few lines made of the intervals so far. Pure: time and width are arguments.

mod layout;
mod sparkline;

use std::collections::BTreeMap;

use plimsoll_drive::{Job, Scenario};
use plimsoll_record::{ErrorKind, Histogram, Interval, LevelPlan, Load, Nanos, Plan};
use plimsoll_secrets::mask;

pub use layout::{Line, Tone};

/// Seconds that the sparklines look back.
const MINUTE: u64 = 60;
/// Seconds that percentiles look back: fewer jump about, more hide what happens now.
const RECENT: u64 = 5;

/// The state of the view.
pub struct Dashboard {
    title: String,
    scenarios: Vec<Shown>,
    /// By second of the job; those of the last minute, all scenarios and requests together.
    seconds: BTreeMap<u64, Second>,
    sums: Sums,
}

/// A scenario as far as it is shown.
struct Shown {
    start: Nanos,
    load: Load,
}

/// One second of all scenarios.
#[derive(Default)]
struct Second {
    succeeded: u64,
    offered: u64,
    received: u64,
    /// 1 s, but for the last.
    length: Nanos,
    /// Kept for the last seconds only: a minute of them would be megabytes.
    response: Histogram,
    /// The percentile that is kept of it after that.
    p99: Option<Nanos>,
}

impl Second {
    fn p99(&self) -> Option<Nanos> {
        let of_times = || (!self.response.is_empty()).then(|| self.response.quantile(0.99));
        self.p99.or_else(of_times)
    }

    /// Keeps no more than is shown of a second that is past.
    fn settle(&mut self) {
        self.p99 = self.p99();
        self.response = Histogram::new();
    }
}

/// From the start.
#[derive(Default)]
struct Sums {
    offered: u64,
    succeeded: u64,
    failed: u64,
    given_up: u64,
    dropped: u64,
    iterations: u64,
    errors: BTreeMap<ErrorKind, u64>,
}

impl Dashboard {
    pub fn new(job: &Job) -> Self {
        let request = job.scenarios[0].script.first();
        let others = job.scenarios.iter().map(|it| it.script.steps().count()).sum::<usize>() - 1;
        let more = if others == 0 { String::new() } else { format!(" and {others} more") };
        let shown = |scenario: &Scenario| Shown { start: scenario.start, load: scenario.load.clone() };
        let scenarios = job.scenarios.iter().map(shown).collect();
        Self::titled(&format!("{} {}{more}", request.method, request.url), scenarios)
    }

    /// A load that others offer.
    pub fn of_plan(plan: &Plan) -> Self {
        let shown = |level: &LevelPlan| Shown { start: level.start, load: level.load.clone() };
        Self::titled(&plan.title, plan.levels.iter().map(shown).collect())
    }

    fn titled(title: &str, scenarios: Vec<Shown>) -> Self {
        Self {
            // Before lines are cut: a part of a secret would not be found.
            title: mask(title),
            scenarios,
            seconds: BTreeMap::new(),
            sums: Sums::default(),
        }
    }

    /// Takes in what was measured in a second of a scenario, one of its stages and one of its requests.
    pub fn add(&mut self, scenario: usize, interval: &Interval) {
        let counts = &interval.counts;
        let number = (self.scenarios[scenario].start + interval.start).0 / 1_000_000_000;
        let second = self.seconds.entry(number).or_default();
        second.succeeded += counts.succeeded;
        second.offered += counts.offered;
        second.received += counts.bytes_received;
        second.length = second.length.max(interval.duration);
        second.response.merge(&interval.ok.response);
        let newest = self.newest();
        self.seconds.retain(|&number, _| number + MINUTE > newest);
        self.seconds.range_mut(..(newest + 1).saturating_sub(RECENT)).for_each(|(_, second)| second.settle());
        let sums = &mut self.sums;
        sums.offered += counts.offered;
        sums.succeeded += counts.succeeded;
        sums.failed += counts.failed;
        sums.dropped += counts.dropped;
        sums.given_up += counts.dropped + counts.abandoned;
        sums.iterations += counts.iterations;
        for (&kind, error) in &interval.errors {
            *sums.errors.entry(kind).or_default() += error.count;
        }
    }

    fn newest(&self) -> u64 {
        self.seconds.keys().next_back().copied().unwrap_or_default()
    }

    /// The second that was measured last.
    fn last(&self) -> Option<&Second> {
        self.seconds.values().next_back()
    }

    /// Response times of the last seconds.
    fn recent(&self) -> Histogram {
        let mut all = Histogram::new();
        let newest = self.newest();
        for (_, second) in self.seconds.range((newest + 1).saturating_sub(RECENT)..) {
            all.merge(&second.response);
        }
        all
    }

    /// Requests whose instant came and that have not ended.
    fn under_way(&self) -> u64 {
        let sums = &self.sums;
        sums.offered.saturating_sub(sums.succeeded + sums.failed + sums.given_up)
    }

    /// How long the whole job takes at most, if its loads say so.
    fn duration(&self) -> Option<Nanos> {
        let ends = self.scenarios.iter().map(|it| Some(it.start + it.load.duration()?));
        ends.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// Iterations that the job makes in all, if its loads say so.
    fn iterations(&self) -> Option<u64> {
        self.scenarios.iter().map(|it| it.load.iterations()).sum()
    }
}

impl Second {
    fn per_s(&self, count: u64) -> f64 {
        count as f64 / self.length.as_secs_f64().max(1e-3)
    }
}

#[cfg(test)]
mod tests;
