//! `plimsoll distribute`: prints what starts parts on many machines: of one load, or such as stay for many.

mod compose;
mod distribution;
pub mod engines;
pub mod kubernetes;
mod load;
mod shell;
mod slurm;
#[cfg(test)]
mod tests;
mod words;

use std::{fs, path::PathBuf, process::ExitCode};

use self::distribution::{Distribution, LoadFile, Share};
use crate::{arguments, cli::DistributeArgs, failure::Failure, gathering::Token};

pub fn execute(arguments: &DistributeArgs) -> Result<ExitCode, Failure> {
    let engine = arguments.on;
    let image = match &arguments.image {
        None if engine.needs_image => {
            return Err(Failure::input(format_args!(
                "--on {}: expected --image as well, the name of an image with Plimsoll in a registry that its machines \
                 reach; `scripts/image` makes one",
                engine.name
            )));
        }
        image => image.clone().unwrap_or_default(),
    };
    let offered = load::read(&arguments.load, arguments.parts)?;
    let reads_files = !offered.files.is_empty();
    let files = if arguments.without_files { Vec::new() } else { files(&offered.files, engine.files_bytes_max)? };
    let distribution = Distribution {
        command: arguments::command_line(),
        name: arguments.name.clone().unwrap_or_else(|| match offered.stay_for {
            Some(_) => "parts".to_owned(),
            None => name_of(offered.host.as_deref()),
        }),
        namespace: arguments.namespace.clone(),
        parts: arguments.parts,
        image,
        share: Share { cpu: arguments.cpu.clone(), memory: arguments.memory.clone() },
        deadline: arguments.deadline,
        hold: arguments.hold,
        load: offered.words,
        stay_for: offered.stay_for,
        reads_files,
        files,
        token: Token::draw()?.reveal().to_owned(),
    };
    super::print(&(engine.print)(&distribution))?;
    Ok(ExitCode::SUCCESS)
}

/// `orders-load` for `orders.test`.
fn name_of(host: Option<&str>) -> String {
    const LONGEST: usize = 35;
    let first = host.and_then(|host| host.split('.').next()).unwrap_or_default();
    let is_usable =
        first.starts_with(|c: char| c.is_ascii_lowercase()) && first.len() <= LONGEST && first != "localhost";
    let is_plain = first.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if is_usable && is_plain { format!("{first}-load") } else { "load".to_owned() }
}

/// The files, with their content where it is carried along.
fn files(read: &[PathBuf], bytes_max: Option<usize>) -> Result<Vec<LoadFile>, Failure> {
    let mut room = bytes_max;
    let mut file = |path: &PathBuf| {
        let unreadable = |error: &dyn std::fmt::Display| Failure::input(format_args!("{}: {error}", path.display()));
        let content = match bytes_max {
            Some(_) => fs::read(path).map_err(|error| unreadable(&error))?,
            None => Vec::new(),
        };
        let left = room.map_or(Some(0), |room| room.checked_sub(content.len()));
        room = room.and(left);
        match (path.to_str(), left) {
            (None, _) => Err(unreadable(&"expected a name in UTF-8")),
            (_, None) => Err(Failure::input(format_args!(
                "the files that the load reads have more than {} bytes, as much as a Secret of Kubernetes takes: make \
                 an image of your own that has them in /load (FROM {}, COPY … /load/), and give --without-files",
                plimsoll_text::count(bytes_max.unwrap_or_default() as u64),
                "the image of scripts/image"
            ))),
            (Some(text), Some(_)) => Ok(LoadFile { path: text.to_owned(), content }),
        }
    };
    load::below_here(read)?.iter().map(&mut file).collect()
}
