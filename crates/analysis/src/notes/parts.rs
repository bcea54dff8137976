//! The load was shared by several generators: what is there of it.

use plimsoll_record::{ExecutionStatus, Merged, Nanos, Part};

use super::{info, warning};
use crate::{
    measured::Measured,
    results::{Note, Results},
};

/// Less than this is the doing of clocks and process starts.
const APART_LEAST: Nanos = Nanos::from_secs(1);

pub(super) fn find(_: &Measured, results: &Results) -> Vec<Note> {
    let part = results.execution.segment.map(of_part);
    let merged = results.environment.merged.iter();
    let merged = merged.flat_map(|merged| [missing(merged), cut_short(merged), apart(merged)]);
    part.into_iter().chain(merged.flatten()).collect()
}

fn of_part(Part { number, count }: Part) -> Note {
    info(format!(
        "This is part {number} of {count} of the load: counts and rates are those of the part, and thresholds are not \
         judged. `plimsoll merge` joins the records of all parts."
    ))
}

fn missing(merged: &Merged) -> Option<Note> {
    let missing = merged.missing();
    let (parts, are) = if missing.len() == 1 { ("Part", "is") } else { ("Parts", "are") };
    (!missing.is_empty()).then(|| {
        warning(format!(
            "{parts} {} of {} {are} missing: counts and rates are those of the others and nothing is scaled up. What the \
             missing did to the target is not known.",
            numbers(&missing),
            merged.count
        ))
    })
}

fn cut_short(merged: &Merged) -> Option<Note> {
    let how = |status| match status {
        ExecutionStatus::Running => "killed, or still under way",
        ExecutionStatus::Interrupted => "interrupted",
        ExecutionStatus::Failed => "failed",
        ExecutionStatus::Done => "done",
    };
    let parts: Vec<String> = merged.cut_short().map(|it| format!("{} ({})", it.number, how(it.status))).collect();
    (!parts.is_empty()).then(|| {
        warning(format!(
            "Not every part of the load came to its end: {}. What it measured until then is in the figures, and no more.",
            parts.join(", ")
        ))
    })
}

fn apart(merged: &Merged) -> Option<Note> {
    let latest = merged.parts.iter().max_by_key(|part| part.after)?;
    (latest.after >= APART_LEAST).then(|| {
        warning(format!(
            "The parts did not start together: part {} did {} after the first. Seconds are counted from the start of each \
             part, so the target never had all of the load that they show. Give all parts the same --start-at.",
            latest.number, latest.after
        ))
    })
}

/// `1, 2 and 4`.
fn numbers(numbers: &[u32]) -> String {
    let mut words: Vec<String> = numbers.iter().map(u32::to_string).collect();
    match (words.pop(), words.is_empty()) {
        (Some(last), false) => format!("{} and {last}", words.join(", ")),
        (last, _) => last.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analyse,
        results::Weight,
        testing::{Request, burst, execution, level, merged, plan, run, variant},
    };

    fn analysed(merged: Option<Merged>, segment: Option<Part>) -> Results {
        let request = Request::ok(Nanos::ZERO, Nanos::from_secs(1));
        let data = run(0, 0, Nanos::ZERO, vec![level(&burst(1), Nanos::ZERO, &[request])]);
        let mut data = execution(plan(vec![variant("a")], vec![burst(1)], 1), vec![data]);
        data.execution.environment.merged = merged;
        data.execution.plan.segment = segment;
        data.execution.plan.thresholds = vec!["errors<1%".to_owned()];
        analyse(&data)
    }

    fn warnings(results: &Results) -> Vec<&str> {
        let warnings = results.notes.iter().filter(|note| note.weight == Weight::Warning);
        warnings.map(|note| note.text.as_str()).collect()
    }

    const START: Nanos = Nanos::ZERO;

    #[test]
    fn a_lost_part_is_named_and_no_threshold_is_kept_without_it() {
        let whole = analysed(Some(merged(3, &[(1, START), (2, START), (3, Nanos(9))])), None);
        assert!(warnings(&whole).is_empty() && whole.thresholds[0].is_kept, "{:?}", whole.notes);
        let lost = analysed(Some(merged(3, &[(2, START)])), None);
        assert!(warnings(&lost)[0].starts_with("Parts 1 and 3 of 3 are missing: "), "{:?}", lost.notes);
        assert!(!lost.thresholds[0].is_kept);
        let mut killed = merged(1, &[(1, START)]);
        killed.parts[0].status = ExecutionStatus::Running;
        let killed = analysed(Some(killed), None);
        assert!(warnings(&killed)[0].contains("1 (killed, or still under way)"), "{:?}", killed.notes);
        assert_eq!(killed.thresholds[0].reason, "parts of the load are missing");
    }

    #[test]
    fn parts_that_start_apart_are_told() {
        let apart = analysed(Some(merged(2, &[(1, Nanos::from_secs(4)), (2, START)])), None);
        assert!(warnings(&apart)[0].starts_with("The parts did not start together: part 1 did 4.00 s after"));
    }

    #[test]
    fn a_part_says_so_and_is_not_judged() {
        let part = analysed(None, Some(Part { number: 2, count: 4 }));
        assert!(part.notes.iter().any(|note| note.text.starts_with("This is part 2 of 4 of the load")));
        assert!(part.thresholds.is_empty());
    }
}
