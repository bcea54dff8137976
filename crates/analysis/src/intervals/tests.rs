//! Promises of intervals, counted. The full tables take a release build: `benches/intervals`.

use super::{
    coverage::{CELLS, coverage, until_decided},
    *,
};

/// Enough for a standard error of half a percent.
const EXPERIMENTS: u32 = 2_000;

#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    for cell in CELLS {
        for rounds in [3, 4, 9, 10, 30] {
            let found = coverage(cell, rounds, EXPERIMENTS, 7);
            assert!(found.covered >= 0.925, "{}, {rounds} rounds: {found:?}", cell.name);
        }
    }
}

#[test]
fn looking_after_each_round_errs_no_more_often_than_looking_once() {
    for cell in [&CELLS[1], &CELLS[3], &CELLS[5]] {
        for looks in [(3, 10), (3, 20), (5, 30)] {
            let found = until_decided(cell, looks, 1.0, 3_000, 6);
            // Standard errors of 0.4 %.
            assert!(found.called <= 0.065, "{}, {looks:?}: {found:?}", cell.name);
        }
    }
}

#[test]
fn a_large_difference_takes_few_rounds() {
    let found = until_decided(&CELLS[1], (3, 20), 1.5, 500, 3);
    assert!(found.called > 0.99 && found.rounds <= 4, "{found:?}");
}

fn of(values: &[f64]) -> Interval {
    Rounds::of(values, Scale::Logarithmic).interval(Tails::both(0.05)).unwrap()
}

#[test]
fn the_interval_of_three_rounds_is_that_of_student() {
    // Logarithms −d, 0, d: mean 0, standard deviation d, so 4.3027 d/√3 either way.
    let d = 0.1_f64;
    let found = of(&[(-d).exp() * 7.0, 7.0, d.exp() * 7.0]);
    let half = 4.302_652_730 * d / 3.0_f64.sqrt();
    assert!((found.estimate - 7.0).abs() < 1e-9, "{found:?}");
    assert!((found.low / (7.0 * (-half).exp()) - 1.0).abs() < 1e-8, "{found:?}");
    assert!((found.high / (7.0 * half.exp()) - 1.0).abs() < 1e-8, "{found:?}");
}

#[test]
fn of_ten_rounds_one_wild_one_does_not_matter() {
    let tame = [1.0, 1.01, 0.99, 1.02, 0.98, 1.0, 1.01, 0.99, 1.0, 1.03];
    let mut wild = tame;
    wild[9] = 9.0;
    assert_eq!(of(&tame), of(&wild));
    assert!(of(&wild[1..]).high > 1.5, "nine rounds do not leave any out");
}

#[test]
fn values_that_are_alike_come_out_as_they_went_in() {
    assert_eq!(of(&[1_020.0; 3]), Interval::at(1_020.0));
    let stepped = Rounds { step: 0.001, ..Rounds::of(&[1_020.0; 3], Scale::Logarithmic) };
    let found = stepped.interval(Tails::both(0.05)).unwrap();
    assert!(found.low < 1_020.0 && found.low > 1_019.0, "{found:?}");
}

#[test]
fn one_or_two_rounds_have_an_estimate_and_no_interval() {
    assert_eq!(ratio(&[3.0], &[2.0], 0.05), Some((1.5, None)));
    assert_eq!(ratio(&[3.0, 3.0], &[2.0, 2.0], 0.05), Some((1.5, None)));
    assert_eq!(ratio(&[], &[], 0.05), None);
    assert_eq!(ratio(&[3.0; 3], &[0.0; 3], 0.05), None);
}

#[test]
fn foreseen_intervals_narrow_with_rounds() {
    let rounds = Rounds::of(&[1.0, 1.1, 0.9], Scale::Linear);
    let width = |number| rounds.foreseen(number, Tails::both(0.05)).map(|it| it.high - it.low).unwrap();
    assert!(width(5) > width(9) && width(11) > width(50));
}
