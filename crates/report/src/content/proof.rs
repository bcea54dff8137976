//! Whether changed settings move what limits a variant, in words.

use plimsoll_analysis::results::{Proof, ProofStep, Verdict};
use plimsoll_text::number::{NONE, sig3};

use super::{Column, Table};

/// How to read it.
pub const HOW_TO_READ: &str = "Capacity: requests per second under a closed load that saturates the service, before \
    and after in interleaved rounds of fresh processes. A change helps if it moves the limit by 5 % or more, surely.";

/// A row for each set of changes.
pub fn table(proof: &Proof) -> Table {
    let columns = vec![
        Column::words("change"),
        Column::numbers("before /s"),
        Column::numbers("after /s"),
        Column::numbers("times [95 %]"),
        Column::words("helps"),
    ];
    let row = |step: &ProofStep| {
        vec![
            changes(step, ", "),
            shown(proof.before_per_s),
            shown(step.after_per_s),
            times(step),
            helps(step).to_owned(),
        ]
    };
    Table {
        title: format!("Moving the limit of {}", proof.variant),
        columns,
        rows: proof.steps.iter().map(row).collect(),
    }
}

/// `max-connections-per-route 100 → 400: 397 → 1,190/s, 2.99 times [2.94 – 3.05], helps`.
pub fn line(proof: &Proof, step: &ProofStep) -> String {
    let (before, after) = (shown(proof.before_per_s), shown(step.after_per_s));
    let times = times(step);
    let why = match &step.without_effect {
        Some(seen) => format!(": {seen}"),
        None if step.helps == Verdict::Undecided => format!(": {}", step.reason),
        None => String::new(),
    };
    format!("{}: {before} → {after}/s, {times} times, {}{why}", changes(step, ", "), helps(step))
}

fn changes(step: &ProofStep, between: &str) -> String {
    step.changes.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

fn shown(per_s: Option<f64>) -> String {
    per_s.map_or_else(|| NONE.to_owned(), sig3)
}

fn times(step: &ProofStep) -> String {
    match (step.ratio, step.interval) {
        (Some(ratio), Some([low, high])) => format!("{} [{} – {}]", sig3(ratio), sig3(low), sig3(high)),
        (Some(ratio), None) => sig3(ratio),
        (None, _) => NONE.to_owned(),
    }
}

const fn helps(step: &ProofStep) -> &'static str {
    match step.helps {
        Verdict::Holds => "helps",
        Verdict::Fails if step.harms => "harms",
        Verdict::Fails => "did not help",
        Verdict::Undecided => "undecided",
    }
}
