//! The first answer, as tables: one line for each variant, or for each level of a load on its own.

use plimsoll_analysis::{
    Results,
    results::{Bound, Explanation, LevelResults, VariantResults},
};
use plimsoll_record::label_for_people;
use plimsoll_text::number::{NONE, TimeUnit, errors_percent, sig3};

use super::{Column, Table, figures, levels, problems};

/// A line of the table.
struct Line<'a> {
    name: String,
    variant: &'a VariantResults,
    level: Option<&'a LevelResults>,
}

/// A row for each variant, at the highest level at which it was measured; none without levels. A variant that lacks the
/// level of the title has its own beside its name: `web @ 900`. A single variant has a row for each level.
pub fn variants(results: &Results) -> Option<Table> {
    if let ([variant], true) = (results.variants.as_slice(), results.levels.len() > 1) {
        return levels_of_load(results).map(|table| Table { title: variant.name.clone(), ..table });
    }
    let measured = |index: &usize| levels::of_level(results, *index).next().is_some();
    let top = (0..results.levels.len()).rev().find(measured)?;
    let line = |variant| line_of(results, variant, top);
    let lines: Vec<Line> = results.variants.iter().map(line).collect();
    Some(table(results, levels::title(results, top), "variant", &lines))
}

fn line_of<'a>(results: &Results, variant: &'a VariantResults, top: usize) -> Line<'a> {
    let level = variant.levels.iter().rev().flatten().next();
    let label = &results.levels[top].label;
    let name = match level.filter(|level| level.label != *label) {
        Some(level) => format!("{} @ {}", variant.name, level.label),
        None => variant.name.clone(),
    };
    let name = problems::marked(&name, level);
    Line { name, variant, level }
}

/// A row for each level of a load on its own.
pub fn levels_of_load(results: &Results) -> Option<Table> {
    let variant = results.variants.first()?;
    let levels = results.levels.iter().zip(&variant.levels);
    let lines: Vec<Line> = levels
        .filter_map(|(summary, level)| {
            let (label, level) = (label_for_people(&summary.label), level.as_ref());
            Some(Line { name: problems::marked(&label, level), variant, level: Some(level?) })
        })
        .collect();
    (!lines.is_empty()).then(|| table(results, String::new(), "level", &lines))
}

fn table(results: &Results, title: String, what: &str, lines: &[Line]) -> Table {
    let succeeded = |level: &&LevelResults| level.totals.counts.succeeded > 0;
    let times = lines.iter().filter_map(|line| line.level.filter(succeeded)).flat_map(median_p99_ms).flatten();
    let unit = TimeUnit::fitting(times);
    let has_startup = results.claims.iter().any(|claim| claim.metrics.contains(&"startup"));
    let startups = lines.iter().filter_map(|line| line.variant.startup_s.as_ref());
    let startup_unit = TimeUnit::fitting(startups.map(|figure| figure.median * 1e3));
    let time = |name: &str| Column::numbers(format!("{name} {}", unit.symbol()));
    let columns = [
        Some(Column::words(what)),
        Some(Column::numbers("req/s")),
        Some(time("median")),
        Some(time("p99")),
        Some(Column::numbers("errors %")),
        has_startup.then(|| Column::numbers(format!("start-up {}", startup_unit.symbol()))),
        Some(Column::words("limited by")),
    ];
    let row = |line: &Line| {
        let of_level = |show: &dyn Fn(&LevelResults) -> String| line.level.map_or_else(|| NONE.to_owned(), show);
        let time = |pick: usize| {
            let shown = line.level.filter(succeeded).and_then(|level| Some(unit.show(median_p99_ms(level)[pick]?)));
            shown.unwrap_or_else(|| NONE.to_owned())
        };
        let startup = || match &line.variant.startup_s {
            Some(figure) => startup_unit.show(figure.median * 1e3),
            None => NONE.to_owned(),
        };
        let cells = [
            Some(line.name.clone()),
            Some(of_level(&|level| sig3(level.throughput_per_s.median))),
            Some(time(0)),
            Some(time(1)),
            Some(of_level(&|level| level.errors_percent().map_or(NONE.to_owned(), |it| errors_percent(it.median)))),
            has_startup.then(startup),
            Some(limit(results, line)),
        ];
        cells.into_iter().flatten().collect()
    };
    Table { title, columns: columns.into_iter().flatten().collect(), rows: lines.iter().map(row).collect() }
}

fn median_p99_ms(level: &LevelResults) -> [Option<f64>; 2] {
    [Some(&level.response.median_ms), level.response.p99_ms.as_ref()].map(|figure| Some(figure?.median))
}

/// Why percentiles are missing in the table of times.
pub fn why_missing(level: &LevelResults) -> Option<String> {
    figures::why_missing([&level.response, &level.service].into_iter(), &SHOWN)
}

/// The limit of the level, as far as findings tell; without a level the reason why it is missing.
fn limit(results: &Results, line: &Line) -> String {
    let Some(level) = line.level else {
        // The reason is among the findings.
        return problems::word(results, line.variant).unwrap_or(NONE).to_owned();
    };
    match (level.limited_by, &level.ceiling) {
        (Some("gives-way-first"), _) => explained(results, &line.variant.name, level),
        (Some("ceiling-reached"), Some(ceiling)) => {
            let bound = match ceiling.bound {
                Bound::Workers => "workers",
                Bound::Connections => "connections",
                Bound::Users => "users",
            };
            format!("{bound} (ceiling {}/s)", sig3(ceiling.per_s))
        }
        (Some("generator-cpu"), _) => "the generator (CPU)".to_owned(),
        (Some("generator-late"), _) => "the generator (late)".to_owned(),
        (Some("generator-ports"), _) => "the generator (ports)".to_owned(),
        (Some("generator-descriptors"), _) => "the generator (descriptors)".to_owned(),
        (Some("cpu-throttled"), _) => "the CPU quota".to_owned(),
        (Some("accept-queue-overflows" | "late-connects"), _) => "the accept queue".to_owned(),
        (Some("offered-load"), _) => "the offered load".to_owned(),
        (Some(kind), _) => kind.to_owned(),
        (None, _) => NONE.to_owned(),
    }
}

/// `lock`, or `server-threads (ceiling 193/s)`.
fn explained(results: &Results, variant: &str, level: &LevelResults) -> String {
    let is_here = |it: &&Explanation| it.variant == variant && it.level.as_ref() == Some(&level.label);
    let Some(found) = results.explanations.iter().find(is_here) else { return NONE.to_owned() };
    match level.ceiling.as_ref().filter(|ceiling| found.agrees_with(ceiling)) {
        Some(ceiling) => format!("{} (ceiling {}/s)", found.limit, sig3(ceiling.per_s)),
        None => found.limit.to_owned(),
    }
}

/// Statistics of the table of times.
const SHOWN: [&str; 6] = ["mean", "median", "p90", "p99", "p999", "max"];

/// Response and service times, a row each.
pub fn times(level: &LevelResults) -> Table {
    let rows = [("response time", &level.response), ("service time", &level.service)].map(|(name, times)| {
        let shown = figures::of_times(times).into_iter().filter(|(figure, _)| SHOWN.contains(figure));
        (name, shown.map(|(_, figure)| Some(figure?.median)).collect::<Vec<_>>())
    });
    let unit = TimeUnit::fitting(rows.iter().flat_map(|(_, times)| times.iter().copied().flatten()));
    let heads = SHOWN.map(|name| Column::numbers(format!("{} {}", figures::head(name), unit.symbol())));
    let row = |(name, times): &(&str, Vec<Option<f64>>)| {
        let shown = times.iter().map(|ms| ms.map_or(NONE.to_owned(), |ms| unit.show(ms)));
        std::iter::once((*name).to_owned()).chain(shown).collect()
    };
    Table {
        title: String::new(),
        columns: std::iter::once(Column::words("")).chain(heads).collect(),
        rows: rows.iter().map(row).collect(),
    }
}
