//! Every run, how it ended, and the last output of those that did not end well.

use maud::{Markup, html};
use plimsoll_analysis::{Results, results::RunResults};
use plimsoll_text::number::{NONE, time};

use super::parts;
use crate::content::{Column, Table, problems};

/// Outputs of runs that did not end well, then a table of all runs.
pub fn section(results: &Results) -> Option<Markup> {
    if results.runs.is_empty() {
        return None;
    }
    let with_output = results.runs.iter().filter(|run| !run.output_tail.is_empty());
    Some(html! {
        @for run in with_output { (output(run)) }
        (parts::folded("All runs in order", &[table(&results.runs)]))
    })
}

fn output(run: &RunResults) -> Markup {
    html! {
        details {
            summary { "Last lines of " (run.variant) ", round " (run.round + 1) " (" (problems::run_word(run.status)) ")" }
            @if let Some(command) = &run.command { p { "Launched: " code { (command) } } }
            pre tabindex="0" { (run.output_tail.join("\n")) }
        }
    }
}

fn table(runs: &[RunResults]) -> Table {
    let row = |run: &RunResults| {
        vec![
            run.id.to_string(),
            (run.round + 1).to_string(),
            run.variant.clone(),
            problems::run_word(run.status).to_owned(),
            run.startup_s.map_or(NONE.to_owned(), |s| time(s * 1e3)),
            run.command.clone().unwrap_or_else(|| NONE.to_owned()),
        ]
    };
    Table {
        title: String::new(),
        columns: vec![
            Column::words("run"),
            Column::numbers("round"),
            Column::words("variant"),
            Column::words("ended"),
            Column::numbers("start-up"),
            Column::words("command"),
        ],
        rows: runs.iter().map(row).collect(),
    }
}
