//! `plimsoll list`.

use std::process::ExitCode;

use plimsoll_record::{ExecutionStatus, Store};
use plimsoll_text::printable_line;

use crate::{cli::ListArgs, failure::Failure};

pub fn execute(arguments: &ListArgs) -> Result<ExitCode, Failure> {
    let store = Store::open_existing(arguments.record.path())?;
    let mut text = format!("{:>5}  {:<19}  {:<11}  {}\n", "id", "started (UTC)", "status", "what");
    for execution in store.executions()? {
        let status = match execution.status {
            ExecutionStatus::Running => "unfinished",
            ExecutionStatus::Done => "done",
            ExecutionStatus::Interrupted => "interrupted",
            ExecutionStatus::Failed => "failed",
        };
        let started: String = execution.started_at.chars().take(19).map(|c| if c == 'T' { ' ' } else { c }).collect();
        let command = &execution.environment.command;
        let what = match &execution.environment.merged {
            Some(merged) => format!("{} of {} parts merged: {command}", merged.parts.len(), merged.count),
            None => command.clone(),
        };
        let line = format!("{:>5}  {started:<19}  {status:<11}  {what}", execution.id);
        text.push_str(&printable_line(&line));
        text.push('\n');
    }
    super::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
