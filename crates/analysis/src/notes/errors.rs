//! Requests failed.

use super::{Cell, cells, warning};
use crate::{
    measured::Measured,
    results::{Note, Results},
};

/// One note per variant, about the level with the greatest share of failures.
pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let names = measured.plan().variants.iter().map(|it| &it.name);
    let failing = |name: &String| {
        let failing = cells(measured, results).filter(|it| it.variant.name == *name && it.results.totals.failed > 0);
        failing.collect::<Vec<_>>()
    };
    names.map(failing).filter_map(|cells| Some(warning(text(&cells)?))).collect()
}

fn share(cell: &Cell) -> f64 {
    let totals = &cell.results.totals;
    totals.failed as f64 / (totals.failed + totals.succeeded) as f64 * 100.0
}

fn text(failing: &[Cell]) -> Option<String> {
    let worst = failing.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
    let (kind, most) = worst.results.totals.errors.iter().max_by_key(|it| it.1.count)?;
    let elsewhere = match failing.len() - 1 {
        0 => String::new(),
        1 => " (and some at 1 other level)".to_owned(),
        others => format!(" (and some at {others} other levels)"),
    };
    let example = if most.example.is_empty() { kind.meaning() } else { &most.example };
    Some(format!(
        "{}: {:.2} % of requests failed{elsewhere}, most often `{kind}` ({} of {}; the first: {example}). Times are \
         those of requests that \
         succeeded, so they leave these out.",
        worst.name(),
        share(worst),
        most.count,
        worst.results.totals.failed
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
