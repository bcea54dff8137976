//! HdrHistogram's interval log: a histogram per second for each kind of time, told apart by tags.

use jiff::Timestamp;
use plimsoll_record::{ExecutionData, Histogram, Interval, LevelData, LogEntry, Phase, histogram_log};
use plimsoll_text::printable_line;

use super::{Place, places};

/// The log. Instants count from the start of the execution; in an experiment, which has many runs, from that of each.
pub fn render(data: &ExecutionData) -> String {
    let execution = &data.execution;
    let started_s = execution.started_at.parse().map_or(0.0, |at: Timestamp| at.as_millisecond() as f64 / 1e3);
    let about = format!("{} ({})", execution.plan.title, execution.environment.command);
    // A comment ends with its line.
    let about = printable_line(&about);
    let units = "Values are nanoseconds. response: done - intended; service: done - sent; failed-…: of failed requests";
    let comments = [&*about, units];
    let mut entries: Vec<LogEntry<'_>> = Vec::new();
    for place in places(data) {
        let prefix = prefix(data, &place);
        entries.extend(place.level.intervals.iter().flat_map(|interval| of_interval(&prefix, &place, interval)));
    }
    histogram_log(started_s, &comments, entries)
}

/// Prefix of tags: run and level, if there are several.
fn prefix(data: &ExecutionData, place: &Place<'_>) -> String {
    let mut prefix = String::new();
    if data.execution.plan.variants.len() > 1 {
        prefix += &format!("{}/", place.variant);
    }
    if data.execution.plan.rounds > 1 {
        prefix += &format!("round-{}/", place.run.run.round + 1);
    }
    let is_offered_to_measure = |level: &&LevelData| !matches!(level.plan.phase, Phase::Explanation | Phase::Census);
    if place.run.levels.iter().filter(is_offered_to_measure).count() > 1 {
        prefix += &format!("{}/", place.level.plan.label);
    }
    prefix
}

fn of_interval<'a>(
    prefix: &str,
    place: &Place<'a>,
    interval: &'a Interval,
) -> impl Iterator<Item = LogEntry<'a>> + use<'a> {
    let of_request = match place.request(interval) {
        "" => String::new(),
        name => format!("{name}/"),
    };
    let prefix = format!("{prefix}{of_request}");
    let (ok, failed) = (&interval.ok, &interval.failed);
    let kinds: [(&str, &Histogram); 4] = [
        ("response", &ok.response),
        ("service", &ok.service),
        ("failed-response", &failed.response),
        ("failed-service", &failed.service),
    ];
    let (start, duration) = (place.level.started + interval.start, interval.duration);
    kinds.into_iter().filter(|(_, times)| !times.is_empty()).map(move |(kind, times)| LogEntry {
        tag: printable_line(&format!("{prefix}{kind}")).into_owned(),
        start,
        duration,
        times,
    })
}
