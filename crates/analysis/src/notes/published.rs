//! Published figures that cannot be: what is beside them is no comparison.

use super::{info, listed, warning};
use crate::{
    measured::Measured,
    results::{AuditVerdict, Note, PublishedLevelResults, Results},
};

/// One note for rows that cannot be, one for those that tell no variants apart.
pub(super) fn find(_: &Measured, results: &Results) -> Vec<Note> {
    let rows = || results.published.iter().flat_map(|it| &it.levels);
    let with = |verdict| -> Vec<String> { rows().filter(|row| row.audit.verdict == verdict).map(name).collect() };
    let (wrong, limited) = (with(AuditVerdict::Contradiction), with(AuditVerdict::Limited));
    let all = rows().count();
    let wrong_note = (!wrong.is_empty()).then(|| {
        warning(format!(
            "{} of {all} published rows cannot be right ({}): do not compare with them. The audit beside the published \
             table says why.",
            wrong.len(),
            listed(&wrong)
        ))
    });
    let limited_note = (!limited.is_empty()).then(|| {
        info(format!(
            "{} of {all} published rows show what was asked for, or what a setting allows ({}): they tell no variants \
             apart.",
            limited.len(),
            listed(&limited)
        ))
    });
    wrong_note.into_iter().chain(limited_note).collect()
}

fn name(row: &PublishedLevelResults) -> String {
    format!("{} @ {}", row.variant, row.level)
}

#[cfg(test)]
mod tests {
    use plimsoll_record::Statistic;

    use super::*;
    use crate::{analyse, results::Weight, testing::greetings};

    #[test]
    fn a_published_row_that_cannot_be_is_named() {
        let mut data = greetings();
        let found = |data: &plimsoll_record::ExecutionData| find(&Measured::of(data), &analyse(data));
        assert!(found(&data).iter().all(|note| note.weight == Weight::Info));
        let row = &mut data.execution.plan.published.as_mut().unwrap().levels[0];
        row.figures.iter_mut().filter(|it| it.statistic == Statistic::Throughput).for_each(|it| it.value = 394.0);
        let text = &found(&data)[0].text;
        assert!(text.starts_with("1 of 4 published rows cannot be right (web-jvm @ 100)"), "{text}");
    }
}
