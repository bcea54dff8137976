//! How often verdicts are wrong, counted where there is nothing to find.

use plimsoll_record::{Claim, ExecutionData, UntilDecided};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{data, judged};
use crate::{
    claims::{judge_all, undecided},
    measured::Measured,
    results::Verdict,
};

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
    // Chance calls 8 of 160 verdicts. Both figures of an experiment err together, so that three standard errors of
    // experiments make it 20.
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
