//! Looks into a record without changing it, also while another process writes: what there is, and the end of what goes
//! on.

use std::{path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags};

use super::{
    PATIENCE, Store, StoreError,
    columns::Columns,
    reader::{LevelRow, execution, interval, level, run, sample},
    schema,
};
use crate::{Execution, ExecutionStatus, ExecutionSummary, Interval, LevelData, Nanos, Run, RunData, Sample};

/// The end of an execution that goes on: its newest run, as far as it is within a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Recent {
    /// The execution.
    pub execution: Execution,
    /// Runs that have begun.
    pub runs_begun: u32,
    /// The newest of them, none before the first. It has all its levels; intervals and samples only of the window; no
    /// censuses, scores or requests.
    pub run: Option<RunData>,
    /// First instant of the window, from the spawn of the target.
    pub from: Nanos,
}

/// How an execution stands: whatever else there is to know changes only with it, unless it is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Unique in the record's file, ascending. SQLite gives the number of the last one again once that was deleted.
    pub id: i64,
    /// When it began, as it was written; none if its row cannot be read.
    pub started_at: Option<String>,
    /// How it ended, likewise.
    pub status: Option<ExecutionStatus>,
}

impl Store {
    /// As [`Store::open_existing`], but nothing in it changes: the record of an older Plimsoll is refused instead of
    /// being brought to this program's version.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoRecord`] and [`StoreError::Older`], otherwise as for [`Store::open`].
    pub fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        Self::open_to_read_within(path, PATIENCE)
    }

    fn open_to_read_within(path: &Path, patience: Duration) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::NoRecord { path: path.to_owned() });
        }
        let sqlite = |error| StoreError::from_sqlite(path, error);
        // The log beside a record has an index that readers share: to read takes the right to write it.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(sqlite)?;
        connection.busy_timeout(patience).map_err(sqlite)?;
        connection.pragma_update(None, "query_only", true).map_err(sqlite)?;
        let found = schema::version_now(&connection, path)?;
        if found < schema::VERSION {
            return Err(StoreError::Older { path: path.to_owned(), found, known: schema::VERSION });
        }
        Ok(Self { connection, path: path.to_owned() })
    }

    /// How all executions stand, oldest first; nothing else is read.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be read.
    pub fn standing(&self) -> Result<Vec<Standing>, StoreError> {
        let standing = |row: &Columns<'_>| {
            let started_at = row.0.get("started_at").ok();
            Ok(Standing { id: row.0.get("id")?, started_at, status: row.word("status").ok() })
        };
        self.rows("executions", "SELECT id, started_at, status FROM executions ORDER BY id", (), standing)
    }

    /// One execution without its runs.
    ///
    /// # Errors
    ///
    /// As for [`Store::read`].
    pub fn execution(&self, id: i64) -> Result<Execution, StoreError> {
        let found = self.rows("executions", "SELECT * FROM executions WHERE id = ?1", (id,), execution)?;
        let missing = || Ok(StoreError::NoExecution { path: self.path.clone(), id, newest: self.last()? });
        found.into_iter().next().map_or_else(|| Err(missing().unwrap_or_else(|error| error)), Ok)
    }

    /// Verdicts and key figures of one execution; none if nobody summarized it yet.
    ///
    /// # Errors
    ///
    /// As for [`Store::read`].
    pub fn summary(&self, id: i64) -> Result<Option<ExecutionSummary>, StoreError> {
        let summary = |row: &Columns<'_>| row.optional_json("summary");
        let found = self.rows("executions", "SELECT id, summary FROM executions WHERE id = ?1", (id,), summary)?;
        Ok(found.into_iter().next().flatten())
    }

    /// The newest run of an execution, its intervals and samples of the last `window`: the cost does not grow with how
    /// long it goes on.
    ///
    /// # Errors
    ///
    /// As for [`Store::read`].
    pub fn recent(&self, id: i64, window: Nanos) -> Result<Recent, StoreError> {
        let snapshot = self.connection.unchecked_transaction().map_err(|error| self.error(error))?;
        let execution = self.execution(id)?;
        let begun = "SELECT count(*) FROM runs WHERE execution = ?1";
        let runs_begun =
            self.connection.query_row(begun, (id,), |row| row.get(0)).map_err(|error| self.error(error))?;
        let newest = "SELECT * FROM runs WHERE execution = ?1 ORDER BY id DESC LIMIT 1";
        let newest = self.rows("runs", newest, (id,), run)?.into_iter().next();
        let (run, from) = match newest {
            Some(run) => self.end_of_run(&execution, run, window).map(|(data, from)| (Some(data), from))?,
            None => (None, Nanos::ZERO),
        };
        drop(snapshot);
        Ok(Recent { execution, runs_begun, run, from })
    }

    /// The last value of each metric of a run before `from`, among samples that were written after the one with id
    /// `after`; with each its id. Values that do not change are not sampled again: they hold.
    ///
    /// # Errors
    ///
    /// As for [`Store::read`].
    pub fn held_before(&self, run: i64, after: i64, from: Nanos) -> Result<Vec<(i64, Sample)>, StoreError> {
        // SQLite takes the other columns from the row that has the maximum.
        let sql = "SELECT max(id) AS id, at_ns, metric, value FROM samples \
                   WHERE run = ?1 AND id > ?2 AND at_ns < ?3 GROUP BY metric";
        let from = i64::try_from(from.0).unwrap_or(i64::MAX);
        self.rows("samples", sql, (run, after, from), |row| Ok((row.0.get("id")?, sample(row)?)))
    }

    fn end_of_run(&self, of: &Execution, run: Run, window: Nanos) -> Result<(RunData, Nanos), StoreError> {
        let rows = self.rows("levels", "SELECT * FROM levels WHERE run = ?1 ORDER BY id", (run.id,), level)?;
        let from = self.end(&run, &rows)? - window;
        let levels = rows.into_iter().map(|row| self.end_of_level(of, row, from)).collect::<Result<_, _>>()?;
        let samples = "SELECT * FROM samples WHERE run = ?1 ORDER BY id DESC";
        let samples = self.newest_rows("samples", samples, run.id, sample, |it: &Sample| it.at >= from)?;
        let (censuses, scores, output_tail) = (Vec::new(), Vec::new(), Vec::new());
        Ok((RunData { run, levels, samples, censuses, scores, output_tail }, from))
    }

    /// The last instant that is known of a run, from the spawn of its target.
    fn end(&self, run: &Run, levels: &[LevelRow]) -> Result<Nanos, StoreError> {
        let newest = "SELECT * FROM samples WHERE run = ?1 ORDER BY id DESC LIMIT 1";
        let sampled = self.rows("samples", newest, (run.id,), sample)?.first().map(|it| it.at);
        let newest = "SELECT * FROM intervals WHERE level = ?1 ORDER BY id DESC LIMIT 1";
        let mut end = sampled.unwrap_or_default();
        for level in levels {
            let last = self.rows("intervals", newest, (level.id,), interval)?;
            end = last.iter().map(|it| level.started + it.start + it.duration).fold(end, Ord::max);
        }
        Ok(end)
    }

    fn end_of_level(&self, of: &Execution, row: LevelRow, from: Nanos) -> Result<LevelData, StoreError> {
        let plan = self.planned_level(&of.plan, &row)?.clone();
        let is_within = |it: &Interval| row.started + it.start + it.duration > from;
        let sql = "SELECT * FROM intervals WHERE level = ?1 ORDER BY id DESC";
        let intervals = self.newest_rows("intervals", sql, row.id, interval, is_within)?;
        Ok(LevelData { plan, started: row.started, took: row.took, intervals, traced: Vec::new() })
    }
}
