"""The table of mutants as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from mutation.outcome import Outcome

_HEAD = """# The verifier verified

Converted programs are broken on purpose, one break at a time, and `tfmigrate verify` must say "differs" of each.
`make mutation` runs all of them and writes this page. The breaks are listed in `tests/mutation/`, each as an exact
change of the converted text; the programs are converted anew for each run, and a change whose place is gone is an
error. Each legacy program is run once and kept as a golden trace; the mutants are verified against it with default
settings.

"""


def breaks(found: Sequence[Outcome]) -> int:
    """How many mutants are true breaks."""
    return sum(not o.mutant.equivalent for o in found)


def caught(found: Sequence[Outcome]) -> int:
    """How many of them the verification calls different."""
    return sum(o.word == "caught" for o in found)


def summary(found: Sequence[Outcome]) -> str:
    """The figures in a paragraph."""
    subjects = {o.subject.path: o.subject for o in found}
    kinds = {o.mutant.kind for o in found if not o.mutant.equivalent}
    equal = [o for o in found if o.mutant.equivalent]
    alarms = sum(o.word == "alarm" for o in equal)
    share = 100 * caught(found) / max(1, breaks(found))
    public = sum(s.public for s in subjects.values())
    middle = sorted(o.seconds for o in found)[len(found) // 2]
    return (
        f"{caught(found)} of {breaks(found)} breaks are caught ({share:.1f} %), of {len(kinds)} kinds, in"
        f" {len(subjects)} programs, {public} of them written after public reports. Of {len(equal)} conversions that"
        f" are right (unchanged, or changed in what makes no difference) {alarms} are called different or unverified. A"
        f" verification took {middle:.0f} s (median)."
    )


def render(found: Sequence[Outcome]) -> str:
    """The page."""
    parts = [_HEAD, summary(found), "\n"]
    missed = [o for o in found if o.word in ("survived", "alarm")]
    if missed:
        parts += ["\n## Not as it should be\n\n", *_rows(missed)]
    parts += ["\n## Breaks\n\n", *_rows([o for o in found if not o.mutant.equivalent])]
    parts += [
        "\n## Changes that break nothing\n\n| program | change | verdict | why it breaks nothing |\n|---|---|---|---|\n"
    ]
    for o in found:
        if o.mutant.equivalent:
            change = f"{o.mutant.kind}{f': `{_cell(o.mutant.words)}`' if o.mutant.old else ''}"
            parts.append(f"| {o.subject.path.stem} | {change} | {o.verdict.value} | {o.mutant.equivalent} |\n")
    return "".join(parts)


def _rows(found: Sequence[Outcome]) -> list[str]:
    rows = ["| program | kind | mutant | verdict | named first |\n|---|---|---|---|---|\n"]
    rows += [
        f"| {o.subject.path.stem} | {o.mutant.kind} | `{_cell(o.mutant.words)}` | {o.verdict.value} |"
        f" {_cell(o.reason)} |\n"
        for o in found
    ]
    return rows


def _cell(text: str) -> str:
    """Text that breaks no table: one line, no bar, not too long."""
    line = " ".join(text.replace("`", "'").split()).replace("|", "\\|")
    return line if len(line) <= 300 else line[:299] + "…"
