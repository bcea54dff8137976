//! The load was shared by several generators: parts that are missing, or not together.

use plimsoll_record::{ExecutionStatus, Merged, MergedPart, Nanos, Part};
use plimsoll_text::{joined, number::sig3};

use crate::{
    measured::Measured,
    results::{Finding, Kind, Measure, Results, Weight},
};

pub(super) const KINDS: &[&Kind] = &[&ONE_PART, &MISSING, &CUT_SHORT, &APART];

static ONE_PART: Kind = Kind {
    id: "part-of-load",
    title: "part of a load",
    weight: Weight::Info,
    means: "The execution offered one part of a load that several generators share (`--segment`). Counts and rates are \
            those of the part, and thresholds are not judged.",
    remedy: "`plimsoll merge` joins the records of all parts.",
    evidence: &[
        Measure { name: "part", unit: "", about: "number of the part" },
        Measure { name: "parts", unit: "", about: "parts of the load" },
    ],
};

static MISSING: Kind = Kind {
    id: "parts-missing",
    title: "parts of the load are missing",
    weight: Weight::Warning,
    means: "Records of some parts were not merged. Counts and rates are those of the others, nothing is scaled up, \
            and no threshold is judged.",
    remedy: "Merge the records of all parts; if one is lost, repeat the load: what it did to the target is not known.",
    evidence: &[
        Measure { name: "missing", unit: "", about: "missing parts" },
        Measure { name: "parts", unit: "", about: "parts of the load" },
    ],
};

static CUT_SHORT: Kind = Kind {
    id: "parts-cut-short",
    title: "parts of the load were cut short",
    weight: Weight::Warning,
    means: "A generator did not come to its end. The figures hold what it measured until then, and no more.",
    remedy: "Repeat the load.",
    evidence: &[Measure { name: "cut_short", unit: "", about: "parts cut short" }],
};

static APART: Kind = Kind {
    id: "parts-apart",
    title: "parts did not start together",
    weight: Weight::Warning,
    means: "Seconds are counted from the start of each part, so the target never had all of the load that they show.",
    remedy: "Start them by `plimsoll collect`, or give all parts the same `--start-at`.",
    evidence: &[Measure { name: "apart", unit: "s", about: "seconds from the first start to the last" }],
};

/// Starts that are less apart are due to clocks and process starts.
const APART_LEAST: Nanos = Nanos::from_secs(1);

pub(super) fn find(_: &Measured, results: &Results) -> Vec<Finding> {
    let part = results.execution.segment.map(one_part);
    let merged = results.environment.merged.iter();
    let merged = merged.flat_map(|merged| [missing(merged), cut_short(merged), apart(merged)]);
    part.into_iter().chain(merged.flatten()).collect()
}

fn one_part(Part { number, count }: Part) -> Finding {
    let says = format!(
        "This is part {number} of {count} of the load: counts and rates are those of the part, and thresholds are not \
         judged."
    );
    ONE_PART.everywhere(says).with("part", u64::from(number)).with("parts", u64::from(count))
}

fn missing(merged: &Merged) -> Option<Finding> {
    let missing = merged.missing();
    let (parts, are) = if missing.len() == 1 { ("Part", "is") } else { ("Parts", "are") };
    let numbers: Vec<String> = missing.iter().map(u32::to_string).collect();
    let says = format!(
        "{parts} {} of {} {are} missing: counts and rates are those of the others, and nothing is scaled up.",
        joined(&numbers),
        merged.count
    );
    let found =
        || MISSING.everywhere(says).with("missing", missing.len() as u64).with("parts", u64::from(merged.count));
    (!missing.is_empty()).then(found)
}

fn cut_short(merged: &Merged) -> Option<Finding> {
    let how = |status| match status {
        ExecutionStatus::Running => "killed, or still under way",
        ExecutionStatus::Interrupted => "interrupted",
        ExecutionStatus::Failed => "failed",
        ExecutionStatus::Done => "done",
    };
    let share = 100.0 / f64::from(merged.count.max(1));
    let one = |it: &MergedPart| match it.lost_after {
        Some(after) => format!(
            "{} (lost after its second {}; its share of the load is {} %)",
            it.number,
            after.0 / 1_000_000_000,
            sig3(share)
        ),
        None => format!("{} ({})", it.number, how(it.status)),
    };
    let parts: Vec<String> = merged.cut_short().map(one).collect();
    let says = || {
        format!(
            "Not every part of the load came to its end: {}. The figures hold what was measured until then.",
            joined(&parts)
        )
    };
    (!parts.is_empty()).then(|| CUT_SHORT.everywhere(says()).with("cut_short", parts.len() as u64))
}

fn apart(merged: &Merged) -> Option<Finding> {
    let latest = merged.parts.iter().max_by_key(|part| part.after)?;
    let says = || {
        format!(
            "The parts did not start together: part {} started {} after the first. Seconds are counted from the \
             start of each part, so the target never had all of the load that they show.",
            latest.number, latest.after
        )
    };
    (latest.after >= APART_LEAST).then(|| APART.everywhere(says()).with("apart", latest.after.as_secs_f64()))
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
        let warnings = results.findings.iter().filter(|it| it.weight == Weight::Warning);
        warnings.map(|it| it.says.as_str()).collect()
    }

    const START: Nanos = Nanos::ZERO;

    #[test]
    fn a_lost_part_is_named_and_no_threshold_is_kept_without_it() {
        let whole = analysed(Some(merged(3, &[(1, START), (2, START), (3, Nanos(9))])), None);
        assert!(warnings(&whole).is_empty() && whole.thresholds[0].is_kept, "{:?}", whole.findings);
        let lost = analysed(Some(merged(3, &[(2, START)])), None);
        assert!(warnings(&lost)[0].starts_with("Parts 1 and 3 of 3 are missing: "), "{:?}", lost.findings);
        assert!(!lost.thresholds[0].is_kept);
        let mut killed = merged(1, &[(1, START)]);
        killed.parts[0].status = ExecutionStatus::Running;
        let killed = analysed(Some(killed), None);
        assert!(warnings(&killed)[0].contains("1 (killed, or still under way)"), "{:?}", killed.findings);
        let mut lost = merged(4, &[(1, START), (2, START), (3, START), (4, START)]);
        lost.parts[1].status = ExecutionStatus::Running;
        lost.parts[1].lost_after = Some(Nanos::from_secs(12));
        let lost = analysed(Some(lost), None);
        let says = "2 (lost after its second 12; its share of the load is 25.0 %)";
        assert!(warnings(&lost)[0].contains(says), "{:?}", lost.findings);
        assert_eq!(killed.thresholds[0].reason, "parts of the load are missing");
    }

    #[test]
    fn parts_that_start_apart_are_told() {
        let apart = analysed(Some(merged(2, &[(1, Nanos::from_secs(4)), (2, START)])), None);
        assert!(warnings(&apart)[0].starts_with("The parts did not start together: part 1 started 4.00 s after"));
    }

    #[test]
    fn a_part_says_so_and_is_not_judged() {
        let part = analysed(None, Some(Part { number: 2, count: 4 }));
        assert!(part.findings.iter().any(|it| it.says.starts_with("This is part 2 of 4 of the load")));
        assert!(part.thresholds.is_empty());
    }
}
