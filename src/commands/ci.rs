//! GitHub Actions gets annotations and a summary of the step, beside the report.

use std::{
    env,
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
};

use plimsoll_analysis::{Results, results::Comparison};
use plimsoll_record::ExecutionData;
use plimsoll_report::{Format, Source, annotations, comparison, comparison_annotations, render};
use plimsoll_secrets::mask;

use crate::live::shown;

/// GitHub takes no larger summary of a step.
const SUMMARY_BYTES_MAX: usize = 1024 * 1024;

/// Tells the results, where a CI wants to know. `file` is the experiment's.
pub fn tell(data: &ExecutionData, results: &Results, file: Option<&Path>) {
    if !is_github() {
        return;
    }
    let claim_lines: Vec<Option<u32>> = data.execution.plan.claims.iter().map(|it| it.line).collect();
    let file = file.map(in_repository);
    drop(write!(
        anstream::stderr(),
        "{}",
        mask(&annotations(results, Source { file: file.as_deref(), claim_lines: &claim_lines }))
    ));
    summarize(&mask(&render(Format::Markdown, results, &Default::default())));
}

/// The same of a comparison.
pub fn tell_comparison(found: &Comparison, file: Option<&Path>) {
    if !is_github() {
        return;
    }
    let file = file.map(in_repository);
    drop(write!(
        anstream::stderr(),
        "{}",
        mask(&comparison_annotations(found, Source { file: file.as_deref(), claim_lines: &[] }))
    ));
    summarize(&mask(&comparison(Format::Markdown, found, &Default::default())));
}

fn is_github() -> bool {
    env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Seen from the root of the checkout, as annotations name files; elsewhere as it is.
fn in_repository(file: &Path) -> String {
    let root = env::var_os("GITHUB_WORKSPACE").map(PathBuf::from);
    let whole = file.canonicalize().ok();
    let within = root.and_then(|root| Some(whole?.strip_prefix(root.canonicalize().ok()?).ok()?.to_owned()));
    within.unwrap_or_else(|| file.to_owned()).display().to_string()
}

/// Adds to the summary of the step. The results stand even if that fails.
fn summarize(markdown: &str) {
    let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else { return };
    let warn = |why: &str| tell!("warning: no summary of the step: {}", shown(why));
    if markdown.len() > SUMMARY_BYTES_MAX {
        return warn("it would have more than 1 MiB; -o markdown=FILE keeps it");
    }
    let appended = OpenOptions::new().create(true).append(true).open(&path);
    if let Err(error) = appended.and_then(|mut file| writeln!(file, "{markdown}")) {
        warn(&format!("{}: {error}", path.to_string_lossy()));
    }
}
