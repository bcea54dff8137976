//! `plimsoll trend`: key figures of an experiment over its executions.

use std::process::ExitCode;

use plimsoll_analysis::trend::trend;
use plimsoll_record::Store;
use plimsoll_report::{Format, TREND_FORMATS};
use plimsoll_text::quoted;

use super::{load::outputs, print, report, results, style_of_stdout, which};
use crate::{
    cli::TrendArgs,
    failure::Failure,
    output::{Destination, Output},
};

pub fn execute(arguments: &TrendArgs) -> Result<ExitCode, Failure> {
    let destinations = arguments.output.destinations().map_err(Failure::input)?;
    let formats = destinations.iter().map(format).collect::<Result<Vec<Format>, _>>()?;
    outputs::check(&destinations)?;
    let mut store = Store::open_existing(arguments.record.path())?;
    let listed = results::listed(&mut store, Some(&arguments.name))?;
    if listed.is_empty() {
        return Err(which::absent(&store, Some(&arguments.name), 0));
    }
    let newest = &listed[listed.len().saturating_sub(arguments.last as usize)..];
    let found = trend(&arguments.name, newest);
    if found.executions.is_empty() {
        let name = &arguments.name;
        return Err(Failure::input(format_args!("no execution of `{name}` has measured anything: `plimsoll list`")));
    }
    for (destination, format) in destinations.iter().zip(formats) {
        match destination.file() {
            Some(file) => report::write(file, &plimsoll_report::trend(format, &found, &Default::default()))?,
            None => print(&plimsoll_report::trend(format, &found, &style_of_stdout(arguments.output.full)))?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The format, if a trend has it.
fn format(destination: &Destination) -> Result<Format, Failure> {
    match destination.output {
        Output::Report(info) if TREND_FORMATS.contains(&info.format) => Ok(info.format),
        other => {
            let names = quoted(TREND_FORMATS.iter().map(|format| format.info().name));
            Err(Failure::input(format_args!("-o {}: a trend is told as {names}", other.name())))
        }
    }
}
