//! The results of a recorded execution, and what is kept of them for lists.

use plimsoll_analysis::{Results, analyse, summary_of};
use plimsoll_record::{ExecutionData, ExecutionStatus, ExecutionSummary, Listed, Store};

use crate::{cli::RecordArgs, failure::Failure};

/// Reads an execution that has just ended, and keeps it in short.
pub fn of(record: &RecordArgs, id: i64) -> Result<(ExecutionData, Results), Failure> {
    let mut store = Store::open_existing(record.path())?;
    let data = store.read(id)?;
    let results = analyse(&data);
    keep(&mut store, id, &results);
    Ok((data, results))
}

/// All executions, or those of one name, each with its summary. Those that have none get one, unless they are under
/// way.
pub fn listed(store: &mut Store, name: Option<&str>) -> Result<Vec<Listed>, Failure> {
    let mut all = match name {
        Some(name) => store.listed_of(name)?,
        None => store.listed()?,
    };
    for execution in &mut all {
        if execution.summary.is_none() && execution.status != ExecutionStatus::Running {
            // One that is damaged is listed all the same.
            execution.summary = store.read(execution.id).ok().map(|data| keep(store, execution.id, &analyse(&data)));
        }
    }
    Ok(all)
}

/// A record that cannot be written to is no reason to fail: the summary is made again when it is asked for.
fn keep(store: &mut Store, id: i64, results: &Results) -> ExecutionSummary {
    let summary = summary_of(results);
    drop(store.keep_summary(id, &summary));
    summary
}
