-- The record, version 1. docs/record-format.md explains it and shows queries.
-- Times are integers in nanoseconds (`…_ns`), dates are RFC 3339 in UTC.

CREATE TABLE executions (
    id          INTEGER PRIMARY KEY,
    name        TEXT GENERATED ALWAYS AS (json_extract(plan, '$.name')) VIRTUAL,
    started_at  TEXT NOT NULL,
    ended_at    TEXT,
    status      TEXT NOT NULL,
    plan        TEXT NOT NULL CHECK (json_valid(plan)),
    environment TEXT NOT NULL CHECK (json_valid(environment))
) STRICT;

CREATE TABLE runs (
    id         INTEGER PRIMARY KEY,
    execution  INTEGER NOT NULL REFERENCES executions (id) ON DELETE CASCADE,
    variant    INTEGER NOT NULL, -- index into plan.variants
    round      INTEGER NOT NULL,
    position   INTEGER NOT NULL,
    status     TEXT NOT NULL,
    detail     TEXT,
    command    TEXT,
    startup_ns INTEGER
) STRICT;
CREATE INDEX runs_of_execution ON runs (execution);

CREATE TABLE levels (
    id         INTEGER PRIMARY KEY,
    run        INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    level      INTEGER NOT NULL, -- index into plan.levels
    started_ns INTEGER NOT NULL, -- since the spawn of the target
    took_ns    INTEGER
) STRICT;
CREATE INDEX levels_of_run ON levels (run);

CREATE TABLE intervals (
    id                 INTEGER PRIMARY KEY,
    level              INTEGER NOT NULL REFERENCES levels (id) ON DELETE CASCADE,
    start_ns           INTEGER NOT NULL, -- since the start of the load
    duration_ns        INTEGER NOT NULL,
    stage              INTEGER NOT NULL,
    offered            INTEGER NOT NULL,
    sent               INTEGER NOT NULL,
    succeeded          INTEGER NOT NULL,
    failed             INTEGER NOT NULL,
    dropped            INTEGER NOT NULL,
    abandoned          INTEGER NOT NULL,
    connections_opened INTEGER NOT NULL,
    connections_reused INTEGER NOT NULL,
    bytes_received     INTEGER NOT NULL,
    bytes_sent         INTEGER NOT NULL,
    generator_cpu_ns   INTEGER NOT NULL,
    statuses           TEXT NOT NULL CHECK (json_valid(statuses)), -- {"200": 17}
    errors             TEXT NOT NULL CHECK (json_valid(errors)),   -- {"refused": {"count": 3, "example": "…"}}
    -- HdrHistogram V2, in nanoseconds; NULL without values
    ok_response        BLOB,
    ok_service         BLOB,
    failed_response    BLOB,
    failed_service     BLOB,
    send_lag           BLOB,
    connect            BLOB,
    first_byte         BLOB
) STRICT;
CREATE INDEX intervals_of_level ON intervals (level);

CREATE TABLE samples (
    id     INTEGER PRIMARY KEY,
    run    INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    at_ns  INTEGER NOT NULL, -- since the spawn of the target
    metric TEXT NOT NULL,
    value  REAL NOT NULL
) STRICT;
CREATE INDEX samples_of_run ON samples (run);

CREATE TABLE output_lines (
    id   INTEGER PRIMARY KEY,
    run  INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    line TEXT NOT NULL
) STRICT;
CREATE INDEX output_lines_of_run ON output_lines (run);

-- The names that the plan gives to a run and to a level, for queries by hand.
CREATE VIEW named_runs AS
SELECT
    runs.id AS run,
    execution,
    executions.name AS experiment,
    json_extract(plan, '$.variants[' || variant || '].name') AS variant,
    round,
    position,
    runs.status AS status,
    startup_ns
FROM runs JOIN executions ON executions.id = runs.execution;

CREATE VIEW named_levels AS
SELECT
    levels.id AS level,
    run,
    named_runs.execution AS execution,
    experiment,
    variant,
    round,
    json_extract(plan, '$.levels[' || levels.level || '].label') AS label,
    json_extract(plan, '$.levels[' || levels.level || '].phase') AS phase,
    started_ns,
    took_ns
FROM levels JOIN named_runs USING (run) JOIN executions ON executions.id = named_runs.execution;
