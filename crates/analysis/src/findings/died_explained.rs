//! The target ended while it was explained, after it was measured.

use plimsoll_record::RunStatus;

use crate::{
    measured::Measured,
    results::{Finding, Kind, Place, Results, Weight},
};

pub(super) const KINDS: &[&Kind] = &[&DIED];

static DIED: Kind = Kind {
    id: "died-while-explained",
    title: "ended while it was explained",
    weight: Weight::Warning,
    means: "The target was measured to the end of its load, and ended while it was looked at to say what gives way \
            first. Its figures count; the explanation is missing.",
    remedy: "Read its last lines in the record. A JVM with virtual threads can crash on a thread dump (JDK-8364343): \
             use a JDK in which that is mended, or leave out `explain`.",
    evidence: &[],
};

pub(super) fn find(measured: &Measured, _: &Results) -> Vec<Finding> {
    let done = measured.data.runs.iter().filter(|it| it.run.status == RunStatus::Done);
    let of_run = |run: &plimsoll_record::Run| {
        let name = &measured.plan().variants.get(run.variant)?.name;
        let says = format!("{name}: {}. Its figures count, its explanation is missing.", run.detail.as_ref()?);
        Some(DIED.at(Place::of_variant(name.clone()), says))
    };
    done.filter_map(|it| of_run(&it.run)).collect()
}

#[cfg(test)]
mod tests {
    use crate::{
        analyse,
        testing::{Line, lines},
    };

    #[test]
    fn a_line_that_was_found_before_counts() {
        let mut data = lines(&[("web", &[Line::at(100.0)])], &[]);
        assert!(analyse(&data).findings.iter().all(|it| it.kind.id != "died-while-explained"));
        data.runs[0].run.detail = Some("the target exited with status 134 92 s after its start".to_owned());
        let results = analyse(&data);
        let found = results.findings.iter().find(|it| it.kind.id == "died-while-explained").unwrap();
        assert!(found.says.starts_with("web: the target exited with status 134"), "{}", found.says);
        assert!(results.lines[0].line.low_per_s.is_some() && results.variants[0].problem.is_none());
    }
}
