//! Workers are what limits throughput.

use super::{cells, info};
use crate::{
    ceiling,
    measured::Measured,
    results::{Note, Results},
};

const LEAST_PERCENT: f64 = 90.0;

/// One note per variant, about the level that comes nearest to its ceiling.
pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let variants = measured.plan().variants.iter();
    let note = |name: &str| {
        let limited = cells(measured, results).filter(|it| ceiling::is_by_workers(it.variant, it.level));
        let reached = limited.filter(|it| it.variant.name == name).filter_map(|cell| {
            let ceiling = cell.results.ceiling.as_ref().filter(|it| it.reached_percent >= LEAST_PERCENT)?;
            Some((cell.name(), ceiling))
        });
        let (cell, ceiling) = reached.max_by(|a, b| a.1.reached_percent.total_cmp(&b.1.reached_percent))?;
        Some(info(format!(
            "{cell}: throughput is {:.0} % of the {:.0}/s that settings allow ({}). More worker threads or virtual \
             threads move \
             this limit.",
            ceiling.reached_percent, ceiling.per_s, ceiling.because
        )))
    };
    variants.filter_map(|it| note(&it.name)).collect()
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
