//! Loads that are explained, and their order, in virtual time.

use plimsoll_record::{Arrivals, Counts, ErrorCount, ErrorKind, Explained, Plan, ThinkTime};

use super::*;

/// A service with eight workers of 10 ms each.
fn second_of(users: u32) -> Interval {
    let succeeded = u64::from(users.min(8)) * 100;
    let counts = Counts { offered: succeeded, succeeded, ..Counts::default() };
    Interval { duration: Nanos::from_secs(1), counts, ..Interval::default() }
}

fn all(plan: &ExplainPlan) -> Vec<(String, u32, CensusOrder)> {
    steps(Explaining::new(plan, Vec::new()))
}

fn steps(mut explaining: Explaining) -> Vec<(String, u32, CensusOrder)> {
    let mut actions = Vec::new();
    while let Some(action) = explaining.next_action() {
        match action.load {
            Err(_) => actions.push((String::new(), 0, action.census)),
            Ok(level) => {
                let Load::ConstantVus { vus, .. } = level.load else { panic!("{level:?}") };
                actions.push((format!("{:?} {}", level.phase, level.label), vus, action.census));
                while !explaining.is_enough() {
                    explaining.add(second_of(vus)).expect("a step is under way");
                }
            }
        }
        explaining.end();
        assert!(actions.len() < 20, "{actions:?}");
    }
    actions
}

#[test]
fn the_capacity_comes_first_and_dumps_after_figures() {
    let plan = ExplainPlan { warm_up: Nanos::from_secs(30), ..ExplainPlan::default() };
    let steps = all(&plan);
    let (probes, rest): (Vec<_>, Vec<_>) = steps.into_iter().partition(|step| step.0.starts_with("WarmUp"));
    assert_eq!(probes.iter().map(|it| it.1).collect::<Vec<_>>(), [4, 16, 32], "until throughput rises no more");
    let expected = [
        (String::new(), 0, CensusOrder::Dump(Window::Rest)),
        ("Measured light".to_owned(), 1, CensusOrder::Glance(Window::Light)),
        ("Census light".to_owned(), 1, CensusOrder::Dump(Window::Light)),
        ("Measured full".to_owned(), 32, CensusOrder::Glance(Window::Full)),
        ("Census full".to_owned(), 32, CensusOrder::Dump(Window::Full)),
    ];
    assert_eq!(rest, expected);
}

/// A login, which each user makes once, and a flow of two requests, the last of which ends it.
#[test]
fn a_second_is_that_of_all_requests() {
    let names = ["login", "find", "order"].map(str::to_owned).to_vec();
    let mut explaining = Explaining::new(&ExplainPlan::default(), names);
    let mut users = Vec::new();
    while let Some(Action { load: Ok(level), .. }) = explaining.next_action() {
        let Load::ConstantVus { vus, .. } = level.load else { panic!("{level:?}") };
        users.push(vus);
        for start in (0..).map(Nanos::from_secs).take_while(|_| users.len() < 20) {
            let of = |request: u32, iterations: u64| {
                let mut interval = Interval { start, request, ..second_of(vus) };
                interval.counts.iterations = iterations;
                interval
            };
            let ended = second_of(vus).counts.succeeded;
            if start == Nanos::ZERO {
                explaining.add(of(0, 0));
            }
            let told = [of(1, 0), of(2, ended)].map(|it| explaining.add(it));
            let per_s: Vec<u64> = told.into_iter().flatten().map(|progress| progress.succeeded_per_s).collect();
            assert!(per_s.len() == usize::from(start != Nanos::ZERO), "{per_s:?}");
            if explaining.is_enough() {
                break;
            }
        }
        explaining.end();
    }
    assert_eq!(users, [4, 16, 32], "until iterations rise no more");
}

#[test]
fn a_target_that_ends_is_known_by_its_silence() {
    let mut explaining = Explaining::new(&ExplainPlan { users: Some(5), ..ExplainPlan::default() }, Vec::new());
    explaining.next_action().expect("the probe");
    explaining.add(second_of(5));
    let refused = ErrorCount { count: 50, example: String::new() };
    let silent = Interval {
        duration: Nanos::from_secs(1),
        counts: Counts { failed: 50, ..Counts::default() },
        errors: [(ErrorKind::Refused, refused)].into(),
        ..Interval::default()
    };
    for _ in 0..4 {
        explaining.add(silent.clone());
    }
    assert_eq!(explaining.gone(), None, "it may be too busy");
    explaining.add(silent);
    assert_eq!(explaining.gone().and_then(|gone| gone.after), Some(Nanos::from_secs(5)));
}

#[test]
fn users_that_are_given_are_the_full_load() {
    let plan = ExplainPlan { users: Some(5), ..ExplainPlan::default() };
    assert_eq!(all(&plan).last().map(|step| step.1), Some(5));
}

#[test]
fn after_a_load_each_level_is_loaded_once_more() {
    let of = |vus: u32| FullLoad { level: Some(vus.to_string()), load: users(vus, ThinkTime::None) };
    let explaining = Explaining::after_a_load(Vec::new(), vec![of(5), of(32)]);
    assert_eq!(explaining.remaining(), Nanos::from_secs(30), "5 s lightly loaded, 12 s for each level");
    let found: Vec<_> = steps(explaining).into_iter().map(|step| (step.0, step.1)).collect();
    let expected = [
        ("", 0),
        ("Explanation light", 1),
        ("Census light", 1),
        ("Explanation full", 5),
        ("Census full", 5),
        ("Explanation full", 32),
        ("Census full", 32),
    ];
    assert_eq!(found, expected.map(|(label, users)| (label.to_owned(), users)));
}

#[test]
fn levels_say_which_one_they_explain() {
    let load = Load::ConstantArrivalRate {
        rate: 70.0,
        duration: Nanos::from_secs(1),
        arrivals: Arrivals::Poisson,
        max_in_flight: 9,
        drop_late: false,
    };
    let mut explaining = Explaining::after_a_load(Vec::new(), vec![FullLoad { level: Some("70/s".to_owned()), load }]);
    let mut seen = Vec::new();
    while let Some(action) = explaining.next_action() {
        if let Ok(level) = action.load {
            seen.push((level.label, level.explains, level.load.peak().to_string(), level.load.duration()));
            while !explaining.is_enough() {
                explaining.add(second_of(1)).expect("a step is under way");
            }
            assert!(!explaining.is_overdue());
            (0..4).for_each(|_| assert!(explaining.add(second_of(1)).is_some()));
            assert!(explaining.is_overdue(), "what is in flight at the end is awaited for some seconds");
        }
        explaining.end();
    }
    let minute = Some(Nanos::from_secs(60));
    let light = ("light".to_owned(), None, "1".to_owned(), minute);
    let full = ("full".to_owned(), Some("70/s".to_owned()), "70/s".to_owned(), minute);
    assert_eq!(seen, [light.clone(), light, full.clone(), full]);
}

/// A plan with levels of so many users.
fn plan_of(levels: &[u32]) -> Plan {
    let level = |&vus: &u32| LevelPlan::new(vus.to_string(), Phase::Measured, users(vus, ThinkTime::None));
    Plan { levels: levels.iter().map(level).collect(), ..Plan::default() }
}

fn selected(wanted: Option<&WantedExplanations>, named: &[Named]) -> Vec<(String, String)> {
    let plan = select(&plan_of(&[900, 100, 500]), &["a", "b"], wanted, named);
    let label = |of: Explained| (of.variant, of.level.expect("a level"));
    plan.map_or_else(Vec::new, |plan| plan.of.into_iter().map(label).collect())
}

fn pairs<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, String)> {
    pairs.map(|(variant, level)| (variant.to_owned(), level.to_owned())).to_vec()
}

fn named(variant: &str, level: Option<&str>) -> Named {
    Named { variant: variant.to_owned(), level: level.map(str::to_owned) }
}

#[test]
fn the_greatest_load_is_explained_unless_another_is_named() {
    let all = WantedExplanations::default();
    assert_eq!(selected(Some(&all), &[]), pairs([("a", "900"), ("b", "900")]));
    let some = WantedExplanations { variants: vec!["b*".to_owned()], levels: vec!["500".to_owned(), "100".to_owned()] };
    assert_eq!(selected(Some(&some), &[]), pairs([("b", "100"), ("b", "500")]), "the lightest first");
    let other_pace = WantedExplanations { levels: vec!["2700".to_owned()], ..WantedExplanations::default() };
    assert_eq!(selected(Some(&other_pace), &[]), pairs([("a", "900"), ("b", "900")]));
}

#[test]
fn what_claims_name_is_explained() {
    assert!(selected(None, &[]).is_empty());
    assert_eq!(selected(None, &[named("a", Some("500"))]), pairs([("a", "500")]));
    assert_eq!(selected(None, &[named("a", None)]), pairs([("a", "900")]));
    assert!(selected(None, &[named("a", Some("2700"))]).is_empty(), "a level of another pace");
    let all = WantedExplanations::default();
    assert_eq!(selected(Some(&all), &[named("a", Some("500"))]), pairs([("a", "500"), ("b", "500")]));
}
