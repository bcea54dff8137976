-- The record, version 5: each run has a search for a load line of its own.

-- Its answer: {"capacity": …, "found": [{"outcome": …, "lower": …, "upper": …}]}; null where nothing was searched for
ALTER TABLE runs ADD COLUMN line TEXT CHECK (line IS NULL OR json_valid(line));

-- The plan had it, of the only run.
UPDATE runs SET line = (
    SELECT json_object('capacity', json_extract(plan, '$.line.capacity'), 'found', json_extract(plan, '$.line.found'))
    FROM executions
    WHERE executions.id = runs.execution AND json_type(plan, '$.line.found') = 'array'
);
