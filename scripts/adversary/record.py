"""Judges a record: by the program's own report, and by SQLite without the program."""

import contextlib
import hashlib
import sqlite3
from datetime import datetime

import adversary.machine as machine

# What may be beside a record: the two files that SQLite keeps, and the program's own.
BESIDE = {"", "-wal", "-shm"}


def judge(program, record, env, outcome, before):
    """Whether the record is there, whole, and still has what was in it `before`."""
    if not record.exists():
        outcome.left += strays(record)
        return
    command = [program, "report", "last", "--format", "json", "--record", record]
    code, stdout, stderr = machine.execute(command, env, record.parent)
    # After it was opened: SQLite's rollback journal, of a first write that a full disk cut short, has done its work then.
    outcome.left += strays(record)
    is_read = outcome.judge_end("report", code, stderr) and bool(stdout)
    try:
        executions, is_whole, is_kept = ask_sqlite(record, before)
    except sqlite3.Error as error:
        outcome.readable = False
        outcome.wrong.append(f"SQLite: {error}")
        return
    outcome.begun = executions > (before[0] if before else 0)
    if executions == 0:
        # "Nothing was recorded yet" is then the right answer.
        outcome.readable = None if is_whole and "nothing was recorded yet" in stderr else False
    else:
        outcome.readable = is_read and is_whole and is_kept
    if not is_kept:
        outcome.wrong.append("what was recorded before has changed")
    if not is_whole:
        outcome.wrong.append("PRAGMA integrity_check finds faults")


def ask_sqlite(record, before):
    """How many executions there are, and whether the record is whole and those before it are as they were."""
    with contextlib.closing(sqlite3.connect(record)) as connection:
        executions = connection.execute("SELECT count(*) FROM executions").fetchone()[0]
        is_whole = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        is_whole &= connection.execute("PRAGMA foreign_key_check").fetchall() == []
        return executions, is_whole, before is None or digest(connection, before[0]) == before


def strays(record):
    """Files that begin with its name, and should not be there."""
    beside = [path.name.removeprefix(record.name) for path in record.parent.glob(record.name + "*")]
    return [record.name + suffix for suffix in beside if suffix not in BESIDE]


def digest(connection, executions):
    """Number of executions, and a digest of everything that belongs to the first so many."""
    kept = hashlib.sha256()
    tables = [
        "SELECT id, started_at, status, plan, environment FROM executions WHERE id <= ?1 ORDER BY id",
        "SELECT runs.* FROM runs WHERE execution <= ?1 ORDER BY id",
        "SELECT levels.* FROM levels JOIN runs ON runs.id = run WHERE execution <= ?1 ORDER BY levels.id",
        "SELECT intervals.* FROM intervals JOIN levels ON levels.id = intervals.level JOIN runs ON runs.id = run"
        " WHERE execution <= ?1 ORDER BY intervals.id",
    ]
    for table in tables:
        for values in connection.execute(table, (executions,)):
            kept.update(repr(values).encode())
    return executions, kept.hexdigest()


def digest_of(record):
    with contextlib.closing(sqlite3.connect(record)) as connection:
        return digest(connection, connection.execute("SELECT count(*) FROM executions").fetchone()[0])


def last_level(record):
    """Of the last execution: its start by the wall clock, the start of its last level since that of the run, and how
    much of the level was recorded, in seconds; None where no level had begun."""
    question = """
        SELECT started_at, started_ns / 1e9, coalesce(max(start_ns + duration_ns), 0) / 1e9
        FROM executions JOIN runs ON runs.execution = executions.id JOIN levels ON levels.run = runs.id
        LEFT JOIN intervals ON intervals.level = levels.id
        WHERE executions.id = (SELECT max(id) FROM executions) GROUP BY levels.id ORDER BY levels.id DESC LIMIT 1"""
    with contextlib.closing(sqlite3.connect(record)) as connection:
        found = connection.execute(question).fetchone()
    return found and (seconds(found[0]), found[1], found[2])


def seconds(date):
    """Nanoseconds of a date are more than Python reads."""
    whole, _, fraction = date.rstrip("Z").partition(".")
    return datetime.fromisoformat(whole + "+00:00").timestamp() + float(f"0.{fraction or 0}")


def values(record, question):
    with contextlib.closing(sqlite3.connect(record)) as connection:
        return connection.execute(question).fetchone()
