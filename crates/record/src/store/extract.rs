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

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;
    use crate::{Environment, Plan};

    #[test]
    fn one_of_several_executions_becomes_a_private_record_of_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("all.db")).unwrap();
        let begin = |store: &mut Store, name: &str| {
            let plan = Plan { name: name.to_owned(), ..Plan::default() };
            let id = store.begin_execution(&plan, &Environment::default(), "2026-01-01T00:00:00Z").unwrap();
            store.begin_run(id, 0, 0, 0).unwrap();
            id
        };
        let ids = ["a", "b", "c"].map(|name| begin(&mut store, name));
        let path = folder.path().join("one/x.db");
        assert!(store.extract(ids[1], &path).is_err(), "there is no such folder");
        let path = folder.path().join("x.db");
        store.extract(ids[1], &path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(
            fs::read_dir(folder.path())
                .unwrap()
                .filter(|it| it.as_ref().unwrap().path().to_string_lossy().contains("/x.db"))
                .count(),
            1
        );
        assert!(store.extract(ids[1], &path).is_err(), "nothing is written over");
        let copy = Store::open_existing(&path).unwrap();
        let found = copy.listed().unwrap();
        assert_eq!(found.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["b"]);
        assert_eq!(copy.read(ids[1]).unwrap(), store.read(ids[1]).unwrap());
        assert_eq!(store.listed().unwrap().len(), 3, "the record keeps them all");
    }
}
