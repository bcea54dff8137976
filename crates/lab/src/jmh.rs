//! JMH: how it is asked for its result, and what that says. (`JSONResultFormat` in JMH's sources is the only
//! description of the format.)

use std::collections::BTreeMap;

use plimsoll_record::{Score, ScoreValue};
use serde_json::{Map, Value};

/// Arguments that have it end at the first failure, and write its result to the file that stands for `{jmh-result}`.
pub(crate) const RESULT_ARGUMENTS: [&str; 6] = ["-foe", "true", "-rf", "json", "-rff", "{jmh-result}"];

/// The name of that placeholder.
pub(crate) const RESULT: &str = "jmh-result";

/// Options that [`RESULT_ARGUMENTS`] has already.
pub(crate) const RESERVED: [&str; 3] = ["-foe", "-rf", "-rff"];

/// The scores of a result.
///
/// # Errors
///
/// Message naming what is not as JMH writes it.
pub(crate) fn scores(json: &str) -> Result<Vec<Score>, String> {
    let result: Value = serde_json::from_str(json).map_err(|error| format!("its result is not JSON: {error}"))?;
    let Value::Array(benchmarks) = result else { return Err("its result is not a list of benchmarks".to_owned()) };
    benchmarks.iter().map(score).collect()
}

/// Puts back the placeholders in parameters. Their values, such as ports, differ from run to run, and would make one
/// benchmark look like several.
pub(crate) fn as_written(mut scores: Vec<Score>, arguments: &[String]) -> Vec<Score> {
    let pairs = arguments.windows(2).filter(|pair| pair[0] == "-p");
    let params = pairs.filter_map(|pair| pair[1].split_once('='));
    for (name, text) in params.filter(|(_, text)| text.contains('{') && !text.contains(',')) {
        let given = scores.iter_mut().filter_map(|score| score.params.get_mut(name));
        given.for_each(|value| text.clone_into(value));
    }
    scores
}

fn score(benchmark: &Value) -> Result<Score, String> {
    let text = |key: &str| benchmark[key].as_str().map(str::to_owned);
    let name = text("benchmark").ok_or("its result has a benchmark without a name")?;
    let measured = value(&benchmark["primaryMetric"]);
    let secondary = benchmark["secondaryMetrics"].as_object().into_iter().flatten();
    Ok(Score {
        mode: text("mode").unwrap_or_default(),
        params: texts(benchmark["params"].as_object()),
        measured: measured.ok_or_else(|| format!("its result has no score of {name}"))?,
        raw: raw(&benchmark["primaryMetric"]),
        secondary: secondary.filter_map(|(name, metric)| Some((name.clone(), value(metric)?))).collect(),
        benchmark: name,
    })
}

fn texts(map: Option<&Map<String, Value>>) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    map.into_iter().flatten().map(|(name, value)| (name.clone(), text(value))).collect()
}

fn value(metric: &Value) -> Option<ScoreValue> {
    let interval = (number(&metric["scoreConfidence"][0])).zip(number(&metric["scoreConfidence"][1]));
    Some(ScoreValue {
        score: number(&metric["score"])?,
        error: number(&metric["scoreError"]),
        interval: interval.map(|(low, high)| [low, high]),
        unit: metric["scoreUnit"].as_str().unwrap_or_default().to_owned(),
    })
}

/// Samples of each fork. Sampled times come as a histogram instead: those are left to JMH's own statistics.
fn raw(metric: &Value) -> Vec<Vec<f64>> {
    let forks = metric["rawData"].as_array().into_iter().flatten();
    forks.map(|fork| fork.as_array().into_iter().flatten().filter_map(number).collect()).collect()
}

/// JMH writes not-a-number as a text, `"NaN"`.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULT: &str = r#"[{
        "jmhVersion": "1.37", "benchmark": "a.B.batch", "mode": "avgt", "threads": 1, "forks": 2,
        "params": {"calls": "50"},
        "primaryMetric": {
            "score": 1035.5, "scoreError": 11.25, "scoreConfidence": [1024.25, 1046.75],
            "scorePercentiles": {"50.0": 1030.0}, "scoreUnit": "ms/op", "rawData": [[1030.0, 1041.0], [1035.5]]
        },
        "secondaryMetrics": {
            "gc.count": {"score": 3.0, "scoreError": "NaN", "scoreConfidence": ["NaN", "NaN"], "scoreUnit": "counts"},
            "stack": {"score": "NaN", "scoreUnit": "---"}
        }
    }]"#;

    #[test]
    fn scores_are_read_with_what_was_measured_beside_them() {
        let scores = scores(RESULT).unwrap();
        let [score] = scores.as_slice() else { panic!("{scores:?}") };
        assert_eq!(
            (score.benchmark.as_str(), score.mode.as_str(), score.params["calls"].as_str()),
            ("a.B.batch", "avgt", "50")
        );
        let measured = &score.measured;
        assert_eq!((measured.score, measured.error, measured.unit.as_str()), (1035.5, Some(11.25), "ms/op"));
        assert_eq!(measured.interval, Some([1024.25, 1046.75]));
        assert_eq!(score.raw, [vec![1030.0, 1041.0], vec![1035.5]]);
        let gc = &score.secondary["gc.count"];
        assert_eq!((gc.score, gc.error, gc.interval), (3.0, None, None));
        assert!(!score.secondary.contains_key("stack"), "it is no number");
    }

    #[test]
    fn what_jmh_does_not_write_is_told() {
        assert!(scores("").unwrap_err().starts_with("its result is not JSON: "));
        assert!(scores("{}").unwrap_err().contains("not a list"));
        assert!(scores("[{}]").unwrap_err().contains("without a name"));
        let nameless = r#"[{"benchmark": "a.b", "primaryMetric": {"score": "NaN"}}]"#;
        assert_eq!(scores(nameless).unwrap_err(), "its result has no score of a.b");
        assert_eq!(scores("[]"), Ok(Vec::new()));
    }

    #[test]
    fn what_differs_from_run_to_run_is_kept_as_it_was_written() {
        let arguments = ["Batch", "-p", "calls={calls}", "-p", "calls=5", "-f", "1"].map(str::to_owned);
        assert_eq!(as_written(scores(RESULT).unwrap(), &arguments)[0].params["calls"], "{calls}");
        let others = ["-p", "other={x}", "-p", "calls={a},{b}"].map(str::to_owned);
        assert_eq!(as_written(scores(RESULT).unwrap(), &others)[0].params["calls"], "50", "either of the two");
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[\\[\\]{}\":,a-z0-9. ]{0,80}") {
            let _ = scores(&text);
        }
    }
}
