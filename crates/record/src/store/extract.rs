//! One execution as a record of its own.

use std::{fs::OpenOptions, os::unix::fs::OpenOptionsExt, path::Path};

use rusqlite::Connection;

use super::{Store, StoreError};

impl Store {
    /// Writes an execution, with all that belongs to it, to a new record at `path`: one file that needs no other beside
    /// it, for its owner alone.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if one of the files cannot be written, or if there is something at `path`.
    pub fn extract(&mut self, execution: i64, path: &Path) -> Result<(), StoreError> {
        let options = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        options.map_err(|source| StoreError::Directory { path: path.to_owned(), source })?;
        // SQLite takes an empty file.
        self.write("VACUUM INTO ?1", [path.to_string_lossy()])?;
        let without_others = || -> rusqlite::Result<()> {
            let copy = Connection::open(path)?;
            copy.pragma_update(None, "foreign_keys", true)?;
            if copy.execute("DELETE FROM executions WHERE id != ?1", [execution])? > 0 {
                copy.execute_batch("VACUUM")?;
            }
            Ok(())
        };
        without_others().map_err(|error| StoreError::from_sqlite(path, error))
    }
}
