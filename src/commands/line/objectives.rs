//! Objectives from their texts: `p(99)<200ms`, or `strict: p(99)<50ms`.

use plimsoll_lab::line::check_objective;
use plimsoll_record::ObjectivePlan;

use crate::failure::Failure;

/// Reads the values of `--slo`: the lines, in the order in which they are named.
pub fn read(texts: &[String]) -> Result<Vec<ObjectivePlan>, Failure> {
    let mut lines: Vec<ObjectivePlan> = Vec::new();
    for text in texts {
        let (name, threshold) = named(text);
        check_objective(threshold).map_err(|why| Failure::input(format_args!("--slo '{text}': {why}")))?;
        let threshold = threshold.to_owned();
        match lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.thresholds.push(threshold),
            None => lines.push(ObjectivePlan { name: name.to_owned(), thresholds: vec![threshold] }),
        }
    }
    Ok(lines)
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

    fn texts(texts: &[&str]) -> Result<Vec<ObjectivePlan>, Failure> {
        read(&texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn objectives_of_one_name_belong_to_one_line() {
        let read = texts(&["strict: p(99)<50ms", "loose: p(99)<500ms", "strict: errors<0.1%"]).unwrap();
        assert_eq!(read.iter().map(|line| line.name.as_str()).collect::<Vec<_>>(), ["strict", "loose"]);
        assert_eq!(read[0].thresholds, ["p(99)<50ms", "errors<0.1%"]);
        assert_eq!(texts(&["p(99)<50ms"]).unwrap()[0].name, "");
    }

    #[test]
    fn what_is_no_share_of_requests_has_no_line() {
        for wrong in ["avg<200ms", "p(99)>200ms", "throughput>100", "p(100)<1s", "errors<0%", "errors==0", "nonsense"] {
            let refused = texts(&[wrong]).err().map(|failure| failure.to_string()).unwrap_or_default();
            assert!(refused.contains(wrong) && refused.contains("expected"), "{wrong}: {refused}");
        }
    }
}
