-- The record, version 2: requests apart from each other, more phases of a request, and how the generator itself was.

ALTER TABLE intervals ADD COLUMN request INTEGER NOT NULL DEFAULT 0; -- index into plan.levels[level].requests
ALTER TABLE intervals ADD COLUMN iterations INTEGER NOT NULL DEFAULT 0;
ALTER TABLE intervals ADD COLUMN tls_handshakes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE intervals ADD COLUMN tls_resumed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE intervals ADD COLUMN checks TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(checks)); -- {"status is 200": {"passed": 9, "failed": 1}}
ALTER TABLE intervals ADD COLUMN generator TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(generator)); -- {"busiest_worker_percent": 97.5}
ALTER TABLE intervals ADD COLUMN connection_wait BLOB;
ALTER TABLE intervals ADD COLUMN dns BLOB;
ALTER TABLE intervals ADD COLUMN tls BLOB;
ALTER TABLE intervals ADD COLUMN body BLOB;
ALTER TABLE intervals ADD COLUMN iteration BLOB;
