//! A new record is whole from the first instant that its name is there: several processes may begin one at once, and
//! one that is killed meanwhile leaves none that is half made.

use std::{
    ffi::OsString,
    fs, io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
};

use super::{PATIENCE, StoreError, configure, connect, schema, set_page_size};

/// Makes the record if there is none. Failures are no errors here: whoever opens the record next meets them, and SQLite
/// tells better what stands in the way.
pub(super) fn ensure(path: &Path) {
    if path.exists() {
        return;
    }
    let draft = draft(path);
    let made = make(&draft).is_ok() && link(&draft, path).is_ok();
    remove(&draft);
    if !made {
        // A file system without hard links, say. Empty, it becomes a record under SQLite's own locks.
        drop(create_private(path));
    }
}

/// Beside the record, for links stay within a file system; each attempt has its own.
fn draft(path: &Path) -> PathBuf {
    static ATTEMPTS: AtomicU64 = AtomicU64::new(0);
    let attempt = ATTEMPTS.fetch_add(1, Ordering::Relaxed);
    beside(path, &format!(".new-{}-{attempt}", process::id()))
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// An empty record, without a write-ahead log until its tables are there: a log that no longer fits the disk would be
/// left beside the draft, and the record would lack what is in it.
fn make(draft: &Path) -> Result<(), StoreError> {
    let sqlite = |error| StoreError::from_sqlite(draft, error);
    create_private(draft).map_err(|source| StoreError::Directory { path: draft.to_owned(), source })?;
    let mut connection = connect(draft, PATIENCE).map_err(sqlite)?;
    set_page_size(&connection).map_err(sqlite)?;
    schema::migrate(&mut connection, draft)?;
    configure(&connection, PATIENCE).map_err(sqlite)?;
    connection.close().map_err(|(_, error)| sqlite(error))
}

/// A new file is its owner's alone, and so are the two that SQLite keeps beside it, which take its mode.
fn create_private(path: &Path) -> io::Result<()> {
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map(drop)
}

/// Gives the record its name, unless another was first.
fn link(draft: &Path, path: &Path) -> io::Result<()> {
    if beside(draft, "-wal").exists() {
        return Err(io::Error::other("a part of the record is in its log"));
    }
    match fs::hard_link(draft, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        result => result,
    }
}

fn remove(draft: &Path) {
    for suffix in ["", "-journal", "-wal", "-shm"] {
        drop(fs::remove_file(beside(draft, suffix)));
    }
}
