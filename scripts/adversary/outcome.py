"""Outcomes of attempts, and the row of the table that they add up to."""

import re
import statistics
from dataclasses import dataclass, field

# A second is a transaction; two allow for a machine that is busy.
LOST_MOST_S = 2.0
# Of a panic in Rust, and of an abort.
PANICS = (101, 134)
HEAD = ("scenario", "attempts", "had begun", "readable", "refused", "lost: median", "most", "left over", "panics", "mute")
WIDTHS = (10, 8, 9, 14, 7, 12, 6, 9, 6, 4)


@dataclass
class Outcome:
    """One attempt."""

    # Whether something was being recorded when it struck.
    begun: bool = False
    # None where there is no record: nothing was recorded yet.
    readable: bool | None = None
    # The command that was to succeed ended with one error that says why it could not.
    refused: bool = False
    lost_s: float | None = None
    left: list = field(default_factory=list)
    panics: list = field(default_factory=list)
    mute: list = field(default_factory=list)
    # Everything else that should not be.
    wrong: list = field(default_factory=list)

    def faults(self):
        """In words."""
        said = [f"left over: {each}" for each in self.left] + [f"panic: {each}" for each in self.panics]
        said += [f"error without a text: {each}" for each in self.mute] + self.wrong
        if self.readable is False and not self.refused:
            said.append("not readable")
        if self.lost_s is not None and self.lost_s > LOST_MOST_S:
            said.append(f"{self.lost_s:.2f} s lost")
        return said

    def judge_end(self, what, code, stderr):
        """An end that must be one of success, or of one error in words. Whether it was success."""
        tail = " / ".join(stderr.strip().splitlines()[-4:])[-400:]
        if code is None:
            self.panics.append(f"{what} hangs: {tail}")
        elif code < 0 or code in PANICS or "panicked at" in stderr:
            self.panics.append(f"{what} ends with {code}: {tail}")
        elif code != 0 and errors_in(stderr) != 1:
            self.mute.append(f"{what} ends with {code} and {errors_in(stderr)} errors: {tail}")
        return code == 0


def errors_in(stderr):
    """How many errors it tells. Only those with words count."""
    return len(re.findall(r"^error: +\S", stderr, re.M))


def row(name, outcomes):
    """Cells of the table."""
    lost = [each.lost_s for each in outcomes if each.lost_s is not None]
    records = [each for each in outcomes if each.readable is not None]
    return (
        name,
        f"{len(outcomes):,}",
        f"{sum(each.begun for each in outcomes):,}",
        f"{sum(each.readable for each in records):,} of {len(records):,}",
        f"{sum(each.refused for each in outcomes):,}",
        f"{statistics.median(lost):.2f} s" if lost else "–",
        f"{max(lost):.2f} s" if lost else "–",
        str(sum(len(each.left) for each in outcomes)),
        str(sum(len(each.panics) for each in outcomes)),
        str(sum(len(each.mute) for each in outcomes)),
    )


def line(cells):
    """A row in Markdown, aligned for readers of the terminal."""
    return "| " + " | ".join(f"{cell:<{width}}" for cell, width in zip(cells, WIDTHS, strict=True)) + " |"
