//! Objectives from their texts: `p(99)<200ms`, or `strict: p(99)<50ms`.

use plimsoll_analysis::thresholds::Threshold;
use plimsoll_record::{Nanos, ObjectivePlan};
use plimsoll_search::Criterion;

use crate::failure::Failure;

/// All lines that are looked for.
pub struct Objectives {
    /// The criteria of all lines.
    pub criteria: Vec<Criterion>,
    /// In the order in which they were named.
    pub lines: Vec<Line>,
}

/// One line.
pub struct Line {
    name: String,
    thresholds: Vec<String>,
    /// Numbers of its criteria.
    pub criteria: Vec<usize>,
}

impl Objectives {
    /// For the record.
    pub fn plans(&self) -> Vec<ObjectivePlan> {
        let plan = |line: &Line| ObjectivePlan { name: line.name.clone(), thresholds: line.thresholds.clone() };
        self.lines.iter().map(plan).collect()
    }

    /// The limits of response times, each once, ascending; one in any case, since requests are counted by arrival only
    /// where there is a limit.
    pub fn limits(&self) -> Vec<Nanos> {
        let mut limits: Vec<Nanos> = self.criteria.iter().filter_map(|it| it.limit.map(Nanos::from_secs_f64)).collect();
        limits.sort_unstable();
        limits.dedup();
        if limits.is_empty() {
            limits.push(Nanos::from_secs(1));
        }
        limits
    }
}

/// Reads the values of `--slo`.
pub fn read(texts: &[String]) -> Result<Objectives, Failure> {
    let mut objectives = Objectives { criteria: Vec::new(), lines: Vec::new() };
    for text in texts {
        let (name, threshold) = named(text);
        let refused = |why: String| Failure::input(format_args!("--slo '{text}': {why}"));
        let read: Threshold = threshold.parse().map_err(|error| refused(format!("{error}")))?;
        let criterion = read.criterion().map_err(refused)?;
        objectives.criteria.push(criterion);
        let number = objectives.criteria.len() - 1;
        match objectives.lines.iter_mut().find(|line| line.name == name) {
            Some(line) => {
                line.criteria.push(number);
                line.thresholds.push(threshold.to_owned());
            }
            None => objectives.lines.push(Line {
                name: name.to_owned(),
                thresholds: vec![threshold.to_owned()],
                criteria: vec![number],
            }),
        }
    }
    Ok(objectives)
}

/// The name before the colon, if there is one, and the rest. A colon within braces belongs to the threshold.
fn named(text: &str) -> (&str, &str) {
    match text.split_once(':') {
        Some((name, rest)) if !name.contains(['{', '(', '<', '>']) => (name.trim(), rest.trim()),
        _ => ("", text.trim()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Result<Objectives, Failure> {
        read(&texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn objectives_of_one_name_belong_to_one_line() {
        let read = texts(&["strict: p(99)<50ms", "loose: p(99)<500ms", "strict: errors<0.1%"]).unwrap();
        assert_eq!(read.lines.iter().map(|line| line.criteria.clone()).collect::<Vec<_>>(), [vec![0, 2], vec![1]]);
        assert_eq!(read.limits(), [Nanos::from_millis(50), Nanos::from_millis(500)]);
        let share = |index: usize| (read.criteria[index].share * 1e6).round() / 1e6;
        assert_eq!([share(0), share(2)], [0.01, 0.001]);
        assert_eq!(read.plans()[0].thresholds, ["p(99)<50ms", "errors<0.1%"]);
    }

    #[test]
    fn what_is_no_share_of_requests_has_no_line() {
        for wrong in ["avg<200ms", "p(99)>200ms", "throughput>100", "p(100)<1s", "errors<0%", "errors==0", "nonsense"] {
            let refused = texts(&[wrong]).err().map(|failure| failure.to_string()).unwrap_or_default();
            assert!(refused.contains(wrong) && refused.contains("expected"), "{wrong}: {refused}");
        }
    }
}
