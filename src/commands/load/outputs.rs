//! Outputs at the end of a load, printed and written to files.

use std::path::{Component, Path};

use plimsoll_analysis::{Results, results::Comparison};
use plimsoll_record::ExecutionData;
use plimsoll_report::Style;
use rustix::{
    fs::{Access, access},
    io::Errno,
};

use crate::{
    commands::{print, report, style_of_stdout},
    failure::Failure,
    output::{Destination, Output},
};

/// Whether the files can be written, as far as that can be known before the load.
pub fn check(destinations: &[Destination]) -> Result<(), Failure> {
    destinations.iter().filter_map(Destination::file).try_for_each(|file| {
        check_file(file).map_err(|problem| {
            Failure::input(format_args!("-o …={}: {problem}, or choose another place", file.display()))
        })
    })
}

/// Whether the file can be written; else why not, and what to do.
pub fn check_file(file: &Path) -> Result<(), String> {
    if file.is_dir() {
        return Err("expected a file, found a folder".to_owned());
    }
    let cannot = |path: &Path, error: Errno| {
        Err(format!("{} cannot be written to: {}", path.display(), std::io::Error::from(error)))
    };
    // Pipes, devices and links are written to as they are; files are replaced.
    if file.exists() && file.symlink_metadata().is_ok_and(|it| !it.is_file()) {
        return access(file, Access::WRITE_OK).or_else(|error| cannot(file, error));
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut there = folder.ancestors().map(|it| if it.as_os_str().is_empty() { Path::new(".") } else { it });
    let folder = match there.find(|it| it.exists()) {
        Some(ancestor) if is_made(folder) => ancestor,
        _ => folder,
    };
    if !folder.is_dir() {
        return Err(format!("there is no folder {}: make it", folder.display()));
    }
    access(folder, Access::WRITE_OK).or_else(|error| cannot(folder, error))
}

/// Whether a folder is made for an output: below the current directory. Elsewhere it may well be a mistake.
pub fn is_made(folder: &Path) -> bool {
    // A leading `.` is the current directory; any other is left out by `components`.
    folder.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Files first: stdout may be closed by who reads it. Reports that are one document have what `compared` says in them.
pub fn write(
    destinations: &[Destination],
    is_full: bool,
    data: &ExecutionData,
    results: &Results,
    compared: Option<&Comparison>,
) -> Result<(), Failure> {
    let render = |output: Output, style: &Style| match compared {
        Some(compared) => output.render_against(data, results, compared, style),
        None => output.render(data, results, style),
    };
    for destination in destinations {
        if let Some(file) = destination.file() {
            report::write(file, &render(destination.output, &Style::default()))?;
        }
    }
    for destination in destinations.iter().filter(|it| it.file().is_none()) {
        print(&render(destination.output, &style_of_stdout(is_full)))?;
    }
    Ok(())
}
