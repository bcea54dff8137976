"""A disk that fills at some instant of a load or an experiment: a small tmpfs in a mount namespace of its own."""

import os
import shutil
import subprocess

import adversary.kills as kills
import adversary.machine as machine
import adversary.record as record
from adversary.outcome import Outcome

# From the size that fits nothing to the one that fits all, beyond what is there at the start.
ROOM_KB = {"load": 700, "run": 900}
LOAD_S = 2
NEEDS = "it mounts a tmpfs, which takes root and `unshare`"

# The record is judged where it is, on the full disk, and copied to where there is room.
ON_THE_DISK = """
disk=$1 size=$2 template=$3 out=$4 program=$5
shift 5
mkdir -p "$disk"
mount -t tmpfs -o "size=${size}k,mode=700" chaos "$disk" || exit 77
if [ -n "$template" ]; then cp "$template" "$disk/record.db" || exit 78; fi
"$program" "$@" >"$out/stdout" 2>"$out/stderr"
echo $? >"$out/code"
"$program" report last --format json >"$out/report" 2>"$out/report-stderr"
echo $? >"$out/report-code"
ls -A "$disk" >"$out/files"
cp "$disk"/record.db* "$out/" 2>/dev/null || true
"""


def available():
    """Raises where it cannot be done."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        raise machine.CannotRun(NEEDS)
    command = ["unshare", "-m", "mount", "-t", "tmpfs", "chaos", "/mnt"]
    if subprocess.run(command, check=False, capture_output=True).returncode != 0:
        raise machine.CannotRun(NEEDS)


def disk(bench, attempt):
    """The disk has room for a random part of what is to be written."""
    what = "run" if attempt.random.random() < 0.25 else "load"
    if attempt.random.random() < 0.5:
        attempt.before = bench.before
    present = bench.template.stat().st_size // 1024 if attempt.before else 0
    size = present + attempt.random.randint(0, ROOM_KB[what]) + 4
    out = attempt.folder / "out"
    out.mkdir()
    place = attempt.folder / "disk"
    template = bench.template if attempt.before else ""
    env = {**attempt.env(), "PLIMSOLL_RECORD": str(place / "record.db")}
    command = ["unshare", "-m", "sh", "-c", ON_THE_DISK, "sh", place, size, template, out, bench.program]
    code, _, stderr = machine.execute([*command, *words_of(bench, attempt, what)], env, attempt.folder)
    if code != 0 or not (out / "report-code").exists():
        return Outcome(wrong=[f"the disk of {size} kB cannot be made: {code} {stderr}"])
    return judge(bench, attempt, out)


def words_of(bench, attempt, what):
    if what == "run":
        return ["run", kills.experiment(bench, attempt, {}, LOAD_S), "--quiet"]
    return ["load", bench.url, "-q", kills.RATE, "-z", f"{LOAD_S}s", "--trace", "20", "--quiet"]


def judge(bench, attempt, out):
    outcome = Outcome()
    attempt.look_for_leftovers(0, outcome)
    is_done = outcome.judge_end("the command", *ended(out, ""))
    outcome.judge_end("report on the full disk", *ended(out, "report-"))
    attempt.record = out / "record.db"
    names = (out / "files").read_text().split()
    outcome.left += [name for name in names if name.startswith("record.db.")]
    record.judge(bench.program, attempt.record, attempt.env(), outcome, attempt.before)
    outcome.refused = not is_done and not outcome.mute
    if outcome.readable is False:
        outcome.wrong.append("not readable")
    return outcome


def ended(out, prefix):
    return int((out / f"{prefix}code").read_text()), (out / f"{prefix}stderr").read_text(errors="replace")
