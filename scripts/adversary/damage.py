"""Records whose bytes were flipped, overwritten, cut or moved: a report is made, or one error says why not."""

import shutil

import adversary.machine as machine
from adversary.outcome import Outcome

PAGE = 16_384
FORMATS = ("terminal", "json", "csv", "html", "markdown", "series", "hlog", "prom")


def damage(bench, attempt):
    """One to forty of them, in the record or in the write-ahead log that a killed load has left."""
    for name in ("record.db", "record.db-wal"):
        shutil.copy(bench.killed / name, attempt.folder / name)
    victim = attempt.random.choice(sorted(attempt.folder.glob("record.db*")))
    text = bytearray(victim.read_bytes())
    for _ in range(attempt.random.choice((1, 1, 2, 5, 40))):
        attempt.random.choice(WAYS)(text, attempt.random)
    victim.write_bytes(text)
    outcome = Outcome(begun=True)
    report = [bench.program, "report", attempt.random.choice(("last", "last", "1")), "--full"]
    form = attempt.random.choice(FORMATS)
    code, _, stderr = machine.execute([*report, "--format", form], attempt.env(), attempt.folder)
    outcome.readable = outcome.judge_end(f"report --format {form}", code, stderr)
    outcome.refused = not outcome.readable and not outcome.mute
    code, _, stderr = machine.execute([bench.program, "list"], attempt.env(), attempt.folder)
    outcome.judge_end("list", code, stderr)
    return outcome


def flip(text, random):
    if text:
        text[random.randrange(len(text))] ^= 1 << random.randrange(8)


def overwrite(text, random):
    """With noise, zeros, or ones."""
    at, length = random.randrange(len(text) + 1), random.choice((1, 4, 64, 4_096))
    length = min(length, len(text) - at)
    text[at : at + length] = random.choice((random.randbytes(length), bytes(length), b"\xff" * length))


def cut(text, random):
    del text[random.randrange(len(text) + 1) :]


def swap_pages(text, random):
    if len(text) < 2 * PAGE:
        return
    one, other = (PAGE * random.randrange(len(text) // PAGE) for _ in range(2))
    text[one : one + PAGE], text[other : other + PAGE] = text[other : other + PAGE], text[one : one + PAGE]


def flip_in_text(text, random):
    """A digit or a letter of the plan, of the environment, or of JSON in a row."""
    at = text.find(b'{"', random.randrange(len(text) + 1))
    if at >= 0:
        at = min(len(text) - 1, at + random.randrange(400))
        text[at] = random.randrange(32, 127)


# Cuts and swaps spoil the rest: they are rarer.
WAYS = (flip, flip, flip, overwrite, overwrite, flip_in_text, flip_in_text, cut, swap_pages)
