use plimsoll_record::{
    Arrivals, Environment, ExecutionData, LinePlan, Load, Nanos, RunData, RunStatus, Sample, ThinkTime,
};

use super::*;
use crate::{
    analyse,
    results::{About, DifferenceVerdict, LineIs},
    testing::{self, Line, Request, burst, lines, plan, recorded::named, run, variant},
};

/// So many that a 99th percentile is known.
const USERS: u32 = 2_000;
const OPTIONS: Options = Options { tolerance: Options::TOLERANCE, is_anyway: false };

/// A variant at one level, a round for each time that all of its requests take.
fn of_times(name: &str, users: u32, rounds_ms: &[u64]) -> ExecutionData {
    let level = burst(users);
    let data = |(round, &ms): (u32, &u64)| -> RunData {
        let requests: Vec<Request> = (0..users).map(|_| Request::ok(Nanos::ZERO, Nanos::from_millis(ms))).collect();
        run(0, round, Nanos::from_millis(900 + u64::from(round)), vec![testing::level(&level, Nanos::ZERO, &requests)])
    };
    let runs = (0..).zip(rounds_ms).map(data).collect();
    testing::execution(plan(vec![variant(name)], vec![level], rounds_ms.len() as u32), runs)
}

fn compared(before: &ExecutionData, after: &ExecutionData, options: Options) -> Result<Comparison, DifferentLoads> {
    let results = [analyse(before), analyse(after)];
    let [old, new] = [&before.execution.plan, &after.execution.plan];
    compare(&Executed { plan: old, results: &results[0] }, &Executed { plan: new, results: &results[1] }, options)
}

fn of<'a>(comparison: &'a Comparison, metric: &str) -> &'a Difference {
    comparison.differences.iter().find(|it| it.metric == metric).unwrap()
}

#[test]
fn what_is_slower_beyond_doubt_is_worse_and_a_regression() {
    let found = compared(
        &of_times("web", USERS, &[1_000, 1_010, 990, 1_005]),
        &of_times("web", USERS, &[1_500, 1_490, 1_510, 1_505]),
        OPTIONS,
    )
    .unwrap();
    let p99 = of(&found, "p99");
    assert_eq!((p99.verdict, p99.is_regression), (Some(DifferenceVerdict::Worse), true), "{p99:?}");
    assert!((p99.change - 50.0).abs() < 1.0 && p99.interval.unwrap()[0] > 45.0, "{p99:?}");
    let throughput = of(&found, "throughput");
    assert!(throughput.is_regression && (throughput.change + 33.3).abs() < 1.0, "{throughput:?}");
    assert_eq!(of(&found, "startup").verdict, Some(DifferenceVerdict::NoDifference));
    assert_eq!(found.regressions().count(), 3);
}

#[test]
fn what_is_worse_by_less_than_the_tolerance_is_no_regression() {
    let (before, after) =
        (of_times("web", USERS, &[1_000, 1_001, 999, 1_000]), of_times("web", USERS, &[1_030, 1_031, 1_029, 1_030]));
    let found = compared(&before, &after, OPTIONS).unwrap();
    assert_eq!((of(&found, "p99").verdict, found.regressions().count()), (Some(DifferenceVerdict::Worse), 0));
    let strict = Options { tolerance: 0.01, ..OPTIONS };
    assert!(of(&compared(&before, &after, strict).unwrap(), "p99").is_regression);
    let back = compared(&after, &before, strict).unwrap();
    assert_eq!((of(&back, "p99").verdict, back.regressions().count()), (Some(DifferenceVerdict::Better), 0));
}

#[test]
fn where_others_used_the_machine_only_shares_of_errors_are_judged() {
    let beside = |percent: f64, ms: u64| {
        let mut data = of_times("web", USERS, &[ms; 4]);
        for run in &mut data.runs {
            let at = run.levels[0].started;
            run.samples = vec![Sample { at, metric: "foreign_cpu_percent".to_owned(), value: percent }];
        }
        data
    };
    let quiet = compared(&beside(5.0, 1_000), &beside(5.0, 1_500), OPTIONS).unwrap();
    assert!(of(&quiet, "p99").is_regression);
    let found = compared(&beside(5.0, 1_000), &beside(40.0, 1_500), OPTIONS).unwrap();
    let p99 = of(&found, "p99");
    assert_eq!((p99.verdict, p99.is_regression), (Some(DifferenceVerdict::Undecided), false));
    assert_eq!(p99.reason.as_deref(), Some("other processes used 40 % of the machine after"));
    assert_eq!(of(&found, "errors").verdict, Some(DifferenceVerdict::NoDifference));
}

/// A response that hangs makes the level longer, in which the CPU is idle.
#[test]
fn cpu_per_request_does_not_fall_by_waiting_for_the_last_response() {
    let second = Nanos::from_secs(1);
    let constant =
        testing::level_plan("1000", Load::ConstantVus { vus: 1_000, duration: second, think: ThinkTime::None });
    let after = |last_s: u64| {
        let of_round = |round| {
            let mut requests = vec![Request::ok(Nanos::ZERO, second); 1_000];
            requests.push(Request::ok(Nanos::ZERO, Nanos::from_secs(last_s)));
            let level = testing::level(&constant, Nanos::ZERO, &requests);
            let mut data = run(0, round, Nanos::ZERO, vec![level]);
            let busy = |at: u64| Sample {
                at: Nanos::from_secs(at),
                metric: "cpu_percent".to_owned(),
                value: if at == 1 { 100.0 } else { 0.0 },
            };
            data.samples = (1..=last_s).map(busy).collect();
            data
        };
        let data =
            testing::execution(plan(vec![variant("web")], vec![constant.clone()], 3), (0..3).map(of_round).collect());
        let results = analyse(&data);
        let level = results.variants[0].levels[0].as_ref().unwrap();
        let (_, figure) = figures::of_level(level).into_iter().find(|(it, _)| it.name == "cpu_per_request").unwrap();
        figure.median
    };
    assert!((after(1) / after(10) - 1.0).abs() < 0.01, "{} and {}", after(1), after(10));
}

#[test]
fn rounds_that_scatter_tell_nothing_and_say_how_many_would() {
    let found =
        compared(&of_times("web", USERS, &[1_000, 1_100, 900]), &of_times("web", USERS, &[1_050, 1_150, 950]), OPTIONS)
            .unwrap();
    let p99 = of(&found, "p99");
    assert_eq!(p99.verdict, Some(DifferenceVerdict::Undecided));
    assert!(p99.rounds_needed.is_some_and(|it| it > 10) && p99.reason.is_some(), "{p99:?}");
}

#[test]
fn single_runs_are_compared_without_a_verdict_whatever_their_urls() {
    let found =
        compared(&of_times("http://a/", USERS, &[1_000]), &of_times("http://b/", USERS, &[1_500]), OPTIONS).unwrap();
    assert!(found.differences.iter().all(|it| it.verdict.is_none() && !it.is_regression && it.interval.is_none()));
    assert!((of(&found, "p99").change - 50.0).abs() < 0.5);
    assert!(found.unjudged.unwrap().starts_with("one run each"));
    let renamed = found.changed.iter().find(|it| it.about == About::Variant).unwrap();
    assert_eq!((renamed.before.as_deref(), renamed.after.as_deref()), (Some("http://a/"), Some("http://b/")));
}

#[test]
fn different_loads_are_refused_unless_they_are_wanted() {
    let (before, after) = (of_times("web", USERS, &[1_000; 3]), of_times("web", 2 * USERS, &[1_000; 3]));
    let DifferentLoads(loads) = compared(&before, &after, OPTIONS).unwrap_err();
    let told: Vec<_> = loads.iter().map(|it| (it.name.as_str(), it.before.as_deref(), it.after.as_deref())).collect();
    assert!(
        told.iter().any(|it| it.0.ends_with("virtual users") && it.1 == Some("2000") && it.2 == Some("4000")),
        "{told:?}"
    );
    let anyway = compared(&before, &after, Options { is_anyway: true, ..OPTIONS }).unwrap();
    assert!(anyway.changed.iter().any(|it| it.about == About::Load));
    assert!(anyway.differences.iter().any(|it| it.metric == "p99"));
}

#[test]
fn errors_differ_by_points() {
    let failing = |share: u32| {
        let mut data = of_times("web", 1_000, &[1_000; 4]);
        let level = burst(1_000);
        for data in &mut data.runs {
            let request = |index: u32| match index {
                index if index < share => {
                    Request::failed(Nanos::ZERO, Nanos::from_millis(500), plimsoll_record::ErrorKind::Reset)
                }
                _ => Request::ok(Nanos::ZERO, Nanos::from_secs(1)),
            };
            let requests: Vec<Request> = (0..1_000).map(request).collect();
            data.levels = vec![testing::level(&level, Nanos::ZERO, &requests)];
        }
        data
    };
    let found = compared(&failing(0), &failing(40), OPTIONS).unwrap();
    let errors = of(&found, "errors");
    assert!((errors.change - 4.0).abs() < 0.01 && errors.is_regression, "{errors:?}");
    assert_eq!(of(&compared(&failing(0), &failing(0), OPTIONS).unwrap(), "errors").change, 0.0);
}

#[test]
fn lines_are_compared_by_the_middles_of_their_searches() {
    let searched = |rates: &[f64]| {
        let lines_of: Vec<Line> = rates.iter().map(|&rate| Line::at(rate)).collect();
        lines(&[("web", &lines_of)], &[])
    };
    let found = compared(&searched(&[100.0, 101.0, 99.0]), &searched(&[300.0, 303.0, 298.0]), OPTIONS).unwrap();
    let line = of(&found, "line");
    assert!(line.verdict == Some(DifferenceVerdict::Better) && (line.change - 200.0).abs() < 5.0, "{line:?}");
}

/// As after a change that has moved the limit, which is what it was made for.
#[test]
fn another_resource_that_gives_way_first_is_told_before_all_else() {
    let explained = |name| named(name).data();
    let any_load = Options { is_anyway: true, ..OPTIONS };
    let moved = compared(&explained("lock-17"), &explained("semaphore-17"), any_load).unwrap();
    let first = &moved.changed[0];
    assert_eq!((first.about, first.name.as_str()), (About::Limit, "gives way first"));
    assert_eq!((first.before.as_deref(), first.after.as_deref()), (Some("lock"), Some("semaphore")));
    let same = compared(&explained("lock-17"), &explained("lock-17"), OPTIONS).unwrap();
    assert!(same.changed.iter().all(|it| it.about != About::Limit), "{:?}", same.changed);
}

/// The load of an explanation ends once enough was seen: how long it might have taken is no part of it, nor is it what
/// throughput is divided by.
#[test]
fn loads_of_explanations_have_no_length() {
    let explained = |seconds| {
        let mut data = named("lock-17").data();
        let of_runs = data.runs.iter_mut().flat_map(|run| &mut run.levels).map(|level| &mut level.plan);
        for level in data.execution.plan.levels.iter_mut().chain(of_runs) {
            level.load = level.load.held(Nanos::from_secs(seconds)).unwrap();
        }
        data
    };
    let (before, after) = (explained(64), explained(105));
    let found = compared(&before, &after, OPTIONS).unwrap();
    let seen = analyse(&after).explanations[0].throughput_per_s;
    let full = found.differences.iter().find(|it| it.metric == "throughput" && it.level.as_deref() == Some("full"));
    let full = full.expect("it was measured");
    assert!(seen > 0.0 && (full.after / seen - 1.0).abs() < 0.1 && full.before == full.after, "{seen}: {full:?}");
}

/// One search each: judged by what the searches know of their processes. The ends of each lie 5 % about its line.
#[test]
fn lines_of_one_search_each_are_judged_by_the_intervals_of_the_searches() {
    let searched = |rate| lines(&[("web", &[Line::at(rate)])], &[]);
    let found = |before, after| compared(&searched(before), &searched(after), OPTIONS).unwrap();
    let verdict = |before, after| {
        let found = found(before, after);
        let line = of(&found, "line");
        assert!(line.is_of_searches && found.unjudged.is_none() && line.rounds_needed.is_none(), "{line:?}");
        (line.verdict.unwrap(), line.is_regression, found.is_worse())
    };
    assert_eq!(verdict(300.0, 100.0), (DifferenceVerdict::Worse, true, true));
    assert_eq!(verdict(100.0, 300.0), (DifferenceVerdict::Better, false, false));
    // √2 times 5 % is 7.1 %: a line lower by 8 % is surely lower, but not surely by 5 %.
    assert_eq!(verdict(100.0, 92.0), (DifferenceVerdict::Worse, false, false));
    assert_eq!(verdict(100.0, 95.0), (DifferenceVerdict::Undecided, false, false));
    let found = found(100.0, 120.0);
    let [low, high] = of(&found, "line").interval.unwrap();
    let half = (0.5 * (1.05_f64 / 0.95).ln()) * 2.0_f64.sqrt();
    for (end, expected) in [(low, 1.2 * (-half).exp()), (high, 1.2 * half.exp())] {
        assert!((end - (expected - 1.0) * 100.0).abs() < 1e-6, "{low} {high}");
    }
    let others = found.differences.iter().filter(|it| it.metric != "line");
    assert!(others.clone().count() > 0 && others.clone().all(|it| it.verdict.is_none()), "nothing is known of these");
    assert_eq!(found.judged_together, 1);
}

/// With three rounds of either the rounds judge, and with three of one alone its interval stands beside the search.
#[test]
fn lines_with_rounds_are_judged_by_them() {
    let searched = |rates: &[f64]| {
        let lines_of: Vec<Line> = rates.iter().map(|&rate| Line::at(rate)).collect();
        lines(&[("web", &lines_of)], &[])
    };
    let is_of_searches = |before: &[f64], after: &[f64]| {
        let found = compared(&searched(before), &searched(after), OPTIONS).unwrap();
        let line = of(&found, "line");
        assert_eq!(line.verdict, Some(DifferenceVerdict::Better), "{line:?}");
        line.is_of_searches
    };
    assert!(!is_of_searches(&[100.0, 101.0, 99.0], &[300.0, 303.0, 298.0]));
    assert!(is_of_searches(&[100.0, 101.0, 99.0], &[300.0]));
    assert!(is_of_searches(&[100.0, 101.0], &[300.0, 303.0, 298.0]));
}

/// A line of which one end alone is known has no middle, but may surely be lower.
#[test]
fn a_line_that_is_surely_lower_is_a_regression_whatever_else_is_known() {
    let searched = |line: Line| lines(&[("web", &[line])], &[]);
    let open = |rate| Line { has_upper: false, ..Line::at(rate) };
    let found = |before, after| compared(&searched(before), &searched(after), OPTIONS).unwrap();
    let lower = found(open(300.0), Line::at(100.0));
    assert!(lower.is_worse() && lower.lower_lines().count() == 1 && lower.unjudged.is_some(), "{lower:?}");
    // At least 0.95 × 120, and below 1.05 × 105: less by 3 % at least.
    let little = found(open(120.0), Line::at(105.0));
    assert!(little.lines[0].is == Some(LineIs::Lower) && !little.is_worse(), "{:?}", little.lines);
    assert!(!found(open(100.0), Line::at(300.0)).is_worse());
}

/// Ends that are not known are told as such.
#[test]
fn lines_are_told_by_their_intervals_whatever_is_known_of_them() {
    let searched = |line: Line| lines(&[("web", &[line])], &[]);
    let told = |before: Line, after: Line| {
        let found = compared(&searched(before), &searched(after), OPTIONS).unwrap();
        let [line] = &found.lines[..] else { panic!("{:?}", found.lines) };
        (line.before.map(|it| it.is_some()), line.after.map(|it| it.is_some()), line.is)
    };
    let open = |rate| Line { has_upper: false, ..Line::at(rate) };
    assert_eq!(told(Line::at(100.0), Line::at(300.0)), ([true; 2], [true; 2], Some(LineIs::Higher)));
    assert_eq!(told(Line::at(300.0), Line::at(100.0)), ([true; 2], [true; 2], Some(LineIs::Lower)));
    assert_eq!(told(Line::at(100.0), Line::at(101.0)), ([true; 2], [true; 2], None));
    assert_eq!(told(Line::at(100.0), open(300.0)), ([true; 2], [true, false], Some(LineIs::Higher)));
    assert_eq!(told(open(100.0), Line::at(300.0)), ([true, false], [true; 2], None));
}

/// Each request fails since a change.
#[test]
fn a_line_that_is_gone_is_a_regression() {
    let before = lines(&[("web", &[Line::at(100.0)])], &[]);
    let mut after = before.clone();
    for found in after.runs.iter_mut().filter_map(|run| run.run.line.as_mut()).flat_map(|line| &mut line.found) {
        (found.outcome, found.lower, found.upper) = ("never-holds".to_owned(), None, None);
    }
    let found = compared(&before, &after, OPTIONS).unwrap();
    assert_eq!((found.lines[0].is, found.lines[0].is_regression), (Some(LineIs::Lower), true));
    after.runs.iter_mut().for_each(|run| run.run.line = None);
    assert!(compared(&before, &after, OPTIONS).unwrap().is_incomplete);
}

/// Evenly spaced arrivals have a higher line, and so have users who pause for longer.
#[test]
fn lines_of_other_arrivals_or_pauses_are_other_lines() {
    let searched = |change: fn(&mut LinePlan)| {
        let mut data = lines(&[("web", &[Line::at(100.0)])], &[]);
        data.execution.plan.line.iter_mut().for_each(change);
        data
    };
    let told = |before: &ExecutionData, after: &ExecutionData| {
        let DifferentLoads(loads) = compared(before, after, OPTIONS).err()?;
        loads.into_iter().next().and_then(|it| it.before.zip(it.after))
    };
    fn think(line: &mut LinePlan, s: u64) {
        line.users = Some(LinePlan::think(Nanos::from_secs(s)));
    }
    let (evenly, plain) = (searched(|_| {}), searched(|line| line.arrivals = Arrivals::Poisson));
    let (short, long) = (searched(|line| think(line, 1)), searched(|line| think(line, 10)));
    assert_eq!(told(&plain, &plain), None);
    let (before, after) = told(&plain, &evenly).unwrap();
    assert_eq!(after, format!("{before}, by evenly spaced arrivals"));
    let (shorter, longer) = told(&short, &long).unwrap();
    assert_eq!(shorter, format!("{before}, in users who pause for 1.00 s on average"));
    assert_eq!(longer, format!("{before}, in users who pause for 10.0 s on average"));
    let cold = searched(|line| (line.arrivals, line.cold) = (Arrivals::Poisson, Some(Nanos::from_secs(20))));
    assert!(told(&plain, &cold).unwrap().1.ends_with(", in the first 20.0 s of cold processes"));
}

#[test]
fn variants_that_only_one_has_are_named() {
    let mut after = of_times("web", USERS, &[1_000; 3]);
    after.execution.plan.variants.push(variant("new"));
    let mut before = of_times("web", USERS, &[1_000; 3]);
    before.execution.plan.variants.push(variant("old"));
    before.execution.environment = Environment { machine: Some("a".to_owned()), ..Environment::default() };
    after.execution.environment = Environment { machine: Some("b".to_owned()), ..Environment::default() };
    let found = compared(&before, &after, OPTIONS).unwrap();
    assert_eq!(found.left_out, ["variant old, only before", "variant new, only after"]);
    assert!(found.doubts[0].contains("another"), "{:?}", found.doubts);
}

#[test]
fn a_target_that_died_is_not_compared_and_named() {
    let before = of_times("web", USERS, &[1_000; 3]);
    let mut after = before.clone();
    for data in &mut after.runs {
        data.run.status = RunStatus::Died;
        data.levels[0].took = None;
    }
    let found = compared(&before, &after, OPTIONS).unwrap();
    assert!(found.is_incomplete && found.differences.iter().all(|it| it.level.is_none()), "{found:?}");
    assert_eq!(found.left_out, ["web @ 2000, only before"]);
    after.runs.iter_mut().for_each(|data| data.levels.clear());
    assert!(compared(&before, &after, OPTIONS).unwrap().is_incomplete);
    assert!(!compared(&after, &before, OPTIONS).unwrap().is_incomplete);
}
