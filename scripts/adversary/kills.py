"""Kills, at random instants, of a load, of an experiment, and of the processes that an experiment consists of."""

import json
import shutil
import signal
import subprocess
import time

import adversary.machine as machine
import adversary.record as record

RATE = 50
# Bounds of each load: it is to be killed long before.
LOAD_S = 20
# Instants of kills, since the start of the program. One of five is in the first instants, while all is being made.
EARLY_S = (0.0, 0.25)
LATE_S = (0.1, 2.8)


def load(bench, attempt):
    """`kill -9` of `plimsoll load`."""
    command = [bench.program, "load", bench.url, "-q", RATE, "-z", f"{LOAD_S}s", "--quiet"]
    victim = attempt.start(command)
    time.sleep(instant(attempt.random))
    killed = kill(victim)
    outcome = attempt.look(victim.pid)
    level = record.last_level(attempt.record) if outcome.begun else None
    if level:
        outcome.lost_s = max(0.0, killed - (level[0] + level[2]))
    return outcome


def run(bench, attempt):
    """`kill -9` of `plimsoll run`."""
    return kill_lab(attempt, start_lab(bench, attempt, {}))


def namespaces(bench, attempt):
    """The same, with an emulated network between generator and target."""
    return kill_lab(attempt, start_lab(bench, attempt, {"network": {"rtt": "5ms"}}))


def tls(bench, attempt):
    """The same, with an upstream whose certificates are in a temporary folder, and every second time killed with it."""
    lab = start_lab(bench, attempt, {"upstream": {"tls": True}})
    return kill_lab(attempt, lab, takes_upstream=attempt.random.random() < 0.5)


def upstream(bench, attempt):
    """`kill -9` of the upstream that a run has; the lab goes on."""
    lab = start_lab(bench, attempt, {"upstream": {"latency": "1ms"}})
    return kill_part(attempt, lab, "--remove-certificates", "upstream-failed")


def supervisor(bench, attempt):
    """`kill -9` of the target's supervisor; the lab goes on."""
    return kill_part(attempt, start_lab(bench, attempt, {}), "__supervise", "died")


def has_namespaces():
    """Raises where there are none."""
    command = ["unshare", "--net", "true"]
    if not shutil.which("unshare") or subprocess.run(command, check=False, capture_output=True).returncode != 0:
        raise machine.CannotRun("network namespaces take root and `unshare`")


def instant(random):
    return random.uniform(*(EARLY_S if random.random() < 0.2 else LATE_S))


def start_lab(bench, attempt, keys):
    """An experiment whose target is a simulated upstream, which is quick to start."""
    return attempt.start([bench.program, "run", experiment(bench, attempt, keys), "--quiet"])


def experiment(bench, attempt, keys, duration_s=LOAD_S):
    """Its file. JSON is YAML, too."""
    address = "http://{host}:{port}/"
    target = [bench.program, "upstream", "--bind", "{host}", "-p", "{port}"]
    variant = {"command": target, "ready": address, "url": address, **keys}
    offered = {"model": "constant-arrival-rate", "levels": [f"{RATE}/s"], "duration": f"{duration_s}s"}
    file = attempt.folder / "chaos.yaml"
    file.write_text(json.dumps({"variants": {"target": variant}, "load": offered, "rounds": 1, "seed": 1}))
    return file


def kill_lab(attempt, lab, takes_upstream=False):
    time.sleep(instant(attempt.random))
    spawned = target_spawned_at(attempt)
    if takes_upstream:
        # Else the lab would see the upstream's end and remove the folder itself.
        machine.send(lab.pid, signal.SIGSTOP)
        for pid in with_word(attempt, "--remove-certificates"):
            machine.send(pid)
    killed = kill(lab)
    outcome = attempt.look(lab.pid)
    note_loss(attempt, outcome, spawned, killed)
    return outcome


def kill_part(attempt, lab, word, status):
    """Kills a process of the lab's, as soon as it is there, and looks at how the lab ends."""
    time.sleep(instant(attempt.random))
    machine.eventually(lambda: with_word(attempt, word) or lab.poll() is not None)
    spawned = target_spawned_at(attempt)
    killed = time.time()
    hit = [machine.send(pid) for pid in with_word(attempt, word)[:1]]
    try:
        code = lab.wait(machine.HANG_S)
    except subprocess.TimeoutExpired:
        code = None
        kill(lab)
    outcome = attempt.look(lab.pid)
    note_loss(attempt, outcome, spawned, killed)
    judge_lab(attempt, outcome, code, status if any(hit) else "done")
    return outcome


def judge_lab(attempt, outcome, code, status):
    said = attempt.said()
    if code not in (0, 1):
        outcome.judge_end("run", code, said)
    elif "panicked at" in said:
        outcome.panics.append(said)
    found = outcome.begun and record.values(attempt.record, "SELECT status, detail FROM runs ORDER BY id DESC LIMIT 1")
    # Before it was ready, a target whose supervisor ends was not ready.
    if found and found[0] not in (status, "not-ready"):
        outcome.wrong.append(f"expected the run to be {status}, found {found}")
    if found and not found[1]:
        outcome.mute.append(f"the run is {found[0]}, and nothing says why")


def note_loss(attempt, outcome, spawned, killed):
    """Counts from the spawn of the target, as the record does."""
    level = record.last_level(attempt.record) if outcome.begun and spawned else None
    if level:
        outcome.lost_s = max(0.0, killed - (spawned + level[1] + level[2]))


def with_word(attempt, word):
    """Processes of the attempt with this word in their command, the first ones first."""
    return sorted(pid for pid, command in machine.marked(attempt.mark).items() if f" {word}" in command)


def target_spawned_at(attempt):
    """None while there is no target."""
    targets = with_word(attempt, "--bind")
    return machine.spawned_at(targets[0]) if targets else None


def kill(process):
    """The instant of it, by the wall clock."""
    at = time.time()
    process.kill()
    process.wait()
    return at
