//! Figures that cannot all be true.

use super::{cells, warning};
use crate::{
    measured::Measured,
    results::{LittlesLaw, Note, Results},
};

pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let notes = cells(measured, results).filter_map(|cell| {
        let text = contradiction(&cell.results.littles_law)?;
        Some(warning(format!(
            "{}: {text}. Do not trust these figures, and report this as a defect of Plimsoll.",
            cell.name()
        )))
    });
    notes.collect()
}

fn contradiction(law: &LittlesLaw) -> Option<String> {
    (!law.consistent).then(|| {
        format!(
            "throughput × mean time asks for {:.0} requests in flight, but the load allows {:.0} (Little's law)",
            law.in_flight, law.allowed
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analyse, testing::greetings};

    #[test]
    fn figures_of_ours_that_cannot_be_are_a_defect() {
        let data = greetings();
        let mut results = analyse(&data);
        assert!(find(&Measured::of(&data), &results).is_empty());
        let level = results.variants[0].levels[0].as_mut().unwrap();
        level.littles_law = LittlesLaw { in_flight: 1_959.0, allowed: 100.0, consistent: false };
        let notes = find(&Measured::of(&data), &results);
        assert_eq!(notes.len(), 1);
        assert!(
            notes[0].text.contains("asks for 1959 requests in flight, but the load allows 100"),
            "{}",
            notes[0].text
        );
    }
}
