//! `plimsoll merge`: the parts of a load become one execution, as if one generator had offered it all.

mod sources;

use std::process::ExitCode;

use plimsoll_gather::join;
use plimsoll_record::{ExecutionData, Store, StoreError};

use super::nothing::succeeded_nowhere;
use crate::{
    arguments::command_line,
    cli::{MergeArgs, RecordArgs},
    failure::{Failure, NOT_KEPT},
    live::shown,
    output::Output,
};

pub fn execute(arguments: &MergeArgs) -> Result<ExitCode, Failure> {
    let format: Output = arguments.format.parse().map_err(Failure::input)?;
    let record = RecordArgs { record: arguments.record.clone() };
    let sources = sources::read(&arguments.parts, &record)?;
    let mut joined = join(sources, arguments.allow_missing).map_err(Failure::input)?;
    // The command of a part would make another part.
    joined.execution.environment.command = command_line();
    let id = write(&mut record.open()?, &joined).map_err(Failure::running)?;
    tell!("{}", shown(&format!("merged as execution {id} of {}", record.path().display())));
    let (data, results) = super::results::of(&record, id)?;
    super::print(&format.render(&data, &results, &super::style_of_stdout(arguments.full)))?;
    let is_limited = arguments.strict && super::are_not_the_services(&results);
    let is_kept = !super::has_exceeded_threshold(&results) && !is_limited;
    Ok(match () {
        () if !is_kept => ExitCode::from(NOT_KEPT),
        () if succeeded_nowhere(&results) => ExitCode::FAILURE,
        () => ExitCode::SUCCESS,
    })
}

/// Adds the execution to a record; its number there.
pub fn write(store: &mut Store, data: &ExecutionData) -> Result<i64, StoreError> {
    let execution = &data.execution;
    let id = store.begin_execution(&execution.plan, &execution.environment, &execution.started_at)?;
    for run in &data.runs {
        let begun = store.begin_run(id, run.run.variant, run.run.round, run.run.position)?;
        for (index, level) in run.levels.iter().enumerate() {
            let level_id = store.begin_level(begun.id, index, level.started)?;
            store.add_intervals(level_id, &level.intervals)?;
            store.add_traced(level_id, &level.traced)?;
            if let Some(took) = level.took {
                store.end_level(level_id, took)?;
            }
        }
        store.add_samples(begun.id, &run.samples)?;
        store.update_run(&plimsoll_record::Run { id: begun.id, ..run.run.clone() })?;
    }
    let ended_at = execution.ended_at.as_ref().unwrap_or(&execution.started_at);
    store.end_execution(id, execution.status, ended_at)?;
    Ok(id)
}
