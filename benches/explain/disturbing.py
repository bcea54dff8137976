"""Has ten plants of different kinds explained under disturbance, and counts how often the planted cause still comes first."""

import sys
from collections import Counter

import explaining
import launch

# One of each kind, all of the tuned half.
PLANTS = """small-heap synchronized-class apache-pool hikari-pool semaphore resilience4j-rate tomcat-threads executor
reactor-blocked slow-upstream-jdk""".split()
# Shares of requests that the upstream answers so, where there is one.
ERRORS = ["--status", "200:90,503:10"]
TIMES = [0.9, 1.1, 3.0]
# Most of the plants' requests take longer: as many users still saturate them.
THINK = "10ms"


def disturbances(plant):
    """Names, and what each changes of the plant; the rate is a share of the capacity."""
    yield "a busy loop on one core", {"busy": plant["busy"] + 1}, None
    if plant["upstream"] is not None:
        yield "10 % errors upstream", {"upstream": [*plant["upstream"], *ERRORS]}, None
    for times in TIMES:
        yield f"{times} times the capacity", {}, times
    yield f"users who think for {THINK}", {"load": [*plant["load"], "--think-time", THINK]}, None


def allowed(plant, name, times):
    """Kinds that are right: a rate that is carried is the limit itself, and a busy loop may be it."""
    if times is not None and times < 1:
        return ["offered-load"]
    return [plant["kind"], *plant["or"], *(["foreign-cpu"] if name.startswith("a busy loop") else [])]


def explained(plant, times):
    """What gives way first, and the explanation."""
    with launch.Side(plant) as side:
        # The first is the warm-up, and on a shared machine the greatest is nearest to what is carried.
        capacity = max(side.capacity(2) for _ in range(3))
        side.beside()
        load = [] if times is None else ["-q", str(max(1, round(capacity * times))), "--max-in-flight", "1000"]
        found, _ = explaining.explained({**plant, "load": plant["load"] + load}, side)
        return found["limit"]


def disturb(plants):
    print("| plant | kind | disturbance | gives way first | right |\n|---|---|---|---|---|")
    counts, left_out = Counter(), 0
    for plant in plants:
        for name, changes, times in disturbances(plant):
            try:
                found = explained({**plant, **changes}, times)
            except (launch.CannotRun, ValueError) as e:
                print(f"plants: {plant['name']} with {name} left out: {e}", file=sys.stderr, flush=True)
                left_out += 1
                continue
            right = found in allowed(plant, name, times)
            counts[name, "right" if right else "unknown" if found == "unknown" else "wrong"] += 1
            shown = "yes" if right else "no"
            print(f"| {plant['name']} | {plant['kind']} | {name} | {found} | {shown} |", flush=True)
    print("\n| disturbance | right | unknown | wrong |\n|---|---|---|---|")
    for name in dict.fromkeys(name for name, _ in counts):
        print(f"| {name} | {counts[name, 'right']} | {counts[name, 'unknown']} | {counts[name, 'wrong']} |")
    wrong = sum(count for (_, verdict), count in counts.items() if verdict != "right")
    return 1 if wrong or left_out else 0
