//! Bootstrap over rounds.
//!
//! Whole rounds are drawn, never requests: requests of one run share a process, its heap, its compiled code and
//! its place in memory, so they say nothing about how the next process will fare (Kalibera & Jones, "Rigorous
//! benchmarking in reasonable time", ISMM 2013: resample at the highest level at which measurements vary by chance).
//!
//! A drawn round brings the figures of all variants in it. Rounds are randomised blocks: a machine that gets slower
//! gets slower for every variant of that round, and a ratio within a round does not see it. Drawing variants apart
//! would break the pairs and count that drift as noise (Davison & Hinkley, "Bootstrap Methods and their Application",
//! 1997, §3: resample as the data came about).

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

use crate::stats::median;

/// With fewer rounds there is no interval.
pub(crate) const LEAST_ROUNDS: usize = 3;

/// Such that 2.5 % of it and one more is a whole number, and the limits are values that occurred (Davison & Hinkley,
/// §5.2.1).
const RESAMPLES: usize = 3_999;

/// One figure in each round in which it was measured: `(round, value)`, by round.
pub(crate) type Series = Vec<(u32, f64)>;

/// Values of several series in the rounds that all of them have.
pub(crate) fn common_rounds(series: &[Series]) -> Vec<Vec<f64>> {
    let value = |one: &Series, round: u32| one.iter().find(|it| it.0 == round).map(|it| it.1);
    let rounds = series.first().into_iter().flatten().map(|it| it.0);
    let common: Vec<u32> = rounds.filter(|&round| series.iter().all(|one| value(one, round).is_some())).collect();
    series.iter().map(|one| common.iter().filter_map(|&round| value(one, round)).collect()).collect()
}

/// The 95 % percentile interval of `statistic`, which gets indices of drawn rounds; the same for the same seed on every
/// machine (ChaCha8 is defined to the bit, `StdRng` is not). None with too few rounds, or if the statistic is not
/// finite for some draw.
pub(crate) fn interval(rounds: usize, seed: u64, statistic: impl FnMut(&[usize]) -> f64) -> Option<[f64; 2]> {
    interval_of::<RESAMPLES>(rounds, seed, statistic)
}

fn interval_of<const RESAMPLES: usize>(
    rounds: usize,
    seed: u64,
    mut statistic: impl FnMut(&[usize]) -> f64,
) -> Option<[f64; 2]> {
    if rounds < LEAST_ROUNDS {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = vec![0; rounds];
    let mut values: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            drawn.fill_with(|| rng.random_range(0..rounds as u32) as usize);
            statistic(&drawn)
        })
        .collect();
    values.sort_by(f64::total_cmp);
    let tail = (RESAMPLES + 1) / 40;
    values.iter().all(|value| value.is_finite()).then(|| [values[tail - 1], values[RESAMPLES - tail]])
}

/// The median of the values of drawn rounds.
pub(crate) fn median_of(values: &[f64], drawn: &[usize]) -> f64 {
    median(&drawn.iter().map(|&round| values[round]).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64], seed: u64, statistic: fn(&[f64]) -> f64) -> Option<[f64; 2]> {
        interval(values.len(), seed, |drawn| statistic(&drawn.iter().map(|&index| values[index]).collect::<Vec<_>>()))
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn of_three_rounds_the_medians_interval_is_their_range() {
        // A median of three draws is the least with probability 7/27, far above 2.5 %.
        assert_eq!(of(&[5.0, 4.0, 6.0], 1, median), Some([4.0, 6.0]));
        assert_eq!(of(&[5.0, 4.0], 1, median), None);
    }

    #[test]
    fn of_nine_rounds_the_medians_interval_is_what_the_binomial_gives() {
        // P(median of 9 draws ≤ k-th value) = P(Binomial(9, k/9) ≥ 5): 0.0014 for k = 1, 0.0276 … for k = 2.
        // 2.5 % are first passed at k = 2, and by symmetry at k = 8.
        let values: Vec<f64> = (1..=9).map(f64::from).collect();
        let passed = (1..=9).find(|&k| at_least_five_of_nine(f64::from(k) / 9.0) > 0.025).unwrap();
        assert_eq!(of(&values, 7, median), Some([f64::from(passed), f64::from(10 - passed)]));
    }

    fn at_least_five_of_nine(p: f64) -> f64 {
        const CHOOSE: [(i32, f64); 5] = [(5, 126.0), (6, 84.0), (7, 36.0), (8, 9.0), (9, 1.0)];
        CHOOSE.iter().map(|&(k, ways)| ways * p.powi(k) * (1.0 - p).powi(9 - k)).sum()
    }

    #[test]
    fn of_many_rounds_the_means_interval_is_the_normal_one() {
        // The bootstrap distribution of a mean has the standard error σ/√n with σ² the variance over n, by the central
        // limit theorem close to normal: mean ± 1.96 σ/√n. For 1..=100: σ² = (100² − 1)/12.
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        let half = 1.96 * (9_999.0_f64 / 12.0 / 100.0).sqrt();
        let [low, high] = of(&values, 3, mean).unwrap();
        assert!((low - (50.5 - half)).abs() < 0.15 && (high - (50.5 + half)).abs() < 0.15, "{low} {high}");
    }

    #[test]
    fn the_interval_covers_the_truth_about_as_often_as_it_says() {
        // 400 experiments of 30 rounds, each uniform over 0..1: the mean's interval must hold 0.5 in 95 % of them.
        // Percentile intervals cover a little less with few rounds; 400 trials have a standard error of 1.1 %.
        let mut rng = ChaCha8Rng::seed_from_u64(2_026);
        let covers = |_: &u64| {
            let values: Vec<f64> = (0..30).map(|_| rng.random_range(0.0..1.0)).collect();
            let mean_of = |drawn: &[usize]| mean(&drawn.iter().map(|&index| values[index]).collect::<Vec<_>>());
            // Fewer draws than in earnest, for the time it takes.
            let interval = interval_of::<399>(values.len(), 5, mean_of);
            interval.is_some_and(|[low, high]| low <= 0.5 && 0.5 <= high)
        };
        let covered = (0..400_u64).filter(covers).count();
        assert!((364..=392).contains(&covered), "{covered} of 400");
    }

    #[test]
    fn the_same_seed_gives_the_same_and_another_another() {
        let values: Vec<f64> = (0..20).map(|value| f64::from(value * value)).collect();
        assert_eq!(of(&values, 1, mean), of(&values, 1, mean));
        assert_ne!(of(&values, 1, mean), of(&values, 2, mean));
    }

    #[test]
    fn no_interval_where_a_draw_has_no_value() {
        assert_eq!(of(&[0.0, 0.0, 1.0], 1, |values| 1.0 / median(values)), None);
    }

    #[test]
    fn series_are_paired_by_round() {
        let a = vec![(0, 1.0), (1, 2.0), (2, 3.0)];
        let b = vec![(0, 10.0), (2, 30.0), (3, 40.0)];
        assert_eq!(common_rounds(&[a.clone(), b]), [vec![1.0, 3.0], vec![10.0, 30.0]]);
        assert_eq!(common_rounds(&[a, vec![]]), [vec![], Vec::<f64>::new()]);
    }
}
