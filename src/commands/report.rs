//! `plimsoll report`: any output again, from the record.

use std::{path::Path, process::ExitCode};

use plimsoll_analysis::analyse;

use super::load::outputs;
use crate::{
    cli::ReportArgs,
    failure::{Failure, NOT_KEPT},
    output::Output,
};

pub fn execute(arguments: &ReportArgs) -> Result<ExitCode, Failure> {
    let format: Output = arguments.format.parse().map_err(Failure::input)?;
    if let Some(path) = &arguments.output {
        outputs::check_file(path).map_err(|problem| {
            Failure::input(format_args!("-o {}: {problem}, or choose another place", path.display()))
        })?;
    }
    let data = arguments.record.read(&arguments.execution)?;
    let results = analyse(&data);
    match &arguments.output {
        Some(path) => write(path, &format.render(&data, &results, &Default::default()))?,
        None => super::print(&format.render(&data, &results, &super::style_of_stdout(arguments.full)))?,
    }
    let is_kept = !super::has_exceeded_threshold(&results) && !super::fails_strictly(&results);
    Ok(if arguments.strict && !is_kept { ExitCode::from(NOT_KEPT) } else { ExitCode::SUCCESS })
}

/// Writes a report's file. Nothing is left half-written.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| {
        Failure::input(format_args!("cannot write {}: {error}; choose another place with -o", path.display()))
    };
    // A pipe, a device or a link is written to, never replaced.
    if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        return std::fs::write(path, text).map_err(cannot);
    }
    let partial = path.with_added_extension("partial");
    std::fs::write(&partial, text)
        .and_then(|()| std::fs::rename(&partial, path))
        .inspect_err(|_| drop(std::fs::remove_file(&partial)))
        .map_err(cannot)
}
