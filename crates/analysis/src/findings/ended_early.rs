//! The execution did not come to its end.

use plimsoll_record::ExecutionStatus;

use super::Cell;
use crate::{
    measured::Measured,
    results::{CutShort, Finding, Kind, Measure, Results, Weight},
};

pub(super) const KINDS: &[&Kind] = &[&EXECUTION];
pub(super) const LEVEL_KINDS: &[&Kind] = &[&LEVEL];

static EXECUTION: Kind = Kind {
    id: "ended-early",
    title: "execution ended early",
    weight: Weight::Warning,
    means: "The execution was interrupted, killed, or ended by a defect outside the targets. The report shows what was \
            measured until then.",
    remedy: "Run it to its end before you conclude anything.",
    evidence: &[
        Measure { name: "runs_done", unit: "", about: "completed runs" },
        Measure { name: "runs_planned", unit: "", about: "planned runs" },
    ],
};

static LEVEL: Kind = Kind {
    id: "load-cut-short",
    title: "load cut short",
    weight: Weight::Info,
    means: "No round drove this level to its end: the figures are those of its beginning.",
    remedy: "Run it to its end to compare its figures.",
    evidence: &[],
};

pub(super) fn find(_: &Measured, results: &Results) -> Vec<Finding> {
    let what = match results.execution.status {
        ExecutionStatus::Done => None,
        ExecutionStatus::Running => Some("is under way, or its process was killed"),
        ExecutionStatus::Interrupted => Some("was interrupted"),
        ExecutionStatus::Failed => Some("was ended by a defect outside the targets"),
    };
    let (done, planned) = (results.execution.runs_done, results.execution.runs_planned);
    let ended = what.map(|what| {
        let says = format!(
            "The execution {what}: {done} of {planned} runs were completed. The report shows what was measured \
             until then."
        );
        EXECUTION.everywhere(says).with("runs_done", u64::from(done)).with("runs_planned", u64::from(planned))
    });
    ended.into_iter().collect()
}

pub(super) fn at(cell: &Cell) -> Option<Finding> {
    let says = match cell.results.cut_short? {
        CutShort::TargetDied => "The target died while it was driven: the figures are those until then.",
        CutShort::UpstreamFailed => "The upstream failed while it was driven: the figures are those until then.",
        CutShort::Interrupted => "The load was cut short: the figures are those of its beginning.",
    };
    Some(LEVEL.at(cell.place(), says))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Nanos, RunStatus};

    use super::*;
    use crate::{
        analyse,
        findings::found_at_levels,
        testing::{Request, burst, execution, level, plan, run, variant},
    };

    #[test]
    fn an_interrupted_execution_reports_what_it_measured_and_says_so() {
        let request = Request::ok(Nanos::ZERO, Nanos::from_secs(1));
        let mut data = run(0, 0, Nanos::ZERO, vec![level(&burst(1), Nanos::ZERO, &[request])]);
        data.levels[0].took = None;
        data.run.status = RunStatus::Interrupted;
        let mut data = execution(plan(vec![variant("a")], vec![burst(1)], 3), vec![data]);
        data.execution.status = ExecutionStatus::Interrupted;
        let results = analyse(&data);
        assert_eq!(results.variants[0].levels[0].as_ref().unwrap().throughput_per_s.rounds, [1.0]);
        let found = find(&Measured::of(&data), &results);
        assert_eq!(
            found[0].says,
            "The execution was interrupted: 0 of 3 runs were completed. The report shows what was measured until then."
        );
        let cut_short = found_at_levels(&data, &results, at);
        assert_eq!(cut_short[0].place.to_string(), "a @ 1");
        data.execution.status = ExecutionStatus::Done;
        data.runs[0].levels[0].took = Some(Nanos::from_secs(1));
        let results = analyse(&data);
        assert!(find(&Measured::of(&data), &results).is_empty());
        assert!(found_at_levels(&data, &results, at).is_empty());
    }
}
