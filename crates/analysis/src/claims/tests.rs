//! Claims from text to verdict.

mod errors;
mod limits;
mod lines;
mod requests;
mod texts;

use plimsoll_record::{Claim, ErrorKind, ExecutionData, Nanos, RunData, RunStatus, Sample, metric};

use super::*;
use crate::{
    measured::Measured,
    results::{ClaimResult, Verdict},
    testing::{Request, burst, execution, greetings, level, plan, run, score, scores, traced, variant},
};

fn error(text: &str) -> (usize, String) {
    let error = parse(text).expect_err(text);
    (error.column, error.message)
}

/// Two variants, `a` and `b-vt`, one request each per round, which takes the given time.
fn data(rounds_ms: &[[u64; 2]]) -> ExecutionData {
    let levels = vec![burst(1)];
    let one = |round: usize, variant: usize| {
        let request = Request::ok(Nanos::ZERO, Nanos::from_millis(rounds_ms[round][variant]));
        run(variant, round as u32, Nanos::from_millis(500), vec![level(&burst(1), Nanos::ZERO, &[request])])
    };
    let runs: Vec<RunData> = (0..rounds_ms.len()).flat_map(|round| [one(round, 0), one(round, 1)]).collect();
    execution(plan(vec![variant("a"), variant("b-vt")], levels, rounds_ms.len() as u32), runs)
}

fn judged(mut data: ExecutionData, expression: &str) -> ClaimResult {
    data.execution.plan.claims = vec![Claim { says: String::new(), expression: expression.to_owned(), line: None }];
    judge_all(&Measured::of(&data), &[]).remove(0)
}

fn value(expression: &str) -> f64 {
    judged(data(&[[1_000, 500]; 3]), expression).value.expect(expression)
}

#[test]
fn where_the_generator_was_the_limit_there_is_no_verdict() {
    let mut data = data(&[[1_000, 500]; 3]);
    data.runs[1].levels[0].intervals[0].generator.busiest_worker_percent = 99.0;
    let result = judged(data.clone(), "throughput(b-vt @ 1) / throughput(a @ 1) > 1.5");
    assert_eq!((result.verdict, result.value), (Verdict::Undecided, Some(2.0)));
    assert!(result.reason.starts_with("the generator was the limit at b-vt @ 1"), "{}", result.reason);
    assert_eq!(judged(data, "startup(b-vt) > 0.1 s").verdict, Verdict::Holds);
}

#[test]
fn the_first_request_is_held_against_the_rest() {
    let mut data = data(&[[1_000, 500]; 3]);
    let claim = "first(a @ 1) / rest(a @ 1) >= 10";
    let untraced = judged(data.clone(), claim);
    assert!(untraced.reason.contains("`trace` in the load"), "{}", untraced.reason);
    for run in &mut data.runs {
        let took = |call| Nanos::from_millis(if call == 0 { 240 } else { 12 });
        run.levels[0].traced = (0..12).map(|call| traced(Nanos(call), took(call))).collect();
    }
    let result = judged(data, claim);
    assert_eq!((result.verdict, result.value), (Verdict::Holds, Some(20.0)));
}

#[test]
fn scores_are_named_by_their_benchmark_where_there_are_several() {
    let runs = (0..3).flat_map(|round| {
        let of =
            |variant, ms| scores(variant, round, vec![score("a.Batch.batch", ms), score("a.First.call", ms / 10.0)]);
        [of(0, 1_000.0), of(1, 1_020.0)]
    });
    let mut data =
        execution(plan(vec![variant("ten"), variant("two"), variant("failed")], Vec::new(), 3), runs.collect());
    let mut failed = scores(2, 0, Vec::new());
    failed.run.status = RunStatus::BenchmarksFailed;
    data.runs.push(failed);
    let judged = |claim: &str| judged(data.clone(), claim);
    let result = judged("abs(score(two @ Batch.batch) / score(ten @ Batch.batch) - 1) < 0.05");
    assert_eq!(result.verdict, Verdict::Holds, "{}", result.reason);
    assert_eq!(judged("max(score(t* @ *)) > 1000").value, Some(1_020.0));
    let reason = |claim: &str| judged(claim).reason;
    assert_eq!(
        reason("score(two) > 1"),
        "score(two) may be any of Batch.batch, First.call: write score(two @ Batch.batch)"
    );
    assert!(reason("score(two @ batch) > 1").ends_with("there are the benchmarks Batch.batch, First.call"));
    assert!(reason("score(failed) > 1").contains("its benchmarks failed"), "{}", reason("score(failed) > 1"));
    assert!(reason("max(score(* @ *)) > 1").contains("its benchmarks failed"), "it may be the one that refutes it");
    assert_eq!(
        error("score(two) > 1 s").1,
        "this compares a ratio and a time, but both must have the same unit: a bare number is a ratio; write a time with its unit, e.g. `200ms`"
    );
}

#[test]
fn series_of_the_targets_own_are_named_in_quotes() {
    let mut data = data(&[[1_000, 500]; 3]);
    for run in &mut data.runs {
        let sample = |ms, value| Sample {
            at: run.levels[0].started + Nanos::from_millis(ms),
            metric: metric::of_target("pool{a=\"b\"}"),
            value,
        };
        run.samples = vec![sample(100, 80.0), sample(200, 100.0)];
    }
    let value = |claim: &str| judged(data.clone(), claim).value;
    assert_eq!(value("target_peak(a @ 1, 'pool{a=\"b\"}') >= 100"), Some(100.0));
    assert_eq!(value("max(target_mean(* @ *, 'pool{a=\"b\"}')) >= 100"), Some(90.0));
    let absent = judged(data.clone(), "target_growth(a @ 1, pool) > 0");
    assert_eq!(
        absent.reason,
        "target_growth(a @ 1, 'pool') was not measured: `metrics` of the variant keeps no such series, or it was not there"
    );
    assert!(error("target_peak(a @ 1) > 0").1.contains("write target_peak(variant @ level, 'series')"));
    assert_eq!(error("mean(a @ 1, pool) > 0 s"), (13, "mean is of no series: remove `, pool`".to_owned()));
}

#[test]
fn values_are_those_of_arithmetic() {
    let is = |expression: &str, expected: f64| {
        let found = value(expression);
        assert!((found - expected).abs() <= expected.abs() * 0.002, "{expression}: {found}");
    };
    is("throughput(b-vt @ 1) / throughput(a @ 1) > 1", 2.0);
    is("mean(a @ 1) - mean(b-vt @ 1) - 100 ms > 1 ms", 400.0);
    is("mean(a @ 1) < 2 s", 1.0);
    is("mean(a @ 1) < 2000 ms", 1_000.0);
    is("2 s > mean(a @ 1)", 1.0);
    is("max(median(* @ 1)) < 2 s", 1.0);
    is("min(median(* @ 1), 0.3 s) < 2 s", 0.3);
    is("1 + 2 * 3 - 4 / (1 + 1) - startup(a) / startup(a) > 0", 4.0);
    is("2 - 3 - 4 + -startup(a) / startup(a) < 0", -6.0);
    is("8 / 4 / 2 * startup(a) / startup(a) < 0", 1.0);
    is("abs(mean(b-vt @ 1) - mean(a @ 1)) < 1 s", 0.5);
    is("throughput(a @ 1) * service_max(a @ 1) <= 1", 1.0);
    is("duration(a @ 1) < 1 min", 1.0 / 60.0);
    is("sent(a @ 1) < 1 kB/s", 0.08);
    is("errors(a @ 1) < 1 %", 0.0);
}

#[test]
fn verdicts_follow_the_whole_interval() {
    let rounds = [[1_000, 500], [1_000, 480], [1_000, 520]];
    let verdict = |expression: &str| judged(data(&rounds), expression).verdict;
    assert_eq!(verdict("mean(b-vt @ 1) < 560 ms"), Verdict::Holds);
    assert_eq!(verdict("560 ms > mean(b-vt @ 1)"), Verdict::Holds);
    assert_eq!(verdict("mean(b-vt @ 1) > 560 ms"), Verdict::Fails);
    assert_eq!(verdict("560 ms <= mean(b-vt @ 1)"), Verdict::Fails);
    assert_eq!(verdict("mean(b-vt @ 1) < 540 ms"), Verdict::Undecided);
    assert_eq!(verdict("mean(b-vt @ 1) * 1.5 < mean(a @ 1)"), Verdict::Holds);
    assert_eq!(verdict("mean(b-vt @ 1) * 2 < mean(a @ 1)"), Verdict::Undecided);
    assert_eq!(verdict("errors(a @ 1) <= 0 %"), Verdict::Holds);
    assert_eq!(verdict("errors(a @ 1) < 0 %"), Verdict::Fails);
}

#[test]
fn both_sides_of_a_round_are_taken_together() {
    // The machine slows down from round to round; `b-vt` needs 20 ms less each time. Intervals of the two sides alone
    // would overlap.
    let rounds = [[1_000, 980], [1_100, 1_080], [1_200, 1_180], [1_300, 1_280]];
    assert_eq!(judged(data(&rounds), "mean(b-vt @ 1) < mean(a @ 1)").verdict, Verdict::Holds);
}

#[test]
fn too_little_data_is_undecided_and_says_why() {
    let one = judged(data(&[[1_000, 500]]), "mean(a @ 1) < 2 s");
    assert_eq!((one.verdict, one.interval), (Verdict::Undecided, None));
    assert!(one.reason.contains("in 1 round: at least 3 are needed"), "{}", one.reason);

    let mut skipped = data(&[[1_000, 500]; 3]);
    for run in skipped.runs.iter_mut().filter(|it| it.run.variant == 1) {
        run.run.status = RunStatus::Skipped;
        run.run.startup = None;
        run.run.detail = Some("install GraalVM".to_owned());
        run.levels.clear();
    }
    let missing = judged(skipped.clone(), "mean(b-vt @ 1) < 2 s");
    assert_eq!((missing.verdict, missing.value), (Verdict::Undecided, None));
    assert_eq!(missing.reason, "mean(b-vt @ 1) was not measured: skipped: install GraalVM");
    let pattern = judged(skipped.clone(), "max(mean(* @ *)) < 2 s");
    assert_eq!(pattern.verdict, Verdict::Holds);
    assert!(pattern.reason.ends_with("; without b-vt, which could not run here"), "{}", pattern.reason);
    assert_eq!(judged(skipped, "max(mean(b* @ *)) < 2 s").reason, "nothing that its pattern matches could run");
}

#[test]
fn a_pattern_does_not_leave_out_what_broke() {
    let mut died = data(&[[1_000, 500]; 3]);
    for run in died.runs.iter_mut().filter(|it| it.run.variant == 1) {
        run.run.status = RunStatus::Died;
        run.levels[0].took = None;
    }
    let found = judged(died, "max(mean(* @ *)) < 2 s");
    assert_eq!(found.verdict, Verdict::Undecided);
    assert_eq!(found.reason, "mean(b-vt @ 1) was not measured: the target died while it was loaded");
}

#[test]
fn only_rounds_with_every_figure_count() {
    let mut four = data(&[[1_000, 500], [1_000, 500], [1_000, 500], [9_000, 500]]);
    four.runs.retain(|it| (it.run.variant, it.run.round) != (1, 3));
    let found = judged(four, "mean(a @ 1) / mean(b-vt @ 1) > 1.5");
    assert_eq!(found.verdict, Verdict::Holds);
    assert!(found.reason.ends_with("; over 3 of 4 rounds"), "{}", found.reason);
}

#[test]
fn where_nothing_succeeded_there_is_no_time() {
    let refused = Request::failed(Nanos::ZERO, Nanos::from_millis(1), ErrorKind::Refused);
    let levels = vec![level(&burst(1), Nanos::ZERO, &[refused])];
    let data = execution(plan(vec![variant("a")], vec![burst(1)], 1), vec![run(0, 0, Nanos::ZERO, levels)]);
    assert_eq!(judged(data.clone(), "p99(a @ 1) < 1 s").reason, "p99(a @ 1) was not measured: no request succeeded");
    assert_eq!(judged(data.clone(), "errors(a @ 1) < 1 %").value, Some(100.0));
    assert_eq!(judged(data, "1 / throughput(a @ 1) < 1 s").reason, "it divides by zero on what was measured");
}

#[test]
fn the_fixture_has_every_verdict() {
    let verdicts: Vec<Verdict> = judge_all(&Measured::of(&greetings()), &[]).iter().map(|it| it.verdict).collect();
    use Verdict::{Fails, Holds, Undecided};
    assert_eq!(verdicts, [Holds, Holds, Fails, Undecided, Undecided]);
}

#[test]
fn undecided_claims_say_how_many_rounds_would_do() {
    let found = judged(data(&[[1_000, 950], [1_020, 1_000], [980, 900]]), "mean(b-vt @ 1) < mean(a @ 1)");
    assert_eq!(found.verdict, Verdict::Undecided, "{}", found.reason);
    let needed = found.rounds_needed.unwrap();
    assert!(
        (4..=30).contains(&needed) && found.reason.ends_with(&format!("about {needed} rounds would do")),
        "{found:?}"
    );
    let never = judged(data(&[[1_000, 999], [1_020, 1_021], [980, 980]]), "mean(b-vt @ 1) < mean(a @ 1)");
    assert_eq!(never.rounds_needed, None, "{}", never.reason);
}

#[test]
fn the_greatest_of_several_and_a_distance_are_not_biased() {
    // Each differs by noise alone from 1,000 ms; the greatest of a round is greater.
    let rounds = [[1_000, 1_060], [1_060, 1_000], [1_010, 1_050], [1_050, 1_010]];
    let found = judged(data(&rounds), "abs(mean(a @ 1) / mean(b-vt @ 1) - 1) <= 0.01");
    assert_eq!((found.verdict, found.value.map(|it| it < 0.001)), (Verdict::Undecided, Some(true)), "{found:?}");
    let greatest = judged(data(&rounds), "max(mean(* @ 1)) < 1.04 s").value.unwrap();
    assert!((greatest - 1.0297).abs() < 0.001, "{greatest}");
}

#[test]
fn no_error_is_said_of_what_was_measured_and_few_errors_of_what_they_allow() {
    let verdict = |claim: &str| judged(data(&[[1_000, 500]; 3]), claim).verdict;
    assert_eq!(verdict("errors(a @ 1) <= 0 %"), Verdict::Holds);
    assert_eq!(verdict("errors(a @ 1) > 0 %"), Verdict::Fails);
    // Three requests without an error do not show that there are less than 1 %.
    assert_eq!(verdict("errors(a @ 1) < 1 %"), Verdict::Undecided);
}
