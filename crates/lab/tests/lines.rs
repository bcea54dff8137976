//! Searches for load lines. How often their intervals hold is tested in virtual time; here that each run has its own.

use plimsoll_drive::{ScriptText, script::StepText};
use plimsoll_lab::{Event, experiment::Experiment, line::Offered};
use plimsoll_record::{LinePlan, Nanos, ObjectivePlan, Phase, RunStatus, metric};

use crate::support::{experiment::of, mark, run, target};

/// A search of one target with these habits.
fn search(habits: &[&str]) -> Experiment {
    let mut experiment = of(vec![target(habits, &mark())], Vec::new());
    experiment.scripts = vec![ScriptText::of(StepText::default())];
    let objectives = vec![ObjectivePlan { name: String::new(), thresholds: vec!["p(90)<1s".to_owned()] }];
    let (at_most, warm_up) = (Nanos::from_secs(10), Nanos::from_secs(1));
    experiment.plan.line =
        Some(LinePlan { objectives, at_most, warm_up, to: Some(20.0), max_in_flight: 4, ..LinePlan::default() });
    experiment
}

#[test]
fn a_target_that_dies_keeps_what_was_learnt() {
    // In the probe requests follow each other at once, unless the machine is busy: then once more.
    let ran = (0..10).map(|_| run(&search(&["die-at-lulls=10x30"]))).find(|ran| {
        let run = &ran.data().runs[0].run;
        let detail = run.detail.as_deref().unwrap_or_default();
        assert_eq!(run.status, RunStatus::Died);
        assert!(detail.contains("exited with status 3"), "{detail}");
        detail.contains("during trial")
    });
    let ran = ran.expect("it died in a trial");
    let run = &ran.data().runs[0];
    assert!(run.run.line.as_ref().is_some_and(|line| line.capacity.is_some()), "{:?}", run.run.line);
    let last = run.levels.last().unwrap();
    assert_eq!(last.plan.phase, Phase::Discarded, "the trial that it died in says nothing");
}

#[test]
fn each_run_searches_for_its_line() {
    let mut experiment = search(&[]);
    experiment.plan.rounds = 2;
    let ran = run(&experiment);

    let data = ran.data();
    assert_eq!(data.runs.len(), 2);
    for run in &data.runs {
        assert_eq!(run.run.status, RunStatus::Done);
        let line = run.run.line.as_ref().expect("a search");
        let capacity = line.capacity.expect("the probe is over").rate;
        assert!(capacity > 20.0, "{capacity}");
        assert_eq!(line.found.len(), 1);
        let probe = &run.levels[0].plan;
        assert_eq!((probe.label.as_str(), probe.phase), ("capacity", Phase::WarmUp));
        let trial = run.levels.iter().find(|level| level.plan.label.starts_with("trial 1:")).expect("a trial");
        assert!(trial.plan.load.peak_target() <= 20.0 && trial.took.is_some());
        assert!(trial.intervals.iter().any(|interval| !interval.arrivals.slots().is_empty()));
        assert!(
            run.samples.iter().any(|sample| sample.metric == metric::CPU_PERCENT.name && sample.at > trial.started)
        );
    }
    assert!(data.execution.plan.levels.len() >= 4, "of each run a probe and a trial");
    let is_trial = |event: &Event| match event {
        Event::Searching { standing, .. } => matches!(standing.offered, Offered::Trial { number: 1, .. }),
        _ => false,
    };
    assert!(ran.events.iter().any(is_trial));
}
