-- The record, version 7: executions in short, names for those that others are compared with, and where output came from.

-- Verdicts and key figures; null: not summarized yet
ALTER TABLE executions ADD COLUMN summary TEXT CHECK (summary IS NULL OR json_valid(summary));

CREATE TABLE baselines (
    name      TEXT PRIMARY KEY,
    execution INTEGER NOT NULL REFERENCES executions (id) ON DELETE CASCADE,
    set_at    TEXT NOT NULL
) STRICT;
CREATE INDEX baselines_of_execution ON baselines (execution);

ALTER TABLE output_lines ADD COLUMN source TEXT NOT NULL DEFAULT 'target';

-- What is kept of a run beside its figures: an object by name; null: nothing
ALTER TABLE runs ADD COLUMN facts TEXT CHECK (facts IS NULL OR json_valid(facts));
