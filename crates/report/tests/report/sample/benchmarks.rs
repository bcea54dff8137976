//! The published benchmark in our words: a batch of calls on ten processors and on two, three rounds each.

use std::collections::BTreeMap;

use plimsoll_analysis::{
    Results,
    results::{BenchmarkResults, BenchmarkScore, ScoreRatio, ScoreRound, SecondaryScore},
};

use super::{figure, kind, of_kinds};

/// No load at all.
pub fn benchmarks() -> Results {
    let mut results =
        of_kinds(&[kind("ten", None, [0.0, 0.0, 110.0, 210.0]), kind("two", None, [0.0, 0.0, 95.0, 200.0])], 3);
    results.execution.title = "A batch of calls on ten processors and on two".to_owned();
    results.levels.clear();
    for variant in &mut results.variants {
        variant.levels.clear();
        variant.startup_s = None;
    }
    for run in &mut results.runs {
        run.startup_s = None;
        run.spans.clear();
        run.load.clear();
    }
    let scores = vec![score("ten", 1_035.498, 7.496, None), score("two", 1_049.652, 18.554, Some(1.013_67))];
    let (name, mode, unit) = ("plimsoll.jmh.WebClientBatch.batch".to_owned(), "avgt".to_owned(), "ms/op".to_owned());
    results.benchmarks = vec![BenchmarkResults { name, mode, unit, scores }];
    results
}

fn score(variant: &str, score: f64, stdev: f64, ratio: Option<f64>) -> BenchmarkScore {
    let round = |(round, factor): (u32, f64)| ScoreRound {
        round,
        score: score * factor,
        error: Some(stdev * 1.5),
        interval: Some([score * factor - stdev * 1.5, score * factor + stdev * 1.5]),
        stdev: Some(stdev),
        forks: 1,
        iterations: 10,
    };
    let beside = |score, unit: &str| SecondaryScore { score: figure(score, 0.01, 3), unit: unit.to_owned() };
    BenchmarkScore {
        variant: variant.to_owned(),
        label: "WebClientBatch.batch".to_owned(),
        params: BTreeMap::from([("calls".to_owned(), "50".to_owned())]),
        score: figure(score, 0.002, 3),
        rounds: (0..).zip([1.0, 0.998, 1.002]).map(round).collect(),
        ratio: ratio.map(|value| {
            let interval = Some([value * 0.99, value * 1.01]);
            ScoreRatio { baseline: "ten".to_owned(), value, interval }
        }),
        secondary: BTreeMap::from([
            ("gc.alloc.rate".to_owned(), beside(12.5, "MB/sec")),
            ("gc.count".to_owned(), beside(3.0, "counts")),
        ]),
    }
}
