-- The record, version 6: looks at a target from outside.

CREATE TABLE censuses (
    id     INTEGER PRIMARY KEY,
    run    INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    at_ns  INTEGER NOT NULL, -- since the spawn of the target
    load   TEXT GENERATED ALWAYS AS (json_extract(census, '$.window')) VIRTUAL, -- rest, light or full
    census TEXT NOT NULL CHECK (json_valid(census))
) STRICT;
CREATE INDEX censuses_of_run ON censuses (run);
