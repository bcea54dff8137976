//! Errors of the record's file, with remedies.

use std::{
    io,
    path::{Path, PathBuf},
};

use rusqlite::ErrorCode;

/// Why the record could not be opened, written or read. Each says what to do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing has been recorded here.
    #[error(
        "no record at {}: nothing has been run in this directory yet\n  \
         help: run an experiment first (`plimsoll run FILE`), or go to the directory that has `.plimsoll/`", .path.display()
    )]
    NoRecord {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The file is something else.
    #[error(
        "{} is not a record of Plimsoll: {found}\n  \
         help: name another file, or move this one away and a new record is begun", .path.display()
    )]
    NotARecord {
        /// The file.
        path: PathBuf,
        /// The kind of file found.
        found: String,
    },
    /// A newer Plimsoll wrote it.
    #[error(
        "{} has record version {found}; this Plimsoll ({}) knows versions up to {known}\n  \
         help: use the newer Plimsoll that wrote it, or move the file away and a new record is begun",
        .path.display(), env!("CARGO_PKG_VERSION")
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The file's version.
        found: i64,
        /// The newest version this program knows.
        known: i64,
    },
    /// An older Plimsoll wrote it, and it is not to be changed.
    #[error(
        "{} has record version {found}; to read it without a change takes version {known}\n  \
         help: `plimsoll list --record {}` brings it to that version", .path.display(), .path.display()
    )]
    Older {
        /// The file.
        path: PathBuf,
        /// The file's version.
        found: i64,
        /// This program's version.
        known: i64,
    },
    /// Somebody else holds it.
    #[error(
        "{} is locked by another process, and stayed so\n  \
         help: another Plimsoll, a database browser or a `sqlite3` shell with an open transaction may hold it \
         (`fuser {}` names it); end that and try again", .path.display(), .path.display()
    )]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// No space is left.
    #[error(
        "no space left to write {}\n  \
         help: everything measured before this is kept and `plimsoll report last` shows it; free some space to go on",
        .path.display()
    )]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// The directory cannot be made.
    #[error(
        "cannot make the directory {} for the record: {source}\n  \
         help: make it writable, or work in a directory that is", .path.display()
    )]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The operating system's message.
        source: io::Error,
    },
    /// The file or its directory cannot be written, or not even opened.
    #[error(
        "cannot open {} for writing: {reason}\n  \
         help: make the file and its directory writable (SQLite keeps two more files beside it), \
         or copy it to where they are", .path.display()
    )]
    NotWritable {
        /// The file.
        path: PathBuf,
        /// SQLite's message.
        reason: String,
    },
    /// Its content cannot have been written by Plimsoll.
    #[error(
        "{} is damaged: {place}: {reason}\n  \
         help: `sqlite3 {} .recover | sqlite3 saved.db` saves what can be read; \
         or move the file away and a new record is begun", .path.display(), .path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Table, column and row.
        place: String,
        /// The fault.
        reason: String,
    },
    /// There is no such execution.
    #[error("{} has no execution {id}; {}", .path.display(), known_executions(.newest))]
    NoExecution {
        /// The file.
        path: PathBuf,
        /// The one asked for.
        id: i64,
        /// The newest there is.
        newest: Option<i64>,
    },
    /// Whatever else SQLite reports.
    #[error("cannot use {}: {source}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// SQLite's message.
        source: rusqlite::Error,
    },
}

fn known_executions(newest: &Option<i64>) -> String {
    match newest {
        Some(newest) => format!("the newest is {newest}\n  help: `plimsoll report last` reports on that one"),
        None => "it is empty\n  help: run an experiment first (`plimsoll run FILE`)".to_owned(),
    }
}

impl StoreError {
    /// Names what SQLite reports in this file's words.
    pub(super) fn from_sqlite(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => {
                Self::NotARecord { path, found: "it is not an SQLite database".to_owned() }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked { path },
            Some(ErrorCode::DiskFull) => Self::Full { path },
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                Self::NotWritable { path, reason: source.to_string() }
            }
            Some(ErrorCode::DatabaseCorrupt) => {
                Self::Damaged { path, place: "the file's structure".to_owned(), reason: source.to_string() }
            }
            _ => Self::Sqlite { path, source },
        }
    }
}
