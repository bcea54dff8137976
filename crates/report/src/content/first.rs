//! The first requests one by one: a row for each variant, a column for some of the calls.

use plimsoll_analysis::{
    Results,
    results::{FirstCall, FirstRequests, JvmFigures},
};
use plimsoll_record::label_for_people;
use plimsoll_text::number::{NONE, TimeUnit, count, time};

use super::{Column, Table, levels};

/// The calls that have a column.
const CALLS: [u32; 7] = [1, 2, 3, 5, 10, 20, 50];
/// The first call of "the rest".
const REST_FROM: u32 = 11;

/// Meaning of the tables, in a line.
pub const HOW_TO_READ: &str = "Response time of each of the first requests in the order of sending, median over rounds. The rest: the \
     median of the traced requests from the eleventh on.";

/// One table per level that had requests traced.
pub fn tables(results: &Results) -> Vec<Table> {
    (0..results.levels.len()).filter_map(|index| table(results, index)).collect()
}

/// Every variant that had requests traced at the level.
pub fn of_level(results: &Results, index: usize) -> impl Iterator<Item = (usize, &FirstRequests)> {
    let levels = levels::of_level(results, index);
    levels.filter_map(|(variant, level)| Some((variant, level.first_requests.as_ref()?)))
}

fn table(results: &Results, index: usize) -> Option<Table> {
    let most = of_level(results, index).map(|(_, first)| first.calls.len() as u32).max()?;
    let calls: Vec<u32> = CALLS.into_iter().filter(|&call| call <= most).collect();
    let shown = |first: &FirstRequests| {
        let rest = (most >= REST_FROM).then(|| first.rest_ms.as_ref().map(|figure| figure.median));
        let calls: Vec<_> = calls.iter().map(|&call| first.calls.get(call as usize - 1).cloned()).collect();
        (calls, rest)
    };
    let times = of_level(results, index).flat_map(|(_, first)| {
        let (calls, rest) = shown(first);
        let of_call = |call: FirstCall| Some(call.response_ms?.median);
        calls.into_iter().flatten().filter_map(of_call).chain(rest.flatten()).collect::<Vec<_>>()
    });
    let unit = TimeUnit::fitting(times);
    let mut columns = vec![Column::words("variant")];
    columns.extend(calls.iter().map(|call| Column::numbers(format!("call {call}, {}", unit.symbol()))));
    columns.extend((most >= REST_FROM).then(|| Column::numbers(format!("the rest, {}", unit.symbol()))));
    let row = |(variant, first): (usize, &FirstRequests)| {
        let (calls, rest) = shown(first);
        let mut row = vec![results.variants[variant].name.clone()];
        row.extend(calls.iter().map(|call| cell(call.as_ref(), unit)));
        row.extend(rest.map(|rest| rest.map_or_else(|| NONE.to_owned(), |ms| unit.show(ms))));
        row
    };
    Some(Table {
        title: format!("First requests at level {}", label_for_people(&results.levels[index].label)),
        columns,
        rows: of_level(results, index).map(row).collect(),
    })
}

fn cell(call: Option<&FirstCall>, unit: TimeUnit) -> String {
    match call {
        Some(FirstCall { response_ms: Some(figure), .. }) => unit.show(figure.median),
        Some(_) => "failed".to_owned(),
        None => NONE.to_owned(),
    }
}

/// Parts of the first call: one table per level at which responses or the JVM report any.
pub fn inside(results: &Results) -> Vec<Table> {
    (0..results.levels.len()).filter_map(|index| inside_level(results, index)).collect()
}

/// Meaning of the tables of [`inside`], in a line.
pub const HOW_TO_READ_INSIDE: &str = "Inside call 1: parts that its response names (Server-Timing), and growth of the JVM's own counters during the \
     call and up to 100 ms before. JIT time is the sum over all compiler threads, which work beside the call.";

fn inside_level(results: &Results, index: usize) -> Option<Table> {
    let rows: Vec<(usize, &FirstRequests)> = of_level(results, index).collect();
    let mut parts: Vec<&str> = Vec::new();
    for part in rows.iter().flat_map(|(_, first)| &first.server_timing) {
        if !parts.contains(&part.name.as_str()) {
            parts.push(&part.name);
        }
    }
    let of_jvm: [(&str, OfJvm); 4] = [
        ("classes loaded", |jvm| Some(count(jvm.classes_loaded.as_ref()?.median.round() as u64))),
        ("class loading", |jvm| Some(time(jvm.class_load_ms.as_ref()?.median))),
        ("initialising", |jvm| Some(time(jvm.class_init_ms.as_ref()?.median))),
        ("JIT", |jvm| Some(time(jvm.compile_ms.as_ref()?.median))),
    ];
    let of_jvm: Vec<(&str, OfJvm)> =
        of_jvm.into_iter().filter(|(_, read)| rows.iter().any(|(_, first)| read(&first.jvm).is_some())).collect();
    if parts.is_empty() && of_jvm.is_empty() {
        return None;
    }
    let mut columns = vec![Column::words("variant"), Column::numbers("call 1")];
    columns.extend(parts.iter().map(|part| Column::numbers(*part)));
    columns.extend(of_jvm.iter().map(|(head, _)| Column::numbers(*head)));
    let row = |(variant, first): &(usize, &FirstRequests)| {
        let took = first.calls.first().and_then(|call| call.response_ms.as_ref());
        let said = |name: &&str| first.server_timing.iter().find(|part| part.name == **name).map(|part| &part.ms);
        let times = [took].into_iter().chain(parts.iter().map(said)).map(|figure| figure.map(|it| time(it.median)));
        let cells = times.chain(of_jvm.iter().map(|(_, read)| read(&first.jvm)));
        let mut row = vec![results.variants[*variant].name.clone()];
        row.extend(cells.map(|cell| cell.unwrap_or_else(|| NONE.to_owned())));
        row
    };
    Some(Table {
        title: format!("Inside call 1 at level {}", label_for_people(&results.levels[index].label)),
        columns,
        rows: rows.iter().map(row).collect(),
    })
}

type OfJvm = fn(&JvmFigures) -> Option<String>;
