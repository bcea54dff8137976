//! What is printed at the end of a load, and what goes to files.

use plimsoll_analysis::Results;
use plimsoll_record::ExecutionData;

use crate::{
    commands::{print, report, style_of_stdout},
    failure::Failure,
    output::Destination,
};

/// Files first: stdout may be closed by who reads it.
pub fn write(destinations: &[Destination], data: &ExecutionData, results: &Results) -> Result<(), Failure> {
    for destination in destinations {
        if let Some(file) = destination.file() {
            report::write(file, &destination.output.render(data, results, &Default::default()))?;
        }
    }
    for destination in destinations.iter().filter(|it| it.file().is_none()) {
        print(&destination.output.render(data, results, &style_of_stdout()))?;
    }
    Ok(())
}
