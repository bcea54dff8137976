//! The load that is to be distributed: read as `load` would read it, and refused if it could not be offered in parts.
//! Or parts that stay, and are told their loads later.

use std::{
    collections::BTreeSet,
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use plimsoll_drive::files;

use super::distribution::Word;
use crate::{
    cli::{self, Cli, Command, LoadArgs, ServePartArgs, Target, secrets},
    commands::load::{self, import_files::normal, segment},
    failure::Failure,
};

/// A load that parts can offer, or parts that stay.
pub struct Offered {
    /// `load` and its flags, or `serve-part` and its own.
    pub words: Vec<Word>,
    /// Port of whoever the parts stay for.
    pub stay_for: Option<u16>,
    /// Host of its target, if it names one.
    pub host: Option<String>,
    /// Files that it reads.
    pub files: Vec<PathBuf>,
}

/// Reads what follows `--`; it is to be offered in so many parts.
pub fn read(given: &[OsString], parts: u32) -> Result<Offered, Failure> {
    let load = match parse(given)? {
        Command::Load(load) => load,
        Command::ServePart(part) => {
            let words = words(given)?;
            refuse_of_part(&part, given)?;
            let stay_for = Some(part.join.port);
            return Ok(Offered { words, stay_for, host: None, files: Vec::new() });
        }
        _ => {
            return Err(Failure::input(format_args!(
                "after `--`: expected `load` or `serve-part` and its flags, found `{}`: nothing else has parts",
                given.first().map(|word| word.to_string_lossy()).unwrap_or_default()
            )));
        }
    };
    refuse(&load, given)?;
    let (checked, files) = files::noting(|| check(&load, parts));
    checked?;
    Ok(Offered { words: words(given)?, stay_for: None, host: host(&load), files })
}

fn parse(given: &[OsString]) -> Result<Command, Failure> {
    let program = OsString::from("plimsoll");
    let cli = cli::parse(std::iter::once(program).chain(given.iter().cloned()).collect()).map_err(|error| {
        let text = error.render().to_string();
        Failure::input(format_args!("after `--`: {}", text.trim_start_matches("error: ").trim_end()))
    })?;
    let Cli { command } = cli;
    Ok(command)
}

/// Flags of a part that stays and that each part is given by what is printed.
fn refuse_of_part(part: &ServePartArgs, given: &[OsString]) -> Result<(), Failure> {
    let names = |flag: &str| given.iter().any(|word| word.to_string_lossy().split('=').next() == Some(flag));
    let own = [
        ("--part", "each part gets a number of its own"),
        ("--part-index", "each part gets a number of its own"),
        ("--token-file", "a token is drawn, and goes along with what is printed"),
        ("--deadline", "give it before `--`"),
    ];
    if let Some((flag, why)) = own.into_iter().find(|(flag, _)| names(flag)) {
        return Err(Failure::input(format_args!("after `--`: leave out {flag}: {why}")));
    }
    if part.join.url.scheme() != "https" {
        return Err(Failure::input(format_args!(
            "after `--`: --join {}: expected https://HOST:PORT, since the parts have a token",
            part.join.url
        )));
    }
    Ok(())
}

/// Flags that say what the collector says, or that mean one process.
fn refuse(load: &LoadArgs, given: &[OsString]) -> Result<(), Failure> {
    // Its value may come from the environment, which parts do not have.
    let names_record = given.iter().any(|word| word.to_string_lossy().starts_with("--record"));
    let elsewhere = "make reports from the merged record: plimsoll report last -o …";
    let fighting = [
        (load.scale.segment.is_some(), "--segment", "the collector tells each part its own"),
        (load.scale.start_at.is_some(), "--start-at", "the collector starts all parts at once"),
        (names_record, "--record", "parts send their records to the collector, which has a --record of its own"),
        (!load.output.output.is_empty(), "-o", elsewhere),
        (load.verdict.against.baseline.is_some(), "--baseline", "compare the merged record: plimsoll compare"),
        (load.output.full, "--full", elsewhere),
        (load.verdict.strict, "--strict", "give it to `plimsoll collect` or to `plimsoll report`"),
        (load.telling.debug, "--debug", "it sends one request and no load: use it without `distribute`"),
        (load.telling.prometheus.is_some(), "--prometheus", "each part would serve only its own share"),
    ];
    match fighting.into_iter().find(|(is_given, ..)| *is_given) {
        Some((_, flag, why)) => Err(Failure::input(format_args!("after `--`: leave out {flag}: {why}"))),
        None => Ok(()),
    }
}

/// Everything that a part would refuse, as far as it can be known without its machine.
fn check(load: &LoadArgs, parts: u32) -> Result<(), Failure> {
    let load::Asked { job, .. } = load::asked(load)?;
    segment::check(&job, parts).map_err(|why| Failure::input(format_args!("--parts {parts}: {why}")))?;
    // Files of flags, of a file or of a command of curl.
    let tls = &job.options.connection.tls;
    for path in tls.ca_cert.iter().chain(tls.identity.iter().flat_map(|it| [&it.cert, &it.key])) {
        files::read(path, files::DOCUMENT_BYTES_MAX)
            .map_err(|error| Failure::input(format_args!("{}: {error}", path.display())))?;
    }
    Ok(())
}

fn words(given: &[OsString]) -> Result<Vec<Word>, Failure> {
    let masked = secrets::hide(given).masked;
    let word = |(word, masked): (&OsString, Option<String>)| match word.to_str() {
        Some(text) => Ok(Word { text: text.to_owned(), is_secret: masked.is_some() }),
        None => {
            Err(Failure::input(format_args!("after `--`: expected text in UTF-8, found {}", word.to_string_lossy())))
        }
    };
    given.iter().zip(masked).map(word).collect()
}

fn host(load: &LoadArgs) -> Option<String> {
    match load.send.target.as_ref()? {
        Target::Url(url, _) => url.domain().map(str::to_owned),
        Target::Curl(_) => None,
    }
}

/// The paths, seen from the current directory; parts have them there as well.
pub fn below_here(paths: &[PathBuf]) -> Result<BTreeSet<PathBuf>, Failure> {
    let here = env::current_dir().map_err(|error| Failure::input(format_args!("the current directory: {error}")))?;
    let real = here.canonicalize().unwrap_or_else(|_| here.clone());
    let below = |path: &PathBuf| {
        let whole = normal(&here.join(path));
        let below = whole.strip_prefix(&here).or(whole.strip_prefix(&real)).map(Path::to_owned);
        below.map_err(|_| {
            Failure::input(format_args!(
                "after `--`: {}: expected files in the current directory or below it, since parts find them in theirs; \
                 or give --without-files, if each machine has it",
                path.display()
            ))
        })
    };
    paths.iter().map(below).collect()
}
