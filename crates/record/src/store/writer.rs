//! Writes the data of a run as it goes.

use plimsoll_secrets::mask_name;
use rusqlite::{CachedStatement, Params, named_params};

use super::{
    Store, StoreError,
    columns::{blob, integer, json, text, word},
};
use crate::{
    Census, Environment, ExecutionStatus, Interval, Nanos, Plan, Run, RunStatus, Sample, Score, TracedRequest,
};

/// Every call is committed when it returns.
impl Store {
    /// Begins an execution at `started_at` (RFC 3339, UTC) and returns its id.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn begin_execution(
        &mut self,
        plan: &Plan,
        environment: &Environment,
        started_at: &str,
    ) -> Result<i64, StoreError> {
        self.write(
            "INSERT INTO executions (started_at, status, plan, environment) VALUES (?1, ?2, ?3, ?4)",
            (started_at, word(&ExecutionStatus::Running), json(plan), json(environment)),
        )
    }

    /// Replaces the plan by one that has grown: levels are appended, each before it begins, while the execution runs.
    /// Everything that its runs and levels refer to by index stays where it is.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn update_plan(&mut self, execution: i64, plan: &Plan) -> Result<(), StoreError> {
        self.write("UPDATE executions SET plan = ?2 WHERE id = ?1", (execution, json(plan))).map(drop)
    }

    /// Replaces the environment by what is known now.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn update_environment(&mut self, execution: i64, environment: &Environment) -> Result<(), StoreError> {
        self.write("UPDATE executions SET environment = ?2 WHERE id = ?1", (execution, json(environment))).map(drop)
    }

    /// Ends an execution at `ended_at` (RFC 3339, UTC).
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn end_execution(&mut self, execution: i64, status: ExecutionStatus, ended_at: &str) -> Result<(), StoreError> {
        self.write(
            "UPDATE executions SET status = ?2, ended_at = ?3 WHERE id = ?1",
            (execution, word(&status), ended_at),
        )
        .map(drop)
    }

    /// Begins the run of variant `variant` (index into the plan) in `round`, at place `position` of its order.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn begin_run(&mut self, execution: i64, variant: usize, round: u32, position: u32) -> Result<Run, StoreError> {
        let status = RunStatus::Running;
        let id = self.write(
            "INSERT INTO runs (execution, variant, round, position, status) VALUES (?1, ?2, ?3, ?4, ?5)",
            (execution, integer(variant as u64), round, position, word(&status)),
        )?;
        Ok(Run {
            id,
            variant,
            round,
            position,
            status,
            detail: None,
            command: None,
            startup: None,
            line: None,
            facts: None,
        })
    }

    /// Replaces what is known of a run: its status, detail, command, start-up, load line and facts.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn update_run(&mut self, run: &Run) -> Result<(), StoreError> {
        self.write(
            "UPDATE runs SET status = ?2, detail = ?3, command = ?4, startup_ns = ?5, line = ?6, facts = ?7 WHERE id = ?1",
            (
                run.id,
                word(&run.status),
                run.detail.as_ref().map(text),
                run.command.as_ref().map(text),
                run.startup.map(|startup| integer(startup.0)),
                run.line.as_ref().map(json),
                run.facts.as_ref().map(json),
            ),
        )
        .map(drop)
    }

    /// Begins level `level` (index into the plan) of a run, `started` after the spawn of the target; returns its id.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn begin_level(&mut self, run: i64, level: usize, started: Nanos) -> Result<i64, StoreError> {
        self.write(
            "INSERT INTO levels (run, level, started_ns) VALUES (?1, ?2, ?3)",
            (run, integer(level as u64), integer(started.0)),
        )
    }

    /// Ends a level that took `took` from the first request intended to the last one ended.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn end_level(&mut self, level: i64, took: Nanos) -> Result<(), StoreError> {
        self.write("UPDATE levels SET took_ns = ?2 WHERE id = ?1", (level, integer(took.0))).map(drop)
    }

    /// Adds intervals to the level with id `level`, and the traced requests in them.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn add_intervals(&mut self, level: i64, intervals: &[Interval]) -> Result<(), StoreError> {
        self.write_each(INSERT_INTERVAL, intervals, |statement, interval| insert_interval(statement, level, interval))?;
        if intervals.iter().all(|interval| interval.traced.is_empty()) {
            return Ok(());
        }
        self.add_traced(level, intervals.iter().flat_map(|interval| &interval.traced))
    }

    /// Adds requests to the level with id `level`.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn add_traced<'a>(
        &mut self,
        level: i64,
        requests: impl IntoIterator<Item = &'a TracedRequest>,
    ) -> Result<(), StoreError> {
        self.write_each(INSERT_TRACED, requests, |statement, request| insert_traced(statement, level, request))
    }

    /// Adds what a benchmark harness measured in a run.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn add_scores(&mut self, run: i64, scores: &[Score]) -> Result<(), StoreError> {
        self.write_each(
            "INSERT INTO scores (run, benchmark, mode, params, measured, raw, secondary) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            scores,
            |statement, score| {
                let Score { benchmark, mode, params, measured, raw, secondary } = score;
                let words = (text(benchmark), text(mode));
                statement.execute((run, words.0, words.1, json(params), json(measured), json(raw), json(secondary)))
            },
        )
    }

    /// Adds samples to a run. One that is no number says nothing and is left out.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn add_samples(&mut self, run: i64, samples: &[Sample]) -> Result<(), StoreError> {
        self.write_each(
            "INSERT INTO samples (run, at_ns, metric, value) VALUES (?1, ?2, ?3, ?4)",
            samples.iter().filter(|sample| !sample.value.is_nan()),
            |statement, sample| statement.execute((run, integer(sample.at.0), mask_name(&sample.metric), sample.value)),
        )
    }

    /// Adds looks at the target of a run.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn add_censuses(&mut self, run: i64, censuses: &[Census]) -> Result<(), StoreError> {
        self.write_each(
            "INSERT INTO censuses (run, at_ns, census) VALUES (?1, ?2, ?3)",
            censuses,
            |statement, census| statement.execute((run, integer(census.at.0), json(census))),
        )
    }

    /// Adds lines that the target of a run has put out.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn add_output(&mut self, run: i64, lines: &[String]) -> Result<(), StoreError> {
        self.add_output_of(run, "target", lines)
    }

    /// Adds lines that something beside the target has put out, e.g. a service that it calls.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be written: see the type.
    pub fn add_output_of(&mut self, run: i64, source: &str, lines: &[String]) -> Result<(), StoreError> {
        self.write_each("INSERT INTO output_lines (run, source, line) VALUES (?1, ?2, ?3)", lines, |statement, line| {
            statement.execute((run, text(source), text(line)))
        })
    }

    /// Runs one statement that changes one row; returns the id of the row, where it is new.
    pub(super) fn write(&mut self, sql: &str, parameters: impl Params) -> Result<i64, StoreError> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(parameters))
            .map_err(|error| self.error(error))?;
        Ok(self.connection.last_insert_rowid())
    }

    fn write_each<T>(
        &mut self,
        sql: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut CachedStatement<'_>, T) -> rusqlite::Result<usize>,
    ) -> Result<(), StoreError> {
        let write_all = || {
            let transaction = self.connection.transaction()?;
            {
                let mut statement = transaction.prepare_cached(sql)?;
                items.into_iter().try_for_each(|item| write(&mut statement, item).map(drop))?;
            }
            transaction.commit()
        };
        write_all().map_err(|error| self.error(error))
    }
}

const INSERT_INTERVAL: &str = "
    INSERT INTO intervals (
        level, start_ns, duration_ns, stage, request,
        offered, sent, succeeded, failed, dropped, abandoned, iterations,
        connections_opened, connections_reused, tls_handshakes, tls_resumed, bytes_received, bytes_sent,
        generator_cpu_ns, statuses, errors, checks, arrivals, generator,
        ok_response, ok_service, failed_response, failed_service,
        send_lag, connection_wait, dns, connect, tls, first_byte, body, iteration
    ) VALUES (
        :level, :start_ns, :duration_ns, :stage, :request,
        :offered, :sent, :succeeded, :failed, :dropped, :abandoned, :iterations,
        :connections_opened, :connections_reused, :tls_handshakes, :tls_resumed, :bytes_received, :bytes_sent,
        :generator_cpu_ns, :statuses, :errors, :checks, :arrivals, :generator,
        :ok_response, :ok_service, :failed_response, :failed_service,
        :send_lag, :connection_wait, :dns, :connect, :tls, :first_byte, :body, :iteration
    )";

fn insert_interval(statement: &mut CachedStatement<'_>, level: i64, interval: &Interval) -> rusqlite::Result<usize> {
    let counts = &interval.counts;
    statement.execute(named_params! {
        ":level": level,
        ":start_ns": integer(interval.start.0),
        ":duration_ns": integer(interval.duration.0),
        ":stage": interval.stage,
        ":request": interval.request,
        ":offered": integer(counts.offered),
        ":sent": integer(counts.sent),
        ":succeeded": integer(counts.succeeded),
        ":failed": integer(counts.failed),
        ":dropped": integer(counts.dropped),
        ":abandoned": integer(counts.abandoned),
        ":iterations": integer(counts.iterations),
        ":connections_opened": integer(counts.connections_opened),
        ":connections_reused": integer(counts.connections_reused),
        ":tls_handshakes": integer(counts.tls_handshakes),
        ":tls_resumed": integer(counts.tls_resumed),
        ":bytes_received": integer(counts.bytes_received),
        ":bytes_sent": integer(counts.bytes_sent),
        ":generator_cpu_ns": integer(counts.generator_cpu_ns),
        ":statuses": json(&interval.statuses),
        ":errors": json(&interval.errors),
        ":checks": json(&interval.checks),
        ":arrivals": json(&interval.arrivals),
        ":generator": json(&interval.generator),
        ":ok_response": blob(&interval.ok.response),
        ":ok_service": blob(&interval.ok.service),
        ":failed_response": blob(&interval.failed.response),
        ":failed_service": blob(&interval.failed.service),
        ":send_lag": blob(&interval.send_lag),
        ":connection_wait": blob(&interval.connection_wait),
        ":dns": blob(&interval.dns),
        ":connect": blob(&interval.connect),
        ":tls": blob(&interval.tls),
        ":first_byte": blob(&interval.first_byte),
        ":body": blob(&interval.body),
        ":iteration": blob(&interval.iteration),
    })
}

const INSERT_TRACED: &str = "
    INSERT INTO traced_requests (
        level, stage, request, intended_ns, sent_ns, first_byte_ns, done_ns, status, error, server_timing
    ) VALUES (
        :level, :stage, :request, :intended_ns, :sent_ns, :first_byte_ns, :done_ns, :status, :error, :server_timing
    )";

fn insert_traced(statement: &mut CachedStatement<'_>, level: i64, request: &TracedRequest) -> rusqlite::Result<usize> {
    let nanos = |at: Option<Nanos>| at.map(|at| integer(at.0));
    statement.execute(named_params! {
        ":level": level,
        ":stage": request.stage,
        ":request": request.request,
        ":intended_ns": integer(request.intended.0),
        ":sent_ns": nanos(request.sent),
        ":first_byte_ns": nanos(request.first_byte),
        ":done_ns": integer(request.done.0),
        ":status": request.status,
        ":error": request.error.as_ref().map(word),
        ":server_timing": request.server_timing.as_ref().map(text),
    })
}
