//! The first requests one by one: a row for each variant, a column for some of the calls.

use plimsoll_analysis::{
    Results,
    results::{FirstCall, FirstRequests},
};

use super::{Column, Table, levels};
use crate::number::{NONE, TimeUnit, time};

/// The calls that have a column.
const CALLS: [u32; 7] = [1, 2, 3, 5, 10, 20, 50];
/// From here on calls are "the rest".
const REST_FROM: u32 = 11;

/// What the tables show, in a line.
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
        title: format!("First requests at level {}", results.levels[index].label),
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

/// What responses to the first call say of their own making: level and variant, and a sentence.
pub fn parts(results: &Results) -> Vec<(String, String)> {
    let mut sentences = Vec::new();
    for (index, level) in results.levels.iter().enumerate() {
        for (variant, first) in of_level(results, index).filter(|(_, first)| !first.server_timing.is_empty()) {
            let parts = first.server_timing.iter().map(|part| format!("{} {}", part.name, time(part.ms.median)));
            let text = format!("call 1 says of itself: {}.", parts.collect::<Vec<_>>().join(", "));
            sentences.push((format!("{} @ {}", results.variants[variant].name, level.label), text));
        }
    }
    sentences
}
