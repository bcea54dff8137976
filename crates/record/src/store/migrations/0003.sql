-- The record, version 3: the first requests of a level one by one, and the scores of benchmarks.

CREATE TABLE traced_requests (
    id            INTEGER PRIMARY KEY,
    level         INTEGER NOT NULL REFERENCES levels (id) ON DELETE CASCADE,
    stage         INTEGER NOT NULL,
    request       INTEGER NOT NULL, -- index into plan.levels[level].requests
    intended_ns   INTEGER NOT NULL, -- since the start of the load, as are all instants here
    sent_ns       INTEGER,
    first_byte_ns INTEGER,
    done_ns       INTEGER NOT NULL,
    status        INTEGER,
    error         TEXT, -- its kind, e.g. refused
    server_timing TEXT
) STRICT;
CREATE INDEX traced_requests_of_level ON traced_requests (level);

CREATE TABLE scores (
    id        INTEGER PRIMARY KEY,
    run       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    benchmark TEXT NOT NULL,
    mode      TEXT NOT NULL,
    params    TEXT NOT NULL CHECK (json_valid(params)),   -- {"calls": "50"}
    measured  TEXT NOT NULL CHECK (json_valid(measured)), -- {"score": 1035.5, "error": 11.3, "interval": [1024.2, 1046.8], "unit": "ms/op"}
    raw       TEXT NOT NULL CHECK (json_valid(raw)),      -- [[1030.1, 1040.9]]
    secondary TEXT NOT NULL CHECK (json_valid(secondary)) -- {"gc.alloc.rate": {"score": 12.5, …}}
) STRICT;
CREATE INDEX scores_of_run ON scores (run);

-- Numbered in the order of sending, from 1.
CREATE VIEW first_requests AS
SELECT
    level,
    row_number() OVER (PARTITION BY level ORDER BY coalesce(sent_ns, done_ns), intended_ns, id) AS call,
    intended_ns,
    sent_ns,
    first_byte_ns,
    done_ns,
    status,
    error,
    server_timing
FROM traced_requests;
