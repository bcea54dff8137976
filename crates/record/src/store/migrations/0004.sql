-- The record, version 4: requests counted by the instant at which they were intended.

-- By slot of 100 ms: number, offered, ended, failed, and those within each limit: [[12, 100, 98, 1, 90, 97]]
ALTER TABLE intervals ADD COLUMN arrivals TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(arrivals));
