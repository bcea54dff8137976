//! Rules that hold whatever a claim or a threshold says: called by `fuzz/` with what a fuzzer makes up, and by `./test`
//! with the files of `tests/corpus/`.

use plimsoll_analysis::{claims, thresholds::Threshold};
use plimsoll_record::{LevelPlan, Load, LoadUnit, Phase, ThinkTime};

/// Whether the text is a claim about two variants, two levels and a line. An error has its place in the text.
pub fn claim(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    claims::limit_of(&text);
    let result = claims::parse(&text).and_then(|claim| {
        claim.check(&["web-jar", "web-jar-vt"], &["100", "2700"])?;
        claim.check_lines(&[""], LoadUnit::PerSecond)?;
        claim.check_series(&[("web-jar", vec!["pool"])])
    });
    if let Err(error) = &result {
        assert_is_place(&text, error.column, &error.message);
    }
    result.is_ok()
}

/// Whether the text is a threshold of the scenario `browse` with the requests `search` and `buy`. One that is prints as
/// it was written.
pub fn threshold(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let load = Load::SharedIterations { vus: 1, iterations: 1, max_duration: None, think: ThinkTime::None };
    let level = LevelPlan {
        requests: vec!["search".to_owned(), "buy".to_owned()],
        ..LevelPlan::new("browse", Phase::Measured, load)
    };
    match Threshold::of_levels(&text, &[level]) {
        Ok(threshold) => {
            let _ = threshold.criterion();
            assert_eq!(threshold.to_string().parse(), Ok(threshold), "{text}");
            true
        }
        Err(error) => {
            assert_is_place(&text, error.column, &error.message);
            false
        }
    }
}

fn assert_is_place(text: &str, column: usize, message: &str) {
    assert!((1..=text.chars().count() + 1).contains(&column), "column {column} of `{text}`: {message}");
    assert!(!message.is_empty());
}
