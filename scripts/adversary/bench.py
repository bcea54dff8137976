"""The place of a scenario's attempts: several at once, each in a folder of its own."""

import concurrent.futures
import os
import random
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import adversary.kills as kills
import adversary.machine as machine
import adversary.record as record
from adversary.outcome import Outcome

# Folders of attempts that found something are kept here.
EVIDENCE = machine.ROOT / "target" / "chaos"


@dataclass
class Bench:
    """Shared by all attempts."""

    program: str
    url: str
    seed: int
    at_once: int
    # A record to begin with, its digest, and a folder with one whose last load was killed, beside its write-ahead log.
    template: Path = None
    before: tuple = None
    killed: Path = None


class Attempt:
    """A folder, a mark, and chance that depends on the seed and the attempt's number alone."""

    def __init__(self, bench, scenario, number, scratch):
        self.bench = bench
        self.name = f"{scenario}-{number}"
        self.random = random.Random(f"{bench.seed}-{self.name}")
        self.mark = f"{machine.SESSION}-{self.name}."
        self.folder = Path(scratch) / self.name
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir(parents=True)
        self.record = self.folder / "record.db"
        self.before = None

    def begin_with_a_record(self):
        """Others were recorded before."""
        shutil.copy(self.bench.template, self.record)
        self.before = self.bench.before

    def env(self):
        return {**machine.environment(self.mark, self.temporary), "PLIMSOLL_RECORD": str(self.record)}

    def start(self, command):
        """Every second attempt into a record that has something in it."""
        if self.random.random() < 0.5:
            self.begin_with_a_record()
        with open(self.folder / "stderr", "wb") as stderr:
            return machine.spawn(command, self.env(), self.folder, stderr=stderr)

    def said(self):
        return (self.folder / "stderr").read_text(errors="replace")

    def look(self, pid):
        """Judges what is left after `pid`, the first process of the attempt, is gone."""
        outcome = Outcome()
        self.look_for_leftovers(pid, outcome)
        record.judge(self.bench.program, self.record, self.env(), outcome, self.before)
        return outcome

    def look_for_leftovers(self, pid, outcome):
        machine.eventually(lambda: not machine.marked(self.mark) and not os.listdir(self.temporary))
        machine.eventually(lambda: not machine.cgroups_of(pid), seconds=2)
        outcome.left += [f"process {each}: {command}" for each, command in machine.marked(self.mark).items()]
        outcome.left += machine.cgroups_of(pid) + os.listdir(self.temporary)


def attempts(bench, name, scenario, times, scratch):
    """Outcomes of so many attempts."""
    with concurrent.futures.ThreadPoolExecutor(bench.at_once) as pool:
        begun = [pool.submit(attempt_once, bench, name, scenario, n, scratch) for n in range(times)]
        try:
            return [each.result() for each in begun]
        except BaseException:
            machine.stopping.set()
            pool.shutdown(wait=False, cancel_futures=True)
            machine.end_all()
            raise


def attempt_once(bench, name, scenario, number, scratch):
    if machine.stopping.is_set():
        raise machine.Stopped
    attempt = Attempt(bench, name, number, scratch)
    outcome = scenario(bench, attempt)
    if faults := outcome.faults():
        print(f"chaos: {attempt.name}: {'; '.join(faults)}", file=sys.stderr, flush=True)
        keep(attempt)
    shutil.rmtree(attempt.folder, ignore_errors=True)
    return outcome


def keep(attempt):
    """So that it can be looked into."""
    kept = EVIDENCE / attempt.name
    shutil.rmtree(kept, ignore_errors=True)
    EVIDENCE.mkdir(parents=True, exist_ok=True)
    shutil.copytree(attempt.folder, kept, ignore_dangling_symlinks=True)
    print(f"chaos: its files are kept in {kept}", file=sys.stderr, flush=True)


def prepare(program, seed, at_once, scratch):
    """An upstream for all loads, and records to begin with."""
    _, url = machine.start_upstream(program, scratch)
    bench = Bench(program, url, seed, at_once)
    attempt = Attempt(bench, "before", 0, scratch)
    load = [program, "load", url, "--trace", "10", "--quiet"]
    commands = [[*load, "-n", "50", "-c", "5"], [program, "run", kills.experiment(bench, attempt, {}, 1), "--quiet"]]
    for command in commands:
        code, _, stderr = machine.execute(command, attempt.env(), attempt.folder)
        if code != 0:
            raise machine.CannotRun(f"before anything is killed, {command[1]} ends with {code}: {stderr}")
    bench.template, bench.before = attempt.record, record.digest_of(attempt.record)
    bench.killed = killed_record(bench, scratch)
    return bench


def killed_record(bench, scratch):
    attempt = Attempt(bench, "before", 1, scratch)
    attempt.begin_with_a_record()
    load = [bench.program, "load", bench.url, "-q", "200", "-z", "20s", "--trace", "10", "--quiet"]
    victim = machine.spawn(load, attempt.env(), attempt.folder)
    time.sleep(2.5)
    kills.kill(victim)
    return attempt.folder
