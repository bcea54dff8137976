//! Annotations of GitHub Actions: lines that its runner takes from a step's output and puts beside the file
//! (<https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>).

use std::fmt::Write;

use plimsoll_analysis::{
    Results,
    results::{Comparison, Verdict, Weight},
};
use plimsoll_text::{joined, printable};

use crate::content::{claims, comparison as compared, line, thresholds};

/// The experiment file, if there is one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source<'a> {
    /// Its path within the repository.
    pub file: Option<&'a str>,
    /// The line of each claim, from 1.
    pub claim_lines: &'a [Option<u32>],
}

/// A line for each claim that fails or is undecided, each exceeded threshold, each load line that is not where it was
/// wanted, each run that failed, and each finding that warns.
pub fn annotations(results: &Results, source: Source<'_>) -> String {
    let mut out = String::new();
    for (index, claim) in results.claims.iter().enumerate() {
        let (word, title) = match claim.verdict {
            Verdict::Holds => continue,
            Verdict::Fails => ("error", "A claim fails"),
            Verdict::Undecided => ("warning", "A claim is undecided"),
        };
        let line = source.claim_lines.get(index).copied().flatten();
        let figure = claims::figure(claim).map(|it| format!(" ({it})")).unwrap_or_default();
        let reason = if claim.reason.is_empty() { String::new() } else { format!(": {}", claim.reason) };
        command(&mut out, word, (source.file, line), title, &format!("{}{figure}{reason}", claim.says));
    }
    for threshold in results.thresholds.iter().filter(|it| !it.is_kept) {
        let text = format!("{} of {}: {}", threshold.threshold, threshold.variant, thresholds::measured(threshold));
        command(&mut out, "error", (source.file, None), "A threshold is exceeded", &text);
    }
    for found in &results.lines {
        let (word, title) = match line::verdict(found) {
            Verdict::Holds => continue,
            Verdict::Fails if found.tested().is_some() => ("error", "The load line is below what was tested"),
            Verdict::Fails => ("error", "Objectives hold nowhere"),
            Verdict::Undecided => ("warning", "A load line is not known"),
        };
        let text = format!("{} of {}: {}", joined(&found.objectives), line::name(found), line::answers(found));
        command(&mut out, word, (source.file, None), title, &text);
    }
    for run in &results.runs {
        if run.status.is_failure() {
            let text =
                format!("{}, round {}: {}", run.variant, run.round + 1, run.problem.as_deref().unwrap_or_default());
            command(&mut out, "error", (source.file, None), "A run failed", &text);
        }
    }
    for finding in results.findings.iter().filter(|it| it.weight >= Weight::Warning) {
        let text = format!("{} {}", finding.says, finding.remedy);
        command(&mut out, "warning", (source.file, None), finding.kind.title, text.trim_end());
    }
    out
}

const WORSE: &str = "Surely worse than the baseline";

/// A line for each figure that is worse, an error where it is a regression.
pub fn comparison_annotations(comparison: &Comparison, source: Source<'_>) -> String {
    let mut out = String::new();
    for difference in comparison.regressions() {
        let level = difference.level.as_ref().map(|it| format!(" @ {it}")).unwrap_or_default();
        let text = format!(
            "{}({}{level}) {}, against #{}",
            difference.metric,
            difference.variant,
            compared::change(difference),
            comparison.before.id
        );
        command(&mut out, "error", (source.file, None), WORSE, &text);
    }
    for line in comparison.lower_lines() {
        let text = format!("{}, against #{}", compared::lower_line(line), comparison.before.id);
        command(&mut out, "error", (source.file, None), WORSE, &text);
    }
    out
}

fn command(out: &mut String, word: &str, (file, line): (Option<&str>, Option<u32>), title: &str, message: &str) {
    let file = file.map(|file| format!("file={},", property(file))).unwrap_or_default();
    let line = line.filter(|_| !file.is_empty()).map(|line| format!("line={line},")).unwrap_or_default();
    writeln!(out, "::{word} {file}{line}title={}::{}", property(title), data(message))
        .expect("writing to memory does not fail");
}

/// A message with percent signs and line ends escaped, which the runner would interpret.
fn data(text: &str) -> String {
    let text = printable(text);
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property: its separators are escaped, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_ends_its_line_or_its_property() {
        let mut out = String::new();
        command(&mut out, "error", (Some("a,b:c%.yaml"), Some(7)), "x::y", "100 %\n::error::z\u{1b}[2J");
        assert_eq!(out, "::error file=a%2Cb%3Ac%25.yaml,line=7,title=x%3A%3Ay::100 %25%0A::error::z\u{fffd}[2J\n");
        out.clear();
        command(&mut out, "warning", (None, Some(7)), "t", "m");
        assert_eq!(out, "::warning title=t::m\n");
    }
}
