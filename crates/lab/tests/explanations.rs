//! Explanations after the load of a run. The analysis tests what is made of what is seen.

use plimsoll_drive::{ScriptText, script::StepText};
use plimsoll_lab::{Event, experiment::Experiment};
use plimsoll_record::{ExplainPlan, Explained, LevelData, LinePlan, Nanos, ObjectivePlan, Phase, RunStatus, Window};

use crate::support::{
    Ran,
    experiment::{level, of},
    mark, run, target,
};

fn explain(level: Option<&str>) -> Option<ExplainPlan> {
    let of = vec![Explained { variant: "v0".to_owned(), level: level.map(str::to_owned) }];
    Some(ExplainPlan { of, ..ExplainPlan::default() })
}

fn offered(ran: &Ran, run: usize) -> Vec<(Phase, &str, Option<&str>, String)> {
    let levels = ran.data().runs[run].levels.iter().map(|level| &level.plan);
    levels
        .map(|plan| (plan.phase, plan.label.as_str(), plan.explains.as_deref(), plan.load.peak().to_string()))
        .collect()
}

#[test]
fn a_level_is_looked_at_after_the_load_of_the_first_round() {
    let mark = mark();
    let mut experiment: Experiment = of(vec![target(&[], &mark), target(&[], &mark)], vec![level("2", 2)]);
    experiment.plan.rounds = 2;
    experiment.plan.explain = explain(Some("2"));
    let ran = run(&experiment);

    assert!(ran.data().runs.iter().all(|run| run.run.status == RunStatus::Done));
    let measured = (Phase::Measured, "2", None, "2".to_owned());
    let expected = [
        measured.clone(),
        (Phase::Explanation, "light", None, "1".to_owned()),
        (Phase::Census, "light", None, "1".to_owned()),
        (Phase::Explanation, "full", Some("2"), "2".to_owned()),
        (Phase::Census, "full", Some("2"), "2".to_owned()),
    ];
    assert_eq!(offered(&ran, 0), expected);
    // Neither the other variant nor another round.
    (1..4).for_each(|run| assert_eq!(offered(&ran, run), std::slice::from_ref(&measured), "run {run}"));

    let data = &ran.data().runs[0];
    assert!(data.levels.iter().all(|level| level.took.is_some()), "all were driven to their end");
    let seen = |window| data.censuses.iter().filter(move |census| census.window == window);
    assert!([Window::Rest, Window::Light, Window::Full].into_iter().all(|window| seen(window).count() > 0));
    let full: Vec<&LevelData> = data.levels.iter().filter(|level| level.plan.explains.is_some()).collect();
    assert!(seen(Window::Full).all(|census| census.at >= full[0].started), "by the clock of the run");
    // A connection for each user: it is the target that was looked at.
    let connections = |census: &plimsoll_record::Census| census.peers.iter().map(|peer| peer.established).sum::<u32>();
    assert!(seen(Window::Full).any(|census| connections(census) >= 2), "{:#?}", data.censuses);
    let left = ran.events.iter().filter_map(|event| match event {
        Event::Explaining { remaining, .. } => *remaining,
        _ => None,
    });
    let left: Vec<Nanos> = left.collect();
    assert!(left.len() > 5 && left[0] > left[left.len() - 1], "{left:?}");
    let blind = |event: &Event| matches!(event, Event::Note(note) if note.contains("from outside only"));
    assert_eq!(ran.events.iter().filter(|event| blind(event)).count(), 1);
}

#[test]
fn a_target_that_dies_while_it_is_explained_was_measured() {
    // The first request after it was looked at at rest, unless the machine stood still before: then once more.
    let mut experiment = of(vec![target(&["die-at-lulls=1x1000"], &mark())], vec![level("2", 2)]);
    experiment.plan.explain = explain(Some("2"));
    let ran = (0..10).map(|_| run(&experiment)).find(|ran| ran.data().runs[0].run.status == RunStatus::Done);
    let ran = ran.expect("it lives until it is explained");

    let run = &ran.data().runs[0];
    let detail = run.run.detail.as_deref().unwrap();
    assert!(detail.contains("exited with status 3") && detail.ends_with("while it was explained"), "{detail}");
    assert!(run.levels[0].took.is_some() && run.levels[0].intervals.iter().any(|it| it.counts.succeeded > 0));
    let said = |event: &&Event| matches!(event, Event::Note(note) if note.contains("what was measured before counts"));
    assert_eq!(ran.events.iter().filter(said).count(), 1, "{:#?}", ran.events);
}

#[test]
fn after_a_search_its_capacity_is_looked_at() {
    let mark = mark();
    let mut experiment = of(vec![target(&[], &mark)], Vec::new());
    experiment.scripts = vec![ScriptText::of(StepText::default())];
    let objectives = vec![ObjectivePlan { name: String::new(), thresholds: vec!["p(90)<1s".to_owned()] }];
    let (at_most, warm_up) = (Nanos::from_secs(3), Nanos::from_secs(1));
    experiment.plan.line =
        Some(LinePlan { objectives, at_most, warm_up, to: Some(20.0), max_in_flight: 4, ..LinePlan::default() });
    experiment.plan.explain = explain(None);
    let ran = run(&experiment);

    let data = &ran.data().runs[0];
    let users = data.run.line.as_ref().and_then(|line| line.capacity).expect("the probe is over").users;
    let full = offered(&ran, 0).into_iter().filter(|it| it.0 == Phase::Explanation && it.1 == "full");
    assert_eq!(full.collect::<Vec<_>>(), [(Phase::Explanation, "full", None, users.to_string())]);
    assert!(data.censuses.iter().any(|census| census.window == Window::Full));
}
