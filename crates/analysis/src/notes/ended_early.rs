//! The execution did not come to its end.

use plimsoll_record::ExecutionStatus;

use super::{cells, info, listed, warning};
use crate::{
    measured::Measured,
    results::{Note, Results},
};

pub(super) fn find(measured: &Measured, results: &Results) -> Vec<Note> {
    let what = match results.execution.status {
        ExecutionStatus::Done => None,
        ExecutionStatus::Running => Some("is under way, or its process was killed"),
        ExecutionStatus::Interrupted => Some("was interrupted"),
        ExecutionStatus::Failed => Some("was ended by a defect outside the targets"),
    };
    let summary = &results.execution;
    let ended = what.map(|what| {
        warning(format!(
            "The execution {what}: {} of {} runs were completed. What was measured until then is reported.",
            summary.runs_done, summary.runs_planned
        ))
    });
    let partial: Vec<String> = cells(measured, results)
        .filter(|it| it.rounds.iter().any(|round| !round.is_complete))
        .map(|it| it.name())
        .collect();
    let incomplete = (!partial.is_empty()).then(|| {
        info(format!(
            "Figures of {} come from a load that was cut short: they are those of its beginning. Run it to its end to \
             compare them.",
            listed(&partial)
        ))
    });
    ended.into_iter().chain(incomplete).collect()
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Nanos, RunStatus};

    use super::*;
    use crate::{
        analyse,
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
        let notes = find(&Measured::of(&data), &results);
        assert_eq!(
            notes[0].text,
            "The execution was interrupted: 0 of 3 runs were completed. What was measured until then is reported."
        );
        assert!(notes[1].text.starts_with("Figures of a @ 1 come from a load that was cut short"));
        data.execution.status = ExecutionStatus::Done;
        data.runs[0].levels[0].took = Some(Nanos::from_secs(1));
        assert!(find(&Measured::of(&data), &analyse(&data)).is_empty());
    }
}
