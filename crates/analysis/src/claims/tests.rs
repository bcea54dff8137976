//! Claims from text to verdict.

mod limits;
mod lines;
mod requests;

use plimsoll_record::{Claim, ErrorKind, ExecutionData, Nanos, RunData, RunStatus, Sample, UntilDecided, metric};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

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
fn what_is_written_reads() {
    for text in [
        "throughput(web-jar-vt @ 2700) / throughput(web-jar @ 2700) >= 2.8",
        "max(throughput(web-* @ *)) <= 200/s",
        "max(web @ 100) < 2 s",
        "max(max(web-* @ *), p99(other @ 5000/s)) < 2s",
        "abs(mean(a @ 1) - mean(b @ 1)) < 100 ms",
        "(1 - startup(cds) / startup(jar)) * 100 % >= 35 %",
        "throughput(a @ 1) / peak_memory(a) > 2 * throughput(b @ 1) / peak_memory(b)",
        "throughput(a @ 1) * mean(a @ 1) <= 500",
        "0.1 s > startup(\"a (old)\")",
        "received(a @ 0 → 100) > 1 MB/s",
        "-errors(a @ 1) > -0.5 %",
    ] {
        parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn errors_say_where_and_what_to_do() {
    assert_eq!(
        error("throughput(a @ 1) > 2 s"),
        (19, "this compares a rate and a time, but both must have the same unit".to_owned())
    );
    assert!(
        error("throughput(a @ 1) > 200")
            .1
            .ends_with("a bare number is a ratio; write a rate with its unit, e.g. `200/s`")
    );
    assert!(error("1 - startup(a) / startup(b) >= 35 %").1.contains("0.35 for 35 %"));
    assert_eq!(error("mean(a @ 1) + errors(a @ 1) > 1 s").0, 13);
    assert_eq!(
        error("troughput(a @ 1) > 1/s"),
        (1, "there is no metric `troughput` (did you mean `throughput`?)".to_owned())
    );
    assert_eq!(error("mean(a) > 1 s"), (1, "mean needs a level: write mean(a @ level)".to_owned()));
    assert_eq!(error("max(a) > 1 s").1, "max needs a level: write max(a @ level)");
    assert_eq!(error("startup(a @ 1) > 1 s").0, 13);
    assert_eq!(error("mean(a @ 1) == 1 s"), (13, "expected one of <, <=, >, >=, found `=`".to_owned()));
    assert_eq!(
        error("mean(a @ 1) < 1 s < 2 s"),
        (19, "expected the end: a claim has one comparison, found `<`".to_owned())
    );
    assert_eq!(error("mean(a @ 1) < 1 parsec").0, 17);
    assert!(error("mean(web-* @ 1) < 1 s").1.starts_with("`mean(web-* @ 1)` may be several figures"));
    assert!(error("max(mean(web-* @ 1) / 2) < 1 s").1.contains("may be several figures"));
    assert!(error("1 < 2").1.starts_with("this compares numbers only"));
    assert_eq!(error("mean(a @ ) < 1 s"), (10, "expected the label of a level, found `)`".to_owned()));
    assert_eq!(error("mean(a @ 1 < 1 s").1, "expected `)`, found the end");
    assert_eq!(error("").1, "expected a figure such as throughput(variant @ level), or a number, found the end");
    assert_eq!(error("1.2.3 s < mean(a @ 1)"), (1, "`1.2.3` is not a number".to_owned()));
    assert!(error(&"(".repeat(60)).1.starts_with("more than 50 parentheses"));
    assert!(error(&"1+".repeat(1_500)).1.starts_with("a claim has at most 2000 characters"));
}

#[test]
fn names_are_checked_against_the_plan() {
    let check = |text: &str| parse(text).unwrap().check(&["web-jar", "web-jar-vt"], &["100", "2700"]);
    assert_eq!(check("max(throughput(web-* @ *)) <= 200/s"), Ok(()));
    let error = check("throughput(web-jr @ 100) > 1/s").unwrap_err();
    assert_eq!((error.column, error.message.as_str()), (12, "there is no variant `web-jr` (did you mean `web-jar`?)"));
    let error = check("throughput(web-jar @ 900) > 1/s").unwrap_err();
    assert_eq!(error.to_string(), "column 22: there is no level `900`: there are `100`, `2700`");
    let error = check("min(startup(reactive-*)) > 1 s").unwrap_err();
    assert_eq!(error.message, "no variant matches `reactive-*`: there are `web-jar`, `web-jar-vt`");
}

#[test]
fn series_are_checked_against_what_is_kept() {
    let kept = [("pooled", vec!["pool_leased", "pool_pending"]), ("simple", vec![])];
    let check = |text: &str| parse(text).unwrap().check_series(&kept);
    assert_eq!(check("target_mean(pooled @ 1, 'pool_leased') > 1"), Ok(()));
    assert_eq!(check("max(target_mean(* @ 1, pool_leased)) > throughput(simple @ 1) / throughput(pooled @ 1)"), Ok(()));
    assert_eq!(check("target_peak(of-another-pace @ 1, pool_leased) > 1"), Ok(()));
    let error = check("target_mean(pooled @ 1, 'pool_lesed') > 1").unwrap_err();
    let told = "`metrics: {keep: …}` of `pooled` does not have `pool_lesed` (did you mean `pool_leased`?)";
    assert_eq!((error.column, error.message.as_str()), (25, told));
    let both = [kept[0].clone(), ("also-pooled", kept[0].1.clone())];
    let error = parse("1 < max(target_mean(* @ 1, up))").unwrap().check_series(&both).unwrap_err();
    assert_eq!(
        error.message,
        "`metrics: {keep: …}` of `*` does not have `up`: there are `pool_leased`, `pool_pending`"
    );
    let error = check("1 < target_growth(simple @ 1, up)").unwrap_err();
    assert_eq!(error.message, "`metrics: {keep: …}` of `simple` does not have `up`: it keeps none");
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
    // The machine slows down from round to round; `b-vt` needs 20 ms less each time. Taken apart, the intervals would
    // overlap.
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

/// An experiment of so many rounds with nothing to find: two names for one variant, whose requests take 5 % more or
/// less in each run, in a round that is slow or fast as a whole.
fn identical(rounds: u32, random: &mut Xoshiro256PlusPlus) -> ExecutionData {
    let mut normal = || {
        let uniform: f64 = (0..12).map(|_| random.random::<f64>()).sum();
        uniform - 6.0
    };
    let rounds_ms = (0..rounds).map(|_| {
        let round = 9_000.0 * (0.1 * normal()).exp();
        [(); 2].map(|()| (round * (0.05 * normal()).exp()) as u64)
    });
    data(&rounds_ms.collect::<Vec<_>>())
}

/// How many claims about 80 such experiments were called, of `throughput` and of `p99`. `benches/intervals` makes
/// thousands.
fn called(rounds: u32) -> usize {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(u64::from(rounds));
    let claims = ["throughput", "p99"].map(|metric| Claim {
        says: metric.to_owned(),
        expression: format!("{metric}(a @ 1) / {metric}(b-vt @ 1) > 1"),
        line: None,
    });
    let called_of = |mut data: ExecutionData| {
        data.execution.plan.claims = claims.to_vec();
        let verdicts = judge_all(&Measured::of(&data), &[]);
        verdicts.iter().filter(|claim| claim.verdict != Verdict::Undecided).count()
    };
    (0..80).map(|_| called_of(identical(rounds, &mut random))).sum()
}

#[test]
fn of_identical_variants_hardly_ever_a_difference_is_called() {
    // Chance calls 8 of 160 verdicts; both figures of an experiment err together, so four experiments more are 20 at
    // three standard errors.
    for rounds in [3, 5, 10] {
        let called = called(rounds);
        assert!(called <= 20, "{called} of 160 with {rounds} rounds");
    }
}

#[test]
fn where_a_run_looks_after_each_round_all_looks_together_err_that_seldom() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let until = UntilDecided { at_least: 3, error_per_look: crate::intervals::looks::error_per_look(3, 10) };
    let is_called = |data: &ExecutionData| {
        (3..=10).any(|rounds| {
            let mut seen = data.clone();
            seen.execution.plan.until_decided = Some(until);
            seen.runs.retain(|it| it.run.round < rounds);
            let claim = Claim {
                says: "differs".to_owned(),
                expression: "abs(throughput(a @ 1) / throughput(b-vt @ 1) - 1) <= 0".to_owned(),
                line: None,
            };
            seen.execution.plan.claims = vec![claim];
            undecided(&seen).is_empty()
        })
    };
    let called = (0..50).filter(|_| is_called(&identical(10, &mut random))).count();
    assert!(called <= 8, "{called} of 50");
}

#[test]
fn a_look_takes_its_rounds_and_is_judged_by_its_own_error() {
    let rounds = [[1_000, 960], [1_020, 940], [980, 950], [1_010, 955]];
    let verdict = |until: Option<UntilDecided>| {
        let mut data = data(&rounds);
        data.execution.plan.rounds = 20;
        data.execution.plan.until_decided = until;
        judged(data, "throughput(b-vt @ 1) / throughput(a @ 1) > 1")
    };
    let until = |at_least, error_per_look| Some(UntilDecided { at_least, error_per_look });
    assert_eq!(verdict(None).verdict, Verdict::Holds);
    let strict = verdict(until(3, 0.001));
    assert_eq!(strict.verdict, Verdict::Undecided);
    assert!(strict.interval.unwrap()[0] < verdict(until(3, 0.04)).interval.unwrap()[0]);
    assert!(!strict.reason.contains("of 20 rounds"), "the others were never to be made: {}", strict.reason);
    let too_few = verdict(until(5, 0.05));
    assert_eq!((too_few.verdict, too_few.interval), (Verdict::Undecided, None));
    assert!(too_few.reason.contains("at least 5 are needed"), "{}", too_few.reason);
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

/// Arithmetic over ratios, as text and as what it comes to.
fn arithmetic() -> impl Strategy<Value = (String, f64)> {
    let leaf = prop_oneof![
        (1..100_u32).prop_map(|number| (number.to_string(), f64::from(number))),
        Just(("throughput(b-vt @ 1)/throughput(a @ 1)".to_owned(), 2.0))
            .prop_map(|(text, value)| (format!("({text})"), value)),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            pair.clone().prop_map(|((a, x), (b, y))| (format!("({a} + {b})"), x + y)),
            pair.clone().prop_map(|((a, x), (b, y))| (format!("({a}-{b})"), x - y)),
            pair.clone().prop_map(|((a, x), (b, y))| (format!("({a} *{b})"), x * y)),
            pair.clone().prop_map(|((a, x), (b, y))| (format!("{a} * (1 + {b} - {b})"), x * (1.0 + y - y))),
            pair.prop_map(|((a, x), (b, y))| (
                format!("max((({a})), min({b}, startup(a)/startup(a)))"),
                x.max(y.min(1.0))
            )),
            inner.prop_map(|(a, x)| (format!("abs(-{a})"), x.abs())),
        ]
    })
}

proptest! {
    #[test]
    fn garbage_is_an_error_within_the_text_and_no_panic(text in "[a-z0-9@(),.*/+<>=\" %µ-]{0,40}|\\PC{0,40}") {
        if let Err(error) = parse(&text) {
            prop_assert!((1..=text.chars().count() + 1).contains(&error.column), "{}", error);
        }
    }

    #[test]
    fn damaged_claims_are_errors_and_no_panic(at in 0..60_usize, with in "\\PC{0,3}") {
        let mut text: Vec<char> = "max(throughput(web-* @ *)) / throughput(a @ 5000/s) >= 2.8 % ".chars().collect();
        text.splice(at..(at + 1).min(text.len()), with.chars());
        let _ = parse(&text.into_iter().collect::<String>());
    }

    #[test]
    fn arithmetic_comes_to_what_it_should((text, expected) in arithmetic()) {
        // Without an interval: two rounds are quick.
        let claim = format!("{text} + startup(a) / startup(a) > 0");
        let found = judged(data(&[[1_000, 500]; 2]), &claim).value.unwrap();
        prop_assert!((found - expected - 1.0).abs() <= 1e-9 * expected.abs().max(1.0), "{} for {}", found, expected);
    }
}
