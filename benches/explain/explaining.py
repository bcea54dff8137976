"""Has plants explained by `plimsoll explain`, and counts how often the planted cause comes first: the confusion table."""

import json
import os
import subprocess
import sys
import time
from collections import Counter

import launch

# Share of the plants whose cause is to come first.
WANTED_PERCENT = 95
# Answers that accuse nothing: right for a control, and no error for a plant.
SILENT = ["offered-load", "unknown"]


def explained(plant, side):
    """The explanation as JSON, and how many seconds it took after the warm-up."""
    load = list(plant["load"])
    if "-q" not in load:
        load += ["-c", str(plant["users"])]
    command = [launch.plimsoll(), "explain", side.url, "--pid", str(side.service.pid), "-o", "json", "--quiet", *load]
    command += ["--record", os.path.join(side.scratch, "explain.db")]
    began = time.monotonic()
    done = subprocess.run(side.generator() + command, capture_output=True, text=True, check=False)
    if not done.stdout:
        raise launch.CannotRun(f"the explanation failed: {done.stderr.strip()[-300:]}")
    report = json.loads(done.stdout)
    if not report["explanations"]:
        raise launch.CannotRun(f"nothing was explained: {done.stderr.strip()[-300:]}")
    warm = max((span["end_s"] for span in report["runs"][0]["spans"] if span["phase"] == "warm-up"), default=0)
    return report["explanations"][0], time.monotonic() - began - warm


def judged(plant, found):
    """`right`, `unknown` or `wrong`; a control is right where nothing is accused but what its table allows."""
    allowed = [plant["kind"], *plant["or"]] + (SILENT if plant["kind"] == "healthy" else [])
    if found in allowed:
        return "right"
    return "unknown" if found == "unknown" else "wrong"


def is_named(plant, explanation):
    """Whether the texts name each thing that a reader must be told, such as the lock's class."""
    knob = explanation["knob"] or {"settings": []}
    texts = [explanation["says"], *explanation["evidence"], explanation["change"] or "", *map(str, knob["settings"])]
    return all(name in " ".join(texts) for name in plant["names"])


def explain(plants, log):
    """One row for each, then the confusion table."""
    print("| plant | kind | half | gives way first | verdict | names it | took, s |\n|---|---|---|---|---|---|---|")
    verdicts, confusion, named, took, accused = Counter(), Counter(), Counter(), [], 0
    for plant in plants:
        try:
            with launch.Side(plant) as side:
                side.capacity(2)
                side.beside()
                explanation, seconds = explained(plant, side)
        except launch.CannotRun as e:
            print(f"plants: {plant['name']} left out: {e}", file=sys.stderr, flush=True)
            verdicts["left out"] += 1
            continue
        if log:
            with open(log, "a", encoding="utf-8") as file:
                print(json.dumps({"plant": plant["name"], "kind": plant["kind"], **explanation}), file=file)
        found = explanation["limit"]
        verdict, names = judged(plant, found), is_named(plant, explanation)
        verdicts[verdict] += 1
        confusion[plant["kind"], found] += 1
        named[names] += verdict == "right"
        accused += plant["kind"] == "healthy" and verdict != "right"
        took.append(seconds)
        told = f"{found} | {verdict} | {'yes' if names else 'no'} | {seconds:.0f}"
        print(f"| {plant['name']} | {plant['kind']} | {plant['half']} | {told} |", flush=True)
    print("\n| planted | told |\n|---|---|")
    for kind in dict.fromkeys(plant["kind"] for plant in plants):
        told = ", ".join(f"{found} {n}" for (planted, found), n in confusion.items() if planted == kind)
        print(f"| {kind} | {told or '–'} |")
    counts = ", ".join(f"{n} {verdict}" for verdict, n in verdicts.items())
    print(f"\n{counts}; of the right ones {named[True]} name what must be named; at most {max(took, default=0):.0f} s each")
    percent = 100 * verdicts["right"] / max(len(took), 1)
    print(f"{percent:.0f} % right first place, wanted {WANTED_PERCENT} %; {accused} false on controls, wanted none")
    return 1 if percent < WANTED_PERCENT or accused or verdicts["left out"] else 0

