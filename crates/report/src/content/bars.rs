//! Charts of characters, for formats that cannot draw.

use plimsoll_analysis::{
    Results,
    results::{FirstRequests, LevelResults, RunResults, SocketFigures},
};
use plimsoll_record::{
    RunStatus,
    metric::tcp::{INBOUND_TIME_WAIT, OUTBOUND_TIME_WAIT},
};
use plimsoll_text::{
    columns::{self, padded},
    number::{NONE, TimeUnit, count, errors_percent, sig3},
    printable_line,
};

use super::{first, levels};

/// Length of the longest bar.
const WIDTH: usize = 40;
/// Parts of a block, from one eighth on.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
/// Length of the longest line of steps.
const COLUMNS: usize = 60;
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A bar that is `share` of `width` characters long, to an eighth of one; something is always to be seen.
pub fn bar(share: f64, width: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * 8.0 * width as f64).round() as usize;
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// Throughput, mean response time and errors of every variant at a level; none if there is nothing to compare.
pub fn of_level(results: &Results, index: usize) -> Option<String> {
    let rows: Vec<(&str, &LevelResults)> = levels::of_level(results, index)
        .map(|(variant, level)| (results.variants[variant].name.as_str(), level))
        .collect();
    if rows.len() < 2 {
        return None;
    }
    let mean_ms = |level: &LevelResults| level.response.mean_ms.median;
    let unit = TimeUnit::fitting(rows.iter().map(|(_, level)| mean_ms(level)));
    let chart = |title: String, of: &dyn Fn(&LevelResults) -> (f64, String)| {
        let bars: Vec<(&str, (f64, String))> = rows.iter().map(|(name, level)| (*name, of(level))).collect();
        let is_flat = bars.iter().all(|(_, (value, _))| *value <= 0.0);
        (!is_flat).then(|| drawn(&title, &bars))
    };
    let charts = [
        chart("throughput /s".to_owned(), &|it| (it.throughput_per_s.median, sig3(it.throughput_per_s.median))),
        chart(format!("mean response time, {}", unit.symbol()), &|it| match it.response.mean_ms.rounds.len() {
            0 => (0.0, NONE.to_owned()),
            _ => (mean_ms(it), unit.show(mean_ms(it))),
        }),
        chart("errors %".to_owned(), &|it| match it.errors_percent() {
            None => (0.0, NONE.to_owned()),
            Some(errors) => (errors.median, errors_percent(errors.median)),
        }),
    ];
    Some(charts.into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
}

fn drawn(title: &str, bars: &[(&str, (f64, String))]) -> String {
    let most = bars.iter().map(|(_, (value, _))| *value).fold(f64::MIN_POSITIVE, f64::max);
    labelled(title, bars, |(value, shown)| format!("{:<WIDTH$}  {shown}", bar(value / most, WIDTH)))
}

/// A title, and below it a line for each variant, after its name.
fn labelled<T>(title: &str, rows: &[(&str, T)], show: impl Fn(&T) -> String) -> String {
    let rows: Vec<_> = rows.iter().map(|(name, row)| (printable_line(name), row)).collect();
    let names = columns::widest(rows.iter().map(|(name, _)| &**name));
    let lines: Vec<String> = rows.iter().map(|(name, row)| format!("{}  {}", padded(name, names), show(row))).collect();
    format!("{title}\n{}", lines.join("\n"))
}

/// The first requests of every variant at a level, a character for each, on one logarithmic scale.
pub fn of_first_requests(results: &Results, index: usize) -> Option<String> {
    let rows: Vec<(&str, &FirstRequests)> = first::of_level(results, index)
        .map(|(variant, first)| (results.variants[variant].name.as_str(), first))
        .collect();
    let times = rows.iter().flat_map(|(_, first)| first.calls.iter().filter_map(|call| call.response_ms.as_ref()));
    let times: Vec<f64> = times.map(|figure| figure.median).collect();
    let least = times.iter().copied().reduce(f64::min)?;
    let most = times.iter().copied().reduce(f64::max)?;
    let height = |ms: f64| {
        let share = (ms / least).ln() / (most / least).ln().max(f64::MIN_POSITIVE);
        HEIGHTS[((share * 7.0).round() as usize).min(7)]
    };
    let unit = TimeUnit::fitting(times.iter().copied());
    let scale = format!("{} to {} {}", unit.show(least), unit.show(most), unit.symbol());
    let title = format!("response time of call 1, 2, 3 …, {scale}, logarithmic");
    let shown = |first: &&FirstRequests| -> String {
        let calls = first.calls.iter().map(|call| call.response_ms.as_ref());
        calls.map(|ms| ms.map_or(' ', |ms| height(ms.median))).collect()
    };
    Some(labelled(&title, &rows, shown))
}

/// Connections in `TIME_WAIT` over the first good run of each variant; none if they never were many.
pub fn of_time_wait(results: &Results) -> Option<String> {
    let runs = results.variants.iter().filter_map(|variant| {
        let is_good = |run: &&RunResults| run.variant == variant.name && run.status == RunStatus::Done;
        Some((variant.name.as_str(), results.runs.iter().find(is_good)?))
    });
    let runs: Vec<_> = runs.collect();
    let end_s = runs.iter().filter_map(|(_, run)| Some(run.spans.last()?.end_s)).reduce(f64::max)?;
    let step_s = end_s / COLUMNS as f64;
    let rows: Vec<_> = runs.iter().map(|(name, run)| (*name, time_wait(run, step_s))).collect();
    let most = rows.iter().flat_map(|(_, values)| values).copied().fold(0.0, f64::max);
    let height = |value: f64| HEIGHTS[((value / most * 7.0).round() as usize).min(7)];
    let title = format!(
        "connections in TIME_WAIT over the first run, 0 to {}, a character for {} s",
        count(most as u64),
        sig3(step_s)
    );
    (most >= SocketFigures::MANY_IN_TIME_WAIT)
        .then(|| labelled(&title, &rows, |values| values.iter().map(|&value| height(value)).collect()))
}

/// The greatest value within each step, until the last level's end.
fn time_wait(run: &RunResults, step_s: f64) -> Vec<f64> {
    let end_s = run.spans.last().map_or(0.0, |span| span.end_s);
    let within = |name: &str, from_s: f64| {
        let points = run.samples.get(name).map_or(&[][..], Vec::as_slice);
        let until = points.partition_point(|point| point.at_s < from_s + step_s);
        // A value holds until the next one.
        let from = points[..until].partition_point(|point| point.at_s < from_s).saturating_sub(1);
        points[from..until].iter().map(|point| point.value).fold(0.0, f64::max)
    };
    let steps = (end_s / step_s).round() as usize;
    let step = |n| {
        let from_s = n as f64 * step_s;
        within(INBOUND_TIME_WAIT, from_s) + within(OUTBOUND_TIME_WAIT, from_s)
    };
    (0..steps).map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_by_eighths() {
        assert_eq!([bar(0.0, 4), bar(1.0, 4), bar(2.0, 4)], ["", "████", "████"]);
        assert_eq!([bar(0.28, 4), bar(0.001, 4)], ["█▏", "▏"]);
    }

    #[test]
    fn the_longest_bar_is_the_greatest_value() {
        let bars = [("a", (50.0, "50".to_owned())), ("long", (200.0, "200".to_owned()))];
        let full = "█".repeat(40);
        assert_eq!(drawn("/s", &bars), format!("/s\na     {:<40}  50\nlong  {full}  200", "█".repeat(10)));
    }
}
