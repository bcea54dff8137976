//! The lines of the view.

use plimsoll_record::{Histogram, Load, Nanos};
use plimsoll_text::{columns::cut, count, number::in_full};

use super::{Dashboard, MINUTE, RECENT, Second, sparkline};
use crate::live::clock;

/// The tone of a line, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Title,
    Bad,
}

/// A line no wider than was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    pub tone: Tone,
}

const LABEL: usize = 10;
const BAR: usize = 24;

impl Dashboard {
    /// The view at `elapsed` in `width` columns.
    pub fn lines(&self, elapsed: Nanos, width: usize) -> Vec<Line> {
        let plain = |label: &str, text: String| (Tone::Plain, format!("{label:<LABEL$}{text}"));
        let mut lines = vec![(Tone::Title, self.title.clone()), (Tone::Plain, self.progress(elapsed, width))];
        lines.extend(self.stage_lines(elapsed).into_iter().map(|text| plain("stage", text)));
        lines.push(plain("requests", self.requests()));
        lines.push(plain("response", percentiles(&self.recent())));
        let errors = if self.sums.failed > 0 { Tone::Bad } else { Tone::Plain };
        lines.push((errors, format!("{:<LABEL$}{}", "errors", self.errors())));
        let (rates, p99s) = self.sparklines(width);
        lines.push(plain("rate", rates));
        lines.push(plain("p99", p99s));
        lines.into_iter().map(|(tone, text)| Line { text: cut(&text, width), tone }).collect()
    }

    /// All of it in one line, for where nothing can be drawn.
    pub fn one_line(&self, elapsed: Nanos) -> String {
        let rate = self.last().map_or(0.0, |second| second.per_s(second.succeeded));
        let recent = self.recent();
        let p99 = if recent.is_empty() { "–".to_owned() } else { recent.quantile(0.99).to_string() };
        format!(
            "{}  {} req/s  p99 {p99}  {} done  {} errors",
            self.position(elapsed),
            rounded(rate),
            count(self.sums.succeeded + self.sums.failed),
            count(self.sums.failed)
        )
    }

    /// `0:23 of 1:00`, or how many iterations of how many.
    fn position(&self, elapsed: Nanos) -> String {
        match (self.iterations(), self.duration()) {
            (Some(iterations), _) => {
                format!("{}  {} of {} iterations", clock(elapsed), count(self.sums.iterations), count(iterations))
            }
            (None, Some(duration)) => format!("{} of {}", clock(elapsed.min(duration)), clock(duration)),
            (None, None) => clock(elapsed),
        }
    }

    fn progress(&self, elapsed: Nanos, width: usize) -> String {
        let share = match (self.iterations(), self.duration()) {
            (Some(iterations), _) => self.sums.iterations as f64 / iterations.max(1) as f64,
            (None, Some(duration)) => elapsed.as_secs_f64() / duration.as_secs_f64().max(1e-9),
            (None, None) => return self.position(elapsed),
        };
        let left = match (self.iterations(), self.duration()) {
            (None, Some(duration)) if elapsed > duration => "  awaiting the last responses".to_owned(),
            (None, Some(duration)) => format!("  {} left", clock(duration - elapsed)),
            _ => String::new(),
        };
        let bar = sparkline::bar(share, BAR.min(width / 4));
        format!("{bar}  {}{left}", self.position(elapsed))
    }

    /// A line for each scenario that ramps.
    fn stage_lines(&self, elapsed: Nanos) -> Vec<String> {
        let line = |load: &Load, at: Nanos| {
            let (stage, legs) = (load.stage_at(at)?, load.legs());
            let unit = if load.is_closed() { " VUs" } else { "/s" };
            let now = rounded(load.target_at(at));
            Some(format!("{} of {}: {now}{unit} → {}{unit}", stage + 1, legs.len(), rounded(legs[stage].to)))
        };
        let begun = self.scenarios.iter().filter(|it| elapsed >= it.start);
        begun.filter_map(|it| line(&it.load, elapsed - it.start)).collect()
    }

    fn requests(&self) -> String {
        let Some(second) = self.last() else { return "–".to_owned() };
        let of = |count| rounded(second.per_s(count));
        let mut parts = vec![format!("{}/s of {}/s offered", of(second.succeeded), of(second.offered))];
        parts.push(format!("{} done", count(self.sums.succeeded + self.sums.failed)));
        parts.push(format!("{} under way", count(self.under_way())));
        if self.sums.dropped > 0 {
            parts.push(format!("{} dropped", count(self.sums.dropped)));
        }
        parts.push(format!("{} MB/s", rounded(second.per_s(second.received) / 1e6)));
        parts.join("  ")
    }

    fn errors(&self) -> String {
        let mut kinds: Vec<_> = self.sums.errors.iter().collect();
        kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let kinds: Vec<_> = kinds.into_iter().map(|(kind, times)| format!("{kind}: {}", count(*times))).collect();
        if kinds.is_empty() { "none".to_owned() } else { kinds.join("  ") }
    }

    /// Rates and 99th percentiles of the last minute, as far as there is room.
    fn sparklines(&self, width: usize) -> (String, String) {
        const CAPTION: usize = 18;
        let room = (width.saturating_sub(LABEL + CAPTION) as u64).clamp(5, MINUTE);
        let newest = self.newest();
        let shown = (newest + 1).saturating_sub(room)..=newest;
        let values = |of: fn(&Second) -> Option<f64>| -> Vec<Option<f64>> {
            shown.clone().map(|number| of(self.seconds.get(&number)?)).collect()
        };
        let rates = values(|second| Some(second.per_s(second.succeeded)));
        let p99s = values(|second| second.p99().map(|p99| p99.0 as f64));
        let highest = |values: &[Option<f64>]| values.iter().flatten().copied().fold(0.0, f64::max);
        let line = |values: &[Option<f64>], highest: String| {
            format!("{}  max {highest}", sparkline::sparkline(values.iter().copied()))
        };
        (line(&rates, format!("{}/s", rounded(highest(&rates)))), line(&p99s, Nanos(highest(&p99s) as u64).to_string()))
    }
}

fn percentiles(times: &Histogram) -> String {
    if times.is_empty() {
        return "–".to_owned();
    }
    let at = |name, quantile| format!("{name} {}", times.quantile(quantile));
    let ladder = [at("p50", 0.5), at("p90", 0.9), at("p99", 0.99)].join("  ");
    format!("{ladder}  (last {RECENT} s)")
}

/// `1,234`, `12.3`, `0.5`.
fn rounded(value: f64) -> String {
    in_full(value, 3)
}
