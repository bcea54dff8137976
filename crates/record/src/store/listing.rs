//! Executions in short, and names for some of them.

use rusqlite::OptionalExtension;

use super::{
    Store, StoreError,
    columns::{Columns, RowError, json, text},
};
use crate::{Baseline, Environment, ExecutionSummary, Listed};

const LISTED: &str = "SELECT id, name, json_extract(plan, '$.title') AS title, started_at, ended_at, status, environment, \
                      summary FROM executions";

impl Store {
    /// All executions in short, oldest first. It reads neither plans nor measurements.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] if a row cannot be read; others if the file cannot.
    pub fn listed(&self) -> Result<Vec<Listed>, StoreError> {
        self.rows("executions", &format!("{LISTED} ORDER BY id"), (), listed)
    }

    /// Executions of one name in short, oldest first.
    ///
    /// # Errors
    ///
    /// As [`Store::listed`].
    pub fn listed_of(&self, name: &str) -> Result<Vec<Listed>, StoreError> {
        self.rows("executions", &format!("{LISTED} WHERE name = ?1 ORDER BY id"), (name,), listed)
    }

    /// Keeps verdicts and key figures of an execution, in place of those that were kept before.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn keep_summary(&mut self, execution: i64, summary: &ExecutionSummary) -> Result<(), StoreError> {
        self.write("UPDATE executions SET summary = ?2 WHERE id = ?1", (execution, json(summary))).map(drop)
    }

    /// Gives an execution a name that later ones are compared with; a name that is there moves. `set_at` is RFC 3339
    /// in UTC.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoExecution`] if there is none with this id; others if the file cannot be written.
    pub fn set_baseline(&mut self, name: &str, execution: i64, set_at: &str) -> Result<(), StoreError> {
        let is_there = self
            .connection
            .query_row("SELECT 1 FROM executions WHERE id = ?1", (execution,), |_| Ok(()))
            .optional()
            .map_err(|error| self.error(error))?;
        if is_there.is_none() {
            return Err(StoreError::NoExecution { path: self.path.clone(), id: execution, newest: self.last()? });
        }
        self.write(
            "INSERT INTO baselines (name, execution, set_at) VALUES (?1, ?2, ?3) \
             ON CONFLICT (name) DO UPDATE SET execution = excluded.execution, set_at = excluded.set_at",
            (text(name), execution, set_at),
        )
        .map(drop)
    }

    /// Takes a name away; whether it was there.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn remove_baseline(&mut self, name: &str) -> Result<bool, StoreError> {
        self.connection
            .execute("DELETE FROM baselines WHERE name = ?1", (name,))
            .map(|removed| removed > 0)
            .map_err(|error| self.error(error))
    }

    /// All names, in their order.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be read.
    pub fn baselines(&self) -> Result<Vec<Baseline>, StoreError> {
        self.rows("baselines", "SELECT name, execution, set_at FROM baselines ORDER BY name", (), |row| {
            Ok(Baseline { name: row.0.get("name")?, execution: row.0.get("execution")?, set_at: row.0.get("set_at")? })
        })
    }
}

fn listed(row: &Columns<'_>) -> Result<Listed, RowError> {
    Ok(Listed {
        id: row.0.get("id")?,
        name: row.0.get::<_, Option<String>>("name")?.unwrap_or_default(),
        title: row.0.get::<_, Option<String>>("title")?.unwrap_or_default(),
        started_at: row.0.get("started_at")?,
        ended_at: row.0.get("ended_at")?,
        status: row.word("status")?,
        environment: row.json::<Environment>("environment")?,
        summary: row.optional_json::<ExecutionSummary>("summary")?,
    })
}
