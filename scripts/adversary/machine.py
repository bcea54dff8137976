"""Processes and what they leave behind. Each process that is started here bears a mark in its environment, which its
descendants inherit, so that all of them are found and nobody else's is touched."""

import json
import os
import resource
import signal
import subprocess
import threading
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARK = "PLIMSOLL_CHAOS"
# All marks of this execution begin with it.
SESSION = uuid.uuid4().hex
# How long whatever was killed has to take the rest with it; a supervisor gives a target two seconds.
PATIENCE_S = 20
# A report or a load that has not ended by then hangs.
HANG_S = 90
# More memory than any command here has a use for.
MEMORY_BYTES = 4 << 30
TICKS = os.sysconf("SC_CLK_TCK")

stopping = threading.Event()


class Stopped(Exception):
    """Ctrl-C: nothing is begun any more."""


class CannotRun(Exception):
    """A scenario needs what this machine has not, or does not allow."""


def plimsoll():
    """The program: $PLIMSOLL, or the newest build of this tree."""
    if "PLIMSOLL" in os.environ:
        named = Path(os.environ["PLIMSOLL"]).resolve()
        if not os.access(named, os.X_OK):
            raise SystemExit(f"chaos: PLIMSOLL={named}: expected a program, found none there")
        return str(named)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = [target / profile / "plimsoll" for profile in ("release", "quick", "debug")]
    built = [path for path in built if path.exists()]
    if not built:
        raise SystemExit("chaos: no build of plimsoll: run `cargo build --bin plimsoll`, or name one with PLIMSOLL=")
    return str(max(built, key=lambda path: path.stat().st_mtime).resolve())


def version(program):
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()


def processors():
    return len(os.sched_getaffinity(0))


def environment(mark, temporary):
    """Ours, without what would lead the program elsewhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PLIMSOLL")}
    return {**kept, MARK: mark, "TMPDIR": str(temporary), "NO_COLOR": "1"}


def spawn(command, env, folder, **more):
    """Starts a command in a session of its own: Ctrl-C is for this program alone, which ends the others."""
    if stopping.is_set():
        raise Stopped
    more.setdefault("stdout", subprocess.DEVNULL)
    more.setdefault("stderr", subprocess.DEVNULL)
    command = [str(word) for word in command]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, env=env, cwd=folder, start_new_session=True, **more)


def execute(command, env, folder):
    """The exit code of a command, None if it hangs, and what it wrote to stdout and stderr."""
    process = spawn(command, env, folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    except ProcessLookupError:
        pass
    try:
        stdout, stderr = process.communicate(timeout=HANG_S)
    except subprocess.TimeoutExpired:
        process.kill()
        stdout, stderr = process.communicate()
        return None, stdout, stderr.decode(errors="replace")
    if stopping.is_set():
        raise Stopped
    return process.returncode, stdout, stderr.decode(errors="replace")


def start_upstream(program, folder):
    """A simulated upstream that the loads of a scenario share: its process and its URL."""
    command = [program, "upstream", "--json", "--interval", "60s"]
    process = spawn(command, environment(f"{SESSION}-upstream", folder), folder, stdout=subprocess.PIPE)
    line = process.stdout.readline()
    if not line:
        raise CannotRun("the upstream of the loads does not start")
    threading.Thread(target=process.stdout.read, daemon=True).start()
    return process, json.loads(line)["ready"]["url"]


def marked(mark):
    """Processes with this mark: command lines by pid."""
    found = {}
    wanted = f"{MARK}={mark}".encode()
    for entry in os.listdir("/proc"):
        if entry.isdigit() and wanted in contents(f"/proc/{entry}/environ"):
            words = contents(f"/proc/{entry}/cmdline").split(b"\0")
            found[int(entry)] = " ".join(word.decode(errors="replace") for word in words)
    return found


def contents(path):
    """Nothing where a process has ended, or is not ours."""
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def spawned_at(pid):
    """The wall clock when a process was forked, to 10 ms; None if it is gone."""
    stat = contents(f"/proc/{pid}/stat")
    if not stat:
        return None
    ticks = int(stat.rsplit(b")", 1)[1].split()[19])
    return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME) + ticks / TICKS


def send(pid, which=signal.SIGKILL):
    """Whether the process was there to be sent the signal."""
    try:
        os.kill(pid, which)
        return True
    except ProcessLookupError:
        return False


def eventually(condition, seconds=PATIENCE_S):
    """Whether it holds within that time."""
    deadline, pause = time.monotonic() + seconds, 0.02
    while not condition():
        if stopping.is_set():
            raise Stopped
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
        # To look through all processes costs milliseconds.
        pause = min(0.3, 1.5 * pause)
    return True


def cgroups_of(pid):
    """Control groups that the lab in process `pid` has made."""
    prefix = f"plimsoll-{pid}-"
    every = os.walk("/sys/fs/cgroup")
    return [os.path.join(at, name) for at, names, _ in every for name in names if name.startswith(prefix)]


def end_all():
    """Ends every process of this execution."""
    deadline = time.monotonic() + PATIENCE_S
    while (left := marked(SESSION)) and time.monotonic() < deadline:
        for pid in left:
            send(pid)
        time.sleep(0.05)
