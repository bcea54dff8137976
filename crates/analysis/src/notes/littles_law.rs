//! Figures that cannot all be true.

use super::{cells, warning};
use crate::{
    measured::Measured,
    results::{LittlesLaw, Note, Results},
};

pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let ours = cells(measured, results).filter_map(|cell| {
        let text = contradiction(&cell.results.littles_law)?;
        Some(warning(format!(
            "{}: {text}. Do not trust these figures, and report this as a defect of Plimsoll.",
            cell.name()
        )))
    });
    let rows = results.published.iter().flat_map(|it| &it.levels);
    let published = rows.filter_map(|row| {
        let text = contradiction(row.littles_law.as_ref()?)?;
        Some(warning(format!("Published figures of {} @ {}: {text}. One of them is wrong.", row.variant, row.level)))
    });
    ours.chain(published).collect()
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
    fn a_published_row_that_cannot_be_is_named() {
        let mut data = greetings();
        assert!(find(&Measured::of(&data), &analyse(&data)).is_empty());
        let row = &mut data.execution.plan.published.as_mut().unwrap().levels[0];
        (row.throughput, row.vus) = (Some(394.0), Some(500.0));
        row.times_ms.insert("mean".to_owned(), 4_972.0);
        let notes = find(&Measured::of(&data), &analyse(&data));
        assert_eq!(notes.len(), 1);
        assert!(
            notes[0].text.contains("asks for 1959 requests in flight, but the load allows 500"),
            "{}",
            notes[0].text
        );
    }
}
