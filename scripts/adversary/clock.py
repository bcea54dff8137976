"""A wall clock that is set, forwards or backwards, while a load or an experiment is under way. The machine's clock is
left alone: a library that is loaded into the program, and into what it starts, lies to it."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import adversary.kills as kills
import adversary.machine as machine
import adversary.record as record
from adversary.outcome import Outcome

NEEDS = "it builds a small library, which takes a C compiler, and loads it by LD_PRELOAD, as Linux has it"
LOAD_S = 2
JUMPS_S = (1, 3_600, 86_400, 400 * 86_400)
# Beyond the load: to start, to report, and to wait for a busy machine.
SLACK_S = 15


def library():
    """Raises where it cannot be done."""
    made = machine.ROOT / "target" / "chaos" / "clock.so"
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None or not Path("/proc/self").exists():
        raise machine.CannotRun(NEEDS)
    made.parent.mkdir(parents=True, exist_ok=True)
    source = Path(__file__).with_name("clock.c")
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", made, source, "-ldl"]
    if subprocess.run(command, check=False, capture_output=True).returncode != 0 or not jumps(made):
        raise machine.CannotRun(NEEDS)
    return made


def jumps(made):
    """Whether programs believe it: `date` is asked."""
    env = {**os.environ, "LD_PRELOAD": str(made), "PLIMSOLL_CHAOS_JUMP": f"0 {86_400 * 365}"}
    said = subprocess.run(["date", "+%s"], env=env, check=False, capture_output=True, text=True).stdout
    return said.strip().isdigit() and int(said) > time.time() + 86_400 * 300


def clock(bench, attempt):
    """A load, or an experiment, that must take as long and send as much as if nobody had touched the clock."""
    chance = attempt.random
    jump = chance.choice((-1, 1)) * chance.choice(JUMPS_S)
    at = time.monotonic_ns() + int(chance.uniform(0, LOAD_S + 0.5) * 1e9)
    lie = {"LD_PRELOAD": str(machine.ROOT / "target" / "chaos" / "clock.so"), "PLIMSOLL_CHAOS_JUMP": f"{at} {jump}"}
    command = command_of(bench, attempt)
    began = time.monotonic()
    code, _, stderr = machine.execute(command, {**attempt.env(), **lie}, attempt.folder)
    took = time.monotonic() - began
    outcome = Outcome()
    if code != 0:
        outcome.judge_end("the command", code, stderr)
        outcome.wrong.append(f"expected exit code 0, found {code}: {stderr[-300:]}")
    if not LOAD_S <= took <= LOAD_S + SLACK_S:
        outcome.wrong.append(f"expected it to take {LOAD_S} s and little more, it took {took:.1f} s")
    attempt.look_for_leftovers(0, outcome)
    record.judge(bench.program, attempt.record, attempt.env(), outcome, None)
    if outcome.begun:
        judge_times(attempt, outcome)
    return outcome


def command_of(bench, attempt):
    """Every third one an experiment; every second load waits before it starts."""
    if attempt.random.random() < 1 / 3:
        return [bench.program, "run", kills.experiment(bench, attempt, {}, LOAD_S), "--quiet"]
    waits = ["--start-at", "+300ms"] if attempt.random.random() < 0.5 else []
    return [bench.program, "load", bench.url, "-q", kills.RATE, "-z", f"{LOAD_S}s", "--quiet", *waits]


def judge_times(attempt, outcome):
    sent, most, took = record.values(
        attempt.record,
        "SELECT sum(sent), max(start_ns + duration_ns) / 1e9, took_ns / 1e9"
        " FROM intervals JOIN levels ON levels.id = intervals.level",
    )
    outcome.lost_s = max(0.0, LOAD_S - most)
    if sent != kills.RATE * LOAD_S:
        outcome.wrong.append(f"expected {kills.RATE * LOAD_S} requests, found {sent}")
    if not 0.9 * LOAD_S <= (took or 0) <= LOAD_S + SLACK_S:
        outcome.wrong.append(f"expected the level to take {LOAD_S} s, found {took}")
