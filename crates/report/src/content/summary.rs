//! What was executed and how that ended, in a line or two.

use plimsoll_analysis::{Results, results::Weight};
use plimsoll_record::ExecutionStatus;

use super::plural;

/// The heading.
pub fn title(results: &Results) -> &str {
    let execution = &results.execution;
    if execution.title.is_empty() { &execution.name } else { &execution.title }
}

/// Number, time, rounds, runs and how it ended.
pub fn line(results: &Results) -> String {
    let execution = &results.execution;
    let mut parts = vec![format!("{} #{}", execution.name, execution.id), moment(&execution.started_at)];
    if execution.runs_planned > 1 {
        parts.push(plural(execution.rounds as usize, "round", "rounds"));
        parts.push(format!("{} of {} runs done", execution.runs_done, execution.runs_planned));
    }
    parts.push(status(execution.status).to_owned());
    parts.join(" · ")
}

/// How an execution ended, in words.
pub const fn status(status: ExecutionStatus) -> &'static str {
    match status {
        ExecutionStatus::Running => "not ended: under way, or killed",
        ExecutionStatus::Done => "complete",
        ExecutionStatus::Interrupted => "interrupted",
        ExecutionStatus::Failed => "failed",
    }
}

/// One word for a note.
pub const fn weight(weight: Weight) -> &'static str {
    match weight {
        Weight::Info => "note",
        Weight::Warning => "warning",
    }
}

/// `2026-11-21T07:30:00.123Z` as `2026-11-21 07:30 UTC`; anything else as it is.
fn moment(rfc3339: &str) -> String {
    match (rfc3339.get(..10), rfc3339.get(11..16), rfc3339.ends_with('Z')) {
        (Some(day), Some(time), true) => format!("{day} {time} UTC"),
        _ => rfc3339.to_owned(),
    }
}
