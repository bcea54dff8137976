//! The record's versions: one SQL file per step, applied in order.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::error::StoreError;

/// Step k brings a record from version k to version k + 1. Steps are only ever added.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001.sql"),
    include_str!("migrations/0002.sql"),
    include_str!("migrations/0003.sql"),
    include_str!("migrations/0004.sql"),
    include_str!("migrations/0005.sql"),
    include_str!("migrations/0006.sql"),
    include_str!("migrations/0007.sql"),
];

/// The version this program writes.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// "PLIM": what `file` and SQLite see in the header of a record.
pub(super) const APPLICATION_ID: i64 = 0x504C_494D;

/// Brings an empty or older record to [`VERSION`].
pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let sqlite = |error| StoreError::from_sqlite(path, error);
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sqlite)?;
    // Asked again under the lock: another process may have migrated in between.
    let from = version(&transaction, path)?;
    for step in &MIGRATIONS[from as usize..] {
        transaction.execute_batch(step).map_err(sqlite)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(sqlite)?;
    transaction.pragma_update(None, "user_version", VERSION).map_err(sqlite)?;
    transaction.commit().map_err(sqlite)
}

/// [`version`] outside of a transaction: all of it at one instant, for another process may just make the first tables.
pub(super) fn version_now(connection: &Connection, path: &Path) -> Result<i64, StoreError> {
    let snapshot = connection.unchecked_transaction().map_err(|error| StoreError::from_sqlite(path, error))?;
    version(&snapshot, path)
}

/// The version of the record in the file, 0 if the file is empty; every other file is refused untouched.
fn version(connection: &Connection, path: &Path) -> Result<i64, StoreError> {
    let integer = |sql: &str| -> Result<i64, StoreError> {
        connection.query_row(sql, (), |row| row.get(0)).map_err(|error| StoreError::from_sqlite(path, error))
    };
    let found = integer("PRAGMA user_version")?;
    match integer("PRAGMA application_id")? {
        APPLICATION_ID if found > VERSION => Err(StoreError::Newer { path: path.to_owned(), found, known: VERSION }),
        APPLICATION_ID if found < 0 => Err(StoreError::Damaged {
            path: path.to_owned(),
            place: "the version in its header".to_owned(),
            reason: format!("expected 0 to {VERSION}, found {found}"),
        }),
        APPLICATION_ID => Ok(found),
        _ if integer("SELECT count(*) FROM sqlite_schema")? == 0 => Ok(0),
        _ => Err(StoreError::NotARecord {
            path: path.to_owned(),
            found: "it is the SQLite database of another program".to_owned(),
        }),
    }
}
