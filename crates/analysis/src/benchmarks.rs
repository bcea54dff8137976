//! Scores of benchmarks: over rounds, and against the first variant.

use plimsoll_record::Score;

use crate::{
    measured::{Benchmark, Measured, MeasuredVariant},
    ratios,
    results::{BenchmarkResults, BenchmarkScore, Figure, ScoreRatio, ScoreRound, SecondaryScore},
};

/// Every benchmark by name and mode, in the order in which they were measured.
pub(crate) fn all(measured: &Measured) -> Vec<BenchmarkResults> {
    let mut results: Vec<BenchmarkResults> = Vec::new();
    for variant in 0..measured.variants.len() {
        for benchmark in &measured.benchmarks {
            let Some((score, unit)) = of_variant(measured, variant, benchmark) else { continue };
            let known = results.iter_mut().find(|it| it.name == benchmark.name && it.mode == benchmark.mode);
            match known {
                Some(known) => known.scores.push(score),
                None => results.push(BenchmarkResults {
                    name: benchmark.name.clone(),
                    mode: benchmark.mode.clone(),
                    unit,
                    scores: vec![score],
                }),
            }
        }
    }
    results
}

/// The score of a variant with its unit; none if the variant does not have the benchmark.
fn of_variant(measured: &Measured, index: usize, benchmark: &Benchmark) -> Option<(BenchmarkScore, String)> {
    let variant = &measured.variants[index];
    let scores: Vec<(u32, &Score)> = variant.scores(benchmark).collect();
    let unit = scores.first()?.1.measured.unit.clone();
    let score = BenchmarkScore {
        variant: measured.plan().variants[index].name.clone(),
        label: benchmark.label.clone(),
        params: benchmark.params.clone(),
        score: Figure::of(scores.iter().map(|(_, score)| score.measured.score).collect()),
        rounds: scores.iter().map(|&(round, score)| of_round(round, score)).collect(),
        ratio: ratio(measured, index, benchmark),
        secondary: scores[0].1.secondary.keys().map(|name| (name.clone(), secondary(name, &scores))).collect(),
    };
    Some((score, unit))
}

fn of_round(round: u32, score: &Score) -> ScoreRound {
    let iterations: Vec<f64> = score.raw.iter().flatten().copied().collect();
    ScoreRound {
        round,
        score: score.measured.score,
        error: score.measured.error,
        interval: score.measured.interval,
        stdev: stdev(&iterations),
        forks: score.raw.len() as u32,
        iterations: iterations.len() as u32,
    }
}

/// Standard deviation of a sample, as the harness prints it.
fn stdev(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt())
}

fn secondary(name: &str, scores: &[(u32, &Score)]) -> SecondaryScore {
    let values = || scores.iter().filter_map(|(_, score)| score.secondary.get(name));
    let unit = values().next().map(|value| value.unit.clone()).unwrap_or_default();
    SecondaryScore { score: Figure::of(values().map(|value| value.score).collect()), unit }
}

fn ratio(measured: &Measured, index: usize, benchmark: &Benchmark) -> Option<ScoreRatio> {
    let has_it = |variant: &MeasuredVariant| variant.scores(benchmark).next().is_some();
    let baseline = measured.variants.iter().position(has_it).filter(|&baseline| baseline < index)?;
    let series = [index, baseline].map(|variant| measured.variants[variant].score_series(benchmark));
    let (value, interval) = ratios::of_series(series, measured.error())?;
    Some(ScoreRatio { baseline: measured.plan().variants[baseline].name.clone(), value, interval })
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{RunStatus, ScoreValue};

    use super::*;
    use crate::testing::{execution, plan, score, scores, variant};

    #[test]
    fn scores_are_over_rounds_and_against_the_first_variant() {
        let ten = [1_000.0, 1_010.0, 990.0];
        let two = [1_100.0, 1_111.0, 1_089.0];
        let mut runs = Vec::new();
        for round in 0..3 {
            runs.push(scores(0, round, vec![score("a.Batch.batch", ten[round as usize])]));
            runs.push(scores(1, round, vec![score("a.Batch.batch", two[round as usize])]));
        }
        runs.push(scores(1, 3, vec![score("a.Batch.batch", 9_999.0)]));
        runs[6].run.status = RunStatus::BenchmarksFailed;
        let data = execution(plan(vec![variant("ten"), variant("two")], Vec::new(), 4), runs);
        let all = all(&Measured::of(&data));
        let [batch] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!((batch.name.as_str(), batch.unit.as_str(), batch.scores.len()), ("a.Batch.batch", "ms/op", 2));
        let [ten, two] = &batch.scores[..] else { panic!("two variants") };
        assert_eq!((ten.score.median, ten.ratio.is_none(), two.score.rounds.len()), (1_000.0, true, 3));
        let ratio = two.ratio.as_ref().unwrap();
        assert!((ratio.value - 1.1).abs() < 1e-9 && ratio.interval.is_some(), "{ratio:?}");
        assert_eq!(two.middle_round().unwrap().score, 1_100.0);
    }

    #[test]
    fn what_the_harness_says_is_kept() {
        let value = ScoreValue { score: 2.0, unit: "MB/sec".to_owned(), ..ScoreValue::default() };
        let mut one = score("B.b", 5.0);
        one.raw = vec![vec![4.0, 6.0], vec![5.0]];
        one.measured.interval = Some([3.0, 7.0]);
        one.secondary.insert("gc.alloc.rate".to_owned(), value);
        let data = execution(plan(vec![variant("a")], Vec::new(), 1), vec![scores(0, 0, vec![one])]);
        let score = all(&Measured::of(&data)).remove(0).scores.remove(0);
        let round = &score.rounds[0];
        assert_eq!((round.stdev, round.forks, round.iterations, round.interval), (Some(1.0), 2, 3, Some([3.0, 7.0])));
        assert_eq!(
            (score.secondary["gc.alloc.rate"].score.median, score.secondary["gc.alloc.rate"].unit.as_str()),
            (2.0, "MB/sec")
        );
        assert_eq!(stdev(&[1.0]), None);
    }
}
