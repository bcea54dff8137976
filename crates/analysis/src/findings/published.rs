//! Published figures that cannot be right: nothing can be compared with them.

use plimsoll_text::and_more;

use crate::{
    measured::Measured,
    results::{AuditVerdict, Finding, Kind, Measure, PublishedLevelResults, Results, Weight},
};

pub(super) const KINDS: &[&Kind] = &[&WRONG, &LIMITED];

const ROWS: &[Measure] = &[
    Measure { name: "rows", unit: "", about: "such rows" },
    Measure { name: "all_rows", unit: "", about: "published rows" },
];

static WRONG: Kind = Kind {
    id: "published-rows-wrong",
    title: "published rows cannot be right",
    weight: Weight::Warning,
    means: "Published figures contradict each other. The audit beside the published table says why.",
    remedy: "Do not compare with these rows.",
    evidence: ROWS,
};

static LIMITED: Kind = Kind {
    id: "published-rows-limited",
    title: "published rows show the load or a setting",
    weight: Weight::Info,
    means: "Published rows show what was asked for, or what a setting allows, so they tell no variants apart.",
    remedy: "Compare at a level that neither the load nor a setting limits.",
    evidence: ROWS,
};

pub(super) fn find(_: &Measured, results: &Results) -> Vec<Finding> {
    let rows = || results.published.iter().flat_map(|it| &it.levels);
    let found = |kind: &'static Kind, verdict, what: &str| {
        let names: Vec<String> = rows().filter(|row| row.audit.verdict == verdict).map(name).collect();
        let all = rows().count();
        let says = format!("{} of {all} published rows {what} ({}).", names.len(), and_more(&names));
        let found = || kind.everywhere(says).with("rows", names.len() as u64).with("all_rows", all as u64);
        (!names.is_empty()).then(found)
    };
    let wrong = found(&WRONG, AuditVerdict::Contradiction, "cannot be right");
    let limited = found(&LIMITED, AuditVerdict::Limited, "show what was asked for, or what a setting allows");
    wrong.into_iter().chain(limited).collect()
}

fn name(row: &PublishedLevelResults) -> String {
    format!("{} @ {}", row.variant, row.level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analyse, results::Weight, testing::greetings};

    #[test]
    fn a_published_row_that_cannot_be_is_named() {
        let found = |data: &plimsoll_record::ExecutionData| find(&Measured::of(data), &analyse(data));
        let mut data = greetings();
        let says = &found(&data)[0].says;
        assert!(says.starts_with("1 of 5 published rows cannot be right (reactive-jvm @ 2700)"), "{says}");
        data.execution.plan.published.as_mut().unwrap().levels.pop();
        assert!(found(&data).iter().all(|it| it.weight == Weight::Info));
    }
}
