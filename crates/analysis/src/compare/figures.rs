//! The figures that are compared and listed. They are few: with each further one, differences of all others are harder
//! to tell.

use crate::results::{Figure, LevelResults, LineResults, SearchResults, VariantResults};

/// A figure of a level, a variant or a line.
#[derive(Clone, Copy)]
pub(crate) struct Named {
    /// The name in claims.
    pub name: &'static str,
    pub unit: &'static str,
    pub is_higher_better: bool,
    /// Whether it counts rare events, so that it differs by percentage points, not by a factor.
    pub is_share: bool,
    /// Whether it is the load line itself, for which each search has an interval of its own.
    pub is_line: bool,
    read: Read,
}

#[derive(Clone, Copy)]
enum Read {
    Level(fn(&LevelResults) -> Option<Figure>),
    Variant(fn(&VariantResults) -> Option<Figure>),
    Line(fn(&LineResults) -> Option<Figure>),
}

const FIGURES: &[Named] = &[
    Named { is_higher_better: true, ..level("throughput", "/s", |it| measured(&it.throughput_per_s)) },
    level("median", "ms", |it| measured(&it.response.median_ms)),
    level("p99", "ms", |it| it.response.p99_ms.as_ref().and_then(measured)),
    Named { is_share: true, ..level("errors", "%", LevelResults::errors_percent) },
    level("cpu_per_request", "ms", cpu_ms_per_request),
    Named { is_higher_better: true, is_line: true, ..line("line", "/s", |it| middles(it, it.think_ms.is_none())) },
    Named { is_higher_better: true, is_line: true, ..line("line_users", "", |it| middles(it, it.think_ms.is_some())) },
    line("cpu_per_request", "ms", |it| it.usage.cpu_ms_per_request.clone()),
    line("line_memory", "MB", |it| it.usage.memory_mb.clone()),
    variant("startup", "s", |it| it.startup_s.clone()),
    variant("peak_memory", "MB", |it| it.peak_rss_mb.clone()),
];

const fn named(name: &'static str, unit: &'static str, read: Read) -> Named {
    Named { name, unit, is_higher_better: false, is_share: false, is_line: false, read }
}

const fn level(name: &'static str, unit: &'static str, read: fn(&LevelResults) -> Option<Figure>) -> Named {
    named(name, unit, Read::Level(read))
}

const fn variant(name: &'static str, unit: &'static str, read: fn(&VariantResults) -> Option<Figure>) -> Named {
    named(name, unit, Read::Variant(read))
}

const fn line(name: &'static str, unit: &'static str, read: fn(&LineResults) -> Option<Figure>) -> Named {
    named(name, unit, Read::Line(read))
}

/// All figures that a level has.
pub(crate) fn of_level(level: &LevelResults) -> Vec<(Named, Figure)> {
    collected(|read| if let Read::Level(read) = read { read(level) } else { None })
}

/// All figures that a variant has of whole runs.
pub(crate) fn of_variant(variant: &VariantResults) -> Vec<(Named, Figure)> {
    collected(|read| if let Read::Variant(read) = read { read(variant) } else { None })
}

/// All figures that a load line has.
pub(crate) fn of_line(line: &LineResults) -> Vec<(Named, Figure)> {
    collected(|read| if let Read::Line(read) = read { read(line) } else { None })
}

fn collected(read: impl Fn(Read) -> Option<Figure>) -> Vec<(Named, Figure)> {
    FIGURES.iter().filter_map(|named| Some((*named, read(named.read)?))).collect()
}

/// A figure, if it has rounds: times have none if no request succeeded.
fn measured(figure: &Figure) -> Option<Figure> {
    (!figure.rounds.is_empty()).then(|| figure.clone())
}

/// CPU per successful request, if all rounds have both. The share of the CPU is one of the whole level, with the wait
/// for its last responses; the rate is one of the time in which requests were offered.
fn cpu_ms_per_request(level: &LevelResults) -> Option<Figure> {
    let cpu = &level.cpu_percent.as_ref()?.rounds;
    let (durations, windows) = (&level.duration_s.rounds, &level.window_s.rounds);
    let throughput = &level.throughput_per_s.rounds;
    let is_whole = [cpu, durations, windows].iter().all(|it| it.len() == throughput.len());
    let of_round = |round: usize| {
        let succeeded = throughput[round] * windows[round];
        (succeeded > 0.0).then(|| cpu[round] / 100.0 * durations[round] / succeeded * 1e3)
    };
    let rounds: Option<Vec<f64>> = (0..throughput.len()).filter(|_| is_whole).map(of_round).collect();
    rounds.filter(|it| !it.is_empty()).map(Figure::of)
}

/// The middles of the searches' intervals; none if one has an open side, and so no middle.
fn middles(line: &LineResults, is_wanted: bool) -> Option<Figure> {
    let middles: Option<Vec<f64>> = line.searches.iter().map(SearchResults::middle).collect();
    middles.filter(|middles| is_wanted && !middles.is_empty()).map(Figure::of)
}
