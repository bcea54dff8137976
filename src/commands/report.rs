//! `plimsoll report`: any output again, from the record.

use std::{path::Path, process::ExitCode};

use plimsoll_analysis::analyse;

use super::load::outputs;
use crate::{
    cli::{ReportArgs, ReportOutput, destinations},
    failure::{Failure, NOT_KEPT},
    output::Destination,
};

pub fn execute(arguments: &ReportArgs) -> Result<ExitCode, Failure> {
    let wanted = wanted(arguments)?;
    let mut destinations = destinations(&wanted).map_err(Failure::input)?;
    // Files alone: who asks for them has seen the report.
    if !wanted.is_empty() && wanted.iter().all(|it| it.file.is_some()) {
        destinations.retain(|it| it.file.is_some());
    }
    outputs::check(&destinations)?;
    let data = arguments.record.read(&arguments.execution)?;
    let results = analyse(&data);
    outputs::write(&destinations, arguments.full, &data, &results, None)?;
    let is_kept = !super::has_exceeded_threshold(&results) && !super::fails_strictly(&results);
    Ok(if arguments.strict && !is_kept { ExitCode::from(NOT_KEPT) } else { ExitCode::SUCCESS })
}

/// Outputs by `-o` and `--format`; a file without a format is that of the only one.
fn wanted(arguments: &ReportArgs) -> Result<Vec<Destination>, Failure> {
    let mut wanted = arguments.format.clone();
    let mut files = Vec::new();
    for output in &arguments.output {
        match output {
            ReportOutput::To(destination) => wanted.push(destination.clone()),
            ReportOutput::File(file) => files.push(file.clone()),
        }
    }
    let Some(file) = files.pop() else { return Ok(wanted) };
    let mut without: Vec<&mut Destination> = wanted.iter_mut().filter(|it| it.file.is_none()).collect();
    match without.as_mut_slice() {
        [] if files.is_empty() => wanted.push(Destination { file: Some(file), ..Destination::terminal() }),
        [only] if files.is_empty() => only.file = Some(file),
        _ => {
            let file = file.display();
            return Err(Failure::input(format_args!("-o {file}: expected its format, e.g. -o html={file}")));
        }
    }
    Ok(wanted)
}

/// Writes a report's file, and the folder that it is to be in if that is below the current directory. Nothing is left
/// half-written.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| {
        Failure::input(format_args!("cannot write {}: {error}; choose another place with -o", path.display()))
    };
    if let Some(folder) = path.parent().filter(|folder| outputs::is_made(folder) && !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(cannot)?;
    }
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
