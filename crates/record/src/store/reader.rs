//! Reads executions for reports.

use rusqlite::Params;

use super::{
    Store, StoreError,
    columns::{Columns, RowError},
};
use crate::{
    Counts, Environment, Execution, ExecutionData, Interval, LevelData, LevelPlan, Nanos, Plan, Run, RunData, Sample,
    Score, Timings, TracedRequest,
};

/// How many lines of a target's output a report gets; the record keeps them all.
const OUTPUT_TAIL_LINES: u32 = 200;

/// A level as it stands in its table: an index instead of a plan.
pub(super) struct LevelRow {
    pub(super) id: i64,
    pub(super) level: usize,
    pub(super) started: Nanos,
    pub(super) took: Option<Nanos>,
}

impl Store {
    /// All executions, oldest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] if a row cannot be read; others if the file cannot.
    pub fn executions(&self) -> Result<Vec<Execution>, StoreError> {
        self.rows("executions", "SELECT * FROM executions ORDER BY id", (), execution)
    }

    /// The id of the newest execution.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be read.
    pub fn last(&self) -> Result<Option<i64>, StoreError> {
        self.connection
            .query_row("SELECT max(id) FROM executions", (), |row| row.get(0))
            .map_err(|error| self.error(error))
    }

    /// Everything about one execution, as of one instant, also while it is being written.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoExecution`] if there is none with this id; [`StoreError::Damaged`] names the table and column
    /// that cannot be read.
    pub fn read(&self, id: i64) -> Result<ExecutionData, StoreError> {
        let snapshot = self.connection.unchecked_transaction().map_err(|error| self.error(error))?;
        let found = self.rows("executions", "SELECT * FROM executions WHERE id = ?1", (id,), execution)?;
        let Some(execution) = found.into_iter().next() else {
            return Err(StoreError::NoExecution { path: self.path.clone(), id, newest: self.last()? });
        };
        let runs = self.rows("runs", "SELECT * FROM runs WHERE execution = ?1 ORDER BY id", (id,), run)?;
        let runs = runs.into_iter().map(|run| self.read_run(&execution.plan, run)).collect::<Result<_, _>>()?;
        drop(snapshot);
        Ok(ExecutionData { execution, runs })
    }

    fn read_run(&self, plan: &Plan, run: Run) -> Result<RunData, StoreError> {
        let rows = self.rows("levels", "SELECT * FROM levels WHERE run = ?1 ORDER BY id", (run.id,), level)?;
        Ok(RunData {
            levels: rows.into_iter().map(|row| self.read_level(plan, row)).collect::<Result<_, _>>()?,
            samples: self.rows("samples", "SELECT * FROM samples WHERE run = ?1 ORDER BY id", (run.id,), sample)?,
            censuses: self.rows("censuses", "SELECT * FROM censuses WHERE run = ?1 ORDER BY id", (run.id,), |row| {
                row.json("census")
            })?,
            scores: self.rows("scores", "SELECT * FROM scores WHERE run = ?1 ORDER BY id", (run.id,), score)?,
            output_tail: self.rows(
                "output_lines",
                "SELECT line FROM (SELECT id, line FROM output_lines WHERE run = ?1 AND source = 'target' ORDER BY id DESC LIMIT ?2) ORDER BY id",
                (run.id, OUTPUT_TAIL_LINES),
                |row| Ok(row.0.get("line")?),
            )?,
            run,
        })
    }

    fn read_level(&self, plan: &Plan, row: LevelRow) -> Result<LevelData, StoreError> {
        let plan = self.planned_level(plan, &row)?;
        let intervals = self.rows(
            "intervals",
            "SELECT * FROM intervals WHERE level = ?1 ORDER BY start_ns, stage, request, id",
            (row.id,),
            interval,
        )?;
        // Each worker traces as many as the level is to have: together they may have more.
        let traced = self.rows(
            "traced_requests",
            "SELECT * FROM traced_requests WHERE level = ?1 ORDER BY coalesce(sent_ns, done_ns), intended_ns, id LIMIT ?2",
            (row.id, plan.trace),
            traced,
        )?;
        Ok(LevelData { plan: plan.clone(), started: row.started, took: row.took, intervals, traced })
    }

    pub(super) fn planned_level<'a>(&self, plan: &'a Plan, row: &LevelRow) -> Result<&'a LevelPlan, StoreError> {
        plan.levels.get(row.level).ok_or_else(|| {
            let reason = format!("the plan has {} levels, this is index {}", plan.levels.len(), row.level);
            self.row_error("levels", RowError::Damaged { column: "level", row: row.id, reason })
        })
    }

    /// Rows of `sql`, which yields the newest first, taken as long as they are wanted. They are given back in the order
    /// of writing.
    pub(super) fn newest_rows<T>(
        &self,
        table: &'static str,
        sql: &str,
        of: i64,
        read: impl Fn(&Columns<'_>) -> Result<T, RowError>,
        is_wanted: impl Fn(&T) -> bool,
    ) -> Result<Vec<T>, StoreError> {
        let read_some = || -> Result<Vec<T>, RowError> {
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = statement.query_and_then((of,), |row| read(&Columns(row)))?;
            rows.take_while(|row| row.as_ref().map_or(true, &is_wanted)).collect()
        };
        let mut rows = read_some().map_err(|error| self.row_error(table, error))?;
        rows.reverse();
        Ok(rows)
    }

    pub(super) fn rows<T>(
        &self,
        table: &'static str,
        sql: &str,
        parameters: impl Params,
        read: impl Fn(&Columns<'_>) -> Result<T, RowError>,
    ) -> Result<Vec<T>, StoreError> {
        let read_all = || -> Result<Vec<T>, RowError> {
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.query_and_then(parameters, |row| read(&Columns(row)))?.collect()
        };
        read_all().map_err(|error| self.row_error(table, error))
    }

    fn row_error(&self, table: &'static str, error: RowError) -> StoreError {
        match error {
            RowError::Sqlite(error) => self.error(error),
            RowError::Damaged { column, row, reason } => {
                StoreError::Damaged { path: self.path.clone(), place: format!("{table}.{column} of row {row}"), reason }
            }
        }
    }
}

pub(super) fn execution(row: &Columns<'_>) -> Result<Execution, RowError> {
    Ok(Execution {
        id: row.0.get("id")?,
        started_at: row.0.get("started_at")?,
        ended_at: row.0.get("ended_at")?,
        status: row.word("status")?,
        plan: row.json::<Plan>("plan")?,
        environment: row.json::<Environment>("environment")?,
    })
}

pub(super) fn run(row: &Columns<'_>) -> Result<Run, RowError> {
    Ok(Run {
        id: row.0.get("id")?,
        variant: row.index("variant")?,
        round: row.index("round")?,
        position: row.index("position")?,
        status: row.word("status")?,
        detail: row.0.get("detail")?,
        command: row.0.get("command")?,
        startup: row.optional_nanos("startup_ns")?,
        line: row.optional_json("line")?,
        facts: row.optional_json("facts")?,
    })
}

pub(super) fn level(row: &Columns<'_>) -> Result<LevelRow, RowError> {
    Ok(LevelRow {
        id: row.0.get("id")?,
        level: row.index("level")?,
        started: row.nanos("started_ns")?,
        took: row.optional_nanos("took_ns")?,
    })
}

pub(super) fn sample(row: &Columns<'_>) -> Result<Sample, RowError> {
    Ok(Sample { at: row.nanos("at_ns")?, metric: row.0.get("metric")?, value: row.0.get("value")? })
}

fn score(row: &Columns<'_>) -> Result<Score, RowError> {
    Ok(Score {
        benchmark: row.0.get("benchmark")?,
        mode: row.0.get("mode")?,
        params: row.json("params")?,
        measured: row.json("measured")?,
        raw: row.json("raw")?,
        secondary: row.json("secondary")?,
    })
}

fn traced(row: &Columns<'_>) -> Result<TracedRequest, RowError> {
    Ok(TracedRequest {
        stage: row.index("stage")?,
        request: row.index("request")?,
        intended: row.nanos("intended_ns")?,
        sent: row.optional_nanos("sent_ns")?,
        first_byte: row.optional_nanos("first_byte_ns")?,
        done: row.nanos("done_ns")?,
        status: row.0.get("status")?,
        error: row.optional_word("error")?,
        server_timing: row.0.get("server_timing")?,
    })
}

pub(super) fn interval(row: &Columns<'_>) -> Result<Interval, RowError> {
    Ok(Interval {
        start: row.nanos("start_ns")?,
        duration: row.nanos("duration_ns")?,
        stage: row.index("stage")?,
        request: row.index("request")?,
        counts: counts(row)?,
        ok: Timings { response: row.histogram("ok_response")?, service: row.histogram("ok_service")? },
        failed: Timings { response: row.histogram("failed_response")?, service: row.histogram("failed_service")? },
        send_lag: row.histogram("send_lag")?,
        connection_wait: row.histogram("connection_wait")?,
        dns: row.histogram("dns")?,
        connect: row.histogram("connect")?,
        tls: row.histogram("tls")?,
        first_byte: row.histogram("first_byte")?,
        body: row.histogram("body")?,
        iteration: row.histogram("iteration")?,
        statuses: row.json("statuses")?,
        errors: row.json("errors")?,
        checks: row.json("checks")?,
        arrivals: row.json("arrivals")?,
        generator: row.json("generator")?,
        traced: Vec::new(),
    })
}

fn counts(row: &Columns<'_>) -> Result<Counts, RowError> {
    Ok(Counts {
        offered: row.unsigned("offered")?,
        sent: row.unsigned("sent")?,
        succeeded: row.unsigned("succeeded")?,
        failed: row.unsigned("failed")?,
        dropped: row.unsigned("dropped")?,
        abandoned: row.unsigned("abandoned")?,
        iterations: row.unsigned("iterations")?,
        connections_opened: row.unsigned("connections_opened")?,
        connections_reused: row.unsigned("connections_reused")?,
        tls_handshakes: row.unsigned("tls_handshakes")?,
        tls_resumed: row.unsigned("tls_resumed")?,
        bytes_received: row.unsigned("bytes_received")?,
        bytes_sent: row.unsigned("bytes_sent")?,
        generator_cpu_ns: row.unsigned("generator_cpu_ns")?,
    })
}
