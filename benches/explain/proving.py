"""Has plants explained, changed and measured again by `plimsoll run --prove`, as variants of an experiment file."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import launch

# Share of the plants with a known setting that are to be lifted by it.
WANTED_PERCENT = 90
# Keys that a variant of an experiment file cannot have.
FOREIGN = ["load", "generator", "generator_quota", "cpus", "busy", "namespace", "dns", "slow_stdout", "stub"]


def can_be_launched(plant):
    return plant["fix"] is not None and not any(plant[key] for key in FOREIGN)


def command(plant, upstream):
    settings = {**plant["settings"], **({"upstream": upstream} if upstream else {}), "server.port": "{port}"}
    module = launch.HERE / plant["module"] / "target"
    java = [str(launch.jdk(plant["jdk"]) / "bin/java"), *plant["jvm"]]
    java += [f"-D{key}={str(value).lower() if value is True else value}" for key, value in settings.items()]
    return [*java, "-cp", f"{module}/classes:{module}/lib/*", plant["main"], *plant["arguments"]]


def experiment(plant, upstream):
    """JSON is YAML."""
    url = f"http://127.0.0.1:{{port}}{plant['path']}"
    variant = {"command": command(plant, upstream), "ready": url, "url": url}
    limits = {"cpus": plant["quota"], "files": plant["descriptors"]}
    variant["limits"] = {name: most for name, most in limits.items() if most}
    load = {"model": "constant-vus", "levels": [plant["users"]], "duration": "2s"}
    return json.dumps({"name": "plants", "variants": {plant["name"]: variant}, "load": load})


def settings_of_fix(plant):
    """As `--with` takes them."""
    fix = plant["fix"]
    pairs = [f"{key}={str(value).lower() if value is True else value}" for key, value in fix.get("settings", {}).items()]
    pairs += [word.removeprefix("--") for word in fix.get("arguments", []) if "=" in word]
    pairs += [f"-Xmx={word.removeprefix('-Xmx')}" for word in fix.get("jvm", []) if word.startswith("-Xmx")]
    limits = {"limits.cpus": fix.get("quota"), "limits.files": fix.get("descriptors")}
    return pairs + [f"{name}={most}" for name, most in limits.items() if most]


def told(plant, flags):
    """What `plimsoll run` says of the plant."""
    side = launch.Side.__new__(launch.Side)
    side.plant, side.processes, side.cgroups, side.inside = plant, [], [], []
    side.scratch = tempfile.mkdtemp(prefix="plants-")
    try:
        upstream = side.start_upstream(plant["upstream"]) if plant["upstream"] is not None else None
        file = Path(side.scratch, "plant.yaml")
        file.write_text(experiment(plant, upstream))
        run = [launch.plimsoll(), "run", str(file), "--format", "json", "--quiet", *flags]
        run += ["--record", os.path.join(side.scratch, "plants.db")]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        if not done.stdout:
            raise launch.CannotRun(done.stderr.strip()[-300:])
        return json.loads(done.stdout)
    finally:
        side.end()


def words(step):
    changes = ", ".join(f"{it['name']} → {it['to']}" for it in step["changes"])
    ratio = "–" if step["ratio"] is None else f"{step['ratio']:.2f}"
    return f"{changes}: {ratio}"


def prove(plants):
    """One row for each: by the setting that Plimsoll knows, else by that of the fix, as its user would name it."""
    print("| plant | kind | gives way first | changed by | change: times | helps |\n|---|---|---|---|---|---|")
    count, left_out = {"plimsoll": [0, 0], "user": [0, 0]}, []
    for plant in filter(can_be_launched, plants):
        try:
            by, result = changed(plant)
        # What is no JSON is a failure of one plant, too.
        except (launch.CannotRun, ValueError) as e:
            print(f"plants: {plant['name']} left out: {e}", file=sys.stderr, flush=True)
            left_out.append(plant["name"])
            continue
        steps = [step for proof in result["proofs"] for step in proof["steps"]]
        found, helps = result["first"]["limit"], any(step["helps"] == "holds" for step in steps)
        if steps:
            count[by] = [count[by][0] + helps, count[by][1] + 1]
        shown = "; ".join(words(step) for step in steps) or result["ended"]
        told_by = by if steps else "–"
        print(f"| {plant['name']} | {plant['kind']} | {found} | {told_by} | {shown} | {'yes' if helps else 'no'} |", flush=True)
    print()
    for by, (helping, all_of_them) in count.items():
        print(f"changed by {by}: {helping} of {all_of_them} lifted")
    helping, all_of_them = count["plimsoll"]
    percent = 100 * helping / max(all_of_them, 1)
    print(f"{percent:.0f} % of those with a known setting, wanted {WANTED_PERCENT} %", end="")
    print(f"; left out: {', '.join(left_out)}" if left_out else "")
    return 1 if percent < WANTED_PERCENT or left_out else 0


def changed(plant):
    """Who named the setting, and what became of it: Plimsoll, else the fix."""
    result = told(plant, ["--prove"])
    if result["proofs"] or not settings_of_fix(plant):
        return "plimsoll", result
    return "user", told(plant, [flag for pair in settings_of_fix(plant) for flag in ("--with", pair)])
