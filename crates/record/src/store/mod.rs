//! The record's file: one SQLite database per project directory, written as runs go.
//!
//! Every write is a transaction of its own, committed when the call returns. So after `kill -9` everything up to the
//! last call is there. `docs/record-format.md` describes the tables for those who read them without Plimsoll.

mod birth;
mod columns;
mod error;
mod extract;
#[cfg(test)]
mod failures;
mod listing;
mod reader;
mod schema;
mod watcher;
mod writer;

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, config::DbConfig};

pub use error::StoreError;
pub use watcher::{Recent, Standing};

/// Where the record is, seen from the project's directory.
pub const DEFAULT_PATH: &str = ".plimsoll/plimsoll.db";

/// How long a call waits for a lock that another process holds: longer than any transaction of ours.
const PATIENCE: Duration = Duration::from_secs(15);
/// Between attempts where SQLite itself does not wait.
const RETRY_EVERY: Duration = Duration::from_millis(10);

/// An open record.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

impl Store {
    /// Opens the record at `path`; makes the directory and the file if they are not there, and brings an older record
    /// to this program's version.
    ///
    /// # Errors
    ///
    /// [`StoreError`] says what stands in the way and what to do about it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
        if let Some(directory) = directory
            && !directory.is_dir()
        {
            make_directory(directory)?;
        }
        birth::ensure(path);
        Self::open_file(path, PATIENCE)
    }

    /// Does as [`Store::open`], for those who only want to read.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoRecord`] if there is no file, otherwise as for [`Store::open`].
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::NoRecord { path: path.to_owned() });
        }
        Self::open_file(path, PATIENCE)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn open_file(path: &Path, patience: Duration) -> Result<Self, StoreError> {
        let sqlite = |error| StoreError::from_sqlite(path, error);
        let mut connection = connect(path, patience).map_err(sqlite)?;
        let version = schema::version_now(&connection, path)?;
        configure(&connection, patience).map_err(sqlite)?;
        if version < schema::VERSION {
            schema::migrate(&mut connection, path)?;
        }
        Ok(Self { connection, path: path.to_owned() })
    }

    fn error(&self, error: rusqlite::Error) -> StoreError {
        StoreError::from_sqlite(&self.path, error)
    }
}

fn connect(path: &Path, patience: Duration) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(patience)?;
    // Query plans must not depend on values: otherwise SQLite compiles each query a second time.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}

/// Configures a connection to a file that is known to be a record: the first setting changes the file.
fn configure(connection: &Connection, patience: Duration) -> rusqlite::Result<()> {
    set_page_size(connection)?;
    // A write-ahead log: a reader never holds up the run, and `normal` survives the end of the process at any instant.
    until_free(patience, || connection.pragma_update(None, "journal_mode", "wal"))?;
    connection.pragma_update(None, "synchronous", "normal")?;
    // 256 KiB instead of 2,000: what is written is not read again before the report, and the generator stays small.
    connection.pragma_update(None, "cache_size", -256)?;
    connection.pragma_update(None, "foreign_keys", true)
}

/// Sets the page size of new files: intervals are about 3 kB, of which a page of the default 4 kB holds one.
fn set_page_size(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "page_size", 16_384)
}

/// Repeats `attempt` while another process is in the way: SQLite answers a change of the journal's mode at once,
/// without the patience that it has elsewhere.
fn until_free(patience: Duration, attempt: impl Fn() -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    let began = Instant::now();
    loop {
        let result = attempt();
        let code = result.as_ref().err().and_then(rusqlite::Error::sqlite_error_code);
        let is_held = matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked));
        if !is_held || began.elapsed() >= patience {
            return result;
        }
        thread::sleep(RETRY_EVERY);
    }
}

/// The directory ignores itself in git: a record never makes the user's work tree look changed.
fn make_directory(directory: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(directory)
        .and_then(|()| fs::write(directory.join(".gitignore"), "*\n"))
        .map_err(|source| StoreError::Directory { path: directory.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;

    #[test]
    fn a_query_is_compiled_once() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("plimsoll.db")).unwrap();
        let mut statement = store.connection.prepare("SELECT * FROM levels WHERE run = ?1 ORDER BY id").unwrap();
        assert!(statement.query((1,)).unwrap().next().unwrap().is_none());
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }
}
