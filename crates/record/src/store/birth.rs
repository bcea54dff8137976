//! A new record is whole from the first instant that its name is there: several processes may begin one at once, and
//! one that is killed meanwhile leaves nothing.

use std::{
    fs::File,
    io::{self, Write},
    os::fd::AsRawFd,
    path::Path,
};

use rusqlite::{Connection, MAIN_DB};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

use super::{StoreError, schema, set_page_size};

/// A new file is its owner's alone, and so are the two that SQLite keeps beside it, which take its mode.
const PRIVATE: Mode = Mode::RUSR.union(Mode::WUSR);

/// Makes the record if there is none. Failures are no errors here: whoever opens the record next meets them, and SQLite
/// tells better what stands in the way.
pub(super) fn ensure(path: &Path) {
    if path.exists() {
        return;
    }
    let made = empty_record(path).map_err(io::Error::other).and_then(|record| write_whole(path, &record));
    if made.is_err() {
        // Perhaps the file system has no files without a name. An empty file becomes a record under SQLite's own locks.
        drop(open(path, OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC, PRIVATE));
    }
}

/// The bytes of a record that holds nothing, made in memory.
fn empty_record(path: &Path) -> Result<Vec<u8>, StoreError> {
    let sqlite = |error| StoreError::from_sqlite(path, error);
    let mut connection = Connection::open_in_memory().map_err(sqlite)?;
    set_page_size(&connection).map_err(sqlite)?;
    schema::migrate(&mut connection, path)?;
    let mut bytes = connection.serialize(MAIN_DB).map_err(sqlite)?.to_vec();
    // Write and read versions of the file's format, <https://www.sqlite.org/fileformat.html>: 2 has a write-ahead log,
    // which no database in memory can be switched to.
    bytes[18..20].fill(2);
    Ok(bytes)
}

/// Writes a file that has no name, and gives it one unless another was first. Whatever ends the process before, the
/// kernel removes the file with it.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut nameless = File::from(open(directory, OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC, PRIVATE)?);
    nameless.write_all(bytes)?;
    let descriptor = format!("/proc/self/fd/{}", nameless.as_raw_fd());
    match linkat(CWD, descriptor, CWD, path, AtFlags::SYMLINK_FOLLOW) {
        Err(rustix::io::Errno::EXIST) => Ok(()),
        result => Ok(result?),
    }
}
