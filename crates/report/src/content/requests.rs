//! The requests and checks of an experiment, each on its own: a table for each level.

use plimsoll_analysis::{Results, results::LevelResults};
use plimsoll_text::number::count;

use super::{Column, Table, figures, levels, load, problems};

/// How to read the tables of requests.
pub const HOW_TO_READ: &str = "Requests of all rounds together; times are response times. Claims name them as \
    variant/request.";

/// Requests and checks of all levels; none of a load on its own, which has them among its tables.
pub fn tables(results: &Results) -> Vec<Table> {
    if !load::levels_of(results).is_empty() {
        return Vec::new();
    }
    let of_level = |index| [requests(results, index), checks(results, index)];
    (0..results.levels.len()).flat_map(of_level).filter(|table| !table.rows.is_empty()).collect()
}

/// Why percentiles are missing in any of them.
pub fn why_missing(results: &Results) -> Option<String> {
    let requests = levels::all(results).flat_map(|(_, level)| &level.requests);
    figures::why_missing(requests.filter_map(|it| it.response.as_ref()), &["p99"])
}

fn requests(results: &Results, index: usize) -> Table {
    let of_level = || levels::of_level(results, index);
    let unit = load::unit_of(of_level().flat_map(|(_, level)| &level.requests));
    let rows = of_level().flat_map(|(variant, level)| {
        let name = name(results, variant, level);
        let cells = level.requests.iter().map(move |request| load::request_cells(request, unit));
        cells.map(move |cells| std::iter::once(name.clone()).chain(cells).collect())
    });
    let columns = std::iter::once(Column::words("variant")).chain(load::request_columns(unit)).collect();
    Table { title: titled("Requests", results, index), columns, rows: rows.collect() }
}

fn checks(results: &Results, index: usize) -> Table {
    let rows = levels::of_level(results, index).flat_map(|(variant, level)| {
        let name = name(results, variant, level);
        let checks = level.totals.checks.iter();
        checks.map(move |(check, of)| vec![name.clone(), check.clone(), count(of.passed), count(of.failed)])
    });
    let heads = ["variant", "check"].map(Column::words).into_iter();
    let columns = heads.chain(["passed", "failed"].map(Column::numbers)).collect();
    Table { title: titled("Checks", results, index), columns, rows: rows.collect() }
}

fn name(results: &Results, variant: usize, level: &LevelResults) -> String {
    problems::marked(&results.variants[variant].name, Some(level))
}

/// `Requests, level 20/s: 20/s for 3 s`.
fn titled(what: &str, results: &Results, index: usize) -> String {
    let title = levels::title(results, index);
    format!("{what}, {}{}", title[..1].to_lowercase(), &title[1..])
}
