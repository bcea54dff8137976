//! A single load against one target: figures as in other load generators, and those that they leave out.

mod facts;
mod tables;

use plimsoll_analysis::{
    Results,
    results::{CurvePoint, Figure, LevelResults},
};
use plimsoll_record::{Load, Nanos, label_for_people};
use plimsoll_text::{
    counted,
    number::{NONE, TimeUnit, in_full, time},
};

pub use self::{
    facts::{facts, first_facts},
    tables::{request_cells, request_columns, tables, unit_of},
};
use super::{Column, Table, figures};

/// Response and service time told apart, in one line.
pub const RESPONSE_OR_SERVICE: &str = "Response time counts from the instant a request was due: what a user waits. \
     Service time counts from the instant it was sent: what the target took.";

/// A level of a load on its own: the whole of it, one of its scenarios, or a stage of a ramp.
pub struct LevelOfLoad<'a> {
    /// The load in words, after its label if it is one of several.
    pub heading: String,
    /// The load; for a stage, the load that it is a stage of.
    pub offered: &'a Load,
    /// Its figures.
    pub level: &'a LevelResults,
}

/// The levels, if the execution is a load on its own: one variant that was not launched, one round. Otherwise none.
pub fn levels_of(results: &Results) -> Vec<LevelOfLoad<'_>> {
    let ([variant], 1) = (results.variants.as_slice(), results.execution.rounds) else { return Vec::new() };
    if variant.startup_s.is_some() {
        return Vec::new();
    }
    let is_alone = results.levels.len() == 1;
    let levels = results.levels.iter().zip(&variant.levels);
    levels
        .filter_map(|(summary, level)| {
            let words = in_words(&summary.load);
            let heading = if is_alone { words } else { format!("{}: {words}", label_for_people(&summary.label)) };
            Some(LevelOfLoad { heading, offered: &summary.load, level: level.as_ref()? })
        })
        .collect()
}

/// The level, if it is the only one of a load on its own.
pub fn single(results: &Results) -> Option<&LevelResults> {
    match levels_of(results).as_slice() {
        [only] if results.levels.len() == 1 => Some(only.level),
        _ => None,
    }
}

/// A load in words: `2,700 requests by 2,700 virtual users`.
pub fn in_words(load: &Load) -> String {
    let users = |vus: u32| counted(vus.into(), "virtual user");
    let lasts = length(load.duration().unwrap_or_default());
    match (load.iterations_each(), load.iterations()) {
        (Some(each), _) => {
            let ramp = load.ramp_up().map_or_else(String::new, |ramp_up| format!(", ramp-up {}", length(ramp_up)));
            return format!("{}, {} each{ramp}", users(load.max_in_flight()), counted(each, "request"));
        }
        (None, Some(all)) => return format!("{} by {}", counted(all, "request"), users(load.max_in_flight())),
        (None, None) => {}
    }
    match (heights(load), load.is_closed()) {
        (Some(heights), true) => format!("virtual users {heights} over {lasts}"),
        (Some(heights), false) => format!("{heights}/s over {lasts}"),
        (None, true) => format!("{} for {lasts}", users(load.max_in_flight())),
        (None, false) => format!("{}/s for {lasts}", in_full(load.peak_target(), 3)),
    }
}

/// `0 → 1,000 → 1,000`: the start of a ramp and the targets of its stages; none if the load does not ramp.
fn heights(load: &Load) -> Option<String> {
    let legs = load.legs();
    let heights = legs.first().map(|leg| leg.from).into_iter().chain(legs.iter().map(|leg| leg.to));
    (!legs.is_empty()).then(|| heights.map(|height| in_full(height, 3)).collect::<Vec<_>>().join(" → "))
}

fn length(nanos: Nanos) -> String {
    let seconds = nanos.as_secs_f64();
    if seconds >= 1.0 && seconds.fract() == 0.0 {
        format!("{} s", in_full(seconds, 3))
    } else {
        time(nanos.as_millis_f64())
    }
}

/// Response and service times, a column each.
pub fn times(level: &LevelResults) -> Table {
    let (response, service) = (figures::of_times(&level.response), figures::of_times(&level.service));
    let unit =
        TimeUnit::fitting(response.iter().chain(&service).filter_map(|(_, figure)| Some(figure.as_ref()?.median)));
    let head = |name: &str| Column::numbers(format!("{name} {}", unit.symbol()));
    Table {
        title: "Percentiles".to_owned(),
        columns: vec![Column::words(""), head("response"), head("service")],
        rows: (response.iter().zip(&service))
            .map(|((name, response), (_, service))| {
                let show = |figure: &Option<&Figure>| figure.map_or(NONE.to_owned(), |it| unit.show(it.median));
                vec![figures::head(name).to_owned(), show(response), show(service)]
            })
            .collect(),
    }
}

/// Why percentiles are missing in the table of times.
pub fn why_missing(level: &LevelResults) -> Option<String> {
    let shown = ["p90", "p95", "p99", "p999", "p9999"];
    figures::why_missing([&level.response, &level.service].into_iter(), &shown)
}

/// A bar of the histogram: responses that took longer than the bar before and at most `to_ms`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Upper bound.
    pub to_ms: f64,
    /// Share of all responses, 0 to 1.
    pub share: f64,
}

/// The percentile curve turned into `bars` equal steps from its least to its greatest time.
pub fn histogram(curve: &[CurvePoint], bars: usize) -> Vec<Bar> {
    let (Some(first), Some(last)) = (curve.first(), curve.last()) else { return Vec::new() };
    let step = (last.ms - first.ms) / bars as f64;
    if step <= 0.0 {
        return vec![Bar { to_ms: last.ms, share: 1.0 }];
    }
    let mut below = 0.0;
    (1..=bars)
        .map(|bar| {
            let to_ms = first.ms + step * bar as f64;
            let quantile = if bar == bars { 1.0 } else { quantile_of(curve, to_ms) };
            let share = quantile - below;
            below = quantile;
            Bar { to_ms, share }
        })
        .collect()
}

/// The share of responses that took at most `ms`, on the straight line between the curve's points.
fn quantile_of(curve: &[CurvePoint], ms: f64) -> f64 {
    let next = curve.partition_point(|point| point.ms <= ms);
    match (next.checked_sub(1).map(|before| curve[before]), curve.get(next)) {
        (None, _) => 0.0,
        (Some(before), None) => before.quantile,
        (Some(before), Some(after)) => {
            before.quantile + (after.quantile - before.quantile) * (ms - before.ms) / (after.ms - before.ms)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_histogram_holds_every_response_once() {
        let curve = [(0.0, 1.0), (0.5, 2.0), (0.9, 3.0), (1.0, 11.0)];
        let curve = curve.map(|(quantile, ms)| CurvePoint { quantile, ms });
        let bars = histogram(&curve, 10);
        assert!((bars.iter().map(|bar| bar.share).sum::<f64>() - 1.0).abs() < 1e-9);
        assert_eq!((bars[0].to_ms, bars[0].share), (2.0, 0.5));
        assert!((bars[1].share - 0.4).abs() < 1e-9);
        assert_eq!(histogram(&[], 10), []);
        let all_alike = CurvePoint { quantile: 1.0, ms: 5.0 };
        assert_eq!(histogram(&[all_alike], 10), [Bar { to_ms: 5.0, share: 1.0 }]);
    }

    #[test]
    fn loads_are_said_in_words() {
        let ramp = Load::RampingArrivalRate {
            start_rate: 0.0,
            stages: vec![plimsoll_record::Stage { duration: Nanos::from_secs(30), target: 1_000.0 }],
            arrivals: plimsoll_record::Arrivals::Even,
            max_in_flight: 10,
            drop_late: false,
        };
        assert_eq!(in_words(&ramp), "0 → 1,000/s over 30 s");
        let think = plimsoll_record::ThinkTime::None;
        let users = Load::ConstantVus { vus: 1, duration: Nanos::from_millis(1_500), think };
        assert_eq!(in_words(&users), "1 virtual user for 1.50 s");
    }
}
