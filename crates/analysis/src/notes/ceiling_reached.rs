//! Workers, or connections to the upstream, are what limits throughput.

use super::{Cell, cells, info, the_same_of};
use crate::{
    ceiling,
    measured::Measured,
    results::{Bound, Ceiling, Note, Results},
};

const LEAST_PERCENT: f64 = 90.0;

/// One note, about the level that comes nearest to its ceiling.
pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let limited = cells(measured, results).filter(|it| ceiling::is_by_settings(it.results));
    let mut reached: Vec<(Cell, &Ceiling)> = limited
        .filter_map(|cell| {
            let ceiling = cell.results.ceiling.as_ref().filter(|it| it.reached_percent >= LEAST_PERCENT)?;
            Some((cell, ceiling))
        })
        .collect();
    reached.sort_by(|a, b| b.1.reached_percent.total_cmp(&a.1.reached_percent));
    let Some(((nearest, ceiling), others)) = reached.split_first() else { return Vec::new() };
    let others: Vec<String> = others.iter().map(|(cell, _)| cell.name()).collect();
    let what = match ceiling.bound {
        Bound::Workers | Bound::Users => "More worker threads or virtual threads",
        Bound::Connections => "More connections per route in the client's pool",
    };
    vec![info(format!(
        "{}: throughput is {:.0} % of the {:.0}/s that settings allow ({}). {what} move this limit.{}",
        nearest.name(),
        ceiling.reached_percent,
        ceiling.per_s,
        ceiling.because,
        the_same_of(&others)
    ))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analyse, testing::greetings};

    #[test]
    fn platform_threads_reach_it_and_virtual_ones_have_none() {
        let data = greetings();
        let notes = find(&Measured::of(&data), &analyse(&data));
        assert_eq!(notes.len(), 1);
        assert!(notes[0].text.starts_with("web-jar @ "), "{}", notes[0].text);
        assert!(
            notes[0].text.contains("of the 193/s that settings allow (2700 requests in 14 waves of 200 workers"),
            "{}",
            notes[0].text
        );
    }
}
