//! Requests failed.

use std::collections::BTreeMap;

use plimsoll_record::{ErrorCount, ErrorKind};

use super::{Cell, cells, the_same_of, warning};
use crate::{
    measured::Measured,
    results::{Note, Results},
};

/// One note per kind of error, about the level with the greatest share of failures, most often of that kind.
pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let mut by_kind: BTreeMap<ErrorKind, Vec<(Cell, &ErrorCount)>> = BTreeMap::new();
    for cell in cells(measured, results) {
        let errors = &cell.results.totals.errors;
        if let Some((&kind, most)) = errors.iter().max_by_key(|(_, error)| error.count) {
            by_kind.entry(kind).or_default().push((cell, most));
        }
    }
    by_kind.into_iter().filter_map(|(kind, cells)| Some(warning(text(kind, cells)?))).collect()
}

fn text(kind: ErrorKind, mut failing: Vec<(Cell, &ErrorCount)>) -> Option<String> {
    let share = |cell: &Cell| cell.results.totals.errors_percent();
    failing.sort_by(|a, b| share(&b.0).total_cmp(&share(&a.0)));
    let ((worst, most), others) = failing.split_first()?;
    let others: Vec<String> =
        others.iter().map(|(cell, _)| format!("{} ({:.2} %)", cell.name(), share(cell))).collect();
    let example = if most.example.is_empty() { kind.meaning() } else { &most.example };
    Some(format!(
        "{}: {:.2} % of requests failed, most often `{kind}` ({} of {}; the first: {example}). Times are those of \
         requests that succeeded, so they leave these out.{}",
        worst.name(),
        share(worst),
        most.count,
        worst.results.totals.failed,
        the_same_of(&others)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analyse, testing::greetings};

    #[test]
    fn the_most_frequent_kind_is_named() {
        let data = greetings();
        let notes = find(&Measured::of(&data), &analyse(&data));
        assert_eq!(notes.len(), 1);
        // 9 of 2,700 in each of three rounds: 6 resets, 3 closed.
        let start = "web-jar-vt @ 2700: 0.33 % of requests failed, most often `reset` (18 of 27; the first: ";
        assert!(notes[0].text.starts_with(start), "{}", notes[0].text);
    }
}
