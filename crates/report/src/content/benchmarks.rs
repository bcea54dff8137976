//! Scores of benchmarks: a table each, and tables of secondary metrics.

use plimsoll_analysis::{
    Results,
    results::{BenchmarkResults, BenchmarkScore, ScoreRatio},
};
use plimsoll_text::number::{NONE, printed, sig3};

use super::{Column, Table, levels::with_range_as};

/// Meaning of the tables, in a line.
pub const HOW_TO_READ: &str = "Score: median over rounds [least – greatest], each round a run of JMH. Standard \
     deviation and 99.9 % interval are JMH's own, over the iterations of the round with the median score. Ratio: to \
     the first variant, with the 95 % interval over rounds.";

/// A table for each benchmark, and one for its secondary metrics, if there are any.
pub fn tables(results: &Results) -> Vec<Table> {
    results.benchmarks.iter().flat_map(|benchmark| [Some(scores(benchmark)), beside(benchmark)]).flatten().collect()
}

/// The scores alone.
pub fn scores_of_all(results: &Results) -> Vec<Table> {
    results.benchmarks.iter().map(scores).collect()
}

fn scores(benchmark: &BenchmarkResults) -> Table {
    let unit = &benchmark.unit;
    let row = |score: &BenchmarkScore| {
        let middle = score.middle_round();
        let stdev = middle.and_then(|round| round.stdev).map_or_else(|| NONE.to_owned(), digits);
        let interval = middle.and_then(|round| round.interval);
        vec![
            name(score),
            with_range_as(&score.score, digits),
            stdev,
            interval.map_or_else(|| NONE.to_owned(), |[low, high]| format!("{} – {}", digits(low), digits(high))),
            score.ratio.as_ref().map_or_else(|| NONE.to_owned(), ratio),
        ]
    };
    Table {
        title: format!("{} ({}, {unit})", benchmark.name, mode(&benchmark.mode)),
        columns: vec![
            Column::words("variant"),
            Column::numbers(format!("score, {unit}")),
            Column::numbers("stdev"),
            Column::numbers("99.9 % interval"),
            Column::numbers("ratio"),
        ],
        rows: benchmark.scores.iter().map(row).collect(),
    }
}

fn beside(benchmark: &BenchmarkResults) -> Option<Table> {
    let mut metrics: Vec<(&String, &String)> = Vec::new();
    for (name, metric) in benchmark.scores.iter().flat_map(|score| &score.secondary) {
        if !metrics.iter().any(|(known, _)| *known == name) {
            metrics.push((name, &metric.unit));
        }
    }
    let row = |score: &BenchmarkScore| {
        let cell = |(metric, _): &(&String, &String)| {
            let found = score.secondary.get(*metric);
            found.map_or_else(|| NONE.to_owned(), |found| with_range_as(&found.score, sig3))
        };
        std::iter::once(name(score)).chain(metrics.iter().map(cell)).collect()
    };
    let heads = metrics.iter().map(|(metric, unit)| Column::numbers(format!("{metric}, {unit}")));
    (!metrics.is_empty()).then(|| Table {
        title: format!("Beside {}", benchmark.name),
        columns: std::iter::once(Column::words("variant")).chain(heads).collect(),
        rows: benchmark.scores.iter().map(row).collect(),
    })
}

/// The name of the variant, with the parameters of the label.
fn name(score: &BenchmarkScore) -> String {
    match score.label.split_once('[') {
        Some((_, params)) => format!("{} [{params}", score.variant),
        None => score.variant.clone(),
    }
}

fn ratio(ratio: &ScoreRatio) -> String {
    match ratio.interval {
        Some([low, high]) => format!("{} [{} – {}]", digits(ratio.value), digits(low), digits(high)),
        None => digits(ratio.value),
    }
}

/// A score to five significant digits: three cannot show differences of benchmarks.
fn digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return sig3(value);
    }
    printed(value, 10_f64.powf((value.abs().log10().floor() - 4.0).clamp(-9.0, 0.0)))
}

/// JMH's modes in words.
fn mode(mode: &str) -> &str {
    match mode {
        "thrpt" => "throughput",
        "avgt" => "average time",
        "sample" => "sampled time",
        "ss" => "single shot",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_keep_what_benchmarks_differ_by() {
        let shown = [1_035.498, 18.554, 0.000_123_456_7, 123_456.7, 0.0, 1.013_67].map(digits);
        assert_eq!(shown, ["1,035.5", "18.554", "0.00012346", "123,457", "0", "1.0137"]);
    }
}
