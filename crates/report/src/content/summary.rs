//! The execution and how it ended, in a line or two.

use std::collections::BTreeSet;

use plimsoll_analysis::Results;
use plimsoll_record::{ExecutionStatus, Merged};
use plimsoll_text::counted;

/// The heading.
pub fn title(results: &Results) -> &str {
    let execution = &results.execution;
    if execution.title.is_empty() { &execution.name } else { &execution.title }
}

/// A line with number, time, rounds, runs and how it ended.
pub fn line(results: &Results) -> String {
    let execution = &results.execution;
    let mut parts = vec![format!("{} #{}", execution.name, execution.id), moment(&execution.started_at)];
    parts.extend(pace(results));
    if execution.runs_planned > 1 {
        parts.push(rounds(results));
        parts.push(format!("{} of {} runs done", execution.runs_done, execution.runs_planned));
    }
    parts.extend(execution.segment.map(|part| format!("part {} of {}", part.number, part.count)));
    parts.extend(results.environment.merged.as_ref().map(merged));
    parts.push(status(execution.status).to_owned());
    parts.join(" · ")
}

/// `3 rounds`, or `7 of at most 20 rounds`.
pub fn rounds(results: &Results) -> String {
    let made = results.execution.rounds;
    match results.execution.until_decided {
        Some(until) => format!("{made} of at most {}", counted(until.at_most.into(), "round")),
        None => counted(made.into(), "round"),
    }
}

/// `pace quick`.
pub fn pace(results: &Results) -> Option<String> {
    results.execution.pace.as_ref().map(|pace| format!("pace {pace}"))
}

/// `3 of 4 parts on 2 machines`; without the machines where they are not known.
fn merged(merged: &Merged) -> String {
    let there = merged.parts.len();
    let parts = match merged.missing().is_empty() {
        true => counted(there as u64, "part"),
        false => format!("{there} of {} parts", merged.count),
    };
    let machines: Option<BTreeSet<&str>> = merged.parts.iter().map(|part| part.machine.as_deref()).collect();
    match machines {
        Some(machines) => format!("{parts} on {}", counted(machines.len() as u64, "machine")),
        None => parts,
    }
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

/// `2026-11-21T07:30:00.123Z` as `2026-11-21 07:30 UTC`; anything else as it is.
pub fn moment(rfc3339: &str) -> String {
    match (rfc3339.get(..10), rfc3339.get(11..16), rfc3339.ends_with('Z')) {
        (Some(day), Some(time), true) => format!("{day} {time} UTC"),
        _ => rfc3339.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{MergedPart, Nanos};

    use super::*;

    #[test]
    fn parts_are_counted_with_their_machines() {
        let of = |machines: &[Option<&str>]| {
            let part = |(number, machine): (u32, &Option<&str>)| MergedPart {
                number,
                started_at: String::new(),
                after: Nanos::ZERO,
                status: ExecutionStatus::Done,
                machine: machine.map(str::to_owned),
                clock: None,
                lost_after: None,
            };
            merged(&Merged { count: 3, parts: (1..).zip(machines).map(part).collect() })
        };
        assert_eq!(of(&[Some("a"), Some("b"), Some("a")]), "3 parts on 2 machines");
        assert_eq!(of(&[Some("a"), Some("a")]), "2 of 3 parts on 1 machine");
        assert_eq!(of(&[Some("a"), None, None]), "3 parts");
    }
}
